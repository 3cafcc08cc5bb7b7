"""Make mutants with mutmut, and run the tests that cover each in a process forked for it.

Started by ``python -m tools.mutants`` in a folder with a copy of the project. pytest collects the
tests once; a forked process finds which test reaches which function; then each mutant has a forked
process of its own, which ends at the first test that fails. So nothing that a test leaves behind is
seen by another mutant, and a mutant costs little more than its tests.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from mutmut.__main__ import collect_source_file_mutation_data, create_mutants
from mutmut.configuration import config
from mutmut.mutation import trampoline
from mutmut.state import state
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir

MAX_BYTES = 6 << 30  # of address space; a mutant that asks for more gets a MemoryError
UNSEEN = ("survived", "no tests")
GRACE = 4  # seconds of processor time that a mutant has over three times those of its tests


class MutantLoop:
    """Runs the mutants in place of the tests that pytest has collected."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self._max_seconds: float = plan["max_seconds"]
        self._slowest: float = plan["slowest"]
        self._jobs: int = plan["jobs"]
        self._mutants: list[str] = plan["mutants"]
        self._results = Path(plan["results"])
        self._items: dict[str, pytest.Item] = {}
        self._killers: dict[str, Counter[str]] = defaultdict(Counter)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Find what covers what, then run each mutant that has no result yet."""
        if session.testsfailed:
            sys.exit("the tests could not be collected")
        self._items = {item.nodeid: item for item in session.items}
        gc.freeze()
        coverage = self._find_coverage()
        self._results.touch()
        lines = self._results.read_text().splitlines()
        done = {row["mutant"]: row for row in map(json.loads, lines)}
        jobs = []
        for job in range(self._jobs):
            jobs.append(os.fork())
            if jobs[-1] == 0:
                self._run_all(self._mutants[job :: self._jobs], coverage, done)
                os._exit(0)
        statuses = [os.waitpid(job, 0)[1] for job in jobs]  # all of them are waited for
        if any(statuses):
            sys.exit("some mutants could not be run")
        return True

    def _run_all(
        self, mutants: list[str], coverage: dict[str, Any], done: dict[str, dict[str, Any]]
    ) -> None:
        """Run mutants one after the other, but those that are known."""
        self._check_that_tests_pass(coverage["seconds"])
        for mutant in mutants:
            tests = self._tests(mutant, coverage)
            before = done.get(mutant, {"outcome": "", "of": None})
            is_known = before["outcome"] not in {"", *UNSEEN} or before["of"] == len(tests)
            if not is_known:
                row = json.dumps(self._run(mutant, tests, coverage["seconds"]))
                with self._results.open("a") as results:
                    results.write(f"{row}\n")

    def _check_that_tests_pass(self, seconds: dict[str, float]) -> None:
        """Stop unless a process that is forked like those of mutants, but has none, goes well."""
        fast = sorted(filter(self._items.__contains__, seconds), key=seconds.__getitem__)[::20]
        found = self._fork("", fast, GRACE + 10 * sum(map(seconds.__getitem__, fast)))
        if found != ("survived", ""):
            print(f"without any mutant the tests end with {found}", file=sys.__stderr__)
            os._exit(1)

    def _find_coverage(self) -> dict[str, Any]:
        """Run the tests that were not run yet, in a process of their own; return what is known."""
        path = self._results.with_name("coverage.json")
        if not path.exists():
            path.write_text(json.dumps({"seconds": {}, "functions": {}, "failed": []}))
        child = os.fork()
        if child == 0:
            os._exit(self._measure(path))
        if os.waitpid(child, 0)[1]:
            sys.exit("the tests could not be run without a mutant")
        found: dict[str, Any] = json.loads(path.read_text())
        for function, tests in found["functions"].items():
            found["functions"][function] = [test for test in tests if test in self._items]
        return found

    def _measure(self, path: Path) -> int:
        """Find the processor seconds of each test, and the tests of each function."""
        trampoline.set_mutant_under_test("stats")
        found = json.loads(path.read_text())
        items = [item for item in self._items.items() if item[0] not in found["seconds"]]
        for (name, item), (_, following) in zip(items, [*items, ("", None)][1:], strict=True):
            state()._stats.clear()
            began = time.process_time()
            reports = runtestprotocol(item, log=False, nextitem=following)
            found["seconds"][name] = time.process_time() - began
            if any(report.failed for report in reports):
                found["failed"].append(name)
                continue
            for function in state()._stats:
                found["functions"].setdefault(function, []).append(name)
        path.write_text(json.dumps(found))
        return 0

    def _tests(self, mutant: str, coverage: dict[str, Any]) -> list[str]:
        """Return the tests that reach a mutant, those that most likely notice it first."""
        function = mutant.rpartition("__mutmut_")[0]
        module = mutant.split(".")[1:-1]
        seconds, killers = coverage["seconds"], self._killers[function]
        tests = [t for t in coverage["functions"].get(function, ()) if seconds[t] <= self._slowest]
        variant = _count_variants(sorted(tests, key=seconds.__getitem__))
        far = {test: -sum(name in test.partition("::")[0] for name in module) for test in tests}
        return sorted(tests, key=lambda t: (-killers[t], far[t], variant[t], seconds[t]))

    def _run(self, mutant: str, tests: list[str], seconds: dict[str, float]) -> dict[str, Any]:
        """Run the tests of a mutant until one fails, or the seconds for it are over."""
        left, chosen = self._max_seconds, []
        for test in tests:
            left -= seconds[test]
            if left < 0:
                break
            chosen.append(test)
        found = {"mutant": mutant, "tests": len(chosen), "of": len(tests)}
        if not chosen:
            return {**found, "outcome": "no tests", "seconds": 0.0}
        began = time.monotonic()
        limit = GRACE + 3 * sum(seconds[test] for test in chosen)
        outcome, killer = self._fork(mutant, chosen, limit)
        if killer:
            self._killers[mutant.rpartition("__mutmut_")[0]][killer] += 1
        taken = round(time.monotonic() - began, 2)
        return {**found, "outcome": outcome, "seconds": taken, "by": killer}

    def _fork(self, mutant: str, tests: list[str], limit: float) -> tuple[str, str]:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, limit)
            signal.setitimer(signal.ITIMER_REAL, 10 * limit)  # for one that waits and does nothing
            resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
            trampoline.set_mutant_under_test(mutant)
            for test, following in zip(tests, [*tests[1:], None], strict=True):
                after = None if following is None else self._items[following]
                reports = runtestprotocol(self._items[test], log=False, nextitem=after)
                if any(report.failed for report in reports):
                    os.write(writing, test.encode())
                    os._exit(1)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            killer = pipe.read().decode()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code in {-signal.SIGPROF, -signal.SIGALRM}:
            return "timeout", ""
        return ("crash" if code < 0 else "killed" if code else "survived"), killer


def _count_variants(tests: list[str]) -> dict[str, int]:
    """Return the number of each test among those that differ by their parameters only."""
    seen: Counter[str] = Counter()
    variant = {}
    for test in tests:
        name = test.partition("[")[0]
        variant[test] = seen[name]
        seen[name] += 1
    return variant


def make_mutants() -> None:
    """Write the mutants of the source below the folder ``mutants``, and their names to a file."""
    trampoline.set_mutant_under_test("mutant_generation")
    Path("mutants").mkdir()
    copy_src_dir()
    copy_also_copy_files()
    create_mutants(1)
    mutants, _ = collect_source_file_mutation_data(mutant_names=[])
    Path("names.json").write_text(json.dumps({name: str(data.path) for data, name, _ in mutants}))


def main() -> int:
    """Make the mutants, or run those that plan.json names."""
    if not Path("plan.json").exists():
        make_mutants()
        return 0
    plan = json.loads(Path("plan.json").read_text())
    config()  # found in this folder, not in the one below
    # The tests ask for it at each call of each function: the environment is too slow for that.
    trampoline.get_mutant_under_test = lambda: trampoline._mutant_under_test or ""
    trampoline.set_mutant_under_test("")
    os.chdir("mutants")
    source = str(Path("src").resolve())
    sys.path.insert(0, source)
    os.environ["PYTHONPATH"] = source
    arguments = ["-q", "--tb=native", "-p", "no:cacheprovider", "-p", "no:xdist", *plan["tests"]]
    return int(pytest.main(arguments, plugins=[MutantLoop(plan)]))


if __name__ == "__main__":
    sys.exit(main())
