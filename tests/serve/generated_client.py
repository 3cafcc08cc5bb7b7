"""Uses every operation by the client that was generated as the package `made`."""

from __future__ import annotations

import io
import json
import sys
from importlib import import_module
from typing import Any

TEXT = "# Bats\n\nBats fly. They hunt moths.\n\n# Tea\n\nTea cools. Tea needs water.\n"


def main(url: str, token: str) -> None:
    """Call each operation in each way that the client offers; print the names of those called."""
    made, models = import_module("made"), import_module("made.models")
    types = import_module("made.types")
    client = made.AuthenticatedClient(base_url=url.rstrip("/"), token=token, timeout=60)

    def call(operation: str, **arguments: Any) -> Any:
        response = import_module(f"made.api.default.{operation}").sync_detailed(
            client=client, **arguments
        )
        assert response.status_code == 200, response.content
        return response

    def file() -> Any:
        return types.File(payload=io.BytesIO(TEXT.encode()), file_name="notes.md")

    for body in (
        models.DocumentRequest(text=TEXT, k=2),
        models.DocumentForm(file=file(), k=2),
        file(),
    ):
        segments = call("analyze", body=body, k=2).parsed.segments
        assert [segment.title for segment in segments] == ["Bats", "Tea"], body
    for body in (
        models.ChunkRequest(text=TEXT, chunk_size=60),
        models.ChunkForm(file=file(), chunk_size=60),
        file(),
    ):
        chunks = call("chunk", body=body, chunk_size=60).parsed.chunks
        assert [chunk.title for chunk in chunks] == ["Bats", "Tea"], body
    for operation in ("analyze_many", "chunk_many"):
        lines = "".join(json.dumps({"id": name, "text": TEXT}) + "\n" for name in "ab")
        body = types.File(payload=io.BytesIO(lines.encode()))
        answers = call(operation, body=body).content.decode().splitlines()
        assert [json.loads(line)["id"] for line in answers] == ["a", "b"]
    assert call("list_presets").parsed.limits.timeout > 0
    assert call("health").parsed.status == "ok"
    assert b"docbats_requests_total" in call("metrics").content
    print("analyze chunk analyze_many chunk_many list_presets health metrics")


if __name__ == "__main__":
    main(*sys.argv[1:])
