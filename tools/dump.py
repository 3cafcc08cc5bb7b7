"""Checksums of what docbats makes of every evaluation document, to compare two versions.

``python tools/dump.py before.json`` writes one checksum for each document and view (its blocks,
boundaries, titles, topics, ...); ``python tools/dump.py after.json --compare before.json`` lists
what has changed and exits with 1 if anything has. ``DOCBATS_DATA`` names the folder of the data;
our own examples are always included. Only checksums are written, no text.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docbats

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
SECTIONS_STEP = 6  # of the documents in sections/, every sixth
CHUNK_SIZE = 1000
Task = tuple[str, str, Any]  # a name, "sentences" or "text" or "file", and the source itself


def tasks(data: Path | None) -> Iterator[Task]:
    """Yield every document once."""
    yield from our_own()
    if data is not None:
        yield from evaluation_documents(data)
        yield from sections(data)


def our_own() -> Iterator[Task]:
    """Yield the documents that are part of the repository."""
    for path in sorted((ROOT / "examples").rglob("*.txt")):
        yield f"examples/{path.stem}", "text", path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "docs").glob("*.md")):
        if path.stem in {"tutorial", "files", "serve"}:
            yield f"docs/{path.stem}", "text", path.read_text(encoding="utf-8")


def evaluation_documents(data: Path) -> Iterator[Task]:
    """Yield lists of sentences, stories, structured documents and original files."""
    for path in sorted(data.rglob("*.ref")):
        lines = path.read_text(encoding="utf-8").splitlines()
        sentences = [line for line in lines if line.strip() and set(line.strip()) != {"="}]
        yield str(path.relative_to(data)), "sentences", sentences
    for path in sorted((data / "news").rglob("*.txt"))[::4]:
        yield str(path.relative_to(data)), "text", path.read_text(encoding="utf-8")
    for path in sorted((data / "structured").glob("[!_]*/*.json")):
        blocks = json.loads(path.read_text(encoding="utf-8"))["blocks"]
        yield str(path.relative_to(data)), "text", "\n\n".join(map(written, blocks))
    for path in sorted((data / "structured").glob("*/originals/*")):
        yield str(path.relative_to(data)), "file", path
    for path in sorted((data / "structured").glob("_format_only/*/*")):
        yield str(path.relative_to(data)), "file", path


def sections(data: Path) -> Iterator[Task]:
    """Yield some of the documents with headings."""
    for path in sorted((data / "sections").glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                if number % SECTIONS_STEP == 0:
                    blocks = json.loads(line)["blocks"]
                    text = "\n\n".join(map(written, blocks))
                    yield f"sections/{path.stem}/{number}", "text", text


def written(block: Any) -> str:
    """Return a block of the data as a line of plain text."""
    if not isinstance(block, dict):
        return str(block[-1] if isinstance(block, list) else block)
    text = str(block.get("text") or "")
    if block.get("type") == "turn" and block.get("speaker"):
        return f"{block['speaker']}: {text}"
    return " ".join(filter(None, [block.get("number"), text]))


def views(task: Task) -> tuple[str, dict[str, str]]:
    """Return the checksum of each view of one document."""
    name, kind, source = task
    try:
        document = docbats.Document.read(source) if kind == "file" else source
        found = views_of(document, kind)
    except docbats.DocbatsError as error:
        found = {"error": type(error).__name__}
    return name, {view: checksum(value) for view, value in found.items()}


def views_of(source: Any, kind: str) -> dict[str, Any]:
    """Return each view as JSON-ready values."""
    result = docbats.analyze(source)
    document = result.document
    values = result.to_dict(outline=True)
    segments = values["segments"]
    names = ("title", "title_source", "subtitle", "heading_path", "speakers")
    views = {
        "text": [document.text, document.spans.tolist(), document.prose],
        "blocks": [repr(block) for block in document.blocks],
        "boundaries": [[s["start"], s["end"], s["sentences"], s["strength"]] for s in segments],
        "titles": [[s[name] for name in names] for s in segments],
        "summaries": [s["summary"] for s in segments],
        "keywords": [s["keywords"] for s in segments],
        "weights": [s["topic_weights"] for s in segments],
        "topics": values["topics"],
        "choice": values["choice"],
        "notes": values["notes"],
        "outline": values["outline"],
    }
    if kind == "sentences":
        paper = docbats.analyze(source, k=min(5, len(document)), preset="paper").to_dict()
        views["paper"] = [paper["topics"], [s["start"] for s in paper["segments"]]]
    else:
        chunks = docbats.chunk(source, CHUNK_SIZE, context="headings")
        views["chunks"] = [[c.start, c.end, c.title, c.context, c.size] for c in chunks]
    if kind == "file":
        views["page"] = result.to_html("name")
        views["markdown"] = result.to_markdown(outline=True)
    return views


def checksum(value: Any) -> str:
    """Return a short checksum of JSON-ready values."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


def compare(before: dict[str, Any], after: dict[str, Any]) -> int:
    """Print which views of which documents differ; return how many documents do."""
    changed = Counter[str]()
    documents = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name, {}), after.get(name, {})
        views = sorted(view for view in old.keys() | new.keys() if old.get(view) != new.get(view))
        changed.update(views)
        if views:
            documents.append(f"{name}: {', '.join(views)}")
    print(*documents, sep="\n")
    print(f"{len(before)} and {len(after)} documents, {len(documents)} differ", dict(changed))
    return len(documents)


def main() -> int:
    """Write the checksums; return 1 if they differ from those to compare with."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("output", type=Path, help="where to write the checksums")
    parser.add_argument("--compare", type=Path, help="checksums of another version")
    parser.add_argument("--every", type=int, default=1, help="take only every so-manieth document")
    options = parser.parse_args()
    data = os.environ.get("DOCBATS_DATA")
    todo = list(tasks(Path(data) if data else None))[:: options.every]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = dict(pool.map(views, todo, chunksize=8))
    options.output.write_text(json.dumps(found, indent=0, sort_keys=True), encoding="utf-8")
    if options.compare is None:
        return 0
    before = json.loads(options.compare.read_text(encoding="utf-8"))
    return int(compare({name: before[name] for name in found if name in before}, found) > 0)


if __name__ == "__main__":
    sys.exit(main())
