"""A run from and to S3, as the server of moto imitates it on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from .conftest import command, text_of, tree, write_lines
from .test_ray import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.integrations("moto", "moto[server] s3fs")

Env = dict[str, str]


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Env]:
    """A server, and the environment in which S3 means it; it has one bucket."""
    log = tmp_path_factory.mktemp("s3") / "log"
    port = str(free_port())
    with log.open("wb") as file:
        server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-p", port], stdout=file, stderr=file
        )
    env = {
        **os.environ,
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    try:
        for _ in range(300):
            if b"Running on" in log.read_bytes():
                break
            time.sleep(0.1)
        in_storage("fs.mkdir('talks')", env)
        yield env
    finally:
        server.kill()
        server.wait()


def in_storage(code: str, env: Env) -> str:
    """Do something there, in a process of its own: what reaches S3 leaves threads behind."""
    code = f"import fsspec; fs = fsspec.filesystem('s3'); {code}"
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize("format_", ["jsonl.gz", "parquet"])
def test_the_bytes_are_those_of_a_run_on_this_machine(
    tmp_path: Path, s3: Env, format_: str
) -> None:
    place = tmp_path / "in"
    (place / "more").mkdir(parents=True)
    write_lines(place / "a.jsonl", [text_of(number) for number in range(9)])
    (place / "more" / "notes.md").write_text(f"# Notes\n\n{text_of(3)}")
    in_storage(f"fs.put({str(place)!r}, 'talks/{format_}/in', recursive=True)", s3)
    options = ("--format", format_, "--part-size", "4", "-j", "1", "--quiet")
    assert command(place, "-o", tmp_path / "whole", *options).returncode == 0
    url = f"s3://talks/{format_}"
    done = command(f"{url}/in", "-o", f"{url}/out", *options, env=s3)
    assert (done.returncode, done.stderr) == (0, "")
    gone = in_storage(f"print(fs.glob('talks/{format_}/out/**/part-000001*')[0])", s3).strip()
    in_storage(f"fs.rm({gone!r})", s3)
    done = command(f"{url}/in", "-o", f"{url}/out", *options, "--resume", env=s3)
    assert (done.returncode, done.stderr) == (0, "")
    out = str(tmp_path / "out")
    in_storage(f"fs.get('talks/{format_}/out', {out!r}, recursive=True)", s3)
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")


def test_a_bucket_that_is_not_there_is_not_made(tmp_path: Path, lines: Path, s3: Env) -> None:
    done = command(lines, "-o", "s3://nobodys/out", "-j", "1", env=s3)
    assert done.returncode == 1
    assert "s3://nobodys/out" in done.stderr
    assert "Traceback" not in done.stderr
    assert in_storage("print(fs.ls(''))", s3) == "['talks']\n"
    done = command("s3://nobodys/in", "-o", tmp_path / "out", env=s3)
    assert done.returncode == 1
    assert "no such file or folder" in done.stderr
