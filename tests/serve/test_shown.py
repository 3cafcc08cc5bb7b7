"""What the page needs of the service: titles of one's own, other formats, and progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

TEXT = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."


def test_titles_of_ones_own(client: httpx.Client) -> None:
    body = {"text": TEXT, "boundaries": [0, 34], "titles": ["Night", "Tea time"]}
    answer = client.post("/v1/analyze", json=body)
    assert [s["title"] for s in answer.json()["segments"]] == ["Night", "Tea time"]
    markdown = client.post("/v1/analyze?format=md", json=body).text
    assert "Tea time" in markdown


def test_titles_need_boundaries_and_one_for_each(client: httpx.Client) -> None:
    for body, said in (
        ({"titles": ["Night"]}, "send boundaries with them"),
        ({"titles": ["Night"], "boundaries": [0, 34]}, "1 titles for 2 segments"),
    ):
        answer = client.post("/v1/analyze", json={"text": TEXT, **body})
        assert answer.status_code == 422
        assert said in answer.json()["detail"]


def test_formats_of_files(client: httpx.Client) -> None:
    word = client.post("/v1/analyze?format=docx", json={"text": TEXT, "k": 2})
    assert word.headers["content-type"].startswith("application/vnd.openxmlformats")
    assert word.content.startswith(b"PK")
    for format_, said in (("vtt", "chapters need times"), ("pdf", "send a PDF")):
        answer = client.post(f"/v1/analyze?format={format_}", json={"text": TEXT, "k": 2})
        assert answer.status_code == 422
        assert said in answer.json()["detail"]


def test_progress_of_what_is_not_under_way(client: httpx.Client) -> None:
    answer = client.post("/v1/analyze?progress=abcdefgh-1", json={"text": TEXT, "k": 2})
    assert answer.status_code == 200
    assert client.get("/v1/progress/abcdefgh-1").json() == {"stage": None, "share": None}
    assert client.post("/v1/analyze?progress=../x", json={"text": TEXT}).status_code == 422
