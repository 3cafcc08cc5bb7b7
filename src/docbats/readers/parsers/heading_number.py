"""The number of a heading, apart from its title."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["NumberedTitle", "is_bare_number", "split_number"]

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
_ROMAN = r"(?=[IVXLC])(?:C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?![^\W\d_])"
_SMALL_ROMAN = r"(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})(?![^\W\d_])"
_DIGITS = r"\d{1,3}(?:\.\d{1,3}){0,6}(?![\d.,%]*\d)"
_SUFFIX = r"(?:\.?[ºª°]|[ \t](?:bis|ter|quater|quinquies))?"
# What may stand between a number and its title; kept with the number if it is a mark of it.
_MARK = r"[.)]|\.[-–—]"
_SEPARATOR = r"\s*[:–—|]\s*|\s+-+\s+|\s*\n\s*|\s+"

_KEYWORD_NUMBER = re.compile(
    rf"(?P<number>(?P<word>{'|'.join(map(re.escape, _KEYWORDS))})\s+"
    rf"(?:{_DIGITS}{_SUFFIX}|(?-i:{_ROMAN}){_SUFFIX}|(?-i:[A-Z])(?:\.?\d{{1,3}})*(?!\w)"
    rf"|(?:{'|'.join(_WORDS)})(?!\w))"
    rf"(?P<mark>{_MARK})?)(?P<between>{_SEPARATOR})(?P<title>\S.*)",
    re.DOTALL | re.IGNORECASE,
)
_PLAIN_NUMBER = re.compile(
    rf"(?P<number>(?:§{{1,2}}\s*{_DIGITS}[a-z]?|{_DIGITS}|[A-Z](?:\.\d{{1,3}})+|{_ROMAN}|[A-Z]"
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
