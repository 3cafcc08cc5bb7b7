from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def actions(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Functions that other processes can import, too."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    return importlib.import_module("actions")
