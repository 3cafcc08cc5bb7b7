"""Runs that are killed, again and again, and end with the bytes of an undisturbed one."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from tests.matrices import slow_except

from docbats.corpus import CorpusOptions, run

from .conftest import COMMAND, command, text_of, tree, write_lines

CHUNKS = {"chunk_size": 9, "size_unit": "words"}
OUTPUTS = {
    "jsonl": CorpusOptions(format="jsonl", part_size=6),
    "jsonl.zst": CorpusOptions(format="jsonl.zst", part_size=6),
    "parquet": CorpusOptions(format="parquet", part_size=6),
    "parquet of chunks": CorpusOptions(format="parquet", part_size=6, chunks=CHUNKS),
}


@pytest.mark.parametrize("name", slow_except({"jsonl"}, OUTPUTS))
def test_killed_at_every_moment_of_writing(
    tmp_path: Path, lines: Path, faults: Any, name: str
) -> None:
    """At the first time that a file is touched, the second, and so on, until nothing is left."""
    options = OUTPUTS[name]
    run(lines, tmp_path / "whole", options, engine=faults.HereEngine)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["docbats.corpus", "docbats.corpus.formats", "pyarrow"])
    out = tmp_path / "out"
    kills = 0
    while True:
        process = context.Process(
            target=faults.run_and_die, args=(str(lines), str(out), options, kills + 1)
        )
        process.start()
        process.join()
        if process.exitcode == 0:
            break
        assert process.exitcode == -signal.SIGKILL
        kills += 1
        assert kills < 100
    assert kills > 5
    assert tree(out) == tree(tmp_path / "whole")


@pytest.mark.parametrize("times", slow_except({1}, [1, 5]))
def test_the_whole_command_killed_at_random_moments(tmp_path: Path, times: int) -> None:
    path = write_lines(
        tmp_path / "in.jsonl", [text_of(number) * 12 for number in range(40 + 20 * times)]
    )
    out = tmp_path / "out"
    asked = [str(path), "-o", str(out), "--part-size", "10", "-j", "2", "--quiet"]
    chance = random.Random(7)
    whole = command(str(path), "-o", tmp_path / "whole", *asked[3:])
    assert whole.returncode == 0, whole.stderr
    for _ in range(times):
        process = subprocess.Popen([*COMMAND, *asked, "--resume"], stderr=subprocess.PIPE)
        done = len(list(out.glob("part-*")))
        for _ in range(600):  # let it get on by a part, then strike at some moment
            if process.poll() is not None or len(list(out.glob("part-*"))) > done:
                break
            time.sleep(0.02)
        time.sleep(chance.uniform(0, 0.1))
        children = _children(process.pid)
        process.kill()
        process.communicate()
        for _ in range(200):  # those that it started end by themselves
            if not any(_is_there(child) for child in children):
                break
            time.sleep(0.05)
        assert not any(_is_there(child) for child in children)
        if process.returncode == 0:
            break
    end = command(*asked, "--resume")
    assert end.returncode == 0, end.stderr
    assert tree(out) == tree(tmp_path / "whole")


@pytest.mark.slow  # test_local_engine kills a worker at a known moment
def test_workers_killed_at_random_moments(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.jsonl", [text_of(number) * 8 for number in range(120)])
    run(path, tmp_path / "whole", CorpusOptions(part_size=25), jobs=2)
    chance = random.Random(3)
    killed = 0
    over = threading.Event()

    def kill() -> None:
        nonlocal killed
        while not over.wait(chance.uniform(0.3, 0.9)):
            workers = [p for p in multiprocessing.active_children() if p.name == "docbats-corpus"]
            if workers and killed < 5:
                victim = chance.choice(workers).pid
                if victim is not None:
                    os.kill(victim, signal.SIGKILL)
                    killed += 1

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        summary = run(path, tmp_path / "out", CorpusOptions(part_size=25), jobs=2)
    finally:
        over.set()
        thread.join()
    assert killed > 0
    assert summary.documents == 120
    if not summary.failed:  # else one document was hit twice, and says so
        assert tree(tmp_path / "out") == tree(tmp_path / "whole")
    assert set(summary.failures) <= {"crash"}


def _children(pid: int) -> list[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").glob("*/children"))
        return [int(child) for task in tasks for child in task.read_text().split()]
    except OSError:
        return []


def _is_there(pid: int) -> bool:
    try:
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
