from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.cli.command import TEXT, write_file

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def bats(tmp_path: Path) -> Path:
    """A document on bats, then on tea."""
    return write_file(tmp_path / "bats.txt", TEXT)


@pytest.fixture
def boats(tmp_path: Path) -> Path:
    """A document like the other, with other words."""
    return write_file(tmp_path / "boats.txt", TEXT.replace("ats", "oats").replace("ea", "ees"))
