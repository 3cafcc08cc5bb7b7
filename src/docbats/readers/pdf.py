"""PDF, by pypdf: lines into paragraphs, without what stands on every page."""

from __future__ import annotations

import io
import logging
import re
from collections import Counter, defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

from docbats.errors import MissingExtraError, ReadError
from docbats.readers.extract import Extract
from docbats.readers.places import Page, Places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pypdf import PdfReader

__all__ = ["Line", "join_pages", "open_pdf", "read_pdf", "without_furniture"]

_MOST_PAGES = 20_000
_EDGE = 3  # lines at the top and at the bottom of a page that may belong to every page
_NEAR = 4  # pages before and after, where such a line must stand again
_WIDE_GAP = 1.25  # of the usual distance of lines: a new paragraph
_OTHER_SIZE = 0.08  # share by which letters are larger or smaller than those of the line before
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile("[ﬀ-ﬆ]")
_NUMBER = re.compile(r"\d+")
_OWN_NUMBER = re.compile(r"^\d{1,5}(?=\s|$)|(?<=\s)\d{1,5}$")
_ROMAN = re.compile(r"[ivxlc]{1,8}", re.IGNORECASE)
_HYPHENATED = re.compile(r"(?<![^\W\d_])[^\W\d_]++-[^\W\d_]++")
_LAST_PART = re.compile(r"([^\W\d_]+)[-\u00ad]$")
_FIRST_PART = re.compile(r"[^\W\d_]+")
_LEADER = re.compile(r"(?:\.\s?){5,}\s*\w{1,6}$")  # of a table of contents, or an index
_ITEM = re.compile(r"(?:[-*•‣◦▪–]|\(?[\da-z]{1,2}[.)])\s")
_ENDED = re.compile(r"[.?!:;。！？][)\]\"'”’»]*$")


@dataclass(frozen=True)
class Line:
    """A line of a page: how high it stands and how large its letters are, in points."""

    text: str
    top: float
    size: float
    bold: bool = False


def read_pdf(data: bytes) -> Extract:
    """Read the text of all pages."""
    with open_pdf(data) as reader:
        pages = [_page_lines(page, number) for number, page in enumerate(_pages(reader), start=1)]
    if not any(pages):
        msg = (
            "a PDF without text, perhaps scanned: recognise its text first, e.g. with "
            "ocrmypdf in.pdf out.pdf"
        )
        raise ReadError(msg)
    text, places = join_pages(without_furniture(pages))
    return Extract(text, "pdf", Places(pages=places))


@contextmanager
def open_pdf(data: bytes) -> Iterator[PdfReader]:
    """Open a PDF; whatever goes wrong with it is an error of ours that says what to do."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import DependencyError
    except ImportError:
        msg = 'reading PDF needs pypdf: pip install "docbats[files]"'
        raise MissingExtraError(msg) from None
    log = logging.getLogger("pypdf")
    level = log.level
    log.setLevel(logging.CRITICAL + 1)  # it tells at length what it repairs
    try:
        reader = PdfReader(io.BytesIO(data))
        _unlock(reader)
        yield reader
    except (ReadError, MissingExtraError):
        raise
    except DependencyError:
        msg = f"{_ENCRYPTED}; or let pypdf try without one: pip install cryptography"
        raise ReadError(msg) from None
    except MemoryError:
        raise
    except Exception as error:  # a broken file makes pypdf fail in any way
        msg = (
            f"a broken PDF ({type(error).__name__}: {str(error)[:100]}): repair it first, e.g. "
            "with qpdf in.pdf out.pdf, or get it once more"
        )
        raise ReadError(msg) from None
    finally:
        log.setLevel(level)


def _unlock(reader: PdfReader) -> None:
    """Open a file that may be read without a password; many only forbid changes."""
    if reader.is_encrypted and not reader.decrypt(""):
        raise ReadError(_ENCRYPTED)


_ENCRYPTED = (
    "encrypted: remove its password first, e.g. with qpdf --decrypt --password=SECRET in.pdf "
    "out.pdf"
)


def _pages(reader: PdfReader) -> Sequence[Any]:
    count = len(reader.pages)
    if count > _MOST_PAGES:
        msg = (
            f"{count:,} pages, more than {_MOST_PAGES:,}: split it first, e.g. with "
            "qpdf --split-pages=1000 in.pdf out.pdf"
        )
        raise ReadError(msg)
    return reader.pages


def _page_lines(page: Any, number: int) -> list[Line]:
    """Find the lines of a page, in the order in which they are written."""
    lines: list[Line] = []
    words: list[str] = []
    fonts: list[tuple[int, float, float, bool]] = []  # length, top, size and weight of each piece

    def end_line() -> None:
        text = "".join(words).replace("\xa0", " ").strip()
        words.clear()
        if text and fonts and not _LEADER.search(text[-200:]):
            text = _LIGATURE.sub(lambda found: _LIGATURES[found[0]], text)
            _, top, size, _ = max(fonts)
            lines.append(Line(" ".join(text.split()), top, size, all(bold for *_, bold in fonts)))
        fonts.clear()

    def visit(text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        for i, piece in enumerate(text.split("\n")):
            if i:
                end_line()
            if piece.strip():
                top = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
                scale = abs(tm[3] * cm[3]) or abs(tm[1] * cm[2]) or 1.0
                name = str((font or {}).get("/BaseFont", ""))
                fonts.append((len(piece), top, size * scale, "bold" in name.lower()))
            words.append(piece)

    try:
        page.extract_text(visitor_text=visit)
    except RecursionError:
        msg = f"a broken PDF: page {number} contains itself: repair it first, e.g. with qpdf"
        raise ReadError(msg) from None
    end_line()
    return lines


def without_furniture(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """Drop headers, footers and page numbers: lines at the edges that stand on pages nearby, too.

    >>> page = lambda n: [Line("Annual report", 800, 9), Line(f"Text {n}{n}.", 400, 9)]
    >>> [[line.text for line in lines] for lines in without_furniture([page(1), page(3), page(5)])]
    [['Text 11.'], ['Text 33.'], ['Text 55.']]
    """
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for i in _edges(lines):
            found[_key(lines[i].text)].append((number, i))
    dropped = set()
    for places in found.values():
        numbers = [_numbers(pages[page][i].text) for page, i in places]
        for at, (page, i) in enumerate(places):
            again = {
                other
                for near in range(max(0, at - 3 * _NEAR), min(len(places), at + 3 * _NEAR + 1))
                if 0 < abs((other := places[near][0]) - page) <= _NEAR
                and _go_together(numbers[at], numbers[near], other - page)
            }
            if len(again) >= min(2, len(pages) - 1) > 0:
                dropped.add((page, i))
    dropped |= _page_numbers(pages)
    left = [
        [line for i, line in enumerate(lines) if (number, i) not in dropped]
        for number, lines in enumerate(pages)
    ]
    return left if any(left) else list(pages)


def _page_numbers(pages: Sequence[list[Line]]) -> set[tuple[int, int]]:
    """Find the outermost lines that are, begin or end with the number that the page must have.

    Where a line of its own shows a number on three pages or more, those tell how they are counted.
    """
    votes: Counter[int] = Counter()
    edges = [(page, i) for page, lines in enumerate(pages) for i in _outermost(lines)]
    for page, i in edges:
        if found := _OWN_NUMBER.search(pages[page][i].text):
            votes[int(found[0]) - page] += 1
    counted = {shift for shift, count in votes.items() if count >= 3}
    return {
        (page, i)
        for page, i in edges
        if any(int(number) - page in counted for number in _OWN_NUMBER.findall(pages[page][i].text))
    }


def _outermost(lines: list[Line]) -> set[int]:
    if not lines:
        return set()
    by_top = sorted(range(len(lines)), key=lambda i: lines[i].top)
    return {0, len(lines) - 1, by_top[0], by_top[-1]}


def _edges(lines: list[Line]) -> set[int]:
    """Find the lines at the edges, by the order of writing and by where they stand."""
    order = range(len(lines))
    by_top = sorted(order, key=lambda i: lines[i].top)
    return {*order[:_EDGE], *order[-_EDGE:], *by_top[:_EDGE], *by_top[-_EDGE:]}


def _key(text: str) -> str:
    return "#" if _ROMAN.fullmatch(text) else _NUMBER.sub("#", text.casefold())


def _numbers(text: str) -> list[int]:
    return [int(number[:9]) for number in _NUMBER.findall(text)]


def _go_together(here: list[int], there: list[int], pages: int) -> bool:
    """Tell whether two lines with the same words differ by no more than their pages do."""
    return all(b - a in {0, pages} for a, b in zip(here, there, strict=False))


def join_pages(pages: Sequence[list[Line]]) -> tuple[str, tuple[Page, ...]]:
    """Join the lines to one text, with blank lines between paragraphs; tell where pages begin."""
    usual = _usual_gap(pages)
    compounds = {word.lower() for page in pages for line in page for word in _compounds(line.text)}
    parts: list[str] = []
    places: list[Page] = []
    size = 0
    last: Line | None = None
    for page in pages:
        tops: list[tuple[int, float]] = []
        for i, line in enumerate(page):
            if last is not None:
                glue, kept = _glue(last, line, usual, compounds, same_page=i > 0)
                size += kept + len(glue) - len(parts[-1])
                parts[-1] = parts[-1][:kept]
                parts.append(glue)
            tops.append((size, line.top + line.size))
            parts.append(line.text)
            size += len(line.text)
            last = line
        places.append(Page(tops[0][0] if tops else size, tuple(tops)))
    for i in range(len(places) - 2, -1, -1):  # a blank page may lie amid a word that was joined
        if places[i].start > places[i + 1].start:
            places[i] = Page(places[i + 1].start)
    return "".join(parts), tuple(places)


def _glue(
    last: Line, line: Line, usual: float, compounds: set[str], *, same_page: bool
) -> tuple[str, int]:
    """Tell what comes between two lines, and how many characters of the first are kept."""
    size = len(last.text)
    if same_page and _is_apart(last, line, usual):
        return "\n\n", size
    broken, rest = _LAST_PART.search(last.text[-100:]), _FIRST_PART.match(line.text)
    if broken and rest:
        is_compound = f"{broken[1]}-{rest[0]}".lower() in compounds or rest[0][0].isupper()
        return "", size if is_compound and last.text[-1] == "-" else size - 1
    ended = bool(_ENDED.search(last.text[-100:])) or not _alike(last, line)
    if not same_page and ended and not line.text[0].islower():
        return "\n\n", size
    return "\n" if _ITEM.match(line.text) else " ", size


def _is_apart(last: Line, line: Line, usual: float) -> bool:
    """Tell whether a new paragraph or a heading begins."""
    if not _alike(last, line):
        return True
    gap = last.top - line.top
    return gap > _WIDE_GAP * usual * max(last.size, 0.1)


def _alike(last: Line, line: Line) -> bool:
    larger, smaller = max(last.size, line.size), min(last.size, line.size)
    return larger <= (1 + _OTHER_SIZE) * smaller and last.bold == line.bold


def _usual_gap(pages: Sequence[list[Line]]) -> float:
    """Measure how far apart lines are, in sizes of their letters."""
    gaps = [
        (last.top - line.top) / last.size
        for page in pages
        for last, line in pairwise(page)
        if _alike(last, line) and 0 < last.top - line.top < 4 * last.size
    ]
    return median(gaps) if gaps else 1.2


def _compounds(text: str) -> list[str]:
    return _HYPHENATED.findall(text)
