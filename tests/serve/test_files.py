"""Files of all kinds, and what is wrong with some."""

from __future__ import annotations

import gzip
import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.sample_files import PdfLine

import docbats
from docbats.result import json_text
from docbats.serve.analysis_job import AnalysisJob, Upload, run_job
from docbats.serve.problems import Problem
from docbats.serve.responses import FILES
from docbats.settings import PRESETS

if TYPE_CHECKING:
    import httpx
    from tests.sample_files import Files
    from tests.serve.conftest import Running, Start

NAMES = {
    "pdf": "paper.pdf",
    "docx": "letter.docx",
    "epub": "book.epub",
    "html": "page.html",
    "markdown": "notes.md",
    "vtt": "talk.vtt",
    "srt": "talk.srt",
    "notebook": "work.ipynb",
    "odt": "letter.odt",
    "rtf": "letter.rtf",
    "pptx": "talk.pptx",
    "mail": "letter.eml",
}
EVERY_KIND = pytest.mark.parametrize("kind", NAMES)


def _sample(files: Files, kind: str) -> bytes:
    """Make a file about bats and tea."""
    parts = {"On bats": " ".join(files.bats), "On tea": " ".join(files.tea)}
    both = list(parts.items())
    page = "".join(f"<h1>{title}</h1><p>{text}</p>" for title, text in both)
    notes = "\n\n".join(f"# {title}\n\n{text}" for title, text in parts.items())
    letter = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>{title}</w:t></w:r></w:p>'
        f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"
        for title, text in parts.items()
    )
    samples = {
        "pdf": files.paper(),
        "docx": files.docx(letter),
        "epub": files.epub({"one.xhtml": f"<html><body>{page}</body></html>"}),
        "html": f"<!doctype html><html><body>{page}</body></html>".encode(),
        "markdown": notes.encode(),
        "vtt": files.vtt([*files.bats, *files.tea]).encode(),
        "srt": files.srt([*files.bats, *files.tea]).encode(),
        "notebook": files.notebook(("markdown", notes)),
        "odt": files.odt(
            "".join(f"<text:h>{title}</text:h><text:p>{text}</text:p>" for title, text in both)
        ),
        "rtf": b"{\\rtf1\\ansi %s}"
        % "".join(
            f"\\pard\\outlinelevel0 {title}\\par\\pard {text}\\par" for title, text in both
        ).encode(),
        "pptx": files.pptx(
            [files.shape(title, placeholder="title") + files.shape(text) for title, text in both]
        ),
        "mail": (
            "From: anna@example.org\nTo: ben@example.org\nSubject: Bats and tea\n\n"
            + "\n\n".join(text for _, text in both)
        ).encode(),
    }
    return samples.get(kind) or files.samples()[kind]


def _post(
    client: httpx.Client, data: bytes, media: str = "application/octet-stream", **query: Any
) -> httpx.Response:
    headers = {"Content-Type": media}
    return client.post("/v1/analyze", content=data, params=query, headers=headers)


def _problem(response: httpx.Response, status: int, kind: str) -> str:
    assert response.status_code == status, response.text
    problem = response.json()
    assert problem["type"] == f"urn:docbats:problem:{kind}"
    assert problem["detail"].endswith(".")
    return str(problem["detail"])


@EVERY_KIND
def test_the_answer_is_that_of_the_library(client: httpx.Client, files: Files, kind: str) -> None:
    data, name = _sample(files, kind), NAMES[kind]
    result = docbats.analyze(docbats.Document.read(data, name=name), k=2)
    response = _post(client, data, k=2, name=name)
    expected = {"source": name, **result.to_dict(top_words=10)}
    assert response.text == json_text(expected) + "\n"
    found = response.json()["segments"]
    assert all(segment.get("place") or segment["heading_path"] for segment in found)


@pytest.mark.parametrize(
    "media",
    [media for media, kind in FILES.items() if kind],
)
def test_the_media_type_decides_the_kind(client: httpx.Client, files: Files, media: str) -> None:
    kind = FILES[media]
    assert kind is not None
    data = _sample(files, kind)
    expected = docbats.Document.read(data, kind=kind).text
    segments = _post(client, data, media, k=1).json()["segments"]
    assert segments[0]["text"] == expected


def test_the_page_shows_places(client: httpx.Client, files: Files) -> None:
    talk = _post(client, _sample(files, "vtt"), k=2, format="fragment")
    assert '<span class="range">0:00-0:20</span>' in talk.text
    paper = _post(client, files.paper(), k=3, format="html")
    assert '<span class="range">page 2</span>' in paper.text
    notes = _post(client, _sample(files, "markdown"), k=2, name="a.md", format="fragment")
    assert "<bdi>On tea</bdi></h" in notes.text
    assert '<span class="headings"><bdi>' in notes.text


def test_the_type_goes_before_the_media_type_and_the_content(client: httpx.Client) -> None:
    page = b"<html><p>Bats hunt moths.</p></html>"
    for media in ("text/html", "application/octet-stream", "text/plain"):
        plain = _post(client, page, media, type="text").json()
        assert plain["segments"][0]["text"] == page.decode()
    read = _post(client, page, "text/plain", type="html").json()
    assert read["segments"][0]["text"] == "Bats hunt moths."


def test_text_in_json_may_be_of_a_kind(client: httpx.Client) -> None:
    asked = {"text": "# Bats\n\nThey hunt moths.", "type": "markdown"}
    body = json.dumps(asked)
    headers = {"Content-Type": "application/json"}
    segment = client.post("/v1/analyze", content=body, headers=headers).json()["segments"][0]
    assert segment["heading_path"] == ["Bats"]
    assert "place" not in segment
    lines = client.post(
        "/v1/analyze/many", content=body, headers={"Content-Type": "application/jsonl"}
    ).json()
    assert lines["result"]["segments"][0] == segment
    asked["type"] = "pdf"
    _problem(client.post("/v1/analyze", json=asked | {"text": "x"}), 422, "cannot-be-read")


def test_encodings(client: httpx.Client) -> None:
    text = "Fünf Fledermäuse fliegen höher. Fledermäuse hören Dächer. Für größere Käfer."
    guessed = _post(client, text.encode("cp1252"), name="alt.txt").json()
    assert guessed["segments"][0]["text"] == text
    assert guessed["notes"][0] == "The file is not UTF-8, read as cp1252."
    page = f"<html><p>{text}</p></html>".encode("utf-16")
    named = _post(client, page, "text/html; charset=utf-16").json()
    assert named["segments"][0]["text"] == text
    detail = _problem(_post(client, b"bats\0\x01\x02\xff", name="a.txt"), 422, "cannot-be-read")
    assert detail.startswith("a.txt: a binary file, not text (it holds zero bytes)")
    _problem(_post(client, page, "text/html; charset=rot13"), 415, "unsupported-type")


def _encrypted(data: bytes) -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(PdfReader(io.BytesIO(data)))
    writer.encrypt("secret", algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_what_cannot_be_read_is_explained(
    client: httpx.Client, service: Running, files: Files
) -> None:
    bomb = files.docx("<w:p>" + " " * 9_000_000 + "</w:p>")
    for data, said in (
        (_encrypted(files.paper()), "encrypted: remove its password first"),
        (files.paper()[:300], "a broken PDF"),
        (files.pdf([[]]), "a PDF without text, perhaps scanned"),
        (bomb, "it unpacks to more than 4,194,304 bytes"),
        (files.docx("<w:p>"), "a broken file (its XML"),
        (files.docx("<w:p/>")[:-30], "a broken ZIP archive"),
        (files.zip({"word/document.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a/>'}), "document type"),
        (files.zip({"a.txt": "Bats."}), "a ZIP archive: unpack it first"),
        (gzip.compress(b"Bats hunt moths."), "a gzip file"),
        (b"\x89PNG\r\n", "an image"),
        (bytes(100), "a binary file"),
    ):
        detail = _problem(_post(client, data, name="it"), 422, "cannot-be-read")
        assert detail.startswith("it: ")
        assert said in detail
    assert len(bomb) < 20_000
    assert service.log.read_text().count("\n") == 1  # where it is, and no more


def test_other_limits_hold_for_files(client: httpx.Client, files: Files) -> None:
    _problem(_post(client, b"x" * 20_001), 413, "too-large")
    many = files.docx("<w:p><w:r><w:t>Bats fly.</w:t></w:r></w:p>" * 121)
    assert "121 sentences" in _problem(_post(client, many), 422, "too-many-sentences")
    _problem(_post(client, files.paper(), "image/png"), 415, "unsupported-type")
    _problem(_post(client, files.paper(), type="word"), 422, "wrong-settings")
    _problem(_post(client, b""), 422, "cannot-be-analyzed")


def test_a_file_that_takes_too_long_costs_its_own_request_alone(start: Start, files: Files) -> None:
    lines = [PdfLine(text, 700 - 14 * i) for i, text in enumerate([*files.bats, *files.tea])]
    limits = ("--workers", "1", "--timeout", "1", "--max-bytes", "20000000")
    with start(*limits) as service, service.client() as client:
        _problem(_post(client, files.pdf([lines] * 12_000)), 503, "too-slow")
        assert _post(client, files.paper()).status_code == 200


def test_a_missing_reader_is_named(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    found = run_job(AnalysisJob(Upload(files.paper(), "a.pdf"), PRESETS["sharp"]))
    assert isinstance(found, Problem)
    assert found.kind.status == 415
    assert 'pip install "docbats[files]"' in found.detail
