"""The files that the pages name, made from our examples."""

from __future__ import annotations

import csv
import json
import shutil
from textwrap import wrap
from typing import TYPE_CHECKING

from tests.docs.blocks import ROOT
from tests.fitting.texts import make_markdown, many_short_parts
from tests.sample_files import Files, PdfLine
from tests.talks import recording, talk_vtt
from tests.title_server import module_of_the_page

from docbats import Document
from docbats.corpus.storage import zstd_module

if TYPE_CHECKING:
    from pathlib import Path

LINES_PER_PAGE = 42


def make_all(folder: Path) -> None:
    """Write every file into the folder."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    texts = {path.stem: path.read_text() for path in sorted((ROOT / "examples").glob("*.txt"))}
    _make_texts(folder, texts)
    _make_files(folder, texts)
    _make_tables(folder, texts)


def _make_texts(folder: Path, texts: dict[str, str]) -> None:
    (folder / ".curlrc").write_text("silent\nshow-error\nfail-with-body\n")
    (folder / "report.txt").write_text(texts["annual-report"])
    (folder / "article.txt").write_text(texts["article"])
    (folder / "book.txt").write_text("\n\n".join(texts.values()))
    (folder / "transcript.txt").write_text("\n".join(_sentences(texts["lecture"])))
    for name in ("texts", "reports", "minutes"):
        (folder / name).mkdir()
        for stem, text in texts.items():
            (folder / name / f"{stem}.txt").write_text(text)
    (folder / "names.py").write_text(module_of_the_page())
    (folder / "manuals").mkdir()
    for number, parts in enumerate(many_short_parts(24), start=1):
        (folder / "manuals" / f"{number:02}.md").write_text(make_markdown(parts))


def _make_files(folder: Path, texts: dict[str, str]) -> None:
    files = Files()
    (folder / "talk.vtt").write_text(files.vtt(_sentences(texts["lecture"])))
    (folder / "talk.srt").write_text(files.srt(_sentences(texts["lecture"])))
    (folder / "meeting.vtt").write_text(talk_vtt())
    for name in ("meeting.mp3", "talk.mp3"):  # what they are is known by their content
        (folder / name).write_bytes(recording(1))
    lines = [line for part in texts["article"].split("\n\n") for line in wrap(part, 80)]
    pages = [
        [PdfLine(line, 780 - 16 * i) for i, line in enumerate(lines[at : at + LINES_PER_PAGE])]
        for at in range(0, len(lines), LINES_PER_PAGE)
    ]
    (folder / "paper.pdf").write_bytes(files.pdf(pages))
    chapters = {
        f"{stem}.xhtml": f"<html><body><h1>{stem}</h1><p>{text}</p></body></html>"
        for stem, text in texts.items()
    }
    (folder / "book.epub").write_bytes(files.epub(chapters))
    (folder / "notes.md").write_text(f"# Around the house\n\n{texts['how-to']}")


def _make_tables(folder: Path, texts: dict[str, str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    lines = "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in texts.items())
    (folder / "feed.jsonl").write_text(lines)
    (folder / "wiki").mkdir()
    (folder / "wiki" / "one.jsonl.zst").write_bytes(zstd_module().compress(lines.encode()))
    rows = [{"url": f"https://example.org/{name}", "body": text} for name, text in texts.items()]
    (folder / "pages.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with (folder / "talks.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["url", "body"])
        writer.writeheader()
        writer.writerows(rows)
    pq.write_table(
        pa.table({"id": list(texts), "text": list(texts.values())}), folder / "news.parquet"
    )


def _sentences(text: str) -> list[str]:
    return [" ".join(sentence.split()) for sentence in Document.from_text(text).sentences]
