"""Change the numeric core and the text stages, and see which changes no test notices.

mutmut makes the changes ("mutants"), tools/mutants/runner.py runs the tests that reach each; this
writes the score of each module, with the survivors and what was changed, to
benchmarks/results/mutants.json. Every mutant has the tests that reach its function, those of its
own module first, for ``--max-seconds``; what is not run can only lower the score.

``python -m tools.mutants matrix topics`` takes some modules only, ``--sample 2000`` some of the
mutants of each. With ``--folder`` what was run is kept there, and a second call goes on with it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from math import sqrt
from pathlib import Path
from typing import Any

from tools.mutants.equivalent import Change, find_changes, why_equivalent

from docbats.runtime import find_versions

ROOT = Path(__file__).parent.parent.parent
OUTPUT = ROOT / "benchmarks" / "results" / "mutants.json"
MODULES = ["matrix", "segments", "topics", "text"]
TESTS = [
    "tests/segments", "tests/topics", "tests/text", "tests/chunks", "tests/test_block_model.py",
    "tests/test_bounds.py", "tests/test_document.py", "tests/test_examples.py",
    "tests/test_granularity.py", "tests/test_matrix.py", "tests/test_pipeline.py",
    "tests/test_sharp.py", "tests/test_spectrum.py", "tests/test_structure.py",
]  # fmt: skip
COPIED = ["benchmarks", "docs", "examples", "src", "tests", "CONTRIBUTING.md", "README.md"]


def main() -> int:
    """Make the mutants, run them, and write the score."""
    options = _parse()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        folder = options.folder or Path(place)
        if not (folder / "names.json").exists():
            _copy(folder)
            _call(folder)
        for tests in (folder / "tests", folder / "mutants" / "tests"):  # there may be new ones
            shutil.copytree(ROOT / "tests", tests, dirs_exist_ok=True)
        changes = find_changes(folder)
        groups = _choose(changes, options)
        plan = {
            "mutants": [name for group in groups.values() for name in group],
            "max_seconds": options.max_seconds,
            "slowest": options.slowest,
            "jobs": options.jobs,
            "tests": TESTS,
            "results": str(folder.resolve() / "results.jsonl"),
        }
        random.Random(options.seed).shuffle(plan["mutants"])
        (folder / "plan.json").write_text(json.dumps(plan))
        try:
            _call(folder, options.minutes)
        except subprocess.TimeoutExpired:
            print("stopped: what is left counts as not checked")
        lines = (folder / "results.jsonl").read_text().splitlines()
        failed = json.loads((folder / "coverage.json").read_text())["failed"]
    results = {row["mutant"]: row for row in map(json.loads, lines)}
    report = {
        "command": _command(options),
        "python": platform.python_version(),
        "versions": find_versions("docbats", "numpy", "scipy", "mutmut", "hypothesis"),
        "seed": options.seed,
        "seconds": round(time.monotonic() - began),
        "seconds of tests at most": options.max_seconds,
        "tests left out, since they fail on mutmut's copy": failed,
        **_score([name for group in groups.values() for name in group], results),
        "modules": {name: _score(group, results) for name, group in groups.items()},
        "left out as equivalent": _equivalent(changes, options.modules),
        "survivors": _survivors(plan["mutants"], results, changes),
    }
    options.output.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps({**report, "survivors": len(report["survivors"])}, indent=1))
    return 0


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", default=MODULES, metavar="MODULE")
    parser.add_argument(
        "--sample", type=int, default=0, help="Mutants of all modules together; 0 means all."
    )
    parser.add_argument("--seed", type=int, default=0, help="Of the sample.")
    parser.add_argument(
        "--max-seconds", type=float, default=6, help="Of the tests of one mutant, all together."
    )
    parser.add_argument("--slowest", type=float, default=1.5, help="Leave out slower tests.")
    parser.add_argument("--jobs", type=int, default=1, help="Processes.")
    parser.add_argument("--minutes", type=float, help="Stop then; what is not checked is counted.")
    parser.add_argument("--folder", type=Path, help="Keep what was run there, and go on with it.")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    return parser.parse_args()


def _copy(folder: Path) -> None:
    """Copy what the tests need, with settings for mutmut."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        if (ROOT / name).is_dir():
            left_out = shutil.ignore_patterns("__pycache__", "_build")
            shutil.copytree(ROOT / name, folder / name, ignore=left_out)
        else:
            shutil.copy(ROOT / name, folder)
    source = ROOT / "src" / "docbats"
    settings = {
        "source_paths": ["src/docbats"],
        "only_mutate": [
            f"src/docbats/{module}/*" if (source / module).is_dir() else f"src/docbats/{module}.py"
            for module in MODULES
        ],
        "also_copy": [name for name in COPIED if name != "tests"],
        "use_git_change_detection": False,
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    pyproject = (ROOT / "pyproject.toml").read_text()
    (folder / "pyproject.toml").write_text(f"{pyproject}\n[tool.mutmut]\n" + "\n".join(lines))


def _call(folder: Path, minutes: float | None = None) -> None:
    """Make the mutants, or run them, in a process that has nothing of this one."""
    environment = {
        **os.environ,
        "DOCBATS_TEST_PROFILE": "mutants",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    runner = Path(__file__).with_name("runner.py").resolve()
    seconds = None if minutes is None else minutes * 60
    command = [sys.executable, str(runner)]
    subprocess.run(command, cwd=folder, env=environment, timeout=seconds, check=True)


def _command(options: argparse.Namespace) -> str:
    """Return what gives the same again; where it is kept does not matter."""
    modules = [] if options.modules == MODULES else options.modules
    names = ("sample", "seed", "max_seconds", "slowest")
    settings = [f"--{name.replace('_', '-')} {vars(options)[name]}" for name in names]
    return " ".join(["python -m tools.mutants", *modules, *settings])


def _module(name: str) -> str:
    return name.split(".")[1]


def _choose(changes: dict[str, Change], options: argparse.Namespace) -> dict[str, list[str]]:
    """Draw as large a share of the mutants of each module, without those that change nothing."""
    asked = set(options.modules)
    names = [n for n, c in changes.items() if _module(n) in asked and not why_equivalent(n, c)]
    share = min(1.0, options.sample / len(names)) if options.sample else 1.0
    chance = random.Random(options.seed)
    groups = {}
    for module in options.modules:
        group = sorted(name for name in names if _module(name) == module)
        groups[module] = sorted(chance.sample(group, round(len(group) * share)))
    return groups


def _score(names: list[str], results: dict[str, Any]) -> dict[str, Any]:
    """Return the share of mutants that a test notices, with Wilson's 95 % interval."""
    counts = Counter(results[name]["outcome"] for name in names if name in results)
    checked = counts.total()
    if not checked:
        return {"checked": 0}
    killed = checked - counts["survived"] - counts["no tests"]
    share, z = killed / checked, 1.96
    middle = (share + z**2 / (2 * checked)) / (1 + z**2 / checked)
    half = z * sqrt(share * (1 - share) / checked + (z / (2 * checked)) ** 2) / (1 + z**2 / checked)
    return {
        "checked": checked,
        "not checked": len(names) - checked,
        "outcomes": dict(counts.most_common()),
        "score": round(share, 4),
        "interval": [round(middle - half, 4), round(middle + half, 4)],
    }


def _equivalent(changes: dict[str, Change], modules: list[str]) -> dict[str, int]:
    reasons = (why_equivalent(n, c) for n, c in changes.items() if _module(n) in modules)
    return dict(Counter(reason for reason in reasons if reason).most_common())


def _survivors(
    names: list[str], results: dict[str, Any], changes: dict[str, Change]
) -> dict[str, list[str]]:
    """Return what the mutants change that no test noticed."""
    unseen = (n for n in names if results.get(n, {}).get("outcome") in {"survived", "no tests"})
    return {name: [changes[name].before, changes[name].after] for name in sorted(unseen)}


if __name__ == "__main__":
    sys.exit(main())
