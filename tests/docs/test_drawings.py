from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from tests.docs.blocks import ROOT

if TYPE_CHECKING:
    from pathlib import Path

STAGES = ROOT / "docs" / "stages"
MAX_BYTES = 60_000  # of a picture


def test_the_pictures_are_what_the_code_draws(tmp_path: Path) -> None:
    subprocess.run([sys.executable, STAGES / "figures", tmp_path], check=True)
    drawn = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text() for path in (STAGES / "pictures").iterdir()}
    assert drawn.keys() == kept.keys()
    changed = [name for name in sorted(drawn) if drawn[name] != kept[name]]
    assert not changed, "run make drawings, and look at the pictures that changed"


def test_each_picture_is_small_and_on_a_page() -> None:
    pages = "".join(page.read_text() for page in STAGES.glob("*.md"))
    for path in (STAGES / "pictures").iterdir():
        assert path.stat().st_size < MAX_BYTES, path.name
        assert f"](pictures/{path.name})" in pages, path.name
