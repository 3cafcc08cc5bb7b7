"""Headings of plain text: numbered, underlined, in capitals, or short lines between paragraphs."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from docbats.text.headings import HeadingNumber, in_sequence, parse_number
from docbats.text.lines import Unit, ends_sentence, split_at

if TYPE_CHECKING:
    from docbats.text.languages.language import Language
    from docbats.text.lines import Line

# Blanks between the signs are what a tokenizer of words leaves, as in "= = Food = =".
_HEADING = re.compile(r"(=(?: ?=){0,5}) ?([^=\s](?:.*[^=\s])?) ?(=(?: ?=){0,5})")
_MAX_LENGTH = 150
_MIN_HEADINGS = 2  # of the text; a single one may be a formula


def mark_wiki_headings(lines: list[Line], units: list[Unit]) -> list[Unit]:
    """Split off and mark lines between as many equals signs on the left as on the right."""
    found: dict[int, re.Match[str]] = {}
    for i, line in enumerate(lines):
        if line.text[0] == "=" and len(line.text) <= _MAX_LENGTH:
            match = _HEADING.fullmatch(line.text)
            if (
                match
                and match[1].count("=") == match[3].count("=")
                and any(map(str.isalpha, match[2]))
            ):
                found[i] = match
    if len(found) < _MIN_HEADINGS:
        return units
    units = split_at(units, {edge for i in found for edge in (i, i + 1)})
    for unit in units:
        match = found.get(unit.first)
        if match is None or not unit.is_free:
            continue
        start = lines[unit.first].start
        unit.kind, unit.title = "heading", match[2]
        unit.style, unit.depth = "=", match[1].count("=")
        unit.marks = [(start + match.start(n), start + match.end(n)) for n in (1, 3)]
    return units


_RULES = frozenset("=-~^\"'`#*+:._")
_MIN_RULE = 3
_MIN_RULE_RATIO, _MAX_RULE_RATIO = 0.6, 1.7  # of the rule's length to that of its heading
_UNDERLINED_MAX_LENGTH = 120
_MIN_LETTERS = 2


def mark_underlined(lines: list[Line], units: list[Unit]) -> list[Unit]:
    """Split off and mark headings with a rule of about their length under them.

    Their titles still have their numbers.
    """
    titles: dict[int, int] = {}  # the first lines of headings, and the lines of their titles
    stops: set[int] = set()
    for i in range(1, len(lines)):
        if not _is_underlined(lines, i):
            continue
        has_rule_above = i > 1 and not lines[i - 1].gap and lines[i - 2].text == lines[i].text
        has_rule_above = has_rule_above and i - 1 not in stops  # that is another's
        first = i - 2 if has_rule_above else i - 1
        if not first or lines[first].gap or first in stops:
            titles[first] = i - 1
            stops.add(i + 1)
    if not titles:
        return units
    units = split_at(units, stops.union(titles))
    for unit in units:
        at = titles.get(unit.first)
        if at is None or not unit.is_free or unit.stop != at + 2:
            continue
        unit.kind, unit.title = "heading", lines[at].text
        unit.style = lines[at + 1].text[0] * (1 + at - unit.first)
        rules = (
            line for i, line in enumerate(lines[unit.first : unit.stop]) if unit.first + i != at
        )
        unit.marks = [(rule.start, rule.end) for rule in rules]
    return units


def _is_underlined(lines: list[Line], i: int) -> bool:
    rule, above = lines[i], lines[i - 1]
    sign = rule.text[0]
    if (
        rule.gap
        or sign not in _RULES
        or not _MIN_RULE <= len(rule.text) <= 2 * _UNDERLINED_MAX_LENGTH
    ):
        return False
    if rule.text.count(sign) != len(rule.text) or len(above.text) > _UNDERLINED_MAX_LENGTH:
        return False
    ratio = len(rule.text) / len(above.text)
    n_letters = sum(map(str.isalpha, above.text))
    has_title = n_letters >= _MIN_LETTERS and "|" not in above.text
    return has_title and _MIN_RULE_RATIO <= ratio <= _MAX_RULE_RATIO


_MAX_WORDS, _MAX_WORDS_WITH_NUMBER = 10, 15
_MAX_CHARACTERS, _MAX_IDEOGRAPHS = 100, 30
_ENDS_NO_HEADING = frozenset(".!:;,…。！：；，、—–-=+/\\|{}&")
_BEGINS_NO_HEADING = frozenset("\"'“”‘«„‹(<[{*-+•#|=/\\.,;:>…–—~^`_¡")
_NOT_IN_HEADINGS = re.compile(r"https?:|\w{4}[.?!][\"”’)]? (?=\S)|www\.|@\w|[{}|\\<>=;]|\w\(\S*\)$")
_MIN_CAPITALS = 4

# Weak headings are short lines and lines in capitals. They count if they are at most this share of
# all paragraphs, and if at least this share of the lines that look like one stands over a real
# paragraph. If the first is larger or the second smaller, lists are taken for headings.
_MAX_WEAK_SHARE, _MIN_OVER_BODY_SHARE = 0.4, 0.2
_MAX_REGULAR_SHARE = 0.5  # of the paragraphs, if all stand over a paragraph, and none over another
_MAX_WEAK_RUN = 2  # headings one under the other; more are a list
_MIN_BODY = 100  # characters of a real paragraph; half of that if it ends with a full stop
_COLONS = frozenset(":：")
_MAX_LIST_ITEM = 150  # characters; after a colon, pieces up to this length are taken for a list
# Doubtful ones count beside so many clear ones, and if there are so many clear ones for each.
_MIN_CLEAR, _MIN_CLEAR_SHARE = 3, 0.7
_MAX_USES = 3  # of one and the same line; what is said more often is no heading
_QUESTIONS = frozenset("?？؟")
_NARROW = 0.75  # of the width of the lines; a heading without a blank line under it is shorter


def split_under_numbers(lines: list[Line], units: list[Unit], language: Language) -> list[Unit]:
    """Split off numbered headings that have no blank line under them, if their numbers go up."""
    found: list[tuple[int, HeadingNumber]] = []
    for unit in units:
        if unit.is_free and not unit.is_one_line:
            heading, below = lines[unit.first], lines[unit.first + 1]
            is_short = len(heading.text) < _NARROW * len(below.text)
            number = _heading_number(heading.text, language) if is_short else None
            if number is not None and not below.text[0].islower():
                found.append((unit.first + 1, number))
    fits = in_sequence(number for _, number in found)
    return split_at(units, {i for (i, _), fit in zip(found, fits, strict=True) if fit})


def mark_numbered(lines: list[Line], units: list[Unit], language: Language) -> None:
    """Mark headings whose numbers follow each other; set the numbers of underlined ones."""
    found: list[tuple[Unit, HeadingNumber]] = []
    for unit in units:
        if unit.kind == "heading" and unit.title:
            number = parse_number(unit.title, language)
            if number is not None and number.length < len(unit.title):
                unit.number, unit.title = number.written, unit.title[number.length :]
        elif unit.is_free and unit.is_one_line:
            number = _heading_number(lines[unit.first].text, language)
            if number is not None and lines[unit.first].text.strip() != "I":  # said by many
                found.append((unit, number))
    fits = in_sequence(number for _, number in found)
    for (unit, number), is_heading in zip(found, fits, strict=True):
        if is_heading:
            title = lines[unit.first].text[number.length :]
            _set_heading(unit, title.strip().rstrip("."), number.style)
            unit.number, unit.depth = number.written, len(number.values)
            unit.restarts = number.values == (1,)


def mark_weak(lines: list[Line], units: list[Unit], language: Language) -> None:
    """Mark lines in capitals, then short lines, over paragraphs."""
    for style in ("capitals", "short"):
        candidates = [
            unit.is_free
            and unit.is_one_line
            and _looks_weak(lines[unit.first].text, style, language)
            for unit in units
        ]
        if style == "short":
            candidates = _without_speech(lines, units, candidates, language)
        _mark_candidates(lines, units, candidates, style)


def _without_speech(
    lines: list[Line], units: list[Unit], candidates: list[bool], language: Language
) -> list[bool]:
    """Leave out questions, what speaks of somebody or goes on, and what is said again and again."""
    uses = Counter(lines[unit.first].text for unit in units)
    spoken = language.continuing_words | language.shifting_words
    spoken |= frozenset(" ".join(language.function_word_groups).split())
    kept = []
    for unit, is_candidate in zip(units, candidates, strict=True):
        text = lines[unit.first].text
        first = text.split(maxsplit=1)[0].lower().strip(".,'’") if text.strip() else ""
        is_speech = text[-1:] in _QUESTIONS or first in spoken or uses[text] >= _MAX_USES
        kept.append(is_candidate and not is_speech)
    return kept


def mark_listed(lines: list[Line], units: list[Unit], listed: frozenset[int]) -> None:
    """Mark the lines that a table of contents lists."""
    for unit in units:
        if unit.first in listed and unit.is_free and unit.is_one_line:
            _set_heading(unit, lines[unit.first].text, "short")


def join_titles(lines: list[Line], units: list[Unit], language: Language) -> list[Unit]:
    """Join a heading that is only a number, such as "Chapter 4", to the title right under it."""
    joined: list[Unit] = []
    for unit in units:
        last = joined[-1] if joined else None
        is_bare = last is not None and last.kind == "heading" and last.number and not last.title
        if is_bare and last is not None and _is_title(lines, unit, language):
            last.stop, last.title = unit.stop, unit.title or lines[unit.first].text
        else:
            joined.append(unit)
    return joined


def _is_title(lines: list[Line], unit: Unit, language: Language) -> bool:
    """Whether a unit is a short line that has no number of its own."""
    if not unit.is_one_line or unit.number:
        return False
    text = lines[unit.first].text
    is_weak = _looks_weak(text, "capitals", language) or _looks_weak(text, "short", language)
    return is_weak and (unit.is_free or unit.kind == "heading")


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
    if title[-1] in _ENDS_NO_HEADING and not (number.has_word and title[-1] == "."):
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
    if len(letters) < _MIN_LETTERS or text[0] in _BEGINS_NO_HEADING or text[0].islower():
        return False
    if _NOT_IN_HEADINGS.search(text) or _caption_pattern(language).match(text):
        return False
    if style == "capitals":
        is_upper = len(letters) >= _MIN_CAPITALS and text.isupper()
        return is_upper and text.rstrip(".")[-1] not in _ENDS_NO_HEADING
    return text[-1] not in _ENDS_NO_HEADING


@cache
def _caption_pattern(language: Language) -> re.Pattern[str]:
    words = "|".join(map(re.escape, sorted(language.caption_words, key=len, reverse=True)))
    return re.compile(rf"(?i:{words or '(?!)'})\.?\s?[\d:：]")


def _mark_candidates(
    lines: list[Line], units: list[Unit], is_candidate: list[bool], style: str
) -> None:
    """Mark the candidates that stand over a paragraph, unless there are too many or too few do.

    Where enough are beyond doubt, those that might as well belong to a list are headings, too.
    """
    clear, doubtful = _over_bodies(lines, units, is_candidate)
    headings = clear
    if len(clear) >= max(_MIN_CLEAR, _MIN_CLEAR_SHARE * len(doubtful)):
        headings = clear + doubtful
    n_paragraphs, n_candidates = len(units), sum(is_candidate)
    n_runs = sum(a and not b for a, b in pairwise([*is_candidate, False]))
    is_regular = len(clear) == n_candidates == n_runs
    if len(headings) > (_MAX_REGULAR_SHARE if is_regular else _MAX_WEAK_SHARE) * n_paragraphs:
        return
    if len(headings) < _MIN_OVER_BODY_SHARE * n_candidates:
        return
    for unit in headings:
        _set_heading(unit, lines[unit.first].text, style)


def _over_bodies(
    lines: list[Line], units: list[Unit], is_candidate: list[bool]
) -> tuple[list[Unit], list[Unit]]:
    """Return the candidates over paragraphs, and those among them that may belong to a list."""
    clear: list[Unit] = []
    doubtful: list[Unit] = []
    run: list[Unit] = []  # of candidates, one under the other
    follows_colon = in_list = False
    for unit, candidate in zip(units, is_candidate, strict=True):
        if candidate:
            run.append(unit)
            continue
        if 0 < len(run) <= _MAX_WEAK_RUN:
            if not in_list and _is_body(lines, unit, _MIN_BODY):
                clear += run
            elif _is_body(lines, unit, _MIN_BODY * (2 if follows_colon else 0.5)):
                doubtful += run
        run = []
        follows_colon = lines[unit.stop - 1].text[-1] in _COLONS
        in_list = follows_colon or (in_list and _may_be_item(lines, unit))
    return clear, doubtful


def _may_be_item(lines: list[Line], unit: Unit) -> bool:
    return unit.is_free and _size(lines, unit) <= _MAX_LIST_ITEM


def _is_body(lines: list[Line], unit: Unit, min_size: float) -> bool:
    """Whether a unit is something that a heading may stand over."""
    size = _size(lines, unit)
    is_ended = ends_sentence(lines[unit.stop - 1].text)
    return not unit.is_free or size >= min_size or (size >= min_size / 2 and is_ended)


def _size(lines: list[Line], unit: Unit) -> int:
    return lines[unit.stop - 1].end - lines[unit.first].start


def _set_heading(unit: Unit, title: str, style: str) -> None:
    unit.kind, unit.title, unit.style, unit.is_certain = "heading", title, style, False
