"""The blocks of plain text: headings, paragraphs, lists, turns of speakers and so on."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from docbats.blocks import Block, blank, non_prose_spans
from docbats.text.columns import COLUMN, mark_outdented, split_terms
from docbats.text.contents import find_contents, mark_listed
from docbats.text.headings import (
    TOP_STYLE,
    WEAK_STYLE,
    HeadingNumber,
    align_columns,
    are_references,
    in_sequence,
    is_caption,
    is_contents_title,
    is_references_title,
    mark_contents_and_references,
    parse_number,
    set_levels,
)
from docbats.text.layout import (
    NEVER_FIRST,
    QUOTES,
    RULES,
    LineGroup,
    ends_sentence,
    group_size,
    is_double_spaced,
    join_runs,
    joined_text,
    mark_layout,
    mark_lists,
    scan_lines,
    split_at,
    split_groups,
)
from docbats.text.speakers import (
    continue_turns,
    find_named_talk,
    find_timed_talk,
    mark_turns,
    read_labels,
)

if TYPE_CHECKING:
    from docbats.blocks import BlockKind
    from docbats.text.contents import Contents
    from docbats.text.languages.language import Language
    from docbats.text.layout import TextLine

_SENTENCE_END = re.compile(r"[.?!…。！？][\"'”’»)\]]*+(?:\s++|(?<=[。！？]))(?=\S)")
_MIN_PARAGRAPH_WORDS = 20  # on average; with fewer, paragraphs are turns of a conversation
_MIN_TURNS = 100  # of a conversation
# This share of the paragraphs has more than one sentence; of lines without gaps more, since it is
# common to write each sentence on a line.
_MIN_LONG_PARAGRAPHS, _MIN_LONG_LINES = 0.1, 0.3


@dataclass(frozen=True)
class PlainStructure:
    """The blocks of a plain text; none if it has no structure."""

    blocks: tuple[Block, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()  # bullets, speakers' names and so on, not prose
    joints: tuple[tuple[int, int], ...] = ()  # marks within which no line ends, either
    cues: tuple[tuple[int, int, float, float], ...] = ()  # where it is said when, in seconds

    def prose(self, text: str) -> str:
        """Return the text with marks and blocks that are not prose blanked."""
        prose = blank(text, [*self.marks, *non_prose_spans(self.blocks)])
        return blank(prose, self.joints, with_line_ends=True) if self.joints else prose


def find_structure(text: str, language: Language) -> PlainStructure:
    r"""Return the blocks of a plain text in this language, and its marks.

    The blocks cover all visible text; only headings that are underlined or listed in a table of
    contents are certain. A text without structure has none: a single paragraph, a sentence on each
    line, or only short lines.

    >>> from docbats.text.languages import load_language
    >>> text = "Bats\n====\n\nThey fly. They hear.\n\nMost sleep by day. Few see well.\n"
    >>> [block.kind for block in find_structure(text, load_language("en")).blocks]
    ['heading', 'paragraph', 'paragraph']
    """
    lines = scan_lines(text)
    if len(lines) < 2:
        return PlainStructure()
    groups = split_groups(lines, language)
    labels = read_labels(lines)
    talk = find_timed_talk(labels, len(groups), language)
    if not talk.turns and is_double_spaced(lines, groups, language):
        return PlainStructure()
    groups = mark_turns(lines, groups, talk)
    is_talk = bool(talk.turns) or _is_talk(lines, groups, language)
    contents = find_contents(lines, language, is_talk=is_talk)
    groups = join_runs(groups, contents.runs, "contents")
    groups = mark_underlined(lines, groups)
    groups = mark_wiki_headings(lines, groups)
    groups = mark_listed(lines, groups, contents, language)
    groups = split_terms(lines, mark_layout(lines, groups))
    if not talk.turns:
        groups = mark_turns(lines, groups, find_named_talk(labels, groups, language))
    groups = mark_outdented(lines, groups, contents.first_line)
    is_talk = not talk.has_headings or _is_talk(lines, groups, language)
    groups = split_under_numbers(lines, groups, language)
    groups = mark_lists(lines, groups)
    mark_numbered(lines, groups, contents, language)
    groups = join_titles(lines, groups, language)
    if not is_talk and not _are_all_known(groups, contents):
        mark_weak(lines, groups, contents, language)
    mark_headline(lines, groups, language, is_talk=is_talk)
    mark_titles_of_lists(lines, groups, contents)
    continue_turns(groups)
    if _is_flat(text, lines, groups):
        return PlainStructure()
    if not contents.headings:
        align_columns(lines, groups)
    set_levels(groups)
    blocks = [_block(lines, group) for group in groups]
    # What looks like contents in plain text may be something else: a heading over it must say so.
    marked = mark_contents_and_references(blocks, text, by_title=True)
    return PlainStructure(
        marked,
        tuple(mark for group in groups for mark in group.marks),
        tuple(joint for group in groups for joint in group.joints),
        tuple(cue for group in groups for cue in group.cues),
    )


def _is_talk(lines: list[TextLine], groups: list[LineGroup], language: Language) -> bool:
    """Whether there are many paragraphs as short as turns of a conversation, without headings."""
    free = [group for group in groups if group.is_free]
    if len(free) < _MIN_TURNS or not language.writes_spaces:
        return False
    n_words = sum(1 + line.text.count(" ") for g in free for line in lines[g.first : g.stop])
    return n_words < _MIN_PARAGRAPH_WORDS * len(free)


def _are_all_known(groups: list[LineGroup], contents: Contents) -> bool:
    """Whether a table of contents of several levels, columns or rules tell all headings.

    The headings of comments in code have rules, too, but there are few different ones.
    """
    headings = [group for group in groups if group.kind == "heading" and group.style]
    ruled = {group.title for group in headings if group.style[0] in RULES}
    has_column = any(group.style.startswith(COLUMN) for group in headings)
    return contents.n_levels > 1 or has_column or len(ruled) >= _MIN_RULED


def _is_flat(text: str, lines: list[TextLine], groups: list[LineGroup]) -> bool:
    """Whether there is only one paragraph, or hardly any has more than one sentence."""
    if not all(group.is_free for group in groups):
        return False
    spans = ((lines[group.first].start, lines[group.stop - 1].end) for group in groups)
    n_long = sum(_SENTENCE_END.search(text, start, end) is not None for start, end in spans)
    are_lines = len(groups) == len(lines) and not all(line.gap for line in lines[1:])
    min_share = _MIN_LONG_LINES if are_lines else _MIN_LONG_PARAGRAPHS
    return len(groups) < 2 or n_long < min_share * len(groups)


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
_ONE_SIDED = re.compile(r"(\*{1,6} +|={1,6} +(?:\[\[[^\[\]]{1,100}\]\] *)?)([^=*\s].*)()")
_ASCIIDOC_RULES = {sign: depth for depth, sign in enumerate("=-~^+", 1)}  # of the same levels
_MAX_WIKI_HEADING = 150
_MIN_WIKI_HEADINGS = 2  # of the text; a single one may be a formula
_Matches = dict[int, re.Match[str]]


def mark_wiki_headings(lines: list[TextLine], groups: list[LineGroup]) -> list[LineGroup]:
    """Split off and mark lines with the same number of equals signs on both sides.

    In AsciiDoc, signs are only before the title, and in the news of GNU programs, stars.
    """
    found, one_sided = _wiki_lines(lines)
    for sign in "=*":
        alike = {i: match for i, match in one_sided.items() if match[1][0] == sign}
        if sum(match[1][1] == sign for match in alike.values()) >= _MIN_WIKI_HEADINGS:
            found |= alike
            for group in groups:
                if sign == "=" and group.kind == "heading" and group.style in _ASCIIDOC_RULES:
                    group.style, group.depth = sign, _ASCIIDOC_RULES[group.style]
    if len(found) < _MIN_WIKI_HEADINGS:
        return groups
    groups = split_at(groups, {edge for i in found for edge in (i, i + 1)})
    for group in groups:
        match = found.get(group.first)
        if match is None or not group.is_free:
            continue
        start = lines[group.first].start
        group.kind, group.title = "heading", match[2]
        group.style, group.depth = match[1][0], match[1].count(match[1][0])
        group.marks = [(start + match.start(n), start + match.end(n)) for n in (1, 3)]
    return groups


def _wiki_lines(lines: list[TextLine]) -> tuple[_Matches, _Matches]:
    """Return the lines with equals signs on both sides, and those with signs before them."""
    found: tuple[_Matches, _Matches] = {}, {}
    for i, line in enumerate(lines):
        if line.text[0] not in "=*" or len(line.text) > _MAX_WIKI_HEADING:
            continue
        match = _WIKI_HEADING.fullmatch(line.text)
        if match and match[1].count("=") == match[3].count("=") and any(map(str.isalpha, match[2])):
            found[0][i] = match
        elif (match := _ONE_SIDED.fullmatch(line.text)) and any(map(str.isalpha, match[2])):
            is_set_off = line.gap or not i or lines[i - 1].text[-1] == "]"  # an anchor or the like
            if line.text[0] == "*":  # unlike an item of a list
                is_set_off = not ends_sentence(line.text) and all(a.gap for a in lines[i : i + 2])
            if is_set_off and not line.indent:
                found[1][i] = match
    return found


_MIN_RULE = 3
_PROMPTS = frozenset("$%>")
_MIN_RULE_RATIO, _MAX_RULE_RATIO = 0.6, 1.7  # length of a rule to length of its heading
_MAX_UNDERLINED = 120
_MIN_LETTERS = 2
_MIN_RULED = 5  # different headings; beside them, lines without a rule are not headings


def mark_underlined(lines: list[TextLine], groups: list[LineGroup]) -> list[LineGroup]:
    """Split off and mark headings with a rule of about their length under them.

    Their titles still have their numbers.
    """
    titles: dict[int, int] = {}  # the first lines of headings, and the lines of their titles
    stops: set[int] = set()
    delimiters = _delimiters(lines)
    for i in range(1, len(lines)):
        if not _is_underlined(lines, i) or lines[i].text in delimiters:
            continue
        has_rule_above = _has_rule_above(lines, i)
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


def _delimiters(lines: list[TextLine]) -> set[str]:
    """Return the rules that often enclose more than a line: they are around code or notes."""
    last: dict[str, int] = {}  # where each rule that is open was last
    n_one: Counter[str] = Counter()
    n_other: Counter[str] = Counter()
    for i, line in enumerate(lines):
        if not _is_rule(line.text):
            continue
        first = last.pop(line.text, None)
        if first is not None and not (line.gap and lines[first + 1].gap):
            (n_one if i - first == 2 else n_other)[line.text] += 1
        elif line.gap or not i:
            last[line.text] = i
    return {rule for rule, n in n_other.items() if n > max(1, n_one[rule] / 4)}


def _is_rule(text: str) -> bool:
    sign = text[0]
    is_rule = sign in RULES and _MIN_RULE <= len(text) <= 2 * _MAX_UNDERLINED
    return is_rule and text.count(sign) == len(text)


def _has_rule_above(lines: list[TextLine], i: int) -> bool:
    """Whether the line over a rule is under one of the same length."""
    return i > 1 and not lines[i - 1].gap and lines[i - 2].text == lines[i].text


def _is_underlined(lines: list[TextLine], i: int) -> bool:
    rule, above = lines[i], lines[i - 1]
    if rule.gap or not _is_rule(rule.text) or len(above.text) > _MAX_UNDERLINED:
        return False
    ratio = len(rule.text) / len(above.text)
    n_letters = sum(map(str.isalpha, above.text))
    if n_letters < _MIN_LETTERS or "|" in above.text or above.text[0] in _PROMPTS:
        return False
    is_boxed = _has_rule_above(lines, i) and "  " not in above.text  # unlike the head of a table
    return is_boxed or _MIN_RULE_RATIO <= ratio <= _MAX_RULE_RATIO


_MAX_WORDS, _MAX_WORDS_WITH_NUMBER = 10, 15
_MAX_CHARACTERS, _MAX_IDEOGRAPHS = 100, 30
_MAX_HEADLINE = 150  # characters
_NEVER_LAST = frozenset(".!:;,…。！：；，、—–-=+/\\|{}&")
_NOT_IN_HEADINGS = re.compile(
    r"^\$\D|^[^\W_]*_\w*$| {3}|https?:|\w{4}[.?!][\"”’)]? (?=\S)|www\.|@\w|[{}|\\<>=;]|\w\(\S*\)$"
)
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
_MAX_WRAPPED_LINES = 3  # of a heading with a number
_MIN_STEP = 2  # blanks by which text is indented further than its heading
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


def mark_numbered(
    lines: list[TextLine], groups: list[LineGroup], contents: Contents, language: Language
) -> None:
    """Mark headings whose numbers follow each other; set the numbers of underlined ones.

    Where a table of contents lists all headings with such numbers, or rules are under them, others
    are items of lists; below the sections with rules, there may be some without.
    """
    listed = {(g.style, g.depth) for g in groups if g.listed_level and contents.is_complete}
    ruled = _number_ruled(groups, language)
    n_ruled = Counter(number.style for number in ruled.values())
    by_depth = sorted(ruled.values(), key=lambda number: number.depth)
    deepest = {n.style: n.depth for n in by_depth if n_ruled[n.style] >= _MIN_CLEAR}
    found: list[tuple[LineGroup, HeadingNumber]] = []
    ended: list[tuple[LineGroup, HeadingNumber]] = []  # with a full stop, as in the GPL
    for group, below in zip_longest(groups, groups[1:]):
        if group.first in ruled:
            found.append((group, ruled[group.first]))
        if not group.is_free or not (group.is_one_line or _is_outdented(lines, group, below)):
            continue
        text = joined_text(lines, group)
        number = _heading_number(text, language)
        is_ended = number is None and text[-1] == "." and _is_over_text(lines, group, below)
        if is_ended:
            number = _heading_number(text.rstrip("."), language)
        if number is None or text == "I" or number.depth <= deepest.get(number.style, 0):
            continue  # "I" is the pronoun
        is_listed = (number.style, number.depth) in listed
        if not is_listed or number.written.strip(".)") in contents.missing:
            (ended if is_ended else found).append((group, number))
    if len(ended) >= max(_MIN_CLEAR, len(found) - len(ruled)):
        found = ended
    fits = in_sequence(number for _, number in found)
    for (group, number), is_heading in zip(found, fits, strict=True):
        if is_heading and group.is_free:
            title = joined_text(lines, group)[number.length :]
            _set_heading(group, title.strip().rstrip("."), number.style)
            group.number, group.depth = number.written, number.depth
            group.restarts = number.values == (1,)


def _number_ruled(groups: list[LineGroup], language: Language) -> dict[int, HeadingNumber]:
    """Set the numbers of underlined headings; return them by the first lines of the headings.

    Where chapters and sections have the same rules, their numbers tell the levels.
    """
    ruled: dict[int, HeadingNumber] = {}
    depths: defaultdict[str, list[tuple[LineGroup, int]]] = defaultdict(list)
    for group in groups:
        if group.kind == "heading" and group.title and not group.number:
            number = parse_number(group.title, language)
            if number is not None and number.length < len(group.title):
                group.number, group.title = number.written, group.title[number.length :]
                ruled[group.first] = number
                depths[group.style].append((group, number.depth))
    n_chapters = Counter({style: sum(n == 1 for _, n in alike) for style, alike in depths.items()})
    for style, alike in depths.items():
        # The sections of a preface may be numbered like chapters, which have other rules.
        lowest = 1 if n_chapters[style] == max(n_chapters.values()) else 2
        first = min(max(lowest, depth) for _, depth in alike)
        for group, depth in alike:
            group.depth = 1 + max(lowest, depth) - first
    return ruled


def _is_outdented(lines: list[TextLine], group: LineGroup, below: LineGroup | None) -> bool:
    """Whether a few lines are all to the left of what is under them."""
    columns = {line.indent for line in lines[group.first : group.stop]}
    is_short = group.stop - group.first <= _MAX_WRAPPED_LINES
    is_left = below is not None and lines[below.first].indent >= min(columns) + _MIN_STEP
    return is_short and is_left and len(columns) == 1


def _is_indented(lines: list[TextLine], group: LineGroup, below: LineGroup | None) -> bool:
    """Whether all lines of the paragraph under a group are further right."""
    if below is None or not below.is_free:
        return False
    column = min(line.indent for line in lines[below.first : below.stop])
    return column >= lines[group.first].indent + _MIN_STEP


def _is_over_text(lines: list[TextLine], group: LineGroup, below: LineGroup | None) -> bool:
    """Whether a real paragraph follows that is not indented as in a list."""
    if below is None or not below.is_free or not _is_body(lines, below, _MIN_BODY):
        return False
    return lines[below.first].indent <= lines[group.first].indent


def mark_weak(
    lines: list[TextLine], groups: list[LineGroup], contents: Contents, language: Language
) -> None:
    """Mark lines in capitals, then short lines, over paragraphs; none on a title page.

    In the column of the text, what is over an indented paragraph is a term that this defines.
    """
    text_column = Counter(line.indent for line in lines).most_common(1)[0][0]
    for style in ("capitals", "short"):
        candidates = [
            g.is_free
            and g.is_one_line
            and g.first >= contents.first_line
            and (below is None or below.kind != "contents")
            and not (lines[g.first].indent == text_column and _is_indented(lines, g, below))
            and _looks_weak(lines[g.first].text, style, language)
            for g, below in zip_longest(groups, groups[1:])
        ]
        if style == "short":
            candidates = _without_speech(lines, groups, candidates, language)
        _mark_candidates(lines, groups, candidates, style)


def mark_headline(
    lines: list[TextLine], groups: list[LineGroup], language: Language, *, is_talk: bool
) -> None:
    """Mark the first line over paragraphs of a line each, if it ends no sentence."""
    group, text = groups[0], lines[0].text
    has_no_gap = any(not lines[below.first].gap for below in groups[1:3])
    if not (has_no_gap and group.is_free and group.is_one_line and any(map(str.isalpha, text))):
        return
    end = text.rstrip(QUOTES)
    if end[-1:] in _QUESTIONS:
        is_open = end == text and not is_talk and len(lines[1].text) > 2 * len(text)
    else:
        is_open = end[-1:] not in _NEVER_LAST or end.endswith(("...", "…"))
    longest = _MAX_HEADLINE if language.writes_spaces else _MAX_IDEOGRAPHS
    if is_open and len(text) <= longest and "   " not in text:  # as over columns
        _set_heading(group, text, WEAK_STYLE)


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
        first = text.split(maxsplit=1)[0].strip(".,'’") if text.strip() else ""
        first = first if first.isupper() and len(first) > 1 else first.lower()  # not the "US"
        is_speech = (
            text.rstrip(QUOTES)[-1:] in _QUESTIONS or first in spoken or uses[text] >= _MAX_USES
        )
        kept.append(is_candidate and not is_speech)
    return kept


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
            last.listed_level = last.listed_level or group.listed_level
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
    if len(letters) < _MIN_LETTERS or text[0] in NEVER_FIRST or text[0].islower():
        return False
    if _NOT_IN_HEADINGS.search(text) or is_caption(text, language):
        return False
    if style == "capitals":
        is_upper = len(letters) >= _MIN_CAPITALS and text.isupper()
        return is_upper and text.rstrip(".")[-1] not in _NEVER_LAST
    return text[-1] not in _NEVER_LAST and text.rstrip(QUOTES)[-1:] not in {".", ","}


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


def mark_titles_of_lists(
    lines: list[TextLine], groups: list[LineGroup], contents: Contents
) -> None:
    """Mark lines such as "Contents" and "References" as headings, if entries follow them.

    Where a table of contents lists the chapters, references that it does not list are in one.
    """
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
            if group.kind != "heading" or group.style == WEAK_STYLE:
                is_inside = contents.is_complete and not is_contents_title(title)
                group.kind, group.style = "heading", WEAK_STYLE if is_inside else TOP_STYLE


def _heads_references(lines: list[TextLine], groups: list[LineGroup]) -> bool:
    entries: list[tuple[BlockKind, str]] = []
    for group in groups:
        if group.kind == "heading":
            break
        if group.kind in {"paragraph", "list_item"}:
            written = "\n".join(line.text for line in lines[group.first : group.stop])
            entries.append((group.kind, written))
    return are_references(entries)
