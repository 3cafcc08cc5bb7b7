"""A service that was started with a model of your own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fitting.texts import make_parts, with_paragraphs

from docbats.segments.own_model import OwnModel

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

    from .conftest import Start

TEXT = "\n\n".join(map(with_paragraphs, make_parts(seed=99, n_parts=14)))
NOTE = "A model fitted to 30 documents of your own was used."


def test_every_document_is_cut_by_the_model(start: Start, tmp_path: Path) -> None:
    OwnModel(parts=4, documents=30).write(tmp_path / "ours.json")
    with start("--workers", "1", "--model", str(tmp_path / "ours.json")) as running:
        (tmp_path / "ours.json").unlink()  # it was read at the start
        client = running.client()
        own = client.post("/v1/analyze", json={"text": TEXT}).json()
        assert len(own["segments"]) > 11
        assert NOTE in own["notes"]
        assert own["settings"]["model"]["parts"] == 4
        paper = client.post("/v1/analyze", json={"text": TEXT, "preset": "paper"}).json()
        assert paper["settings"]["model"] is None
        client.close()


def test_no_request_may_name_a_model(client: httpx.Client) -> None:
    for model in ("ours.json", "/etc/passwd", {"parts": 2}):
        response = client.post("/v1/analyze", json={"text": "One. Two.", "model": model})
        assert response.status_code == 422
        assert response.json()["detail"].startswith("model: Extra inputs are not permitted")
    response = client.post("/v1/analyze?model=ours.json", content=b"One. Two.")
    assert response.status_code in {415, 422}
    header = {"Content-Type": "text/plain"}
    response = client.post("/v1/analyze?model=ours.json", content=b"One. Two.", headers=header)
    assert response.status_code == 422
