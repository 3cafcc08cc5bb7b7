"""Forms: a file with its settings in one request, as browsers and curl -F send them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats.serve.problems import Problem
from docbats.serve.requests import BodyType, parse_parts

if TYPE_CHECKING:
    import httpx

MARKDOWN = b"# Bats\n\nBats fly. They hunt moths.\n\n# Tea\n\nTea cools. Tea needs water.\n"


def test_a_file_with_settings(client: httpx.Client) -> None:
    files = {"file": ("notes.md", MARKDOWN, "text/markdown")}
    data = {"k": "2", "top_words": "3", "stem": "false", "stop_words": ["the", "a"]}
    answer = client.post("/v1/analyze", files=files, data=data).json()
    assert answer["source"] == "notes.md"
    assert [segment["title"] for segment in answer["segments"]] == ["Bats", "Tea"]
    settings = answer["settings"]
    assert (settings["k"], settings["stem"], settings["stop_words"]) == (2, False, ["a", "the"])


def test_the_name_of_a_file_tells_its_kind(client: httpx.Client) -> None:
    for media in ("application/octet-stream", "text/plain", "application/x-unknown", ""):
        files = {"file": ("notes.md", MARKDOWN, media)}
        answer = client.post("/v1/chunk", files=files, params={"context": "headings"}).json()
        assert answer["chunks"][0]["heading_path"] == ["Bats"], media


def test_a_text_and_a_list(client: httpx.Client) -> None:
    text = MARKDOWN.decode()
    parts = [("text", (None, text)), *(("boundaries", (None, str(i))) for i in (0, 36))]
    answer = client.post("/v1/analyze", files=parts).json()
    assert [segment["start"] for segment in answer["segments"]] == [0, 36]


def test_the_form_goes_before_the_query(client: httpx.Client) -> None:
    files = {"file": ("notes.md", MARKDOWN)}
    answer = client.post("/v1/analyze?name=asked&k=1", files=files, data={"k": "2"}).json()
    assert (answer["source"], len(answer["segments"])) == ("asked", 2)


@pytest.mark.parametrize(
    ("data", "files", "status"),
    [
        ({"k": "2"}, {"other": ("a.txt", b"Bats.")}, 400),  # no document
        ({"text": "Bats fly."}, {"file": ("a.txt", b"Bats.")}, 400),  # two
        ({"k": "many"}, {"file": ("a.txt", b"Bats.")}, 422),
        ({"speed": "9"}, {"file": ("a.txt", b"Bats.")}, 422),
        ({"k": ["1", "2"]}, {"file": ("a.txt", b"Bats.")}, 422),
    ],
)
def test_wrong_forms(client: httpx.Client, data: Any, files: Any, status: int) -> None:
    response = client.post("/v1/analyze", data=data, files=files)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


def test_a_form_that_is_too_large_is_refused(client: httpx.Client) -> None:
    response = client.post("/v1/analyze", files={"file": ("a.txt", b"Bats fly. " * 2100)})
    assert response.status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--x",
        b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\nno end",
        b"--x\r\nContent-Type: text/plain\r\n\r\na\r\n--x--",
        b"--x\r\nContent-Disposition: attachment; name=a\r\n\r\na\r\n--x--",
        b"--x\r\nContent-Disposition: form-data; name=a\r\n--x--",
        b"--x\r\n" * 5000 + b"--x--",
        b"--xy\r\nContent-Disposition: form-data; name=a\r\n\r\na\r\n--xy--",
    ],
)
@pytest.mark.parametrize("boundary", ["x", None, "", "é", "x" * 71])
def test_broken_forms_are_problems(body: bytes, boundary: str | None) -> None:
    with pytest.raises(Problem):
        parse_parts(body, boundary)


@given(
    st.lists(st.tuples(st.text("abc", min_size=1), st.binary(max_size=60)), max_size=5),
    st.text("abcXYZ019-_", min_size=1, max_size=70),
)
def test_what_httpx_joins_is_told_apart(parts: list[tuple[str, bytes]], boundary: str) -> None:
    import httpx

    delimiter = b"\r\n--" + boundary.encode()
    parts = [(name, content) for name, content in parts if delimiter not in b"\r\n" + content]
    if not parts:
        return
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    files: Any = [(name, (f"{name}.bin", content)) for name, content in parts]
    request = httpx.Request("POST", "http://localhost", files=files, headers=headers)
    found = parse_parts(
        request.read(), BodyType.of(request.headers["content-type"]).parameters["boundary"]
    )
    assert [(part.name, part.content) for part in found] == parts
    assert [part.filename for part in found] == [f"{name}.bin" for name, _ in parts]


def test_a_large_file_is_whole(client: httpx.Client) -> None:
    text = "Bats hunt moths at night. " * 60
    answer = client.post("/v1/chunk?chunk_size=5000", files={"file": ("a.txt", text.encode())})
    assert [chunk["text"] for chunk in answer.json()["chunks"]] == [text.strip()]
    assert docbats.chunk(text, 5000)[0].text == text.strip()
