"""The blocks of plain text: headings, paragraphs, lists, turns of speakers and so on."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from docbats.blocks import Block, blank, non_prose_spans
from docbats.text.headings import (
    HeadingNumber,
    are_references,
    in_sequence,
    is_contents_title,
    is_references_title,
    mark_contents_and_references,
    parse_number,
)
from docbats.text.layout import (
    LineGroup,
    ends_sentence,
    group_size,
    is_double_spaced,
    join_runs,
    mark_layout,
    mark_lists,
    scan_lines,
    split_at,
    split_groups,
)
from docbats.text.speakers import continue_turns, mark_speakers

if TYPE_CHECKING:
    from docbats.blocks import BlockKind
    from docbats.text.languages.language import Language
    from docbats.text.layout import TextLine

_SENTENCE_END = re.compile(r"[.?!…。！？][\"'”’»)\]]*+(?:\s|(?<=[。！？]))(?=\S)")
_MIN_PARAGRAPH_WORDS = 20  # on average; with fewer, paragraphs are turns of a conversation
_MIN_TURNS = 100  # of a conversation
_MIN_LONG_PARAGRAPHS = 0.1  # of the paragraphs have more than one sentence


@dataclass(frozen=True)
class PlainStructure:
    """The blocks of a plain text; none if it has no structure."""

    blocks: tuple[Block, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()  # bullets, speakers' names and so on, not prose

    def prose(self, text: str) -> str:
        """Return the text with marks and blocks that are not prose blanked."""
        return blank(text, [*self.marks, *non_prose_spans(self.blocks)])


def find_structure(text: str, language: Language) -> PlainStructure:
    r"""Return the blocks of a plain text in this language, and its marks.

    The blocks cover all visible text; only underlined headings are certain. A text without
    structure has none: a single paragraph, a sentence on each line, or only short lines.

    >>> from docbats.text.languages import load_language
    >>> text = "Bats\n====\n\nThey fly. They hear.\n\nMost sleep by day. Few see well.\n"
    >>> [block.kind for block in find_structure(text, load_language("en")).blocks]
    ['heading', 'paragraph', 'paragraph']
    """
    lines = scan_lines(text)
    if len(lines) < 2:
        return PlainStructure()
    groups = split_groups(lines, language)
    if is_double_spaced(lines, groups, language):
        return PlainStructure()
    groups = mark_underlined(lines, groups)
    groups = mark_wiki_headings(lines, groups)
    groups = mark_layout(lines, groups)
    groups = mark_speakers(lines, groups)
    is_talk = _is_talk(lines, groups, language)
    contents, listed = ([], set[int]()) if is_talk else find_contents(lines)
    groups = join_runs(groups, contents, "contents")
    groups = split_under_numbers(lines, groups, language)
    groups = mark_lists(lines, groups)
    mark_numbered(lines, groups, language)
    groups = join_titles(lines, groups, language)
    if not is_talk:
        mark_weak(lines, groups, language)
    mark_listed(lines, groups, listed)
    mark_titles_of_lists(lines, groups)
    continue_turns(groups)
    if _is_flat(text, lines, groups):
        return PlainStructure()
    set_levels(groups)
    blocks = [_block(lines, group) for group in groups]
    # What looks like contents in plain text may be something else: a heading over it must say so.
    marked = mark_contents_and_references(blocks, text, by_title=True)
    return PlainStructure(marked, tuple(mark for group in groups for mark in group.marks))


def _is_talk(lines: list[TextLine], groups: list[LineGroup], language: Language) -> bool:
    """Whether there are many paragraphs as short as turns of a conversation, without headings."""
    n_words = sum(len(line.text.split()) for line in lines)
    is_short = language.writes_spaces and n_words < _MIN_PARAGRAPH_WORDS * len(groups)
    return is_short and len(groups) >= _MIN_TURNS


def _is_flat(text: str, lines: list[TextLine], groups: list[LineGroup]) -> bool:
    """Whether there is only one paragraph, or hardly any has more than one sentence."""
    if not all(group.is_free for group in groups):
        return False
    spans = ((lines[group.first].start, lines[group.stop - 1].end) for group in groups)
    n_long = sum(_SENTENCE_END.search(text, start, end) is not None for start, end in spans)
    return len(groups) < 2 or n_long < _MIN_LONG_PARAGRAPHS * len(groups)


def _block(lines: list[TextLine], group: LineGroup) -> Block:
    is_one_line = group.kind == "heading" and group.is_one_line and not group.marks
    return Block(
        kind=group.kind,
        start=lines[group.first].start,
        end=lines[group.stop - 1].end,
        level=group.level,
        number=group.number,
        title=group.title,
        is_certain=group.is_certain,
        speaker=group.speaker,
        seconds=group.seconds,
        written=" ".join(lines[group.first].text.split()) if is_one_line else None,
    )


# A word tokenizer leaves blanks between the signs, as in "= = Food = =".
_WIKI_HEADING = re.compile(r"(=(?: ?=){0,5}) ?([^=\s](?:.*[^=\s])?) ?(=(?: ?=){0,5})")
_MAX_WIKI_HEADING = 150
_MIN_WIKI_HEADINGS = 2  # of the text; a single one may be a formula


def mark_wiki_headings(lines: list[TextLine], groups: list[LineGroup]) -> list[LineGroup]:
    """Split off and mark lines with the same number of equals signs on both sides."""
    found: dict[int, re.Match[str]] = {}
    for i, line in enumerate(lines):
        may_match = line.text[0] == "=" and len(line.text) <= _MAX_WIKI_HEADING
        match = _WIKI_HEADING.fullmatch(line.text) if may_match else None
        if match and match[1].count("=") == match[3].count("=") and any(map(str.isalpha, match[2])):
            found[i] = match
    if len(found) < _MIN_WIKI_HEADINGS:
        return groups
    groups = split_at(groups, {edge for i in found for edge in (i, i + 1)})
    for group in groups:
        match = found.get(group.first)
        if match is None or not group.is_free:
            continue
        start = lines[group.first].start
        group.kind, group.title = "heading", match[2]
        group.style, group.depth = "=", match[1].count("=")
        group.marks = [(start + match.start(n), start + match.end(n)) for n in (1, 3)]
    return groups


_RULES = frozenset("=-~^\"'`#*+:._")
_MIN_RULE = 3
_MIN_RULE_RATIO, _MAX_RULE_RATIO = 0.6, 1.7  # length of a rule to length of its heading
_MAX_UNDERLINED = 120
_MIN_LETTERS = 2


def mark_underlined(lines: list[TextLine], groups: list[LineGroup]) -> list[LineGroup]:
    """Split off and mark headings with a rule of about their length under them.

    Their titles still have their numbers.
    """
    titles: dict[int, int] = {}  # the first lines of headings, and the lines of their titles
    stops: set[int] = set()
    for i in range(1, len(lines)):
        if not _is_underlined(lines, i):
            continue
        has_rule_above = i > 1 and not lines[i - 1].gap and lines[i - 2].text == lines[i].text
        has_rule_above = has_rule_above and i - 1 not in stops  # unless it is under a heading
        first = i - 2 if has_rule_above else i - 1
        if not first or lines[first].gap or first in stops:
            titles[first] = i - 1
            stops.add(i + 1)
    if not titles:
        return groups
    groups = split_at(groups, stops.union(titles))
    for group in groups:
        at = titles.get(group.first)
        if at is None or not group.is_free or group.stop != at + 2:
            continue
        group.kind, group.title = "heading", lines[at].text
        group.style = lines[at + 1].text[0] * (1 + at - group.first)
        rules = (lines[i] for i in range(group.first, group.stop) if i != at)
        group.marks = [(rule.start, rule.end) for rule in rules]
    return groups


def _is_underlined(lines: list[TextLine], i: int) -> bool:
    rule, above = lines[i], lines[i - 1]
    sign = rule.text[0]
    if rule.gap or sign not in _RULES or not _MIN_RULE <= len(rule.text) <= 2 * _MAX_UNDERLINED:
        return False
    if rule.text.count(sign) != len(rule.text) or len(above.text) > _MAX_UNDERLINED:
        return False
    ratio = len(rule.text) / len(above.text)
    n_letters = sum(map(str.isalpha, above.text))
    has_title = n_letters >= _MIN_LETTERS and "|" not in above.text
    return has_title and _MIN_RULE_RATIO <= ratio <= _MAX_RULE_RATIO


_MAX_WORDS, _MAX_WORDS_WITH_NUMBER = 10, 15
_MAX_CHARACTERS, _MAX_IDEOGRAPHS = 100, 30
_NEVER_LAST = frozenset(".!:;,…。！：；，、—–-=+/\\|{}&")
_NEVER_FIRST = frozenset("\"'“”‘«„‹(<[{*-+•#|=/\\.,;:>…–—~^`_¡")
_NOT_IN_HEADINGS = re.compile(r"https?:|\w{4}[.?!][\"”’)]? (?=\S)|www\.|@\w|[{}|\\<>=;]|\w\(\S*\)$")
_MIN_CAPITALS = 4

# Weak headings are short lines and lines in capitals. They count if they are at most this share of
# all paragraphs, and if at least this share of such lines is over a real paragraph. If the first is
# larger or the second smaller, lists are mistaken for headings.
_MAX_WEAK_SHARE, _MIN_OVER_BODY_SHARE = 0.4, 0.2
_MAX_REGULAR_SHARE = 0.5  # of the paragraphs, if each is over a paragraph
_MAX_WEAK_RUN = 2  # headings one under the other; more are a list
_MIN_BODY = 100  # characters of a real paragraph; half of that if it ends with a full stop
_COLONS = frozenset(":：")
_MAX_LIST_ITEM = 150  # characters; after a colon, pieces up to this length are a list
# Doubtful headings count beside this many clear ones, and this many clear ones for each.
_MIN_CLEAR, _MIN_CLEAR_SHARE = 3, 0.7
_MAX_USES = 3  # of the same line; one that recurs more often is not a heading
_QUESTIONS = frozenset("?？؟")
_NARROW = 0.75  # of the width of the lines; a heading without a blank line under it is shorter


def split_under_numbers(
    lines: list[TextLine], groups: list[LineGroup], language: Language
) -> list[LineGroup]:
    """Split off numbered headings that have no blank line under them, if their numbers go up."""
    found: list[tuple[int, HeadingNumber]] = []
    for group in groups:
        if group.is_free and not group.is_one_line:
            heading, below = lines[group.first], lines[group.first + 1]
            is_short = len(heading.text) < _NARROW * len(below.text)
            number = _heading_number(heading.text, language) if is_short else None
            if number is not None and not below.text[0].islower():
                found.append((group.first + 1, number))
    fits = in_sequence(number for _, number in found)
    return split_at(groups, {i for (i, _), fit in zip(found, fits, strict=True) if fit})


def mark_numbered(lines: list[TextLine], groups: list[LineGroup], language: Language) -> None:
    """Mark headings whose numbers follow each other; set the numbers of underlined ones."""
    found: list[tuple[LineGroup, HeadingNumber]] = []
    for group in groups:
        if group.kind == "heading" and group.title:
            number = parse_number(group.title, language)
            if number is not None and number.length < len(group.title):
                group.number, group.title = number.written, group.title[number.length :]
        elif group.is_free and group.is_one_line:
            number = _heading_number(lines[group.first].text, language)
            if number is not None and lines[group.first].text.strip() != "I":  # the pronoun
                found.append((group, number))
    fits = in_sequence(number for _, number in found)
    for (group, number), is_heading in zip(found, fits, strict=True):
        if is_heading:
            title = lines[group.first].text[number.length :]
            _set_heading(group, title.strip().rstrip("."), number.style)
            group.number, group.depth = number.written, max(1, len(number.values))
            group.restarts = number.values == (1,)


def mark_weak(lines: list[TextLine], groups: list[LineGroup], language: Language) -> None:
    """Mark lines in capitals, then short lines, over paragraphs."""
    for style in ("capitals", "short"):
        candidates = [
            g.is_free and g.is_one_line and _looks_weak(lines[g.first].text, style, language)
            for g in groups
        ]
        if style == "short":
            candidates = _without_speech(lines, groups, candidates, language)
        _mark_candidates(lines, groups, candidates, style)


def _without_speech(
    lines: list[TextLine], groups: list[LineGroup], candidates: list[bool], language: Language
) -> list[bool]:
    """Leave out questions, lines that begin like speech, and lines that recur."""
    uses = Counter(lines[group.first].text for group in groups)
    spoken = language.continuing_words | language.shifting_words
    spoken |= frozenset(" ".join(language.function_word_groups).split())
    kept = []
    for group, is_candidate in zip(groups, candidates, strict=True):
        text = lines[group.first].text
        first = text.split(maxsplit=1)[0].lower().strip(".,'’") if text.strip() else ""
        is_speech = text[-1:] in _QUESTIONS or first in spoken or uses[text] >= _MAX_USES
        kept.append(is_candidate and not is_speech)
    return kept


def mark_listed(lines: list[TextLine], groups: list[LineGroup], listed: set[int]) -> None:
    """Mark the lines that a table of contents lists."""
    for group in groups:
        if group.first in listed and group.is_free and group.is_one_line:
            _set_heading(group, lines[group.first].text, "short")


def join_titles(
    lines: list[TextLine], groups: list[LineGroup], language: Language
) -> list[LineGroup]:
    """Join a heading that is only a number, such as "Chapter 4", to the title right under it."""
    joined: list[LineGroup] = []
    for group in groups:
        last = joined[-1] if joined else None
        is_bare = last is not None and last.kind == "heading" and last.number and not last.title
        if is_bare and last is not None and _is_title(lines, group, language):
            last.stop, last.title = group.stop, group.title or lines[group.first].text
        else:
            joined.append(group)
    return joined


def _is_title(lines: list[TextLine], group: LineGroup, language: Language) -> bool:
    """Whether a group is a short line without a number."""
    if not group.is_one_line or group.number:
        return False
    text = lines[group.first].text
    is_weak = _looks_weak(text, "capitals", language) or _looks_weak(text, "short", language)
    return is_weak and (group.is_free or group.kind == "heading")


def _heading_number(text: str, language: Language) -> HeadingNumber | None:
    """Return the number of a line that may be a heading."""
    if len(text) > 2 * _MAX_CHARACTERS:
        return None
    number = parse_number(text, language)
    if number is None:
        return None
    title = text[number.length :].strip()
    if not title:
        return number if number.has_word or number.style == "I" else None
    if title[0].islower() or not _is_short(title, language, _MAX_WORDS_WITH_NUMBER):
        return None
    if title[-1] in _NEVER_LAST and not (number.has_word and title[-1] == "."):
        return None
    n_letters = sum(map(str.isalpha, title))
    return number if n_letters >= (1 if number.has_word else _MIN_LETTERS) else None


def _is_short(text: str, language: Language, max_words: int) -> bool:
    if not language.writes_spaces:
        return len(text) <= _MAX_IDEOGRAPHS
    return len(text) <= _MAX_CHARACTERS and len(text.split()) <= max_words


def _looks_weak(text: str, style: str, language: Language) -> bool:
    """Whether a line looks like a heading in capitals, or like any."""
    if len(text) > _MAX_CHARACTERS or not _is_short(text, language, _MAX_WORDS):
        return False
    letters = [sign for sign in text if sign.isalpha()]
    if len(letters) < _MIN_LETTERS or text[0] in _NEVER_FIRST or text[0].islower():
        return False
    if _NOT_IN_HEADINGS.search(text) or _caption_pattern(language).match(text):
        return False
    if style == "capitals":
        is_upper = len(letters) >= _MIN_CAPITALS and text.isupper()
        return is_upper and text.rstrip(".")[-1] not in _NEVER_LAST
    return text[-1] not in _NEVER_LAST


@cache
def _caption_pattern(language: Language) -> re.Pattern[str]:
    words = "|".join(map(re.escape, sorted(language.caption_words, key=len, reverse=True)))
    return re.compile(rf"(?i:{words or '(?!)'})\.?\s?[\d:：]")


def _mark_candidates(
    lines: list[TextLine], groups: list[LineGroup], is_candidate: list[bool], style: str
) -> None:
    """Mark the candidates that are over a paragraph, unless they are too many or too few.

    Where enough are clear, candidates that may belong to a list are headings, too.
    """
    clear, doubtful = _over_bodies(lines, groups, is_candidate)
    headings = clear
    if len(clear) >= max(_MIN_CLEAR, _MIN_CLEAR_SHARE * len(doubtful)):
        headings = clear + doubtful
    n_candidates = sum(is_candidate)
    n_runs = sum(a and not b for a, b in pairwise([*is_candidate, False]))
    is_regular = len(clear) == n_candidates == n_runs
    most = (_MAX_REGULAR_SHARE if is_regular else _MAX_WEAK_SHARE) * len(groups)
    if _MIN_OVER_BODY_SHARE * n_candidates <= len(headings) <= most:
        for group in headings:
            _set_heading(group, lines[group.first].text, style)


def _over_bodies(
    lines: list[TextLine], groups: list[LineGroup], is_candidate: list[bool]
) -> tuple[list[LineGroup], list[LineGroup]]:
    """Return the candidates over paragraphs, and those among them that may belong to a list."""
    clear: list[LineGroup] = []
    doubtful: list[LineGroup] = []
    run: list[LineGroup] = []  # of candidates, one under the other
    follows_colon = in_list = False
    for group, candidate in zip(groups, is_candidate, strict=True):
        if candidate:
            run.append(group)
            continue
        if 0 < len(run) <= _MAX_WEAK_RUN:
            if not in_list and _is_body(lines, group, _MIN_BODY):
                clear += run
            elif _is_body(lines, group, _MIN_BODY * (2 if follows_colon else 0.5)):
                doubtful += run
        run = []
        follows_colon = lines[group.stop - 1].text[-1] in _COLONS
        may_be_item = group.is_free and group_size(lines, group) <= _MAX_LIST_ITEM
        in_list = follows_colon or (in_list and may_be_item)
    return clear, doubtful


def _is_body(lines: list[TextLine], group: LineGroup, min_size: float) -> bool:
    """Whether a heading may be over a group."""
    size = group_size(lines, group)
    is_ended = ends_sentence(lines[group.stop - 1].text)
    return not group.is_free or size >= min_size or (size >= min_size / 2 and is_ended)


def _set_heading(group: LineGroup, title: str, style: str) -> None:
    group.kind, group.title, group.style, group.is_certain = "heading", title, style, False


_MAX_ENTRY = 100  # characters of an entry of a table of contents
_MIN_ENTRIES = 3
_MIN_REPEATED_SHARE = 0.7  # of the entries recur below, in the same order
_SPACES = re.compile(r"\s+")
_PAGE = re.compile(r"[\s.·…]*\d{0,4}$")


def find_contents(lines: list[TextLine]) -> tuple[list[tuple[int, int]], set[int]]:
    """Return tables of contents without page numbers, and the lines of the headings they list.

    They are runs of short lines that recur below, each by itself and in the same order.
    """
    names = [_name(line.text) for line in lines]
    last = {name: i for i, name in enumerate(names) if name}
    runs: list[tuple[int, int]] = []
    headings: set[int] = set()
    first = 0
    for i in range(len(lines) + 1):
        if i < len(lines) and names[i] and last[names[i]] > i:
            continue
        if _repeats(names[first:i], i, last):
            runs.append((first, i))
            headings.update(last[name] for name in names[first:i] if last[name] >= i)
        first = i + 1
    return runs, headings


def _name(text: str) -> str:
    """Return an entry without its page number; empty if it cannot be an entry."""
    if len(text) > _MAX_ENTRY:
        return ""
    name = _SPACES.sub(" ", _PAGE.sub("", text)).lower()
    return name if sum(map(str.isalpha, name)) > 1 else ""


def _repeats(names: list[str], stop: int, last: dict[str, int]) -> bool:
    if len(names) < _MIN_ENTRIES or len(set(names)) < len(names):
        return False
    again = [last[name] for name in names if last[name] >= stop]
    if len(again) < _MIN_REPEATED_SHARE * len(names):
        return False
    n_ordered = sum(a < b for a, b in pairwise(again))
    has_text_between = again[-1] - again[0] > len(again)
    return has_text_between and n_ordered >= _MIN_REPEATED_SHARE * (len(again) - 1)


def mark_titles_of_lists(lines: list[TextLine], groups: list[LineGroup]) -> None:
    """Mark lines such as "Contents" and "References" as headings, if entries follow them."""
    for at, group in enumerate(groups[:-1]):
        if group.kind != "heading" and not (group.is_free and group.is_one_line):
            continue
        title = group.title or lines[group.first].text
        if is_contents_title(title):
            has_entries = groups[at + 1].kind == "contents"
        else:
            has_entries = is_references_title(title) and _heads_references(lines, groups[at + 1 :])
        if has_entries:
            if group.kind != "heading":
                group.title, group.is_certain = title.rstrip(" .:"), False
            if group.kind != "heading" or group.style == _WEAK:
                group.kind, group.style = "heading", _TOP_STYLE


def _heads_references(lines: list[TextLine], groups: list[LineGroup]) -> bool:
    entries: list[tuple[BlockKind, str]] = []
    for group in groups:
        if group.kind == "heading":
            break
        if group.kind in {"paragraph", "list_item"}:
            written = "\n".join(line.text for line in lines[group.first : group.stop])
            entries.append((group.kind, written))
    return are_references(entries)


_TOP_STYLE = ""  # of headings that are of the highest level, whatever they look like
_WEAK = "short"


def set_levels(groups: list[LineGroup]) -> None:
    """Set the levels of headings; styles nest in the order in which they first appear.

    Short lines are below the others, unless numbers begin again under them. A first heading
    directly above another is the title of the whole text, above all.
    """
    headings = [group for group in groups if group.kind == "heading"]
    if not headings:
        return
    title = None
    if len(groups) > 1 and groups[0] is headings[0] and groups[1].kind == "heading":
        is_alone = sum(group.style == groups[0].style for group in headings) == 1
        title = groups[0] if is_alone or groups[0].style == _WEAK else None
    below = [heading for heading in headings if heading is not title]
    level = 1 if title is None else 2
    base = {_TOP_STYLE: level}
    for style in _nesting(below):
        base[style] = level
        level += max(heading.depth for heading in below if heading.style == style)
    for heading in below:
        heading.level = base[heading.style] + heading.depth - 1
    if title is not None:
        title.level = 1
    used = sorted({heading.level or 1 for heading in headings})
    for heading in headings:  # leave out levels that no heading has
        heading.level = 1 + used.index(heading.level or 1)


def _nesting(headings: list[LineGroup]) -> list[str]:
    """Return the styles, highest first."""
    styles = list(dict.fromkeys(h.style for h in headings if h.style != _TOP_STYLE))
    restarts = sum(heading.style == "1" and heading.restarts for heading in headings) > 1
    if _WEAK in styles and not restarts:
        styles.remove(_WEAK)
        styles.append(_WEAK)
    return styles
