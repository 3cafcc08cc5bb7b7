"""The readers compared with libraries for PDF, HTML and encodings, on public files."""

from __future__ import annotations

import ast
import gzip
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import ReadError
from docbats.readers.decoding import detect_text
from docbats.readers.html import walk_page
from docbats.readers.html_main import find_main
from docbats.readers.read_file import read_file
from docbats.runtime import find_versions
from docbats_lab.report.tables import format_number, named_table
from docbats_lab.results import read_facts, write_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from docbats_lab.experiments.request import Request


@dataclass(frozen=True)
class ReaderSet:
    """A public set: its folder under the data, a file that shows it is there, and how to get it."""

    name: str
    folder: str
    sign: str
    get: str

    def path(self, data: Path) -> Path | None:
        """Return its folder; None if it is not there."""
        path = data / self.folder
        return path if (path / self.sign).exists() else None


_DEBIAN = "apt-get download debian-faq maint-guide developers-reference, then dpkg-deb -x each into"
READER_SETS = {
    found.name: found
    for found in (
        ReaderSet("manuals as PDF", "readers/manuals", "usr/share", f"{_DEBIAN} readers/manuals"),
        ReaderSet("manuals as HTML", "readers/manuals", "usr/share", f"{_DEBIAN} readers/manuals"),
        ReaderSet(
            "article-extraction-benchmark",
            "readers/article-extraction-benchmark",
            "ground-truth.json",
            "git clone https://github.com/scrapinghub/article-extraction-benchmark into readers",
        ),
        ReaderSet(
            "trafilatura's pages",
            "readers/trafilatura",
            "tests/evaldata.py",
            "git clone https://github.com/adbar/trafilatura into readers: labels in "
            "tests/evaldata.py, 990 pages in tests/cache and tests/eval; those pages are read that "
            "are there (the source distribution of 0.8.2 has 110 in tests/cache)",
        ),
        ReaderSet(
            "chardet's files",
            "readers/chardet",
            "tests/windows-1255-hebrew",
            "pip download --no-deps --no-binary :all: chardet==5.2.0, unpacked as readers/chardet",
        ),
    )
}


@dataclass(frozen=True)
class Manual:
    """A manual in one format, in one or more files, and its text by its authors."""

    name: str
    files: tuple[bytes, ...]
    text: str


_MANUALS = {
    "debian-faq": (
        "doc/debian/FAQ/debian-faq.en.pdf.gz",
        "doc/debian/FAQ/*.en.html",
        "doc/debian/FAQ/debian-faq.en.txt.gz",
    ),
    "maint-guide": (
        "doc/maint-guide/maint-guide.en.pdf",
        "doc/maint-guide/html/*.en.html",
        "doc/maint-guide/maint-guide.en.txt.gz",
    ),
    "developers-reference": (
        "developers-reference/developers-reference.pdf",
        "developers-reference/*.html",
        "developers-reference/developers-reference.txt.gz",
    ),
}
_NO_CHAPTERS = ("index", "search", "genindex", "developers-reference")


def manuals(folder: Path, *, as_pages: bool) -> Iterator[Manual]:
    """Read the manuals of Debian, as PDF or as one page for each chapter."""
    share = folder / "usr" / "share"
    for name, (pdf, pages, text) in _MANUALS.items():
        files = sorted(share.glob(pages if as_pages else pdf))
        if as_pages:
            files = [path for path in files if path.name.split(".")[0] not in _NO_CHAPTERS]
        if not files or not (share / text).exists():
            msg = f"{share}: {name} is not complete: {_DEBIAN} {folder}"
            raise ReadError(msg)
        whole = _read(share / text).decode("utf-8", "replace")
        yield Manual(name, tuple(map(_read, files)), whole)


def _read(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


@dataclass(frozen=True)
class LabelledPage:
    """A page: all of its main text, or phrases that are in it and phrases that are not."""

    name: str
    data: bytes
    text: str | None = None
    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()


def articles(folder: Path) -> Iterator[LabelledPage]:
    """Read the pages of the article extraction benchmark."""
    truth: dict[str, Any] = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    for name, entry in sorted(truth.items()):
        data = _read(folder / "html" / f"{name}.html.gz")
        yield LabelledPage(name, data, text=entry.get("articleBody", ""))


def labelled_pages(folder: Path) -> Iterator[LabelledPage]:
    """Read trafilatura's labelled pages, as far as they are there."""
    tests = folder / "tests"
    labels = _literal(tests / "evaldata.py", "EVAL_PAGES")
    for entry in labels.values():
        for place in ("cache", "eval"):
            path = tests / place / entry["file"]
            if path.exists():
                inside, outside = entry.get("with", ()), entry.get("without", ())
                yield LabelledPage(
                    path.name, path.read_bytes(), None, tuple(inside), tuple(outside)
                )
                break


def _literal(path: Path, name: str) -> dict[str, dict[str, Any]]:
    """Return the value that a module assigns to a name, without running the module."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in node.targets
        ):
            value: dict[str, dict[str, Any]] = ast.literal_eval(node.value)
            return value
    msg = f"{path}: no {name} in it"
    raise ReadError(msg)


@dataclass(frozen=True)
class EncodedFile:
    """A text file and its encoding."""

    name: str
    data: bytes
    encoding: str


_LANGUAGES = (
    "arabic", "bulgarian", "croatian", "czech", "greek", "hebrew", "hungarian", "polish",
    "romanian", "russian", "slovak", "slovene", "turkish",
)  # fmt: skip
_SUFFIXES = {".html", ".srt", ".txt", ".xml"}


def encoded_files(folder: Path) -> Iterator[EncodedFile]:
    """Read chardet's files, except those in an encoding that Python does not have."""
    for kind in sorted((folder / "tests").iterdir()):
        encoding = kind.name.lower()
        for language in _LANGUAGES:
            encoding = encoding.removesuffix(f"-{language}")
        if not kind.is_dir() or encoding == "euc-tw":
            continue
        for path in sorted(kind.iterdir()):
            if path.suffix.lower() in _SUFFIXES:
                yield EncodedFile(f"{kind.name}/{path.name}", path.read_bytes(), encoding)


_GRAM = 4  # words
_REPEATS = 15  # the fastest counts
_LIBRARIES = ("docbats", "pypdfium2", "trafilatura", "lxml", "chardet")
_WORD = re.compile(r"\w+")


def run(request: Request) -> None:
    """Score the sets that are there; say where to get the others, and keep their figures."""
    folder = request.output / "readers"
    facts = read_facts(folder) if (folder / "facts.json").exists() else {"sets": {}}
    scorers: dict[str, Callable[[Path], dict[str, Any]]] = {
        "manuals as PDF": _score_pdf,
        "manuals as HTML": _score_manual_pages,
        "article-extraction-benchmark": _score_articles,
        "trafilatura's pages": _score_labelled,
        "chardet's files": _score_encodings,
    }
    chosen, missing = request.choose_datasets(list(scorers)), []
    for name in chosen:
        found = READER_SETS[name].path(request.data)
        if found is None:
            missing.append(f"{name}: not in {request.data}: {READER_SETS[name].get}")
            continue
        facts["sets"][name] = {"versions": find_versions(*_LIBRARIES), **scorers[name](found)}
    print("\n".join(missing), file=sys.stderr, end="\n" if missing else "")
    if len(missing) == len(chosen):
        msg = "none of the sets is there"
        raise ReadError(msg)
    facts |= {
        "command": "docbats lab run readers",
        "sources": {name: found.get for name, found in READER_SETS.items()},
    }
    facts["sets"] = {name: facts["sets"][name] for name in scorers if name in facts["sets"]}
    write_facts(folder, facts)


# Ways to read


def _by_docbats(data: bytes) -> str:
    try:
        return read_file(data, name="page.html").text
    except ReadError:
        return ""


def _by_own_walk(data: bytes) -> str:
    text = detect_text(data, "page.html").text
    page = walk_page(text, is_xml=text[:100].lstrip().startswith("<?xml"))
    return "\n".join(block.text for block in find_main(page))


def _by_trafilatura(data: bytes) -> str:
    from trafilatura import extract

    return extract(data, include_comments=False) or ""


PAGE_READERS = {
    "docbats[files]": _by_docbats,
    "docbats alone": _by_own_walk,
    "trafilatura": _by_trafilatura,
}


def _by_pdfium(data: bytes) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    texts = []
    for page in document:
        text_page = page.get_textpage()
        texts.append(text_page.get_text_bounded())
        text_page.close()
        page.close()
    document.close()
    return "\n".join(texts)


# Scores


def _score_pdf(folder: Path) -> dict[str, Any]:
    """Compare PDF with the authors' text, and the time with pdfium."""
    rows: dict[str, dict[str, float]] = {}
    for manual in manuals(folder, as_pages=False):
        (data,) = manual.files
        texts, seconds = _timed([lambda d: read_file(d).text, _by_pdfium], data)
        rows[manual.name] = {
            "docbats": _rounded(_agreement(texts[0], manual.text)["f1"]),
            "pdfium": _rounded(_agreement(texts[1], manual.text)["f1"]),
            "times_as_long": _rounded(seconds[0] / seconds[1], 2),
        }
    return {"f1": rows}


def _timed(readers: list[Callable[[bytes], str]], data: bytes) -> tuple[list[str], list[float]]:
    """Read in turns, so that noise is shared; return the texts and the best times."""
    texts, best = [""] * len(readers), [float("inf")] * len(readers)
    for _ in range(_REPEATS):
        for i, read in enumerate(readers):
            start = process_time()
            texts[i] = read(data)
            best[i] = min(best[i], process_time() - start)
    return texts, best


def _score_manual_pages(folder: Path) -> dict[str, Any]:
    """Compare the joined chapters of manuals with the authors' text."""
    scores: dict[str, dict[str, float]] = {}
    for manual in manuals(folder, as_pages=True):
        for name, read in PAGE_READERS.items():
            text = "\n".join(map(read, manual.files))
            scores.setdefault(name, {})[manual.name] = _rounded(_agreement(text, manual.text)["f1"])
    return {"f1": scores}


def _score_articles(folder: Path) -> dict[str, Any]:
    """Compare with whole main texts: means of precision and recall over pages, and their F1."""
    pages = list(articles(folder))
    return {"pages": len(pages), "scores": {n: _whole(pages, r) for n, r in PAGE_READERS.items()}}


def _whole(pages: list[LabelledPage], read: Callable[[bytes], str]) -> dict[str, float]:
    texts = [read(page.data) for page in pages]
    found = [_agreement(text, page.text or "") for text, page in zip(texts, pages, strict=True)]
    precision = float(np.mean([row["precision"] for row in found]))
    recall = float(np.mean([row["recall"] for row in found]))
    return _summary(precision, recall, texts) | {"site_kept": _rounded(1 - precision)}


def _score_labelled(folder: Path) -> dict[str, Any]:
    """Compare with phrases that are in the main text, and phrases that are not."""
    pages = list(labelled_pages(folder))
    return {"pages": len(pages), "scores": {n: _parts(pages, r) for n, r in PAGE_READERS.items()}}


def _parts(pages: list[LabelledPage], read: Callable[[bytes], str]) -> dict[str, float]:
    texts = [" ".join(read(page.data).split()) for page in pages]
    hits = sum(_count(page.inside, text) for page, text in zip(pages, texts, strict=True))
    kept = sum(_count(page.outside, text) for page, text in zip(pages, texts, strict=True))
    n_inside = sum(len(page.inside) for page in pages)
    n_outside = sum(len(page.outside) for page in pages)
    found = _summary(hits / max(1, hits + kept), hits / max(1, n_inside), texts)
    return found | {"site_kept": _rounded(kept / max(1, n_outside))}


def _count(phrases: Iterable[str], text: str) -> int:
    return sum(" ".join(phrase.split()) in text for phrase in phrases)


def _summary(precision: float, recall: float, texts: list[str]) -> dict[str, float]:
    return {
        "f1": _rounded(2 * precision * recall / max(1e-9, precision + recall)),
        "precision": _rounded(precision),
        "recall": _rounded(recall),
        "empty": sum(not text.strip() for text in texts),
    }


def _score_encodings(folder: Path) -> dict[str, Any]:
    """Count the files that are decoded as by their encoding."""
    from chardet import detect

    files = list(encoded_files(folder))
    detectors: dict[str, Callable[[bytes], str | None]] = {
        "docbats": lambda data: detect_text(data, "file").encoding,
        "chardet": lambda data: detect(data)["encoding"],
    }
    right = {
        name: sum(_is_right(find, file.data, file.encoding) for file in files)
        for name, find in detectors.items()
    }
    return {"files": len(files), "right": right}


def _is_right(find: Callable[[bytes], str | None], data: bytes, encoding: str) -> bool:
    try:
        found = find(data)
    except ReadError:
        return False
    return found is not None and data.decode(found, "ignore") == data.decode(encoding, "ignore")


def _agreement(text: str, truth: str) -> dict[str, float]:
    """Return precision, recall and F1 of the runs of four words."""
    found, true = _grams(text), _grams(truth)
    both = (found & true).total()
    return {
        "precision": both / found.total() if found else float(not true),
        "recall": both / true.total() if true else float(not found),
        "f1": 2 * both / max(1, found.total() + true.total()),
    }


def _grams(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    starts = range(max(1, len(words) - _GRAM + 1)) if words else range(0)
    return Counter(tuple(words[i : i + _GRAM]) for i in starts)


def _rounded(value: float, decimals: int = 3) -> float:
    return round(float(value), decimals)


_INTRODUCTION = (
    "Public files, read by docbats and by specialized libraries. F1 is over runs of four words, "
    "against the text of authors or annotators.\n"
)
_PDF = (
    "\n## PDF\n\nThree manuals of Debian against their own text files. *Time* is the processor "
    "time of docbats, which also finds pages, headings, lists, code and tables, divided by that "
    "of pdfium for the text alone.\n"
)
_HTML = (
    "\n## HTML\n\n*docbats[files]* uses trafilatura to choose among the blocks of a page if a site "
    "surrounds its text; *docbats alone* is our own walk, which reads pages where trafilatura is "
    "not installed. *Site kept* is how much text outside the main text was read: the share of such "
    "phrases, or of runs of words that are not in the true text. The limits of our walk, and when "
    "trafilatura decides, were chosen by looking at 81 of trafilatura's pages and at the manuals: "
    "the figures of docbats on these are not figures on unseen pages.\n"
)
_ENCODINGS = (
    "\n## Encodings\n\nA file is right if it is decoded as by its true encoding. EUC-TW, which "
    "Python does not support, is left out.\n"
)
_SOURCES = "\n## Where to get the files\n\nThey go into the folder that `DOCBATS_DATA` names:\n"


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show the scores of each set that was there, and where to get all of them."""
    facts = read_facts(folder)
    sets = facts["sets"]
    yield _INTRODUCTION
    if "manuals as PDF" in sets:
        yield _PDF
        yield named_table(
            ("manual", "docbats", "pdfium", "time"),
            sets["manuals as PDF"]["f1"],
            lambda row: [
                format_number(row["docbats"]),
                format_number(row["pdfium"]),
                f"{row['times_as_long']:.2f}",
            ],
        )
    yield _HTML
    for name in ("trafilatura's pages", "article-extraction-benchmark"):
        if name in sets:
            yield from _page_table(name, sets[name])
    if "manuals as HTML" in sets:
        yield "\n### The chapters of the three manuals, F1\n"
        scores = sets["manuals as HTML"]["f1"]
        names = list(next(iter(scores.values())))
        yield named_table(
            ("", *names), scores, lambda row: [format_number(row[name]) for name in names]
        )
    if "chardet's files" in sets:
        found = sets["chardet's files"]
        yield _ENCODINGS
        yield named_table(
            ("", f"right, of {found['files']}"), found["right"], lambda count: [str(count)]
        )
    yield _SOURCES
    for name, source in facts["sources"].items():
        note = "" if name in sets else " (not there when this was run)"
        yield f"- **{name}**{note}: {source}"
    yield "\nVersions: " + ", ".join(
        f"{name} {version}" for name, version in _versions(sets).items()
    )
    yield ""


def _page_table(name: str, found: dict[str, Any]) -> Iterator[str]:
    yield f"\n### {name}, {found['pages']} pages\n"
    yield named_table(
        ("", "F1", "precision", "recall", "site kept", "empty pages"),
        found["scores"],
        lambda row: [
            *(format_number(row[key]) for key in ("f1", "precision", "recall", "site_kept")),
            str(row["empty"]),
        ],
    )


def _versions(sets: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {name: version for found in sets.values() for name, version in found["versions"].items()}
