from __future__ import annotations

from functools import cache
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
    return analyzed(example, preset)


@cache  # a result cannot be changed
def analyzed(path: Path, preset: str) -> docbats.Result:
    return docbats.analyze(path.read_text(), preset=preset)
