"""Fuzz for some time, count the calls, and save what failed.

``python -m tests.fuzz --seconds 60`` calls all targets in turn; ``--replay library:17:3`` makes one
call of a report again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import platform
import sys
import time
from pathlib import Path

from tests.fuzz.run import call_once, fuzz
from tests.fuzz.targets import TARGETS

from docbats import __version__


def main() -> int:
    """Fuzz, and return 1 if anything failed."""
    options = _parser().parse_args()
    if options.replay:
        target, seed, call = options.replay.split(":")
        call_once(target, int(seed), int(call))
        return 0
    began = time.time()
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        work = [
            (options.seed + job, options.seconds, options.targets) for job in range(options.jobs)
        ]
        outcomes = pool.starmap(fuzz, work)
    calls = {name: sum(outcome["calls"][name] for outcome in outcomes) for name in options.targets}
    failures = [failure for outcome in outcomes for failure in outcome["failures"]]
    report = {
        "command": f"python -m tests.fuzz {' '.join(sys.argv[1:])}",
        "docbats": __version__,
        "python": platform.python_version(),
        "seed": options.seed,
        "processes": options.jobs,
        "seconds": round(time.time() - began, 1),
        "calls": {**calls, "all": sum(calls.values())},
        "slowest": max((outcome["slowest"] for outcome in outcomes), key=lambda s: s["seconds"]),
        "megabytes": max(outcome["megabytes"] for outcome in outcomes),
        "failures": failures,
    }
    if options.report:
        options.report.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps({**report, "failures": failures[:20]}, indent=1))
    return 1 if failures else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--targets", nargs="+", choices=TARGETS, default=list(TARGETS))
    parser.add_argument("--report", type=Path, help="Write the report to this file.")
    parser.add_argument("--replay", metavar="TARGET:SEED:CALL", help="Make one call again.")
    return parser


if __name__ == "__main__":
    sys.exit(main())
