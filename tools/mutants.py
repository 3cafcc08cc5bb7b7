"""Change the numeric core and the text stages, and see which changes no test notices.

mutmut makes the changes ("mutants") and runs the tests; this writes its score, with the survivors
by name, to benchmarks/results/mutants.json. ``python tools/mutants.py laplacian matrix`` takes some
modules only: all of them take hours.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
OUTPUT = ROOT / "benchmarks" / "results" / "mutants.json"
TESTS = {
    "laplacian": ["tests/test_matrix.py", "tests/test_spectrum.py"],
    "matrix": ["tests/test_matrix.py", "tests/test_bounds.py"],
    "spectrum": ["tests/test_spectrum.py", "tests/test_bounds.py"],
    "segments": ["tests/segments", "tests/test_sharp.py"],
    "topics": ["tests/topics"],
    "text": ["tests/text", "tests/test_document.py", "tests/test_bounds.py"],
}
# mutmut asks items of pytest for what newer versions have under another name.
_START = """\
import pytest
if not hasattr(pytest.Item, "_nodeid"):
    pytest.Item._nodeid = property(lambda self: self.nodeid)
from mutmut.__main__ import cli
cli()
"""


def main() -> int:
    """Run mutmut over the modules named, and write the score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--minutes", type=float, help="Stop then; what is not checked is counted.")
    options = parser.parse_args()
    modules = options.modules or list(TESTS)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _copy(folder, modules)
        seconds = None if options.minutes is None else options.minutes * 60
        try:
            subprocess.run(
                [sys.executable, "start.py", "run"], cwd=folder, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            print("stopped: what is left counts as not checked")
        found = subprocess.run(
            [sys.executable, "start.py", "results", "--all", "True"],
            cwd=folder, capture_output=True, text=True, check=True,
        )  # fmt: skip
    outcomes = dict(re.findall(r"(\S+__mutmut_\d+): (.+)", found.stdout))
    counts = Counter(outcomes.values())
    checked = sum(counts.values()) - counts["not checked"]
    killed = checked - counts["survived"] - counts["no tests"]
    survivors = sorted(n for n, o in outcomes.items() if o in {"survived", "no tests"})
    report = {
        "command": f"python tools/mutants.py {' '.join(sys.argv[1:])}".strip(),
        "python": platform.python_version(),
        "modules": modules,
        "seconds": round(time.monotonic() - began),
        "outcomes": dict(counts),
        "score": round(killed / checked, 4) if checked else None,
        "survivors": survivors,
    }
    OUTPUT.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps({**report, "survivors": len(survivors)}, indent=1))
    return 0


def _copy(folder: Path, modules: list[str]) -> None:
    """Copy what mutmut needs, with its settings."""
    for name in ("src", "tests", "examples"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "README.md", folder)
    (folder / "start.py").write_text(_START)
    source = ROOT / "src" / "docbats"
    mutated = [
        f"src/docbats/{m}/*" if (source / m).is_dir() else f"src/docbats/{m}.py" for m in modules
    ]
    tests = list(dict.fromkeys(test for module in modules for test in TESTS[module]))
    settings = {
        "source_paths": ["src/docbats"],
        "only_mutate": mutated,
        "pytest_add_cli_args_test_selection": tests,
        "pytest_add_cli_args": ["-q", "-p", "no:cacheprovider", "-W", "default"],
        "also_copy": ["src", "examples", "README.md"],
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    pyproject = (ROOT / "pyproject.toml").read_text().replace('filterwarnings = ["error"]', "")
    text = (
        pyproject + "\n[tool.mutmut]\n" + "\n".join(lines) + "\nuse_git_change_detection = false\n"
    )
    (folder / "pyproject.toml").write_text(text)


if __name__ == "__main__":
    sys.exit(main())
