from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import threadpoolctl
from tests.matrices import slow_except

from docbats import analyze

EXAMPLES = Path(__file__).parent.parent / "examples"
NAMES = sorted(path.name for path in EXAMPLES.glob("*.txt"))
CODE = """
import sys
from pathlib import Path
from docbats import analyze
text = Path(sys.argv[1]).read_text()
sys.stdout.write(analyze(text, k=5).to_json())
vectors = analyze(text * 30, k=40, vectors=True).vectors  # large enough for the iterative solver
sys.stdout.write(vectors.sentences.tobytes().hex() + vectors.words.tobytes().hex())
"""


def run(example: Path, **environment: str) -> bytes:
    return subprocess.run(
        [sys.executable, "-c", CODE, str(example)],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
    ).stdout


@pytest.mark.parametrize("name", slow_except({"article.txt"}, NAMES))
def test_same_bytes_for_one_and_two_threads_and_in_another_process(name: str) -> None:
    example = EXAMPLES / name
    outputs = {
        run(example, OPENBLAS_NUM_THREADS=threads, OMP_NUM_THREADS=threads, PYTHONHASHSEED=seed)
        for threads, seed in (("1", "1"), ("2", "2"), ("2", "3"))
    }
    assert len(outputs) == 1
    assert outputs.pop().startswith(analyze(example.read_text(), k=5).to_json().encode())


def test_the_thread_limit_is_lifted_after_an_analysis(example: Path) -> None:
    np.ones((2, 2)) @ np.ones((2, 2))
    before = [pool["num_threads"] for pool in threadpoolctl.threadpool_info()]
    analyze(example.read_text(), k=3)
    after = [pool["num_threads"] for pool in threadpoolctl.threadpool_info()]
    assert after[: len(before)] == before
