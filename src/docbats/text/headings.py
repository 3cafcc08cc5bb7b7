"""The grammar of headings: numbers, levels, tables of contents and lists of references.

Plain text and every reader share it. Its words are in `docbats.text.languages`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from docbats.text.columns import COLUMN
from docbats.text.languages import LANGUAGES, load_language
from docbats.text.layout import RULES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from docbats.blocks import Block, BlockKind
    from docbats.text.languages.language import Language
    from docbats.text.layout import LineGroup, TextLine

_DIGITS = r"(?:\d{1,3}(?:\.\d{1,3}){0,6}(?![\d.,%]*\d)|\d{4,5}(?=[.)]\s))"
_ROMAN = r"(?=[IVXLC])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?![^\W\d_])"
_LOWER_ROMAN = r"(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})(?![^\W\d_])"
_ORDINAL = r"(?:\.?[ºª°]|[ \t](?:bis|ter|quater|quinquies))?"
# A mark belongs to the number; then comes what separates the number from its title, if any.
_MARK = r"(?P<mark>\.[-–—]|[.)、])?"
_END = r"(?P<between>\s*[:–—|]\s*(?=\S)|\s+-+\s+(?=\S)|\s+(?=\S)|(?<=、)|\s*[:–—|]?\s*\Z)"

_PLAIN_NUMBER = re.compile(
    rf"(?P<number>(?P<sign>§{{1,2}}\s*)?(?P<value>{_DIGITS}|[A-Z](?:\.\d{{1,3}})+|{_ROMAN}|[A-Z]|"
    rf"{_LOWER_ROMAN})(?(sign)[a-z]?){_MARK}){_END}"
)
_IDEOGRAPHIC_DIGITS = {sign: i for i, sign in enumerate("〇一二三四五六七八九")} | {"零": 0}
_IDEOGRAPHIC_POWERS = {"十": 10, "百": 100, "千": 1000}
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_ROMAN_LETTERS = frozenset("IVX")  # as single letters; C may be the third of a row of letters
_MAX_BARE_NUMBER = 99  # "1984 Revisited" has none
_OPENS_TITLE = frozenset("\"'“‘«„¿¡([`*_")
_INITIAL = re.compile(r"[A-Z]\.(?:\s|[A-Z]\.)")
# These mean something else in another language, and only count where the language is known.
_AMBIGUOUS = frozenset({"art", "band", "college", "del", "les", "tom"})
_MAX_LENGTH = 1000  # characters; anything longer is not a heading with a number

_MAX_STEP = 3  # by which numbers that follow each other may differ, where headings are missed
_MAX_FIRST = 3  # number of a row


class HeadingNumber(NamedTuple):
    """The number of a heading."""

    # "1", "I", "i" or "A", with ")" if that follows it; "§"; or the word before the number in lower
    # case, such as "chapter".
    style: str
    values: tuple[int, ...]  # two for "2.3"; empty if the number is a word, as in "Chapter Four"
    length: int  # characters before the title
    written: str  # as in the text, such as "Chapter 4"

    @property
    def depth(self) -> int:
        """2 for "2.3"."""
        return max(1, len(self.values))

    @property
    def has_word(self) -> bool:
        """Whether a word or a sign says that this is the number of a heading."""
        return self.style.rstrip(")") not in {"1", "I", "i", "A"}


def parse_number(heading: str, language: Language | None = None) -> HeadingNumber | None:
    """Return the number at the beginning of a heading; None if there is none.

    Words before numbers may be of any language; a few mean something else in others, and count in
    the `language` of the text alone. A number without a title needs a word or must be Roman.

    >>> parse_number("Chapter 4: The Storm").written, parse_number("A.1 Bats").values
    ('Chapter 4', (1, 1))
    >>> parse_number("2020 in review"), parse_number("I am here")
    (None, None)
    """
    if found := _PLAIN_NUMBER.match(heading):
        return _plain_number(found, heading[found.end() :])
    for pattern in _word_patterns(language):
        found = pattern.match(heading)
        if found and _numbers_title(found, heading[found.end() :]):
            value = _value(found["value"]) if found["value"] else None
            values = () if value is None else (value,)
            written = found["number"].rstrip()
            return HeadingNumber(found["word"].lower(), values, found.end(), written)
    return None


def _plain_number(found: re.Match[str], title: str) -> HeadingNumber | None:
    value, mark, first = found["value"], found["mark"], title[:1]
    written = found["number"].rstrip()
    if found["sign"]:
        return HeadingNumber("§", (int(value.split(".")[0]),), found.end(), written)
    if value[0].isdigit():
        if mark and mark != "、":
            is_number = first.isalnum() or first in _OPENS_TITLE
        elif value.isdecimal() and int(value) > _MAX_BARE_NUMBER:
            is_number = False
        else:
            is_number = first.isalpha() and (not first.islower() or _is_separated(found))
        is_number = is_number and bool(title)
    elif not title:
        is_alone = mark in {None, "."} and not found["between"].strip()
        is_number = is_alone and _read_plain(value)[0] == "I"
    elif not _is_separated(found) or first.islower():
        is_number = "." in value and not first.islower()  # "A.1 Bats"
    else:
        is_number = not (len(value) == 1 and mark == "." and _INITIAL.match(title))  # "J. R. Smith"
    if not is_number:
        return None
    style, values = _read_plain(value)
    style += ")" if mark == ")" else ""
    return HeadingNumber(style, values, found.end(), written)


def _read_plain(value: str) -> tuple[str, tuple[int, ...]]:
    """Return the style and the values of a number without a word."""
    if value[0].isdigit():
        return "1", tuple(map(int, value.split(".")))
    if value.islower():
        return "i", (_roman(value.upper()),)
    if _roman(value) and (len(value) > 1 or value in _ROMAN_LETTERS):
        return "I", (_roman(value),)
    letter, *below = value.split(".")
    return "A", (ord(letter) - ord("A") + 1, *map(int, below))


def _numbers_title(found: re.Match[str], title: str) -> bool:
    """Whether "Part I" numbers what follows; it does not in "Part I of the story"."""
    if not title or "between" not in found.re.groupindex or _is_separated(found):
        return True
    value = found["value"] or ""
    if len(value) == 1 and value.isalpha() and value not in _ROMAN_LETTERS:  # "Book A Flight"
        word = found["word"].lower()
        return any(word in language.appendix_words for language in _all_languages())
    return not title[0].islower()


def _is_separated(found: re.Match[str]) -> bool:
    """Whether a mark, a dash or a line end is between the number and the title."""
    return bool(found["mark"] or found["between"].strip() or "\n" in found["between"])


def split_number(heading: str) -> tuple[str | None, str]:
    """Split a heading into its number and its title; without a title there is no number.

    >>> split_number("1.2. Bats at night"), split_number("Chapter 4: Tea")
    (('1.2.', 'Bats at night'), ('Chapter 4', 'Tea'))
    """
    heading = heading.strip()
    found = parse_number(heading) if len(heading) <= _MAX_LENGTH else None
    if found is not None and any(map(str.isalnum, heading[found.length :])):
        title = " ".join(heading[found.length :].split())
        return " ".join(found.written.split()), title
    return None, " ".join(heading.split())


def is_bare_number(text: str) -> bool:
    """Whether a text is a word such as "Chapter", with or without its number, and no title.

    >>> is_bare_number("Chapter 4"), is_bare_number("CHAPTER"), is_bare_number("12")
    (True, True, False)
    """
    if len(text) > _MAX_LENGTH:
        return False
    found = (pattern.match(t) for t in (text, f"{text} 1") for pattern in _word_patterns(None))
    return any(match is not None and match.end() == len(match.string) for match in found)


def _all_languages() -> Iterator[Language]:
    return map(load_language, (*LANGUAGES, None))


@cache
def _word_patterns(language: Language | None) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of "Chapter 4" and of "第四章"."""
    words = {word for each in _all_languages() for word in each.section_words | each.appendix_words}
    words -= _AMBIGUOUS
    words |= language.section_words if language else frozenset()
    signs = {word for word in words if word[0] >= "\u2e80"}  # ideographs and Hangul
    named = _any_of({word for each in _all_languages() for word in each.number_words})
    digits = "".join((*_IDEOGRAPHIC_DIGITS, *_IDEOGRAPHIC_POWERS))
    return (
        re.compile(
            rf"(?P<number>(?P<word>{_any_of(words - signs)})\.?\s+(?:"
            rf"(?P<value>\d{{1,4}}|(?-i:{_ROMAN})|(?-i:[A-Z]))"
            rf"(?:\.\d{{1,3}}|(?<=[A-Z])\d{{1,3}})*{_ORDINAL}(?![\d.,%]*\d)|(?:{named}))(?!\w)"
            rf"{_MARK}){_END}",
            re.IGNORECASE,
        ),
        re.compile(
            rf"(?P<number>[第제]\s*(?P<value>[\d{digits}]{{1,8}})\s*(?P<word>{_any_of(signs)}))"
            r"(?=[\s：:、．.・—-]|\Z|\w)[\s：:、．.・—-]*"
        ),
    )


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of words, the longest first; an underscore in one is a space."""
    escaped = (re.escape(word).replace("_", r"\s") for word in words)
    return "|".join(sorted(escaped, key=lambda word: (-len(word), word)))


def _value(written: str) -> int | None:
    """Return a number in digits, Roman, ideographic or as a letter."""
    if written.isdecimal():
        return int(written)
    if written[0] in _IDEOGRAPHIC_DIGITS or written[0] in _IDEOGRAPHIC_POWERS:
        return _ideographic(written)
    if value := _roman(written):
        return value
    return ord(written) - ord("A") + 1 if len(written) == 1 and written.isascii() else None


def _roman(written: str) -> int:
    """Return the value of a Roman number; 0 if it is not one."""
    if any(sign not in _ROMAN_VALUES for sign in written):
        return 0
    values = [_ROMAN_VALUES[sign] for sign in written]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def _ideographic(written: str) -> int:
    value = digit = 0
    for sign in written:
        if sign in _IDEOGRAPHIC_POWERS:
            value += (digit or 1) * _IDEOGRAPHIC_POWERS[sign]
            digit = 0
        else:
            digit = 10 * digit + _IDEOGRAPHIC_DIGITS.get(sign, 0) + (sign.isdecimal() and int(sign))
    return value + digit


def in_sequence(numbers: Iterable[HeadingNumber]) -> list[bool]:
    """Whether each number follows the one before it of its style; a row has at least two.

    Numbers may begin again at one. A number with a word needs no others.
    """
    numbers = list(numbers)
    follows: list[bool] = []
    last: dict[str, HeadingNumber] = {}
    n_in_row: dict[str, int] = {}
    for number in numbers:
        before = last.get(number.style)
        fits = number.has_word or _follows(None if before is None else before.values, number.values)
        follows.append(fits)
        if fits:
            last[number.style] = number
            n_in_row[number.style] = n_in_row.get(number.style, 0) + 1
    return [
        fits and (number.has_word or n_in_row[number.style] > 1)
        for fits, number in zip(follows, numbers, strict=True)
    ]


def _follows(before: tuple[int, ...] | None, values: tuple[int, ...]) -> bool:
    if before is None:
        return len(values) > 1 or values[0] <= _MAX_FIRST
    if all(value <= 1 for value in values):
        return True
    at = 0
    while at < min(len(before), len(values)) and before[at] == values[at]:
        at += 1
    if at == len(values):
        return False
    step = values[at] - (before[at] if at < len(before) else 0)
    return 1 <= step <= _MAX_STEP and all(value <= _MAX_FIRST for value in values[at + 1 :])


_SENTENCE_END = (".", "!", "?", "。", "！", "？", ":")
_MAX_ENTRY = 120  # characters of a line of contents
_MAX_KNOWN_TITLE = 50  # characters of titles such as "Contents"
_REFERENCE = re.compile(
    r"\[[^\]]{1,40}\]|(?:\d{1,3}[.)]?|[IVXLC]+\.)\s|.{0,400}?(?:https?://|\bdoi\b|\barXiv\b|\b(?:1[5-9]|20)\d\d[a-z]?\b)",
    re.DOTALL,
)
_MIN_REFERENCE_SHARE = 0.5  # of the entries of a bibliography look like a reference


def is_contents_title(title: str) -> bool:
    """Whether a heading says that a table of contents follows, in any language."""
    return _is_known("contents_titles", title)


def is_references_title(title: str) -> bool:
    """Whether a heading says that references follow, in any language."""
    return _is_known("reference_titles", title)


def _is_known(field: str, title: str) -> bool:
    if len(title) > _MAX_KNOWN_TITLE:
        return False
    return title.strip(" .:").casefold() in _known_titles(field)


@cache
def _known_titles(field: str) -> frozenset[str]:
    return frozenset(", ".join(getattr(known, field) for known in _all_languages()).split(", "))


_COUNTED = re.compile(r"[^\W\d_]{2,20}\.?\s(?:\d{1,4}|[A-Z])(?:[.-]\d{1,4})+[.:]\s")


def is_caption(text: str, language: Language | None = None) -> bool:
    """Whether a line is the caption of a figure or a table, such as "Figure 4".

    So is anything that is counted by chapters without being one, as in "Example 2.1. Tea". If the
    language is not known, the words of all languages count.
    """
    if _caption_pattern(language).match(text):
        return True
    return _COUNTED.match(text) is not None and parse_number(text, language) is None


@cache
def _caption_pattern(language: Language | None) -> re.Pattern[str]:
    languages = _all_languages() if language is None else [language]
    known = {word for one in languages for word in one.caption_words}
    words = "|".join(map(re.escape, sorted(known, key=lambda word: (-len(word), word))))
    return re.compile(rf"(?i:{words or '(?!)'})\.?\s?[\d:：]")


def are_references(entries: Sequence[tuple[BlockKind, str]]) -> bool:
    """Whether enough of the texts are references: items of a list, numbered, or with a year."""
    n_alike = sum(
        kind == "list_item" or _REFERENCE.match(entry) is not None for kind, entry in entries
    )
    return bool(entries) and n_alike >= _MIN_REFERENCE_SHARE * len(entries)


def _count_references(body: list[Block]) -> int:
    """Return how many blocks of a section are references; a list of them may end before it."""
    kinds = [block.kind for block in body if block.is_prose]
    if kinds[:1] != ["list_item"]:
        return len(body)
    others = (i for i, b in enumerate(body) if b.is_prose and b.kind != "list_item")
    return next(others, len(body))


def mark_contents_and_references(
    blocks: Sequence[Block], text: str, *, by_title: bool = False
) -> tuple[Block, ...]:
    """Return the blocks with those under "Contents" or "References" marked as such.

    The heading of a table of contents becomes part of it, and so does any other that has nothing
    but contents under it, unless only its title is to say so `by_title`. The heading of a
    bibliography stays a heading.
    """
    marked: list[Block] = []
    references_above: int | None = None  # the level of the heading over references
    for heading, body, following in _sections(blocks):
        if heading is None:
            marked += body
            continue
        title, level = heading.title or "", heading.level or 1
        is_last = following is None or (following.level or 1) <= level
        n_contents = _count_contents(title, body, text)
        is_menu = is_last and n_contents == len(body) and not by_title
        if n_contents and (is_menu or is_contents_title(title)):
            marked += map(_as_contents, (heading, *body[:n_contents]))
            marked += body[n_contents:]
            continue
        prose = [(block.kind, text[block.start : block.end]) for block in body if block.is_prose]
        goes_on = references_above is not None and level > references_above
        if is_references_title(title) and are_references(prose):
            references_above = level
        elif not goes_on or (prose and not are_references(prose)):
            references_above = None
        marked.append(heading)
        n_references = 0 if references_above is None else _count_references(body)
        marked += [
            replace(block, kind="references", level=None) if block.is_prose else block
            for block in body[:n_references]
        ]
        marked += body[n_references:]
    return tuple(marked)


def _sections(blocks: Sequence[Block]) -> Iterator[tuple[Block | None, list[Block], Block | None]]:
    """Yield each heading, what follows it, and the next heading; first what has no heading."""
    heading: Block | None = None
    body: list[Block] = []
    for block in blocks:
        if block.kind != "heading":
            body.append(block)
            continue
        yield heading, body, block
        heading, body = block, []
    yield heading, body, None


def _as_contents(block: Block) -> Block:
    if block.kind == "contents":
        return block
    return replace(block, kind="contents", level=None, number=None, title=None, is_certain=True)


def _count_contents(title: str, body: list[Block], text: str) -> int:
    """Return how many blocks under a heading are contents, or may be, where the heading says so."""
    if is_contents_title(title) and all(_is_entry(block, text) for block in body):
        return len(body)
    others = (i for i, block in enumerate(body) if block.kind != "contents")
    return next(others, len(body))


def _is_entry(block: Block, text: str) -> bool:
    if block.kind in {"contents", "list_item", "table"}:
        return True
    is_short = block.end - block.start <= _MAX_ENTRY
    ends_sentence = text[block.start : block.end].endswith(_SENTENCE_END)
    return block.kind == "paragraph" and is_short and not ends_sentence


TOP_STYLE = ""
"""Of headings that are of the highest level, whatever they look like."""
WEAK_STYLE = "short"
"""Of short lines."""
_MIN_ALIKE = 3  # numbered headings with the rule of the title


def set_levels(groups: list[LineGroup]) -> None:
    """Set the levels of headings; styles nest in the order in which they first appear.

    Short lines are below the others, unless numbers begin again under them. A table of contents
    tells the levels of the headings that it lists, and of those that look like them; others are
    below. A first heading directly above another or above the contents is the title of the whole
    text, above all.
    """
    headings = [group for group in groups if group.kind == "heading"]
    if not headings:
        return
    title = _title_of_all(groups, headings)
    below = [heading for heading in headings if heading is not title]
    first = 1 if title is None else 2
    listed = _listed_levels(below)
    level = first + max(listed.values(), default=0)
    base = {TOP_STYLE: first}
    for style in _nesting(headings):
        known = {depth: at for (of, depth), at in listed.items() if of == style}
        if known:
            depth = max(known)
            base[style] = first + known[depth] - depth
        else:
            base[style] = level
            level += max((heading.depth for heading in below if heading.style == style), default=0)
    for heading in below:
        known_level = heading.listed_level or listed.get((heading.style, heading.depth))
        if known_level is not None:
            heading.level = first + known_level - 1
        else:
            heading.level = max(first, base[heading.style] + heading.depth - 1)
    if title is not None:
        title.level = 1
    used = sorted({heading.level or 1 for heading in headings})
    for heading in headings:  # leave out levels that no heading has
        heading.level = 1 + used.index(heading.level or 1)


def align_columns(lines: list[TextLine], groups: list[LineGroup]) -> None:
    """Bring headings without a number to the level of the first numbered one in their column."""
    numbered: dict[str, LineGroup] = {}  # the highest by column
    for group in groups:
        if group.kind == "heading" and group.number:
            column = f"{COLUMN} {lines[group.first].indent}"
            before = numbered.setdefault(column, group)
            if group.depth < before.depth:
                numbered[column] = group
    for group in groups:
        if group.kind == "heading" and group.style in numbered:
            group.style, group.depth = numbered[group.style].style, numbered[group.style].depth


def _title_of_all(groups: list[LineGroup], headings: list[LineGroup]) -> LineGroup | None:
    """Return the heading that is the title of the whole text."""
    first = headings[0]
    alike = [heading for heading in headings[1:] if heading.style == first.style]
    n_numbered = sum(heading.number is not None for heading in alike)
    if not first.number and first.style[:1] in RULES and n_numbered >= _MIN_ALIKE:
        return first if 2 * n_numbered > len(alike) else None
    is_other = first.listed_level is not None or first.style == TOP_STYLE
    if len(groups) < 2 or groups[0] is not first or is_other:
        return None
    if any(heading.listed_level is not None for heading in headings):
        return None if first.number else first
    is_title = groups[1].kind == "heading" and (not alike or first.style == WEAK_STYLE)
    return first if is_title else None


def _listed_levels(headings: list[LineGroup]) -> dict[tuple[str, int], int]:
    """Return the level that most headings of a style and depth have in the table of contents."""
    levels = Counter(
        ((heading.style, heading.depth), heading.listed_level)
        for heading in headings
        if heading.listed_level is not None
    )
    return {look: level for (look, level), _ in reversed(levels.most_common()) if level}


def _nesting(headings: list[LineGroup]) -> list[str]:
    """Return the styles, highest first."""
    styles = list(dict.fromkeys(h.style for h in headings if h.style != TOP_STYLE))
    restarts = sum(heading.style == "1" and heading.restarts for heading in headings) > 1
    if WEAK_STYLE in styles and not restarts:
        styles.remove(WEAK_STYLE)
        styles.append(WEAK_STYLE)
    return styles
