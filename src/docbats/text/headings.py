"""The grammar of headings: numbers, levels, contents and references."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from docbats.blocks import Block
    from docbats.text.languages.language import Language
    from docbats.text.lines import Line, Unit

_DECIMAL = re.compile(r"(\d{1,5}(?:\.\d{1,3}){0,5})(\.?)[ \t\u3000]+(?=\S)|(\d{1,3})、\s*")
_ROMAN = re.compile(r"([IVXLC]{1,7})(?:\.(?:[ \t]+|$)|$)")
_LETTER = re.compile(r"([A-Z])\.[ \t]+(?=\S)")
_PARAGRAPH_SIGN = re.compile(r"§{1,2}\s?(\d{1,4})[a-z]?\.?(?=\s|$)[ \t]*")
_IDEOGRAPHIC_NUMBER = "0-9０-９〇零一二三四五六七八九十百千"
_DIGITS = {sign: i for i, sign in enumerate("〇一二三四五六七八九")} | {"零": 0}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_ALWAYS_ROMAN = frozenset("IVX")  # as single letters; C may be the third of a row of letters
_MAX_STEP = 3  # by which numbers that follow each other may differ, where headings are missed
_MAX_FIRST = 3  # number of a row


class HeadingNumber(NamedTuple):
    """The number of a heading.

    Attributes
    ----------
    style
        ``"1"``, ``"I"``, ``"A"``, ``"§"``, or the word before the number, such as "chapter".
    values
        The number, and those below it in "2.3".
    length
        How many characters it takes, with the white space after it.
    written
        As it is written, such as "Chapter 4".
    """

    style: str
    values: tuple[int, ...]
    length: int
    written: str

    @property
    def has_word(self) -> bool:
        """Whether a word or sign says that it is the number of a heading."""
        return len(self.style) > 1 or not self.style.isascii()


def parse_number(text: str, language: Language) -> HeadingNumber | None:
    """Return the number that `text` begins with; None if there is none.

    >>> from docbats.text.languages import load_language
    >>> parse_number("Chapter 4: The Storm", load_language("en")).written
    'Chapter 4'
    """
    first = text[0]
    if first.isdecimal() and (match := _DECIMAL.match(text)):
        values = tuple(map(int, (match[1] or match[3]).split(".")))
        return HeadingNumber("1", values, match.end(), match[0].rstrip())
    if first == "§" and (match := _PARAGRAPH_SIGN.match(text)):
        return HeadingNumber("§", (int(match[1]),), match.end(), match[0].rstrip())
    if first in _ROMAN_VALUES and (match := _ROMAN.match(text)):
        value = _roman(match[1])
        if value and (len(match[1]) > 1 or match[1] in _ALWAYS_ROMAN):
            return HeadingNumber("I", (value,), match.end(), match[0].rstrip())
    if match := _section_pattern(language).match(text):
        section = _value(match["value"])
        if section is not None:
            written = match["number"].rstrip()
            return HeadingNumber(match["word"].lower(), (section,), match.end(), written)
    if match := _LETTER.match(text):
        return HeadingNumber("A", (ord(match[1]) - ord("A") + 1,), match.end(), match[0].rstrip())
    return None


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


@cache
def _section_pattern(language: Language) -> re.Pattern[str]:
    """Make the pattern of "Chapter 4", or of "第四章" in languages without spaces."""
    words = "|".join(map(re.escape, sorted(language.section_words, key=len, reverse=True)))
    if not words:
        return re.compile("(?!)")
    if not language.writes_spaces:
        return re.compile(
            rf"(?P<number>第\s?(?P<value>[{_IDEOGRAPHIC_NUMBER}]{{1,6}})\s?(?P<word>{words}))"
            r"(?=[\s：:、．.・—]|$|\w)[\s：:、．.・—]*"
        )
    return re.compile(
        rf"(?P<number>(?P<word>(?i:{words}))\.?[ \t]+"
        r"(?P<value>\d{1,4}|[IVXLC]{1,7}|[A-Z])(?:\.\d{1,3})*(?:\.?[ªº°])?\b\.?)"
        r"(?=[\s:–—-]|$)[ \t]*(?:[:–—-][ \t]*)?"
    )


def _value(written: str) -> int | None:
    """Return a number in digits, Roman, ideographic or as a letter."""
    if written.isdecimal():
        return int(written)
    if written[0] in _DIGITS or written[0] in _POWERS:
        return _ideographic(written)
    value = _roman(written)
    if value:
        return value
    return ord(written) - ord("A") + 1 if len(written) == 1 and written.isascii() else None


def _roman(written: str) -> int:
    """Return the value of a Roman number; 0 if it is none."""
    if any(sign not in _ROMAN_VALUES for sign in written):
        return 0
    value = 0
    for sign, following in zip(written, [*written[1:], ""], strict=True):
        own = _ROMAN_VALUES[sign]
        value += -own if following and _ROMAN_VALUES[following] > own else own
    return value


def _ideographic(written: str) -> int:
    value = digit = 0
    for sign in written:
        if sign in _POWERS:
            value += (digit or 1) * _POWERS[sign]
            digit = 0
        else:
            digit = 10 * digit + (_DIGITS[sign] if sign in _DIGITS else int(sign))
    return value + digit


TOP_STYLE = ""
"""The style of headings that are of the highest level, whatever they look like."""

_WEAK = "short"


def set_levels(units: list[Unit]) -> None:
    """Set the levels of headings; styles nest in the order in which they first appear.

    Short lines are below the others, unless numbers begin again under them. A first heading
    directly above another is the title of the whole text, above all.
    """
    headings = [unit for unit in units if unit.kind == "heading"]
    if not headings:
        return
    title = None
    if len(units) > 1 and units[0] is headings[0] and units[1].kind == "heading":
        is_alone = sum(unit.style == units[0].style for unit in headings) == 1
        title = units[0] if is_alone or units[0].style == _WEAK else None
    below = [heading for heading in headings if heading is not title]
    order = _nesting(below)
    level = 1 if title is None else 2
    base = {TOP_STYLE: level}
    for style in order:
        base[style] = level
        level += max(heading.depth for heading in below if heading.style == style)
    for heading in below:
        heading.level = base[heading.style] + heading.depth - 1
    if title is not None:
        title.level = 1
    _close_gaps(headings)


def _nesting(headings: list[Unit]) -> list[str]:
    """Return the styles, highest first."""
    styles = list(dict.fromkeys(h.style for h in headings if h.style != TOP_STYLE))
    restarts = sum(heading.style == "1" and heading.restarts for heading in headings) > 1
    if _WEAK in styles and not restarts:
        styles.remove(_WEAK)
        styles.append(_WEAK)
    return styles


def _close_gaps(headings: list[Unit]) -> None:
    """Leave out levels that no heading has."""
    used = sorted({heading.level for heading in headings if heading.level is not None})
    rank = {level: i for i, level in enumerate(used, 1)}
    for heading in headings:
        if heading.level is not None:
            heading.level = rank[heading.level]


# fmt: off
_KEYWORDS = (
    "chapter", "part", "section", "article", "book", "appendix", "annex", "unit", "lesson",
    "lecture", "volume", "act", "scene", "title", "schedule", "module", "clause", "rule",
    "capítulo", "capitulo", "título", "titulo", "artículo", "articulo", "sección", "seccion",
    "subsección", "parte", "anexo", "libro", "lección", "tema",
    "disposición adicional", "disposición transitoria", "disposición derogatoria",
    "disposición final",
    "chapitre", "partie", "titre", "livre", "annexe", "leçon", "sous-section",
    "kapitel", "teil", "abschnitt", "artikel", "buch", "anhang", "anlage", "titel", "lektion",
    "capitolo", "sezione", "articolo", "titolo", "allegato", "lezione",
    "seção", "secção", "artigo", "livro",
    "hoofdstuk", "deel", "paragraaf", "afdeling", "boek", "bijlage",
    "rozdział", "część", "artykuł", "dział", "księga", "załącznik",
    "kapitola", "část", "článek", "oddíl", "hlava", "příloha",
    "del", "avsnitt", "bilaga", "luku", "osa",
    "bölüm", "kısım", "madde",
    "глава", "часть", "раздел", "статья", "книга", "приложение", "урок",
    "розділ", "частина", "стаття", "додаток",
    "κεφάλαιο", "μέρος", "άρθρο",
)
_WORDS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty", "first", "second", "third", "fourth", "fifth",
    "primero", "primera", "segundo", "segunda", "tercero", "tercera", "cuarto", "cuarta", "quinto",
    "quinta", "sexto", "sexta", "séptimo", "séptima", "octavo", "octava", "noveno", "novena",
    "décimo", "décima", "undécimo", "undécima", "duodécimo", "duodécima", "único", "única",
    "preliminar", "primeiro", "primeira", "terceiro", "terceira",
    "premier", "première", "deuxième", "troisième", "quatrième", "cinquième", "préliminaire",
    "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn",
    "primo", "prima", "secondo", "seconda", "terzo", "terza",
    "первая", "вторая", "третья", "четвертая", "пятая",
)
# fmt: on
_ROMAN_NUMBER = r"(?=[IVXLC])(?:C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?![^\W\d_])"
_SMALL_ROMAN = r"(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})(?![^\W\d_])"
_DIGIT_NUMBER = r"\d{1,3}(?:\.\d{1,3}){0,6}(?![\d.,%]*\d)"
_SUFFIX = r"(?:\.?[ºª°]|[ \t](?:bis|ter|quater|quinquies))?"
# What may stand between a number and its title; kept with the number if it is a mark of it.
_MARK = r"[.)]|\.[-–—]"
_SEPARATOR = r"\s*[:–—|]\s*|\s+-+\s+|\s*\n\s*|\s+"

_KEYWORD_NUMBER = re.compile(
    rf"(?P<number>(?P<word>{'|'.join(map(re.escape, _KEYWORDS))})\s+"
    rf"(?:{_DIGIT_NUMBER}{_SUFFIX}|(?-i:{_ROMAN_NUMBER}){_SUFFIX}|(?-i:[A-Z])(?:\.?\d{{1,3}})*(?!\w)"
    rf"|(?:{'|'.join(_WORDS)})(?!\w))"
    rf"(?P<mark>{_MARK})?)(?P<between>{_SEPARATOR})(?P<title>\S.*)",
    re.DOTALL | re.IGNORECASE,
)
_PLAIN_NUMBER = re.compile(
    rf"(?P<number>(?:§{{1,2}}\s*{_DIGIT_NUMBER}[a-z]?|{_DIGIT_NUMBER}|[A-Z](?:\.\d{{1,3}})+|{_ROMAN_NUMBER}|[A-Z]"
    rf"|{_SMALL_ROMAN})(?P<mark>{_MARK})?)(?P<between>{_SEPARATOR})(?P<title>\S.*)",
    re.DOTALL,
)
_CJK_NUMBER = re.compile(
    r"(?P<number>[第제]\s*[\d一二三四五六七八九十百零〇]{1,8}\s*[章节節条條部编編篇回課课話话장절조부편])"
    r"[\s:：、.—-]*(?P<title>\S.*)",
    re.DOTALL,
)
_MAX_BARE_NUMBER = 99  # "1984 Revisited" has none
_MAX_LENGTH = 1000  # characters; what is longer is no heading with a number
_ONE_LETTER = re.compile(r"[A-Z]\.?$")
_INITIAL = re.compile(r"[A-Z]\.(?:\s|[A-Z]\.)")


class NumberedTitle(NamedTuple):
    """A heading in two: its number as it is written, None if it has none, and the rest."""

    number: str | None
    title: str


def split_number(heading: str) -> NumberedTitle:
    """Split a heading into its number and its title; without a title there is no number.

    >>> tuple(split_number("1.2. Bats at night")), tuple(split_number("Chapter 4: Tea"))
    (('1.2.', 'Bats at night'), ('Chapter 4', 'Tea'))
    >>> split_number("2020 in review").number, split_number("I am here").number
    (None, None)
    """
    heading = heading.strip()
    plain = NumberedTitle(None, " ".join(heading.split()))
    if len(heading) > _MAX_LENGTH:
        return plain
    for pattern, is_number in (
        (_KEYWORD_NUMBER, _is_keyword_number),
        (_PLAIN_NUMBER, _is_plain_number),
        (_CJK_NUMBER, None),
    ):
        found = pattern.fullmatch(heading)
        if found is not None and (is_number is None or is_number(found)):
            title = " ".join(found["title"].split())
            if any(map(str.isalnum, title)):
                return NumberedTitle(" ".join(found["number"].split()), title)
    return plain


def is_bare_number(text: str) -> bool:
    """Whether a text is a word such as "Chapter", with or without its number, and no title.

    >>> is_bare_number("Chapter 4"), is_bare_number("CHAPTER"), is_bare_number("12")
    (True, True, False)
    """
    texts = (f"{text} Title", f"{text} 1 Title")
    found = (_KEYWORD_NUMBER.fullmatch(text) for text in texts)
    return any(
        match is not None and match["title"] == "Title" and _is_keyword_number(match)
        for match in found
    )


def _is_keyword_number(found: re.Match[str]) -> bool:
    """Whether "Part I" numbers what follows; it does not in "Part I of the story"."""
    if _is_separated(found):
        return True
    if _ONE_LETTER.search(found["number"]) and found["number"][-1] not in "IVX":
        return found["word"].lower() in {"appendix", "annex", "anexo", "annexe", "anhang"}
    return not found["title"][0].islower()


def _is_plain_number(found: re.Match[str]) -> bool:
    number, title = found["number"], found["title"]
    first = title[0]
    if number.startswith("§"):
        return True
    if number[0].isdigit():
        if found["mark"] and (first.isalpha() or first in "\"'“‘«„¿¡([`*_"):
            return True
        is_bare = number.isdecimal()
        if is_bare and int(number) > _MAX_BARE_NUMBER:
            return False
        return first.isalpha() and (not first.islower() or _is_separated(found))
    if not _is_separated(found) or first.islower():
        return "." in number[:-1] and not first.islower()  # "A.1 Bats"
    return not (len(number) == 2 and _INITIAL.match(title))  # "J. R. Smith"


def _is_separated(found: re.Match[str]) -> bool:
    """Whether a mark, a dash or a line's end stands between the number and the title."""
    return bool(found["mark"] or found["between"].strip() or "\n" in found["between"])


# fmt: off
_CONTENTS = {
    "contents", "table of contents", "toc", "on this page", "in this article", "page contents",
    "contenido", "contenidos", "índice", "tabla de contenido", "tabla de contenidos",
    "sommaire", "table des matières", "inhalt", "inhaltsverzeichnis", "indice", "sommario",
    "sumário", "conteúdo", "inhoud", "inhoudsopgave", "spis treści", "obsah", "innehåll",
    "içindekiler", "содержание", "оглавление", "зміст", "目录", "目錄", "目次", "목차", "차례",
}
_REFERENCES = {
    "references", "bibliography", "works cited", "literature cited", "references and notes",
    "referencias", "bibliografía", "referencias bibliográficas", "références", "bibliographie",
    "literatur", "literaturverzeichnis", "quellen", "quellenverzeichnis", "riferimenti",
    "bibliografia", "referências", "referências bibliográficas", "literatuur", "literatura",
    "källor", "referenser", "kaynakça", "литература", "список литературы", "библиография",
    "参考文献", "參考文獻", "참고문헌", "参考资料",
}
# fmt: on
_SENTENCE_END = (".", "!", "?", "。", "！", "？", ":")
_MAX_ENTRY = 120  # characters of a line of contents
_REFERENCE = re.compile(
    r"\[[^\]]{1,40}\]|.{0,400}?(?:https?://|\bdoi\b|\barXiv\b|\b(?:1[5-9]|20)\d\d\b)", re.DOTALL
)
_MIN_REFERENCE_SHARE = 0.6  # of the blocks of a bibliography that look like a reference


def mark_contents_and_references(blocks: Sequence[Block], text: str) -> tuple[Block, ...]:
    """Return the blocks, with what stands under "Contents" or "References" marked as such.

    The heading of a table of contents becomes part of it; that of a bibliography stays a heading.
    """
    marked: list[Block] = []
    references_above: int | None = None  # the level of the heading that references stand under
    for heading, body, following in _sections(blocks):
        if heading is None:
            marked += body
            continue
        name = (heading.title or "").strip(" :.").casefold()
        level = heading.level or 1
        if references_above is not None and level <= references_above:
            references_above = None
        is_last = following is None or (following.level or 1) <= level
        if _is_contents(name, body, text) and (is_last or name in _CONTENTS):
            marked += [_as_contents(block) for block in (heading, *body)]
            continue
        if name in _REFERENCES and _are_references(body, text):
            references_above = level
        marked.append(heading)
        if references_above is None:
            marked += body
        else:
            marked += [replace(b, kind="references") if b.is_prose else b for b in body]
    return tuple(marked)


def _sections(
    blocks: Sequence[Block],
) -> Iterator[tuple[Block | None, list[Block], Block | None]]:
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


def _is_contents(name: str, body: list[Block], text: str) -> bool:
    """Whether all under a heading is contents, or may be, where the heading says so."""
    if not body:
        return False
    if all(block.kind == "contents" for block in body):
        return True
    return name in _CONTENTS and all(_is_entry(block, text) for block in body)


def _is_entry(block: Block, text: str) -> bool:
    if block.kind in {"contents", "list_item", "table"}:
        return True
    is_short = block.end - block.start <= _MAX_ENTRY
    return (
        block.kind == "paragraph"
        and is_short
        and not text[block.start : block.end].endswith(_SENTENCE_END)
    )


def _are_references(body: list[Block], text: str) -> bool:
    prose = [block for block in body if block.is_prose]
    found = sum(_REFERENCE.match(text, block.start, block.end) is not None for block in prose)
    return bool(prose) and found >= _MIN_REFERENCE_SHARE * len(prose)


_NUMBER = re.compile(r"(?:\[[^\[\]]{1,30}\]|\d{1,3}[.)]?|[IVXLC]+\.)\s")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d[a-z]?\b")
_MIN_ENTRY_SHARE = 0.5  # of what stands under the heading must look like an entry
_SOURCES_MAX_ENTRY = 100  # characters of an entry of a table of contents
_MIN_ENTRIES = 3
_MIN_REPEATED_SHARE = 0.7  # of the entries stand again below, in the same order
_SPACES = re.compile(r"\s+")
_PAGE = re.compile(r"[\s.·…]*\d{0,4}$")


class Contents(NamedTuple):
    """Tables of contents without page numbers: their lines, and those of the headings in them."""

    runs: list[tuple[int, int]]
    headings: frozenset[int]


def mark_sources(lines: list[Line], units: list[Unit], language: Language) -> None:
    """Mark what stands between a heading such as "References" and the next heading.

    A line with such a title is a heading if entries follow it.
    """
    at = 0
    while at < len(units):
        heading = units[at]
        at += 1
        if not _is_title(lines, heading, language.reference_titles):
            continue
        stop = at
        while stop < len(units) and units[stop].kind != "heading":
            stop += 1
        entries = [unit for unit in units[at:stop] if unit.kind in {"paragraph", "list_item"}]
        n_alike = sum(_sources_is_entry(lines, unit) for unit in entries)
        if entries and n_alike >= _MIN_ENTRY_SHARE * len(entries):
            for unit in entries:
                unit.kind, unit.level = "references", None
            _make_heading(lines, heading)
            at = stop


def mark_contents_title(lines: list[Line], units: list[Unit], language: Language) -> None:
    """Mark a line such as "Contents" over a table of contents as a heading."""
    for unit, below in pairwise(units):
        if below.kind == "contents" and _is_title(lines, unit, language.contents_titles):
            _make_heading(lines, unit)


def _is_title(lines: list[Line], unit: Unit, titles: tuple[str, ...]) -> bool:
    if unit.kind == "heading":
        title = unit.title or ""
    else:
        title = lines[unit.first].text if unit.is_free and unit.is_one_line else ""
    return len(title) <= _SOURCES_MAX_ENTRY and title.strip(" .:").lower() in titles


def _make_heading(lines: list[Line], unit: Unit) -> None:
    """Make a line a heading, if it is none yet; without a number it is of the highest level."""
    if unit.kind != "heading":
        unit.title, unit.is_certain = lines[unit.first].text.rstrip(" .:"), False
    if unit.kind != "heading" or unit.style == "short":
        unit.kind, unit.style = "heading", TOP_STYLE


def _sources_is_entry(lines: list[Line], unit: Unit) -> bool:
    inside = lines[unit.first : unit.stop]
    return bool(unit.kind == "list_item" or _NUMBER.match(inside[0].text)) or any(
        _YEAR.search(line.text) for line in inside
    )


def find_contents(lines: list[Line]) -> Contents:
    """Find runs of short lines that stand again below, each by itself, in the same order."""
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
    return Contents(runs, frozenset(headings))


def _name(text: str) -> str:
    """Return an entry without the number of its page; nothing for what cannot be one."""
    if len(text) > _SOURCES_MAX_ENTRY:
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
