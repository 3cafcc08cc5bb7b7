from __future__ import annotations

import csv
import io
import json
import random
from typing import TYPE_CHECKING, Any

import pytest

import docbats
from docbats.result import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

PLAIN = {"Content-Type": "text/plain"}


def _post(client: httpx.Client, text: str | bytes, **query: Any) -> httpx.Response:
    return client.post("/v1/analyze", content=text, params=query, headers=PLAIN)


def _problem(response: httpx.Response, status: int, kind: str) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = response.json()
    assert problem["type"] == f"urn:docbats:problem:{kind}"
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"].endswith(".")
    return problem


@pytest.mark.parametrize("preset", ["sharp", "paper"])
def test_the_answer_is_that_of_the_library(client: httpx.Client, article: str, preset: str) -> None:
    expected = docbats.analyze(article, k=4, preset=preset).to_dict(top_words=10)
    plain = _post(client, article, k=4, preset=preset)
    asked = {"text": article, "k": 4, "preset": preset}
    assert plain.status_code == 200
    assert plain.text == json_text(expected) + "\n"
    assert client.post("/v1/analyze", json=asked).json() == plain.json()


def test_every_setting_reaches_the_library(client: httpx.Client, article: str) -> None:
    settings = {
        "k": "auto", "granularity": "fine",
        "n_topics": 3, "min_size": 100, "max_size": 400, "size_unit": "words",
        "overlap": 10, "sentences": "auto", "cut": "likelihood", "ranking": "kmeans", "award": 0.5,
        "window": 2, "decay": 0.3, "laplacian": "regularized", "tau_p": 1.5, "tau_o": 2.5,
        "min_sentences": 1, "stem": False, "restarts": 3, "seed": 4, "stop_words": ["the", "bats"],
    }  # fmt: skip
    expected = docbats.analyze(article, **settings).to_dict(top_words=5, outline=True)  # type: ignore[arg-type]
    asked = {"text": article, "top_words": 5, "outline": True, **settings}
    assert client.post("/v1/analyze", json=asked).json() == json.loads(json_text(expected))


def test_depth_limits_the_outline_and_implies_it(client: httpx.Client, article: str) -> None:
    expected = docbats.analyze(article, granularity="coarse").outline
    for depth in (1, 2):
        asked = {"text": article, "granularity": "coarse", "depth": depth}
        assert client.post("/v1/analyze", json=asked).json()["outline"] == expected(depth).to_list()
    plain = {"headers": {"Content-Type": "text/plain"}, "content": article}
    shown = client.post("/v1/analyze?granularity=coarse&depth=1&format=md", **plain).text  # type: ignore[arg-type]
    assert f"## Outline\n\n- {expected[0].title}\n" in shown
    assert client.post("/v1/analyze?depth=0", **plain).status_code == 422  # type: ignore[arg-type]


def test_a_long_text_has_two_levels_by_default(client: httpx.Client) -> None:
    subjects = [[f"{a}{b}" for b in ("", *"abcdefghi")] for a in ("bat", "tea", "oar", "ice")]
    four = [random.Random(i).choices(subject, k=775) for i, subject in enumerate(subjects)]
    words = [word for subject in four for word in subject]
    sentences = [" ".join(words[i : i + 31]).capitalize() for i in range(0, len(words), 31)]
    text = "".join(f"{sentence}. " for sentence in sentences)  # no longer than the service allows
    expected = docbats.analyze(text, k=2).outline

    def outline(**asked: object) -> object:
        answer = client.post("/v1/analyze", json={"text": text, "k": 2, **asked}).json()
        assert len(answer["segments"]) == 2
        return answer.get("outline")

    assert expected.depth == 2
    assert outline() == expected(2).to_list()
    assert outline(outline=False) is None
    assert outline(outline=True) == expected.to_list()
    assert outline(depth=1) == expected(1).to_list()
    assert outline(preset="paper") is None


def test_the_body_goes_before_the_query(client: httpx.Client, article: str) -> None:
    response = client.post("/v1/analyze?k=2&name=query", json={"text": article, "k": 3})
    assert len(response.json()["segments"]) == 3
    assert response.json()["source"] == "query"


@pytest.mark.parametrize(
    ("asked", "media_type", "begin"),
    [
        ("", "application/json", '{"source": "bats"'),
        ("*/*", "application/json", '{"source": "bats"'),
        ("text/markdown", "text/markdown; charset=utf-8", "# bats"),
        ("text/csv;q=0.9, application/json;q=0.1", "text/csv; charset=utf-8", '"source","seg'),
        ("text/html", "text/html; charset=utf-8", "<!doctype html>"),
        ("?format=md", "text/markdown; charset=utf-8", "# bats"),
        ("?format=fragment", "text/html; charset=utf-8", '<article class="docbats"'),
    ],
)
def test_formats_of_the_result(
    client: httpx.Client, article: str, asked: str, media_type: str, begin: str
) -> None:
    by_query = asked.startswith("?")
    address = f"/v1/analyze{asked}&name=bats" if by_query else "/v1/analyze?name=bats"
    headers = {**PLAIN, "Accept": "text/csv" if by_query else asked}
    response = client.post(address, content=article, headers=headers)
    assert response.headers["content-type"] == media_type
    assert response.text.startswith(begin)


def test_the_csv_holds_the_whole_text(client: httpx.Client, article: str) -> None:
    rows = list(csv.DictReader(io.StringIO(_post(client, article, format="csv").text)))
    assert "".join(row["text"] for row in rows) == article


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [("", "utf-8"), ("; charset=iso-8859-1", "latin-1"), ("; charset=UTF-16", "utf-16")],
)
def test_charsets(client: httpx.Client, charset: str, encoding: str) -> None:
    body = "Café au lait. Café noir. Thé vert.".encode(encoding)
    headers = {"Content-Type": f"text/plain{charset}"}
    response = client.post("/v1/analyze", content=body, headers=headers)
    assert response.json()["segments"][0]["text"].startswith("Café")


def test_a_hostile_document_is_only_text(client: httpx.Client) -> None:
    text = "<script>alert(1)</script> runs. </script><img src=x onerror=alert(2)> \u202e runs. " * 3
    for format_ in ("html", "fragment"):
        asked = {"text": text, "name": text[:90]}
        response = client.post(f"/v1/analyze?format={format_}", json=asked)
        assert response.status_code == 200
        assert "<img" not in response.text
        assert "alert(1)</script>" not in response.text


# What is refused


@pytest.mark.parametrize("body", [b"{", b"", b"[1", b'{"text": "a" "b"}'])
def test_400_for_invalid_json(client: httpx.Client, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    _problem(client.post("/v1/analyze", content=body, headers=headers), 400, "bad-request")


def test_400_for_bytes_that_are_not_text(client: httpx.Client) -> None:
    problem = _problem(_post(client, b"caf\xe9 au lait"), 400, "bad-request")
    assert "byte 3" in problem["detail"]
    assert "charset=" in problem["detail"]


@pytest.mark.parametrize("accept", ["image/png", "application/json;q=0", "text/plain"])
def test_406(client: httpx.Client, article: str, accept: str) -> None:
    headers = {**PLAIN, "Accept": accept}
    response = client.post("/v1/analyze", content=article, headers=headers)
    assert "text/csv" in _problem(response, 406, "not-acceptable")["detail"]


def test_413_by_the_declared_length(client: httpx.Client) -> None:
    assert "20,000 bytes" in _problem(_post(client, "a. " * 7000), 413, "too-large")["detail"]


def test_413_while_a_body_of_unknown_length_streams_in(client: httpx.Client) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(30):
            yield b"word " * 200

    response = client.post("/v1/analyze", content=parts(), headers=PLAIN)
    _problem(response, 413, "too-large")


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "application/msword"},
        {"Content-Type": ""},
        {"Content-Type": "text/plain; charset=rot13"},
        {"Content-Type": "text/plain; charset=unheard-of"},
        {"Content-Type": "text/plain", "Content-Encoding": "gzip"},
    ],
)
def test_415(client: httpx.Client, headers: dict[str, str]) -> None:
    response = client.post("/v1/analyze", content=b"A text.", headers=headers)
    _problem(response, 415, "unsupported-type")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"k": 0}, "k: "),
        ({"k": "many"}, "k: "),
        ({"colour": "red"}, "colour: "),
        ({"preset": "blunt"}, "preset: "),
        ({"min_size": 9, "max_size": 5}, "min_size must be at most max_size"),
        ({"preset": "paper", "max_size": 5}, "max_size must be None with cut"),
        ({"window": 10**6}, "window: "),
        ({"tagger": "spacy:/etc/passwd"}, "tagger: "),
        ({"text": 3}, "text: "),
        ({"decay": 1e999}, "decay: "),
    ],
)
def test_422_for_settings(client: httpx.Client, asked: dict[str, Any], said: str) -> None:
    body = json.dumps({"text": "Some text.", **asked})
    headers = {"Content-Type": "application/json"}
    response = client.post("/v1/analyze", content=body, headers=headers)
    assert said in _problem(response, 422, "wrong-settings")["detail"]


def test_422_for_wrong_queries(client: httpx.Client) -> None:
    for query in ({"format": "banana"}, {"k": "x"}, {"path": "/etc/passwd"}):
        problem = _problem(_post(client, "A text.", **query), 422, "wrong-settings")
        assert problem["errors"][0]["field"] == next(iter(query))


def test_422_for_what_cannot_be_analyzed(client: httpx.Client) -> None:
    _problem(_post(client, "  \n "), 422, "cannot-be-analyzed")
    problem = _problem(_post(client, "One sentence.", k=3), 422, "cannot-be-analyzed")
    with pytest.raises(docbats.InputError) as error:
        docbats.analyze("One sentence.", k=3)
    assert problem["detail"] == f"{error.value}."


def test_422_for_settings_that_do_not_fit_the_document(client: httpx.Client) -> None:
    text = "Bats fly. Bats hunt. Moths hear. Tea cools."
    problem = _problem(_post(client, text, k=1, max_size=2), 422, "wrong-settings")
    assert "k=1 segments of at most 2 sentences cannot hold this text" in problem["detail"]


def test_422_for_too_many_sentences(client: httpx.Client) -> None:
    problem = _problem(_post(client, "Bats fly. " * 121), 422, "too-many-sentences")
    assert "121 sentences" in problem["detail"]
    assert "--max-sentences" in problem["detail"]
    assert _post(client, "Bats fly. " * 120).status_code == 200


@pytest.mark.parametrize(("unit", "size"), [("characters", 2), ("words", 1)])
def test_422_for_sizes_that_make_too_many_pieces(
    client: httpx.Client, article: str, unit: str, size: int
) -> None:
    response = _post(client, article, max_size=size, size_unit=unit)
    _problem(response, 422, "too-many-sentences")


def test_404_and_405(client: httpx.Client) -> None:
    _problem(client.get("/v1/nothing"), 404, "not-found")
    _problem(client.get("/static/../app.py"), 404, "not-found")
    _problem(client.get("/static/%2e%2e%2fapp.py"), 404, "not-found")
    response = client.get("/v1/analyze")
    _problem(response, 405, "wrong-method")
    assert response.headers["allow"] == "POST"


def test_boundaries_are_segments_of_the_users_own(client: httpx.Client, article: str) -> None:
    starts = [segment.start for segment in docbats.analyze(article, k=3).segments]
    expected = docbats.analyze(article, boundaries=starts).to_dict(top_words=10)
    asked = {"text": article, "boundaries": starts}
    assert client.post("/v1/analyze", json=asked).json() == json.loads(json_text(expected))
    assert _post(client, article, boundaries=starts).json() == json.loads(json_text(expected))


def test_boundaries_that_are_refused(client: httpx.Client, article: str) -> None:
    both = client.post("/v1/analyze", json={"text": article, "boundaries": [9], "k": 2})
    assert "give either boundaries" in _problem(both, 422, "wrong-settings")["detail"]
    far = client.post("/v1/analyze", json={"text": article, "boundaries": [10**6]})
    assert "got 1000000" in _problem(far, 422, "cannot-be-analyzed")["detail"]
    negative = client.post("/v1/analyze", json={"text": article, "boundaries": [-1]})
    _problem(negative, 422, "wrong-settings")
