"""The headings of a PDF: the groups of lines that look like some, and their levels."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import islice, pairwise, takewhile
from statistics import median, median_low
from typing import TYPE_CHECKING

from docbats.readers.pdf_blocks import TEXT_KINDS
from docbats.readers.pdf_outline import DOTTED_NUMBER
from docbats.text.headings import is_bare_number, is_caption, parse_number, split_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from docbats.readers.pdf_blocks import BodyStyle, Group
    from docbats.readers.pdf_lines import PageLine

    Font = tuple[float, bool]  # size and weight of a heading; a larger one is of a higher level
    Rank = tuple[float, bool, int]  # font, and how many numbers more than usual in it, negated

_MIN_LARGER = 1.08  # font sizes of the text that make a heading
_MAX_LENGTH = 150
_MAX_LINES = 3
_MAX_LEVEL = 6
_NO_HEADING_END = (".", ",", ";", "-", "…")
# Of a function with its parameters, and its kind at the right edge, as manuals of GNU have it.
_DEFINITION = re.compile(r"\w ?\(.*\[[^\W\d_][^\[\]]{2,30}\]")
_LETTERS = re.compile(r"[^\W\d_]{2}|[\u3040-\u9fff\uac00-\ud7af]")


def find_headings(groups: Sequence[Group], style: BodyStyle) -> list[Group]:
    """Mark the groups that look like headings, and return all groups with headings joined.

    Those in the font of bookmarked headings are as certain as these.
    """
    found = [i for i, group in enumerate(groups) if _looks_like_heading(group, style)]
    found = _without_labels(groups, found, style)
    for group in _without_front_matter(groups, [groups[i] for i in found], style):
        group.kind, group.is_certain = "heading", False
    _mark_contents(groups)
    joined = _join_numbers(groups)
    for group in _misplaced(joined, style):
        group.kind, group.is_certain = "paragraph", True
    _set_levels([group for group in joined if group.kind == "heading"], style)
    return joined


def _looks_like_heading(group: Group, style: BodyStyle) -> bool:
    if group.kind not in TEXT_KINDS:
        return False
    lines = group.lines
    first = lines[0]
    is_larger = _is_larger(first, style)
    is_bolder = first.is_bold and not style.is_bold and first.size > style.size / _MIN_LARGER
    if not (is_larger or is_bolder) or len(lines) > _MAX_LINES:
        return False
    text = _joined_text(group)
    number, title = split_number(text)
    if group.kind == "list_item" and number is None:
        return False
    return (
        len(text) <= _MAX_LENGTH
        and _LETTERS.search(text) is not None
        and not title.endswith(_NO_HEADING_END)
        and (is_larger or not text.endswith(":"))
        and all(line.is_bold == first.is_bold for line in lines)
        and not is_caption(text)
        and _DEFINITION.search(text) is None
        and not any(map(_has_columns, lines))
    )


def _is_larger(line: PageLine, style: BodyStyle) -> bool:
    return line.size > _MIN_LARGER * style.size


def _joined_text(group: Group) -> str:
    """Return the lines of a group as one line."""
    return " ".join(line.text for line in group.lines)


def _has_columns(line: PageLine) -> bool:
    """Whether wide gaps divide a line, other than one after the number of a heading.

    Such are the first rows of tables, and names defined with their kind at the right edge.
    """
    if len(line.cells) < 2:
        return False
    before = line.text[: line.cells[1][0]]
    number = parse_number(f"{before}Title")
    return len(line.cells) > 2 or number is None or number.length < len(before)


_MIN_OUTER_LINES = 3  # of text from further left that pass over an indented line
_MAX_OUTER_LINES = 200  # examined on a page
_MIN_MARGIN_SHARE = 0.1  # of the paragraphs that begin where the text usually does
_MIN_LINE_INDENT = 2.0  # font sizes by which a single line is indented, unlike a paragraph
_LETTER_WIDTH = 0.4  # font sizes, at least
_SAME_LEFT = 2.0  # points


def _without_labels(groups: Sequence[Group], found: Sequence[int], style: BodyStyle) -> list[int]:
    """Leave out lines as large as the text over an indented text, such as "Note" in a box.

    So is a term over its definition. The text of a section is not indented.
    """
    candidates = set(found)
    may_be_label = {
        i: groups[i].pages[0]
        for i in found
        if not _is_larger(groups[i].lines[0], style)
        and i + 1 < len(groups)
        and i + 1 not in candidates
        and split_number(_joined_text(groups[i]))[0] is None
    }
    if not may_be_label:
        return list(found)
    lines_by_page: dict[int, list[PageLine]] = {page: [] for page in may_be_label.values()}
    for group in groups:
        if group.kind in TEXT_KINDS:
            lines = lines_by_page.get(group.pages[0], [])
            if len(lines) < _MAX_OUTER_LINES:
                lines += group.lines[:_MAX_OUTER_LINES]
    usual = _usual(map(_margin, _long_paragraphs(groups)))
    return [
        i
        for i in found
        if i not in may_be_label
        or not _is_label(groups[i], groups[i + 1], lines_by_page[may_be_label[i]], usual)
    ]


def _long_paragraphs(groups: Iterable[Group]) -> Iterator[Group]:
    """Yield the paragraphs of several lines."""
    return (group for group in groups if group.kind == "paragraph" and len(group.lines) > 1)


def _margin(group: Group) -> int:
    """Return where a paragraph begins, its indent left out."""
    return round(group.lines[-1].left)


def _usual(lefts: Iterable[int]) -> dict[int, int]:
    """Return how often each of the usual left edges occurs."""
    counts = Counter(lefts)
    min_count = max(1, _MIN_MARGIN_SHARE * counts.total())
    return {left: n for left, n in counts.items() if n > min_count}


def _is_label(
    group: Group, following: Group, lines: Sequence[PageLine], usual: Iterable[int]
) -> bool:
    """Whether a text is indented below a group, given lines of its page and the usual margins."""
    if following.kind not in TEXT_KINDS:
        return False
    label, below = group.lines[0], min(line.left for line in following.lines[:2])
    indent = below - label.left
    if abs(indent) > _SAME_LEFT:
        if following.kind == "list_item" or indent < 0:
            return False
        if len(following.lines) == 1 and indent < _MIN_LINE_INDENT * label.size:
            return False
        if _is_near(round(label.left), usual):
            return True
    outer = (
        line for line in lines if line.left < below - _SAME_LEFT and _end(line) > below + line.size
    )
    return len(list(islice(outer, _MIN_OUTER_LINES))) == _MIN_OUTER_LINES


_MIN_ALIGNED = 5  # headings; if smaller, a few at one left edge by chance rule out others
_MIN_ALIGNED_SHARE = 0.9  # of the headings that begin at usual left edges; others are centred


def _misplaced(groups: Sequence[Group], style: BodyStyle) -> list[Group]:
    """Return the headings that begin neither where others nor where paragraphs do.

    Such are titles of boxes and of figures, and names of authors. Where headings begin is learned
    from those with bookmarks or numbers in the same font, and from all in the next larger ones.
    """
    headings = [group for group in groups if group.kind == "heading"]
    trusted: dict[Font, list[int]] = defaultdict(list)  # left edges
    others: dict[Font, list[Group]] = defaultdict(list)
    for group in headings:
        if group.is_certain or _depth(group):
            trusted[_font(group, style)].append(_left(group))
        else:
            others[_font(group, style)].append(group)
    if not others:
        return []
    on_first = (group for group in headings if group.pages[0] == headings[0].pages[0])
    title = max(on_first, key=lambda group: _font(group, style), default=None)
    columns = _columns(groups)
    misplaced: list[Group] = []
    larger: list[int] = []  # left edges of headings in larger fonts, the largest first
    for font in sorted({*trusted, *others}, reverse=True):
        own = trusted[font]
        lefts = own if len(own) >= _MIN_ALIGNED else [*larger[-2 * _MIN_ALIGNED :], *own]
        usual = _usual(lefts)
        is_aligned = sum(usual.values()) >= max(_MIN_ALIGNED, _MIN_ALIGNED_SHARE * len(lefts))
        for group in others[font]:
            left = _left(group)
            if not is_aligned or group is title or _is_near(left, {*usual, *columns}):
                larger.append(left)
            else:
                misplaced.append(group)
        larger += own
    return misplaced


def _columns(groups: Sequence[Group]) -> list[int]:
    """Return the left edges of paragraphs over which no lines from a more usual one pass."""
    lines = {_margin(group): group.lines[0] for group in _long_paragraphs(groups)}
    usual = _usual(map(_margin, _long_paragraphs(groups)))
    columns: list[int] = []
    for left in sorted(usual, key=lambda left: (-usual[left], left)):
        if not any(other < left < _end(lines[other]) for other in columns):
            columns.append(left)
    return columns


def _end(line: PageLine) -> float:
    """Return where a line ends at the earliest."""
    return line.left + _LETTER_WIDTH * line.size * len(line.text)


def _is_near(left: int, edges: Iterable[int]) -> bool:
    return any(abs(left - edge) <= _SAME_LEFT for edge in edges)


def _left(group: Group) -> int:
    return round(min(line.left for line in group.lines))


_MAX_TITLE_PAGE = 0.4  # of the letters of a usual page; if larger, a first chapter is one, too
_MIN_PAGES = 3  # of a document with a title page
_FRONT_PAGES = 6  # that may repeat the title
_COUNTED_PAGES = 40  # whose letters are counted; more take longer and change nothing


def _without_front_matter(
    groups: Sequence[Group], found: Sequence[Group], style: BodyStyle
) -> list[Group]:
    """Leave out what is on the title page besides the title, and where that is repeated.

    Before the first bookmarked heading, also what is not larger than the text; without bookmarks,
    before the contents.
    """
    first_page = groups[0].pages[0] if groups else 0
    n_letters: Counter[int] = Counter()
    for group in takewhile(lambda group: group.pages[0] < first_page + _COUNTED_PAGES, groups):
        n_letters[group.pages[0]] += sum(len(line.text) for line in group.lines)
    usual = median(n_letters.values()) if n_letters else 0
    on_first = [group for group in found if group.pages[0] == first_page]
    dropped: set[int] = set()
    if len(n_letters) >= _MIN_PAGES and n_letters[first_page] < _MAX_TITLE_PAGE * usual:
        title = max(on_first, key=lambda group: group.lines[0].size, default=None)
        dropped |= {id(group) for group in on_first if group is not title}
        if title is not None:
            letters = _joined_text(title).casefold()
            dropped |= {
                id(group)
                for group in found
                if group is not title
                and group.pages[0] < first_page + _FRONT_PAGES
                and _joined_text(group).casefold() == letters
            }
    kinds = [group.kind for group in groups]
    end = next((kinds.index(kind) for kind in ("heading", "contents") if kind in kinds), 0)
    dropped |= {id(group) for group in groups[:end] if not _is_larger(group.lines[0], style)}
    return [group for group in found if id(group) not in dropped]


def _font(group: Group, style: BodyStyle) -> Font:
    """Return the font of a heading; of a larger one, the weight says nothing."""
    line = max(group.lines, key=lambda line: line.size)  # "Chapter 1" may be smaller
    return round(2 * line.size) / 2, line.is_bold or _is_larger(line, style)


def _set_levels(headings: Sequence[Group], style: BodyStyle) -> None:
    """Set the levels of uncertain headings by the bookmarked ones like them, or by their size.

    Headings of one font are told apart by how many numbers they have, as "2.1" and "2.1.3".
    """
    least: dict[Font, int] = {}
    fonts = [_font(group, style) for group in headings]
    depths = [_depth(group) for group in headings]
    for font, depth in zip(fonts, depths, strict=True):
        if depth:
            least[font] = min(depth, least.get(font, depth))
    ranks: list[Rank] = [
        (*font, least[font] - depth if depth else 0)
        for font, depth in zip(fonts, depths, strict=True)
    ]
    known: dict[Rank, list[int]] = defaultdict(list)
    for group, rank in zip(headings, ranks, strict=True):
        if group.is_certain:
            known[rank].append(group.level or 1)
    levels = {rank: median_low(own) for rank, own in known.items()}
    for rank in sorted(set(ranks) - set(levels), reverse=True):
        higher = [level for other, level in levels.items() if other > rank]
        levels[rank] = min(max(higher, default=0) + 1, _MAX_LEVEL)
    for group, rank in zip(headings, ranks, strict=True):
        if not group.is_certain:
            group.level, group.is_certain = levels[rank], rank in known


def _depth(group: Group) -> int:
    """Return how many numbers a heading begins with, such as 2 for "1.3"; 0 for none."""
    text = _joined_text(group)
    if dotted := DOTTED_NUMBER.match(text):
        return 1 + dotted[0].count(".")
    number = parse_number(text)
    return 0 if number is None else number.depth


def _mark_contents(groups: Sequence[Group]) -> None:
    """Make the headings of tables of contents part of them, and of the lists that follow."""
    middle = groups[-1].pages[-1] / 2 if groups else 0
    has_contents = False
    for group, following in pairwise(groups):
        if group.kind == "contents":
            has_contents = True
        elif group.kind == "heading" and group.pages[0] <= middle:
            if following.kind == "contents":
                group.kind, group.level, group.is_certain = "contents", None, True
            elif has_contents:
                return  # the first chapter; a list after the last one is an index


def _join_numbers(groups: Sequence[Group]) -> list[Group]:
    """Join a heading that is only a number, such as "Chapter 2", with the title after it."""
    joined: list[Group] = []
    for group in groups:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.kind == group.kind == "heading"
            and (is_bare_number(text := _joined_text(last)) or not split_number(text)[1])
            and split_number(group.lines[0].text)[0] is None
        ):
            last.lines += group.lines
            last.pages += group.pages
            if group.is_certain:
                last.is_certain, last.level = True, group.level
        else:
            joined.append(group)
    return joined
