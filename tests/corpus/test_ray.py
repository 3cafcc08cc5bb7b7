"""The Ray engine on a real cluster of two nodes, which these tests start and partly kill."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from docbats import Settings
from docbats.corpus import CorpusOptions, run

from .conftest import COMMAND, command, read_lines, text_of, tree, write_lines
from .test_stream import line_of, read_row, running, write

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.ray

HERE = str(Path(__file__).parent)
RAY = [sys.executable, "-c", "from ray.scripts.scripts import main; main()"]


@dataclass(frozen=True)
class Cluster:
    """Two nodes on this machine with a processor each; the first is the head."""

    address: str
    env: dict[str, str]
    nodes: list[subprocess.Popen[bytes]]

    def kill(self, node: int) -> int:
        """Kill all processes of a node at once; say how many those were."""
        pids = [self.nodes[node].pid, *descendants(self.nodes[node].pid)]
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.nodes[node].wait(30)
        return len(pids)


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").glob("*/children"))
        children = [int(child) for task in tasks for child in task.read_text().split()]
    except OSError:
        return []
    return [*children, *(found for child in children for found in descendants(child))]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    log = tmp_path_factory.mktemp("ray") / "log"
    place_of_its_own = tempfile.mkdtemp(prefix="ray-")  # its sockets need a short path
    address = f"127.0.0.1:{free_port()}"
    head = ["--head", "--port", address.rpartition(":")[2], "--include-dashboard=false",
            "--temp-dir", place_of_its_own]  # fmt: skip
    options = ["--num-cpus=1", "--object-store-memory=100000000", "--node-ip-address=127.0.0.1",
               "--block", "--disable-usage-stats"]  # fmt: skip
    paths = os.pathsep.join([HERE, *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    ours = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), "PYTHONPATH": paths}
    made = Cluster(address, {**os.environ, **ours}, [])
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, place_of_its_own, ignore_errors=True)
        file = stack.enter_context(log.open("wb"))
        stack.callback(lambda: [made.kill(node) for node in range(len(made.nodes))])
        for place in (head, ["--address", address]):
            call = [*RAY, "start", *place, *options]
            made.nodes.append(subprocess.Popen(call, stdout=file, stderr=file, env=made.env))
            wait_for(lambda: log.read_bytes().count(b"Ray runtime started") == len(made.nodes))
        yield made


def wait_for(is_so: Any, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_own_ray_writes_what_the_local_engine_writes(tmp_path: Path, lines: Path) -> None:
    before = raylets()
    options = ("--part-size", "5", "-j", "2", "--quiet")
    assert command(lines, "-o", tmp_path / "whole", *options).returncode == 0
    done = command(lines, "-o", tmp_path / "out", *options, "--engine", "ray")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")
    wait_for(lambda: raylets() <= before)


def raylets() -> set[str]:
    names = (path for path in Path("/proc").glob("[0-9]*/cmdline"))
    return {path.parent.name for path in names if b"raylet/raylet" in _bytes(path)}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_each_document_that_fails_is_the_same_row(
    tmp_path: Path, cluster: Cluster, faults: Any
) -> None:
    """One that hangs, one that kills its process, and one that raises an error; then a resume."""
    texts = [text_of(number) for number in range(12)]
    texts[2] += " Zcrash comes here."
    texts[4] += " Zhang comes here."
    texts[6] += " Zraise comes here."
    path = write_lines(tmp_path / "in.jsonl", texts)
    options = CorpusOptions(settings=Settings(tagger=faults.tagger), part_size=4)
    run(path, tmp_path / "whole", options, jobs=2, timeout=3)
    whole = tree(tmp_path / "whole")
    kinds = [row["error"]["kind"] for row in read_lines(tmp_path / "whole") if row["error"]]
    assert kinds == ["crash", "time-out", "unexpected"]
    call_on_ray(path, tmp_path / "out", cluster, resume=False)
    assert tree(tmp_path / "out") == whole
    # What the one engine has begun the other one ends.
    (tmp_path / "whole" / "part-000001.jsonl").unlink()
    (tmp_path / "out" / "part-000001.jsonl").unlink()
    call_on_ray(path, tmp_path / "whole", cluster, resume=True)
    assert tree(tmp_path / "whole") == whole
    run(path, tmp_path / "out", options, jobs=1, timeout=3, resume=True)
    assert tree(tmp_path / "out") == whole


def call_on_ray(path: Path, out: Path, cluster: Cluster, *, resume: bool) -> None:
    code = f"import faults; faults.run_on_ray({str(path)!r}, {str(out)!r}, "
    code += f"{cluster.address!r}, {resume!r})"
    done = subprocess.run(
        [sys.executable, "-c", code], env=cluster.env, capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_stream_on_a_cluster(cluster: Cluster) -> None:
    with running("--engine", "ray", "--address", cluster.address, env=cluster.env) as process:
        for number in range(3):
            write(process, line_of(f"d{number}", text_of(number)))
            assert read_row(process)["id"] == f"d{number}"
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0


def test_one_node_killed_amid_the_run(tmp_path: Path, cluster: Cluster) -> None:
    """The last test: the cluster has one node less afterwards."""
    path = write_lines(tmp_path / "in.jsonl", [text_of(number) * 40 for number in range(300)])
    options = ["--part-size", "10"]
    whole = command(path, "-o", tmp_path / "whole", *options, "-j", "2")
    assert whole.returncode == 0, whole.stderr
    out = tmp_path / "out"
    asked = [str(path), "-o", str(out), *options, "--engine", "ray", "--address", cluster.address]
    process = subprocess.Popen(
        [*COMMAND, *asked], stderr=subprocess.PIPE, text=True, env=cluster.env
    )
    wait_for(lambda: process.poll() is not None or len(list(out.glob("part-*"))) > 2)
    workers = [pid for pid in descendants(cluster.nodes[1].pid) if is_busy(pid)]
    assert process.poll() is None
    assert cluster.kill(1) > 1
    assert workers, "the node had nothing to do"
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert tree(out) == tree(tmp_path / "whole")
    assert json.loads((out / "summary.json").read_text())["documents"] == 300


def is_busy(pid: int) -> bool:
    """Whether a process is one of ours, that analyzes documents."""
    return b"spawn_main" in _bytes(Path(f"/proc/{pid}/cmdline"))
