"""Real books and manuals, each in several formats: how docbats and its peers read them."""

from __future__ import annotations

import io
import subprocess
import sys
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docbats.document import Document
from docbats.pipeline import analyze
from docbats.runtime import find_versions
from docbats_lab.experiments.request import evenly_spaced, progress
from docbats_lab.report.tables import NO_VALUE, markdown_table, mean_cell
from docbats_lab.results import read_rows
from docbats_lab.runner import score_documents
from docbats_lab.speed.timing import processor_seconds
from docbats_lab.works import (
    KINDS,
    TOOLS,
    Oracle,
    Place,
    ZooFile,
    count_grams,
    fetch_packages,
    find_files,
    find_tool,
    read_works,
    title_key,
    words,
    zoo_folder,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from docbats_lab.experiments.request import Request
    from docbats_lab.results import Row

MAX_SHIFT = 0.2
"""How far from its place a title may be, as a share of the prose: a contents entry is farther."""

_MAX_PEER_PDFS = 5  # other readers take up to minutes for one
_MIN_TITLES = 3  # fewer are not an outline
_MIN_PARAGRAPH = 12  # words of a paragraph that should be one block
_INDEX = "index"  # at the end of the title of one; it is neither asked for nor wrong

# Readers


@dataclass(frozen=True, eq=False)
class Reading:
    """What a reader found: headings, those of the first and second level, and blocks of prose."""

    headings: list[Place]
    chapters: list[Place]
    sections: list[Place]
    blocks: list[str]
    n_sentences: int | None = None


def _by_docbats(data: bytes, name: str) -> Reading:
    document = Document.read(data, name=name)
    result = analyze(document)
    blocks, prose = document.blocks, document.prose or document.text
    place = _places(prose)
    edges = [block.start for block in blocks]
    is_prose = [block.is_prose and block.kind != "heading" for block in blocks]
    owners = [
        bisect_right(edges, start) - 1
        for start, end in document.spans.tolist()
        if prose[start:end].strip()  # code is blanked
    ]
    return Reading(
        headings=[Place(b.heading or "", place[b.start]) for b in blocks if b.kind == "heading"],
        chapters=[
            Place(segment.title, place[segment.start])
            for i, segment in enumerate(result.segments)
            if i or segment.title_source == "heading"
        ],
        sections=[
            Place(entry.title, place[entry.start])
            for chapter in result.outline(depth=2)
            for entry in chapter.children
            if entry.title_source == "heading"
        ],
        blocks=[prose[b.start : b.end] for b, use in zip(blocks, is_prose, strict=True) if use]
        or [prose],
        n_sentences=sum(owner < 0 or is_prose[owner] for owner in owners),
    )


def _places(text: str) -> list[float]:
    """Return the share of letters before each offset."""
    counts = list(accumulate((not c.isspace() for c in text), initial=0))
    return [n / (counts[-1] or 1) for n in counts]


def _of_markdown(markdown: str) -> Reading:
    """Return the headings and paragraphs of a peer's Markdown; tables and code are not prose.

    The chapters are the headings of the highest level that has three or more.
    """
    from markdown_it import MarkdownIt

    levels, titles, blocks, length = [], [], [], 0
    level, in_table = 0, 0
    for token in MarkdownIt().enable("table").parse(markdown):
        if token.type == "heading_open":
            level = int(token.tag[1])
        in_table += token.nesting if token.type.startswith("table_") else 0
        if token.type != "inline" or in_table:
            continue
        text = "".join(
            " " if child.type.endswith("break") else child.content
            for child in token.children or ()
            if child.type in ("text", "code_inline", "softbreak", "hardbreak")
        )
        if level:
            levels.append(level)
            titles.append((text, length))
        else:
            blocks.append(text)
        length += len("".join(text.split()))
        level = 0
    headings = [Place(text, at / (length or 1)) for text, at in titles]
    present = sorted(set(levels))
    top = next((n for n in present if levels.count(n) >= _MIN_TITLES), min(present, default=0))
    second = next((n for n in present if n > top), 0)
    return Reading(
        headings=headings,
        chapters=[place for place, own in zip(headings, levels, strict=True) if own == top],
        sections=[place for place, own in zip(headings, levels, strict=True) if own == second],
        blocks=blocks,
    )


def _by_trafilatura(data: bytes, _: str) -> Reading:
    from trafilatura import extract

    return _of_markdown(extract(data, output_format="markdown", include_comments=False) or "")


def _by_markitdown(data: bytes, name: str) -> Reading:
    from markitdown import MarkItDown

    found = MarkItDown().convert_stream(io.BytesIO(data), file_extension=Path(name).suffix)
    return _of_markdown(found.markdown)


def _by_pymupdf(data: bytes, _: str) -> Reading:
    import pymupdf
    import pymupdf4llm

    open_pdf: Any = pymupdf.open  # without type hints
    document = open_pdf(stream=data, filetype="pdf")
    return _of_markdown(pymupdf4llm.to_markdown(document, use_ocr=False))


def _by_docling(data: bytes, name: str) -> Reading:
    from docling.datamodel.base_models import DocumentStream

    found = _docling_converter().convert(DocumentStream(name=name, stream=io.BytesIO(data)))
    return _of_markdown(found.document.export_to_markdown())


@lru_cache(1)
def _docling_converter() -> Any:
    from docling.document_converter import DocumentConverter

    return DocumentConverter()


def _by_pandoc(data: bytes, name: str) -> Reading:
    command = [find_tool("pandoc") or "pandoc", "--from", Path(name).suffix[1:], "--to", "gfm"]
    done = subprocess.run(command, input=data, capture_output=True, check=True)
    return _of_markdown(done.stdout.decode())


@dataclass(frozen=True)
class Reader:
    """A library, and the kinds that it converts."""

    read: Callable[[bytes, str], Reading]
    kinds: tuple[str, ...]
    libraries: tuple[str, ...]


READERS = {
    "docbats": Reader(_by_docbats, tuple(KINDS), ("pypdfium2", "trafilatura", "pypandoc_binary")),
    "trafilatura": Reader(_by_trafilatura, ("page", "html"), ("trafilatura",)),
    "markitdown": Reader(
        _by_markitdown, ("page", "html", "epub", "pdf", "made_docx", "made_epub"), ("markitdown",)
    ),
    "pymupdf4llm": Reader(_by_pymupdf, ("pdf",), ("pymupdf4llm", "pymupdf")),
    "docling": Reader(_by_docling, ("page", "html", "made_docx"), ("docling",)),
    "pandoc": Reader(_by_pandoc, ("made_docx", "made_odt", "made_rtf"), ("pypandoc_binary",)),
}
"""docbats, and others that turn a document into Markdown."""


def _limit(reader: str, kind: str) -> int | None:
    return _MAX_PEER_PDFS if kind == "pdf" and reader != "docbats" else None


# Scores


def count_in_order(found: Sequence[Place], wanted: Sequence[Place]) -> int:
    """Count the titles that two lists have in common, in the same order and about in place."""
    hits = start = 0
    for title, place in wanted:
        for i in range(start, len(found)):
            if found[i].title == title and abs(found[i].place - place) <= MAX_SHIFT:
                hits, start = hits + 1, i + 1
                break
    return hits


def _f1(found: Sequence[Place], wanted: Sequence[Place]) -> float | None:
    if len(wanted) < _MIN_TITLES:
        return None
    return 2 * count_in_order(found, wanted) / (len(found) + len(wanted))


def score_reading(reading: Reading, oracle: Oracle) -> dict[str, float | None]:
    """Return all measures of a file; None where there is nothing to measure."""
    headings, chapters, sections = (
        [Place(title_key(title), place) for title, place in places]
        for places in (reading.headings, reading.chapters, reading.sections)
    )
    wanted, top = oracle.titles(1, 3), oracle.titles(1, 1)
    book_titles = {t.title for t in oracle.titles(highest=0)} - {t.title for t in top}
    known = {t.title for t in oracle.titles()}
    headings, chapters = (
        [p for p in places if p.title in known or not p.title.endswith(_INDEX)]
        for places in (headings, chapters)
    )
    chapters = [chapter for chapter in chapters if chapter.title not in book_titles]
    n_junk = sum(heading.title not in known for heading in headings)
    grams = count_grams(reading.blocks)
    n_words = sum(len(words(text)) for text in reading.blocks)
    rate = None if reading.n_sentences is None else reading.n_sentences / max(1, n_words)
    return {
        "outline": _f1(chapters, top),
        "level2": _f1(sections, oracle.titles(2, 2)) if len(top) >= _MIN_TITLES else None,
        "heads": _ratio(count_in_order(headings, wanted), len(wanted)),
        "junk": n_junk / len(headings) if headings else 0.0 if wanted else None,
        "coverage": _ratio((grams & oracle.grams).total(), oracle.grams.total()),
        "precision": _ratio(
            sum(n for gram, n in grams.items() if gram in oracle.all_grams), grams.total()
        ),
        "sentences": None if rate is None else _ratio(rate, oracle.sentence_rate),
        "whole": _share_whole(reading.blocks, oracle.prose),
    }


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _share_whole(blocks: Sequence[str], paragraphs: Sequence[str]) -> float | None:
    """Return the share of paragraphs that begin and end a block."""
    block_words = [words(block) for block in blocks]
    starts, ends = {tuple(w[:4]) for w in block_words}, {tuple(w[-4:]) for w in block_words}
    long = [w for w in map(words, paragraphs) if len(w) >= _MIN_PARAGRAPH]
    return _ratio(sum(tuple(w[:4]) in starts and tuple(w[-4:]) in ends for w in long), len(long))


def score_file(file: ZooFile, readers: Sequence[str]) -> dict[str, Row]:
    """Return the row of a file for each reader; one that cannot be read scores nothing."""
    data, oracle = file.load(), file.oracle()
    rows: dict[str, Row] = {}
    for name in readers:
        start = processor_seconds()
        try:
            reading = READERS[name].read(data, file.file_name)
            row: Row = {"seconds": processor_seconds() - start, **score_reading(reading, oracle)}
        except Exception as error:  # a reader's own failure is a result
            row = {"error": f"{type(error).__name__}: {error}"[:150]}
            row |= dict.fromkeys(("outline", "heads", "coverage"), 0.0)
        rows[name] = {"work": file.work, "kind": file.kind, **row}
    return rows


def run(request: Request) -> None:
    """Download the packages, and score what the readers that are installed find."""
    kinds = request.choose_datasets(list(KINDS))
    missing = {tool for kind in kinds for tool in TOOLS.get(kind, ()) if not find_tool(tool)}
    if missing:
        kinds = [kind for kind in kinds if missing.isdisjoint(TOOLS.get(kind, ()))]
        print(f"not installed, so that some kinds are left out: {sorted(missing)}", file=sys.stderr)
    root = zoo_folder()
    packages = dict.fromkeys(p for w in read_works().values() for p in w["packages"].split())
    versions = fetch_packages(root, list(packages))
    for name in request.choose_methods(list(READERS)):
        reader = READERS[name]
        libraries = find_versions(*reader.libraries)
        if reader.libraries[0] not in libraries:
            print(f'{name} is not installed: pip install "./lab[zoo]"', file=sys.stderr)
            continue
        files = [
            file
            for kind in kinds
            if kind in reader.kinds
            for file in evenly_spaced(find_files(root, [kind]), request.limit or _limit(name, kind))
        ]
        files.sort(key=lambda file: file.work)
        with progress(request, f"zoo: {name}", len(files)) as on_done:
            score_documents(
                files,
                [name],
                score_file,
                request.output / "zoo" / name,
                meta={
                    "experiment": "zoo",
                    "seed": request.seed,
                    "command": f"docbats lab run zoo --method {name}",
                    "versions": find_versions("docbats") | libraries,
                    "packages": versions,
                },
                jobs=request.jobs,
                fresh=request.fresh,
                on_done=on_done,
            )


# The page

_MEASURES = {
    "outline": "outline",
    "level2": "level 2",
    "junk": "junk",
    "coverage": "coverage",
    "precision": "precision",
    "whole": "whole",
    "seconds": "seconds",
}
_INTRODUCTION = (
    "The same book or manual as HTML, PDF, EPUB, text and source must have the same outline and "
    "the same prose. Its HTML, made by a known generator, says what these are; each other file is "
    "compared with it. The works are packages of Debian 12, downloaded by name into "
    "`DOCBATS_CACHE` (`~/.cache/docbats` by default); `lab/docbats_lab/data/zoo.ini` lists them.\n"
    "\n"
    "- *Outline*: F1 of the segments' titles with the chapters, in order and within "
    f"{MAX_SHIFT:.0%} of the text of their places, so that a table of contents does not pass for "
    "the chapters. Numbers, case, spaces and marks do not count, nor does the title of the book. "
    f"Only works with {_MIN_TITLES} chapters or more have it.\n"
    "- *Level 2*: the same for the second level of the outline and the sections.\n"
    "- *Junk*: the share of headings found that are not headings in the HTML.\n"
    "- *Coverage*: the share of the runs of four words of the HTML's prose that are in blocks of "
    "prose; *precision*: the share of those in blocks that are in the HTML at all.\n"
    f"- *Whole*: the share of paragraphs of {_MIN_PARAGRAPH} words or more that begin and end a "
    "block.\n"
    "- *Seconds*: the time of the processor from bytes to the outline, analysis included.\n"
    "\n"
    "What the HTML does not tell apart is not counted against a reader: prose in tables is not "
    "asked for, and footnotes, bibliographies and indexes are neither asked for nor wrong.\n"
)
_SETS = {
    "first": "\n## Built on: {} works\n\nThe rules of the readers were found on these.\n",
    "second": "\n## Learned from afterwards: {} works\n\nFrom other packages, and named before "
    "anything was scored on them. They showed which rules did not carry over, and the readers were "
    "then improved on them: their scores are no longer a test.\n",
    "third": "\n## For confirmation: {} works\n\nOther works, named after those and before "
    "anything was scored on them. Their first scores then led to two repairs of plain text, which "
    "had an outline of 0.833 and a level 2 of 0.647. Later, manual pages, which had a level 2 of "
    "0.733 and a coverage of 0.877, references within chapters, contents without indents and "
    "ligatures in PDFs were repaired on them, too.\n",
    "fourth": "\n## For another confirmation: {} works\n\nNamed last, and before anything was "
    "scored on them. Where the HTML of a work turned out not to tell its outline, its entry in "
    "`zoo.ini` was corrected: two lacked pages or text, and of dejagnu, whose PDF and info have "
    "pages that no menu of the HTML leads to, only pages are left. With that, the first scores led "
    "to two repairs: lists of examples in plain text (mutt had a level 2 of 0.858 and junk of "
    "0.132) and definitions of functions in PDFs (junk of 0.254 in mpfr). Manuals of functions "
    "remain the weakest: their definitions are read as code, and as prose in the HTML.\n",
    "fifth": "\n## For a last confirmation: {} works\n\nFrom generators that the others hardly "
    "have, named before anything was scored on them. Where the HTML did not tell the outline, an "
    "entry in `zoo.ini` or the rule for its generator was corrected; one PDF without text "
    "was left out. With the rules as they were, manual pages had an outline of 0.831, junk "
    "of 0.110 and only 0.625 of their paragraphs whole, the EPUB an outline of 0.756, "
    "single pages 0.901, PDFs 0.742 (0 for the one without text) with 0.739 of the "
    "paragraphs whole, and plain text an outline of 0.760 and a level 2 of 0.340. These "
    "were mended then: terms of justified text where broken words were joined, lists of "
    "commands that were read as contents, title pages of parts in EPUB, the distance of "
    "lines in PDFs with many lists, sections with the tag of their chapters, subtitles, "
    "nested bullets of contents, and plus signs in AsciiDoc. Plain text made from web pages "
    "remains the weakest: little in it tells sections from subsections, and paragraphs "
    "without a gap or an indent are not told apart.\n",
}
_PEERS = (
    "\n## Other readers\n\nThey turn a document into Markdown. Its headings of the highest level "
    "with three or more headings are taken as the chapters, those of the next level as the "
    "sections, and its paragraphs and list items as prose. Each cell shows the other reader, then "
    "docbats on the same files. Only docbats analyzes the text as well, which its seconds "
    f"include. Since they take up to minutes for a PDF, they read {_MAX_PEER_PDFS} of these. "
    "docling reads none here, since its models would have to be downloaded; markitdown writes much "
    "of their prose as tables.\n"
)


def page(folder: Path, _: Path) -> Iterator[str]:
    """Show the scores by kind, by work, and next to other readers."""
    found = {name: read_rows(folder / name, name) for name in READERS}
    rows, works = found["docbats"], read_works()
    yield _INTRODUCTION
    for key, text in _SETS.items():
        names = [name for name, work in works.items() if work.get("set", "first") == key]
        own = {name: row for name, row in rows.items() if row["work"] in names}
        if own:
            yield text.format(len({row["work"] for row in own.values()}))
            yield _score_table("kind", {label: _of(own, "kind", k) for k, label in KINDS.items()})
    yield "\n## By work\n"
    yield _score_table("work", {work: _of(rows, "work", work) for work in works})
    peers = {name: own for name, own in found.items() if own and name != "docbats"}
    if peers:
        yield _PEERS
    for name, own in peers.items():
        yield f"\n### {name}\n"
        yield _peer_table(own, rows)
    errors = {f"{name}: {file}": row["error"] for name, own in found.items()
              for file, row in own.items() if "error" in row}  # fmt: skip
    if errors:
        yield "\n## Not read\n\nThese count as 0.\n"
        yield "\n".join(f"- {name}: {error}" for name, error in errors.items()) + "\n"
    yield "\n## Packages\n"
    yield markdown_table(
        ("work", "packages"),
        [[name, work["packages"]] for name, work in works.items()],
        numbers=False,
    )


def _of(rows: Mapping[str, Row], key: str, value: str) -> dict[str, Row]:
    return {name: row for name, row in rows.items() if row[key] == value}


def _score_table(head: str, groups: Mapping[str, Mapping[str, Row]]) -> str:
    return markdown_table(
        (head, "files", *_MEASURES.values()),
        [
            [label, str(len(rows)), *(mean_cell(rows, measure) for measure in _MEASURES)]
            for label, rows in groups.items()
            if rows
        ],
    )


def _peer_table(rows: Mapping[str, Row], ours: Mapping[str, Row]) -> str:
    def pair(files: Mapping[str, Row], measure: str) -> str:
        own = mean_cell({name: ours[name] for name in files if name in ours}, measure, 2)
        other = mean_cell(files, measure, 2)
        return NO_VALUE if NO_VALUE in (own, other) else f"{other} / {own}"

    return markdown_table(
        ("kind", "files", *_MEASURES.values()),
        [
            [label, str(len(files)), *(pair(files, measure) for measure in _MEASURES)]
            for kind, label in KINDS.items()
            if (files := _of(rows, "kind", kind))
        ],
    )
