"""What must hold of any input: of the library's result, and of the command's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from click.testing import CliRunner

from docbats.cli import main
from docbats.render.rows import to_csv

if TYPE_CHECKING:
    from pathlib import Path

    import docbats

__all__ = ["TEXT", "check", "command"]

TEXT = (
    "Bats hunt moths by night. Moths hear the bats and dive. Bats follow the moths. "
    "Tea needs hot water. Hot tea cools in the cup. A cup of tea wants water."
)


def check(result: docbats.Result, text: str, k: int) -> None:
    """Check that the segments tile the text and that every rendering works."""
    assert len(result.segments) == k
    assert "".join(segment.text for segment in result.segments) == text
    for segment in result.segments:
        assert text[segment.start : segment.end] == segment.text
    written = result.to_json().encode("utf-8")
    assert [segment["text"] for segment in json.loads(written)["segments"]] == [
        segment.text for segment in result.segments
    ]
    assert result.to_markdown(title="document").startswith("# document\n")
    assert to_csv([("document", result)])


def command(path: Path, text: str | bytes, *args: str) -> tuple[int, str, str]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = CliRunner().invoke(main, [str(path), *args])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr
