from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import docbats

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(params=["sharp", "paper"])
def preset(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def result(example: Path, preset: str) -> docbats.Result:
    return docbats.analyze(example.read_text(), preset=preset)
