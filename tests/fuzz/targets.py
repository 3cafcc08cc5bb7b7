"""What is fuzzed: the library, the readers, the service and the tools for assistants."""

from __future__ import annotations

import asyncio
import io
import json
from concurrent.futures import Future
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rich.console import Console
from tests.fuzz.invariants import check_chunks, check_result
from tests.fuzz.mutations import (
    damage,
    make_chunk_options,
    make_markdown,
    make_settings,
    make_text,
)
from tests.fuzz.structured import (
    make_body,
    make_csv,
    make_file,
    make_frame,
    make_mail,
    make_pdf,
    make_table,
)
from tests.render.html_tree import Tree
from tests.sample_files import BATS, TEA, Files

from docbats import Chunker, Document, analyze
from docbats.chunks.options import chunk_options
from docbats.errors import DocbatsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["TARGETS"]

CORPUS = Path(__file__).parent / "corpus"
_KINDS = (None, None, None, "text", "markdown", "html", "srt", "vtt", "notebook", "mail", "rtf")
_TWICE = 0.03  # of the calls are made twice, to compare the bytes


def fuzz_library(chance: Random) -> None:
    """Analyze a random text with random settings."""
    text: Any = make_text(chance)
    settings = make_settings(chance)
    if chance.random() < 0.1:
        text = [make_text(chance) for _ in range(chance.randrange(6))]
    preset = chance.choice(("sharp", "sharp", "paper"))
    try:
        result = analyze(text, preset=preset, **settings)
        check_result(result, settings.get("k"))
        if chance.random() < 0.1:
            result.outline()
        if chance.random() < 0.02:
            result.to_html()
            result.to_markdown()
        if chance.random() < _TWICE:
            again = analyze(text, preset=preset, **settings).to_json()
            assert again == result.to_json(), "other bytes the second time"
    except DocbatsError as error:
        _check_message(error)


def fuzz_chunks(chance: Random) -> None:
    """Cut a random text, or a damaged file, into chunks of random sizes."""
    text: Any = make_text(chance)
    try:
        if chance.random() < 0.2:
            text = Document.read(damage(chance, chance.choice(seeds()), seeds()))
        options = make_chunk_options(chance)
        chunker = Chunker(**options)
        chunks = chunker(text)
        check_chunks(chunker, text if isinstance(text, str) else text.text, chunks)
        if chance.random() < _TWICE:
            assert Chunker(**options)(text) == chunks, "other chunks the second time"
    except DocbatsError as error:
        _check_message(error)


def fuzz_views(chance: Random) -> None:
    """Show a document full of marks in every way, and cut it anew."""
    data = make_markdown(chance).encode()
    is_damaged = chance.random() < 0.3
    if is_damaged:
        data = damage(chance, chance.choice(seeds()), seeds())[:5000]
    try:
        document = Document.read(data, name=chance.choice(("a.md", "a.md", None)))
        result = analyze(document, structure=chance.choice(("auto", "auto", "strict", "ignore")))
        page = Tree(result.to_html())
        assert not page.odd, f"odd parts of a page: {page.odd[:3]}"
        assert is_damaged or page.document_text == document.text, "another text in the page"
        result.to_markdown()
        str(result.outline())
        Console(file=io.StringIO()).print(result)
        check_result(result.cut(chance.randrange(1, 4)), None)
        chunker = Chunker(chance.choice((20, 60, 400)), titles=True)
        check_chunks(chunker, document.text, chunker(document))
    except DocbatsError as error:
        _check_message(error)


def _check_message(error: DocbatsError) -> None:
    assert str(error), "an error without a message"


@cache
def seeds() -> list[bytes]:
    """Return files of every kind: those committed here, and those that tests make."""
    files = Files()
    made = [
        "\n".join(["# Bats", "", *BATS, "", "## Tea", "", *TEA]).encode(),
        f"<html><body><h1>Bats</h1><p>{' '.join(BATS)}</p></body></html>".encode(),
        json.dumps({"nbformat": 4, "cells": [{"cell_type": "markdown", "source": BATS}]}).encode(),
        b"From: a@b.example\nSubject: Bats\n\n" + " ".join(TEA).encode(),
        b"{\\rtf1\\ansi{\\b Bats}\\par " + " ".join(BATS).encode() + b"}",
        files.epub({"1.xhtml": f"<p>{' '.join(BATS)}</p>", "2.xhtml": f"<p>{' '.join(TEA)}</p>"}),
        files.docx("".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in BATS + TEA)),
    ]
    return made + [path.read_bytes() for path in sorted(CORPUS.iterdir())]


def fuzz_readers(chance: Random) -> None:
    """Read a damaged file."""
    data = damage(chance, chance.choice(seeds()), seeds())
    kind = chance.choice(_KINDS)
    name = chance.choice((None, None, "a.md", "a.html", "a.srt", "a.txt", "a.eml", "a.pdf"))
    try:
        read = Document.read(data, kind=kind, name=name)
        assert len(read), "no sentence"
        if chance.random() < 0.05 and len(read.text) < 5000:
            check_result(analyze(read), None)
    except DocbatsError as error:
        _check_message(error)


def fuzz_files(chance: Random) -> None:
    """Read a file of repeated parts, a PDF of wild references, or an e-mail of nested parts."""
    match chance.randrange(4):
        case 0:
            data, kind = make_pdf(chance), "pdf"
        case 1:
            data, kind = make_mail(chance), "mail"
        case _:
            data, kind = make_file(chance)
    try:
        Document.read(data, kind=chance.choice((kind, kind, None)))
    except DocbatsError as error:
        _check_message(error)


def fuzz_tables(chance: Random) -> None:
    """Read the documents of a table: whatever is in it, each has a row, and nothing is raised."""
    import pyarrow.parquet as pq

    from docbats.corpus.documents import DocumentReader
    from docbats.corpus.source_files import InputFiles

    with TemporaryDirectory() as folder:
        path = Path(folder) / chance.choice(("in.csv", "in.parquet", "in.parquet", "in.tsv"))
        if path.suffix == ".parquet":
            pq.write_table(make_table(chance), path, compression=chance.choice(("zstd", "none")))
            if chance.random() < 0.2:
                path.write_bytes(damage(chance, path.read_bytes(), seeds()))
        else:
            path.write_bytes(make_csv(chance))
        reader = DocumentReader(max_characters=chance.choice((10, 10_000)))
        for document in reader.read(InputFiles.from_names(path, None).sources()):
            assert (document.content is None) == (document.failure is not None), "no reason"


def fuzz_frames(chance: Random) -> None:
    """Check a line that an assistant sends: it can be read, or there is an answer."""
    from docbats.mcp.stdio import check_line

    line, error = check_line(make_frame(chance))
    assert bool(line) != bool(error), "neither a message nor an answer"
    if error is not None:
        error.model_dump_json().encode()
    line.encode()


def fuzz_bodies(chance: Random) -> None:
    """Read the body of a request: it is valid, or there is a problem with it."""
    from docbats.serve.problems import Problem
    from docbats.serve.requests import BodyType, parse_values
    from docbats.serve.responses import JSON
    from docbats.serve.schema import DocumentRequest

    try:
        values = parse_values(BodyType(JSON, {}), make_body(chance), DocumentRequest, {})
        assert "text" in values, "a request without a text"
    except Problem as problem:
        json.loads(problem.to_bytes())


def fuzz_mcp(chance: Random) -> None:
    """Call a tool for assistants with odd arguments."""
    from docbats.mcp.tools import ToolCall

    document: dict[str, Any] = {
        "path": None,
        "text": None,
        "lines": chance.random() < 0.3,
        "granularity": "fine",
    }
    if chance.random() < 0.8:
        document["text"] = make_text(chance)
    else:
        document["path"] = chance.choice(("../a", "x" * 5000, "\0", make_text(chance), "bats.md"))
    document["k"] = chance.choice(("auto", "auto", 1, 2, 5, 2000))
    number = chance.choice((None, 1, "1", "1.1", "0", "x", -1, 10**30, "1." * 500))
    offset = chance.choice((None, 0, 1, -1, 50, 10**30))
    calls: dict[str, dict[str, Any]] = {
        "list_files": {"pattern": make_text(chance), "first": chance.randrange(-1, 3)},
        "outline": {**document, "depth": chance.choice((None, 1, 3)), "first": 1},
        "read_part": {**document, "number": number, "start": offset, "end": offset},
        "search": {**document, "question": make_text(chance), "most": chance.randrange(1, 50)},
        "describe": {**document, "first": chance.choice((1, 2, 0, 10**20))},
        "summarize": {**document, "sentences": chance.randrange(1, 1000)},
        "chunk": {
            **{name: document[name] for name in ("path", "text")},
            "first": chance.choice((1, 2, 0, 10**20)),
            "options": _sendable(make_chunk_options(chance)),
        },
    }
    if chance.random() < 0.3:  # in all files
        calls["search"] |= {"path": None, "text": None}
    name = chance.choice(list(calls))
    try:
        tool_calls()(ToolCall(name, calls[name]))
    except DocbatsError as error:
        _check_message(error)


def _sendable(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the types that a tool or a request lets through."""
    kinds = {name: type(option.default) for name, option in chunk_options().items()}
    return {
        name: value
        for name, value in options.items()
        if type(value) is kinds.get(name) and value not in {"", 0, -1}
    }


@cache
def tool_calls() -> Any:
    """Return what answers calls; it may read the corpus."""
    from docbats.mcp.allowed_folders import AllowedFolders
    from docbats.mcp.tools import ToolCalls

    return ToolCalls(AllowedFolders.from_names([str(CORPUS)], 1_000_000), 20_000)


def fuzz_http(chance: Random) -> None:
    """Send a damaged request to the service, which answers it in this process."""
    from docbats.serve.responses import FILES

    media = chance.choice(
        ("text/plain", "application/json", "application/jsonl", *FILES, "x/y", "")
    )
    is_chunked = chance.random() < 0.3
    make = make_chunk_options if is_chunked else make_settings
    values = {"text": make_text(chance), **make(chance)}
    body = json.dumps(values, default=str).encode("utf-8", "replace")
    if media not in {"application/json", "application/jsonl"} or chance.random() < 0.3:
        body = damage(chance, chance.choice([body, *seeds(), _form(chance, values)]), seeds())
    elif chance.random() < 0.2:
        media, body = "multipart/form-data; boundary=x", _form(chance, values)
    headers = [
        (b"host", chance.choice((b"127.0.0.1", b"127.0.0.1", b"127.0.0.1", b"[", b"x"))),
        (b"content-type", f"{media}; charset={chance.choice(('utf-8', 'x', 'idna'))}".encode()),
    ]
    if chance.random() < 0.1:
        headers.append((b"origin", chance.choice((b"http://[", b"http://127.0.0.1", b"null"))))
    own = "/v1/chunk" if is_chunked else "/v1/analyze"
    path = chance.choice((own, own, f"{own}/many", "/v1/presets", "/x"))
    query = "&".join(f"{name}={value!s:.50}" for name, value in make(chance).items())
    status, answer = _loop().run_until_complete(_request(path, query, headers, body))
    assert status in _STATUSES, f"status {status}"
    if status >= 400:
        assert json.loads(answer)["detail"], "a problem without a detail"
    elif path.endswith("many"):
        for line in answer.splitlines():
            assert json.loads(line).keys() >= {"id"}, "a line without an id"


def _form(chance: Random, values: dict[str, Any]) -> bytes:
    """Return a form with these values, and perhaps a file, most of it as it should be."""
    parts = [f'Content-Disposition: form-data; name="{n}"\r\n\r\n{v}' for n, v in values.items()]
    form = "".join(f"--x\r\n{part}\r\n" for part in parts).encode("utf-8", "replace")
    if chance.random() < 0.7:
        head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
        form += head + chance.choice(seeds()) + b"\r\n"
    return form + b"--x--\r\n"


_STATUSES = {200, 400, 401, 403, 404, 405, 406, 413, 415, 422}


async def _request(
    path: str, query: str, headers: list[tuple[bytes, bytes]], body: bytes
) -> tuple[int, bytes]:
    app = _app()
    parts: list[bytes] = []
    status = 0
    sent = False

    async def receive() -> dict[str, Any]:
        nonlocal sent
        if sent:
            await asyncio.sleep(3600)
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)
        parts.append(message.get("body", b""))

    method = "POST" if "analyze" in path or "chunk" in path else "GET"
    scope = {
        "type": "http", "http_version": "1.1", "method": method, "path": path, "raw_path": b"",
        "query_string": query.encode("utf-8", "replace"), "headers": headers, "scheme": "http",
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "root_path": "",
    }  # fmt: skip
    await app(scope, receive, send)
    return status, b"".join(parts)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


@cache
def _app() -> Any:
    """Return an application whose jobs are done here and at once."""
    from docbats.serve.app import create_app
    from docbats.serve.service import ServiceOptions

    app = create_app(ServiceOptions(workers=1, max_bytes=200_000))
    app.state.service.pool = _PoolHere()
    return app


class _PoolHere:
    """Does jobs in this process: errors show where they arise."""

    jobs, busy, waiting, restarts = 1, 0, 0, 0

    def submit(self, job: Any, on_progress: Any = None) -> Future[Any]:  # noqa: ARG002 - as of Pool
        from docbats.serve.analysis_job import UnexpectedError, run_job

        done: Future[Any] = Future()
        done.set_result(run_job(job))
        assert not isinstance(done.result(), UnexpectedError), done.result()
        return done


TARGETS: dict[str, Callable[[Random], None]] = {
    "library": fuzz_library,
    "chunks": fuzz_chunks,
    "readers": fuzz_readers,
    "http": fuzz_http,
    "mcp": fuzz_mcp,
    "views": fuzz_views,
    "files": fuzz_files,
    "tables": fuzz_tables,
    "frames": fuzz_frames,
    "bodies": fuzz_bodies,
}
"""What is fuzzed, by name."""
