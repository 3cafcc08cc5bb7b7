"""Chunks over HTTP: the same as from the library, for texts, files and many documents."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest

import docbats
from docbats import Chunker
from docbats.chunks.options import chunk_options, with_tokenizer
from docbats.cli import main
from docbats.errors import SettingsError
from docbats.render.rows import chunks_to_lines, chunks_to_values
from docbats.result import json_text

if TYPE_CHECKING:
    from pathlib import Path

    import httpx
    from tests.serve.conftest import Start

PLAIN = {"Content-Type": "text/plain"}
MARKDOWN = "# Bats\n\nBats fly. They hunt moths.\n\n## Sleep\n\nBats sleep in caves.\n"
EVERY_OPTION: dict[str, Any] = {
    "chunk_size": 60, "chunk_overlap": 12, "size_unit": "words", "context": "headings",
    "titles": True, "strip": False, "sentences": "lines", "language": "en",
}  # fmt: skip


def _values(chunks: list[docbats.Chunk]) -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = json.loads(json_text(list(chunks_to_values(chunks))))
    return values


def test_the_chunks_are_those_of_the_library(client: httpx.Client, article: str) -> None:
    expected = _values(docbats.chunk(article, 500))
    plain = client.post("/v1/chunk?chunk_size=500", content=article, headers=PLAIN)
    assert plain.json()["chunks"] == expected
    assert "source" not in plain.json()
    asked = {"text": article, "chunk_size": 500, "name": "bats"}
    named = client.post("/v1/chunk", json=asked).json()
    expected = _values(docbats.chunk(article, 500, document_id="bats"))
    assert (named["source"], named["chunks"], named["notes"]) == ("bats", expected, [])


def test_every_option_of_the_chunker_can_be_sent(client: httpx.Client, article: str) -> None:
    sendable = {field.name for field in fields(Chunker)} - {"length_function"}
    assert {*EVERY_OPTION, "tokenizer"} <= set(chunk_options()) == sendable
    expected = _values(docbats.chunk(article, **EVERY_OPTION))
    assert client.post("/v1/chunk", json={"text": article, **EVERY_OPTION}).json()["chunks"] == (
        expected
    )
    query = {name: str(value).lower() for name, value in EVERY_OPTION.items()}
    response = client.post("/v1/chunk", params=query, content=article, headers=PLAIN)
    assert response.json()["chunks"] == expected
    described = client.get("/v1/presets").json()
    assert set(described["chunk_options"]) == sendable
    assert all(option["description"] for option in described["chunk_options"].values())


def test_ids_are_made_of_the_name_of_the_document(client: httpx.Client, article: str) -> None:
    def ids(path: str = "/v1/chunk", **asked: Any) -> list[str]:
        return [
            c["id"] for c in client.post(path, json={"text": article, **asked}).json()["chunks"]
        ]

    def expected(document_id: str | None) -> list[str]:
        return [chunk.id for chunk in docbats.chunk(article, document_id=document_id)]

    assert ids() == expected(None)
    assert ids(name="a.txt") == expected("a.txt")
    assert ids(name="a.txt", document_id="7") == ids("/v1/chunk?document_id=7") == expected("7")
    uploaded = client.post("/v1/chunk", files={"file": ("a.txt", article.encode())})
    assert [chunk["id"] for chunk in uploaded.json()["chunks"]] == expected("a.txt")
    lines = "".join(json.dumps({"text": article, **own}) + "\n" for own in ({}, {"id": 5}))
    headers = {"Content-Type": "application/jsonl"}
    answers = client.post("/v1/chunk/many", content=lines, headers=headers).text.splitlines()
    for answer, id_ in zip(answers, (None, "5"), strict=True):
        chunks = json.loads(answer)["result"]["chunks"]
        assert [chunk["id"] for chunk in chunks] == expected(id_)


def test_lines_are_those_of_the_command(client: httpx.Client, article: str) -> None:
    expected = chunks_to_lines("bats.txt", docbats.chunk(article, 500, document_id="bats.txt"))
    asked = {"text": article, "chunk_size": 500, "name": "bats.txt"}
    by_query = client.post("/v1/chunk?format=jsonl", json=asked)
    by_header = client.post("/v1/chunk", json=asked, headers={"Accept": "application/jsonl"})
    assert by_query.text == by_header.text == expected
    assert by_query.headers["content-type"] == "application/jsonl"
    assert client.post("/v1/chunk", json=asked, headers={"Accept": "image/png"}).status_code == 406


def test_files_are_read(client: httpx.Client) -> None:
    headers = {"Content-Type": "text/markdown"}
    chunks = client.post("/v1/chunk", content=MARKDOWN, headers=headers).json()["chunks"]
    assert chunks == _values(docbats.chunk(MARKDOWN))
    assert chunks[0]["document_title"] == "Bats"


@pytest.mark.parametrize("text", ["", " \n", "\x1c"])
def test_a_blank_text_has_no_chunks(client: httpx.Client, text: str) -> None:
    assert client.post("/v1/chunk", json={"text": text}).json()["chunks"] == []
    lines = client.post("/v1/chunk?format=jsonl", content=text, headers=PLAIN)
    assert (lines.status_code, lines.content) == (200, b"")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"chunk_size": 0}, "chunk_size"),
        ({"chunk_overlap": 1000}, "chunk_overlap must be smaller than chunk_size"),
        ({"context": "all"}, "context"),
        ({"k": 3}, "k"),
        ({"size_unit": "tokens"}, "--tokenizer"),
        ({"tokenizer": "/etc/tokenizer.json"}, "--tokenizer"),
    ],
)
def test_wrong_options_are_refused(client: httpx.Client, asked: Any, said: str) -> None:
    response = client.post("/v1/chunk", json={"text": MARKDOWN, **asked})
    assert response.status_code == 422
    assert response.json()["type"] == "urn:docbats:problem:wrong-settings"
    assert said in response.json()["detail"]
    assert "/etc" not in response.text


def test_many_documents_one_on_each_line(client: httpx.Client, article: str) -> None:
    lines = [
        json.dumps({"id": "a", "text": article}),
        "",
        json.dumps({"text": MARKDOWN, "chunk_size": 30}),
        json.dumps({"id": 7, "text": MARKDOWN, "chunk_size": 0}),
        json.dumps({"id": "blank", "text": ""}),
    ]
    headers = {"Content-Type": "application/jsonl"}
    response = client.post(
        "/v1/chunk/many?chunk_size=400", content="\n".join(lines), headers=headers
    )
    answers = [json.loads(line) for line in response.text.splitlines()]
    assert [answer["id"] for answer in answers] == ["a", 3, 7, "blank"]
    assert answers[0]["result"]["chunks"] == _values(docbats.chunk(article, 400, document_id="a"))
    assert answers[1]["result"]["chunks"] == _values(docbats.chunk(MARKDOWN, 30))
    assert answers[2]["error"]["status"] == 422
    assert answers[3]["result"]["chunks"] == []


@pytest.mark.integrations("tokenizers", "docbats[tokens]")
def test_tokens_are_counted_by_tokenizers_that_the_service_allows(
    start: Start, tmp_path: Path, article: str
) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    path = tmp_path / "words.json"
    words.save(str(path))
    expected = _values(docbats.chunk(article, 50, tokenizer=str(path)))
    options = ["--workers", "1", "--tokenizer", f"words={path}"]
    with start(*options) as service, service.client() as client:
        for asked in ({"tokenizer": "words"}, {"size_unit": "tokens"}):
            body = {"text": article, "chunk_size": 50, **asked}
            assert client.post("/v1/chunk", json=body).json()["chunks"] == expected
        refused = client.post("/v1/chunk", json={"text": article, "tokenizer": str(path)})
        assert refused.status_code == 422
        assert "must be one of words" in refused.json()["detail"]
        assert client.get("/v1/presets").json()["tokenizers"] == ["words"]


def test_a_client_cannot_name_a_file_or_a_download() -> None:
    allowed = {"minilm": "models/minilm.json", "cl100k_base": "cl100k_base"}
    assert with_tokenizer({"titles": True}, allowed) == {"titles": True}
    assert with_tokenizer({"tokenizer": "cl100k_base"}, allowed)["tokenizer"] == "cl100k_base"
    for name in ("models/minilm.json", "gpt2", ""):
        with pytest.raises(SettingsError, match="must be one of minilm, cl100k_base"):
            with_tokenizer({"tokenizer": name}, allowed)


def test_a_tokenizer_that_cannot_be_loaded_ends_the_command() -> None:
    from click.testing import CliRunner

    result = CliRunner().invoke(main, ["serve", "--tokenizer", "x=/none/tokenizer.json"])
    assert result.exit_code == 1
    assert "there is no tokenizer at /none/tokenizer.json" in result.output
