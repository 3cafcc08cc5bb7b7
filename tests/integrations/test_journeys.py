"""The scripts in ``examples/rag``, from files to answers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "rag"
NEEDED = {
    "langchain_stores": ["langchain_chroma", "langchain_community", "faiss"],
    "llama_index_auto_merging": ["llama_index"],
    "haystack_pipeline": ["haystack"],
    "parquet_duckdb": ["duckdb", "pyarrow"],
}


def _script(name: str, modules: list[str]) -> object:
    marks = [pytest.mark.integrations(module, module) for module in modules]
    return pytest.param(name, marks=[*marks, pytest.mark.slow], id=name)


def test_every_script_is_run() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} - {"words"} == NEEDED.keys()


@pytest.mark.parametrize("name", [_script(*each) for each in NEEDED.items()])
def test_a_journey_ends_well(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / f"{name}.py")],
        capture_output=True, text=True, check=False,
        env={**os.environ, "ANONYMIZED_TELEMETRY": "False"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
