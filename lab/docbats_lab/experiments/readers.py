"""The readers beside the libraries for PDF, HTML and encodings, on public files."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import ReadError
from docbats.readers.decoding import detect_text
from docbats.readers.html import walk_page
from docbats.readers.html_main import find_main
from docbats.readers.read_file import read_file
from docbats.runtime import find_versions
from docbats_lab.reader_sets import (
    READER_SETS,
    articles,
    encoded_files,
    labelled_pages,
    manuals,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from docbats_lab.experiments.request import Request
    from docbats_lab.reader_sets import LabelledPage

_GRAM = 4  # words
_REPEATS = 15  # of which the fastest counts
_LIBRARIES = ("docbats", "pypdfium2", "trafilatura", "lxml", "chardet")
_WORD = re.compile(r"\w+")


def run(request: Request) -> None:
    """Score the sets that are there; say where the others are to be had, and keep their figures."""
    folder = request.output / "readers"
    path = folder / "facts.json"
    facts = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"sets": {}}
    scorers: dict[str, Callable[[Path], dict[str, Any]]] = {
        "manuals as PDF": _score_pdf,
        "manuals as HTML": _score_manual_pages,
        "article-extraction-benchmark": _score_articles,
        "trafilatura's pages": _score_labelled,
        "chardet's files": _score_encodings,
    }
    missing = []
    for name in request.choose_datasets(list(scorers)):
        found = READER_SETS[name].path(request.data)
        if found is None:
            missing.append(f"{name}: not in {request.data}: {READER_SETS[name].get}")
            continue
        facts["sets"][name] = {"versions": find_versions(*_LIBRARIES), **scorers[name](found)}
    print("\n".join(missing), file=sys.stderr, end="\n" if missing else "")
    if len(missing) == len(request.choose_datasets(list(scorers))):
        msg = "none of the sets is there"
        raise ReadError(msg)
    facts |= {
        "command": "docbats lab run readers",
        "sources": {name: found.get for name, found in READER_SETS.items()},
    }
    facts["sets"] = {name: facts["sets"][name] for name in scorers if name in facts["sets"]}
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


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
    """Compare PDF with the text that the authors give, and the time with that of pdfium."""
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
    """Read in turns, so that what else the machine does is shared; return the best times."""
    texts, best = [""] * len(readers), [float("inf")] * len(readers)
    for _ in range(_REPEATS):
        for i, read in enumerate(readers):
            start = process_time()
            texts[i] = read(data)
            best[i] = min(best[i], process_time() - start)
    return texts, best


def _score_manual_pages(folder: Path) -> dict[str, Any]:
    """Compare the chapters of manuals, joined, with the text that the authors give."""
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
    """Count the files whose text is what their encoding makes of them."""
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
