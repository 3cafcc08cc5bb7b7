"""Somebody who tries what a page says."""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import threading
import tomllib
import urllib.request
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple

from click.testing import CliRunner
from tests.docs.blocks import ROOT, Block, commands

from docbats.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHOWN_ADDRESS = "127.0.0.1:8000"
SECONDS = 300
EXIT = re.compile(r"# exits with (\d+)")


@dataclass
class Reader:
    """Somebody who tries what a page says, from its top to its end."""

    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    printed: str = ""
    service: Service | None = None

    def follow(self, block: Block) -> None:
        """Run a block, or check it."""
        if block.language == "python":
            self.run_python(block)
        elif block.language == "console":
            for command, shown in commands(block):
                self.run_command(block, command, shown)
        elif block.is_output:
            compare(block, self.printed, block.code)
        elif block.language in CHECKS:
            CHECKS[block.language](block.code)
        else:
            language = block.language or "no language"
            msg = f"{block}: expected a language that can be run, got {language}: say why it is not"
            raise ValueError(msg)

    def run_python(self, block: Block) -> None:
        """Run Python, in one namespace per page; or its examples, if it shows a session."""
        if block.code.startswith(">>>"):
            parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
            test = parser.get_doctest(block.code, self.names, str(block), str(block.page), 0)
            with contextlib.redirect_stdout(io.StringIO()) as output:
                failed = runner.run(test, clear_globs=False).failed
            self.names.update(test.globs)
            assert not failed, f"{block}:\n{output.getvalue()}"
            return
        code = compile("\n" * block.line + block.code, str(block.page), "exec")
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(code, self.names)
        self.printed = output.getvalue()

    def run_command(self, block: Block, command: str, shown: str) -> None:
        """Run a command and compare its output with that on the page, if there is any."""
        words = shlex.split(command, comments=True)
        if words[:2] == ["pip", "install"]:
            check_extras(block, words[2:])
        elif words[0] == "make":
            check_targets(block, words[1:])
        elif words[:2] == ["docbats", "serve"]:
            self.close()
            self.service = Service(words)
            compare(block, self.service.said, shown)
        elif words[:2] == ["tail", "-f"]:
            compare(block, first_line_of(command), shown)
        else:
            if self.service is not None:
                command = command.replace(SHOWN_ADDRESS, self.service.address)
            done = run_here(words) if is_plain(command, words) else run_in_shell(command)
            wanted = EXIT.search(command)
            assert done.code == int(wanted[1] if wanted else 0), f"{block}: {done.printed}"
            compare(block, done.printed, shown)

    def close(self) -> None:
        """Stop the service, if there is one."""
        if self.service is not None:
            self.service.stop()
            self.service = None


class Service:
    """``docbats serve`` at a free port."""

    def __init__(self, words: list[str]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        port = self.address.partition(":")[2]
        self._process = subprocess.Popen(
            [*words, "--port", port, "--no-open", "--workers", "1"],
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stderr is not None
        self.said = self._process.stderr.readline().replace(self.address, SHOWN_ADDRESS)
        deadline = monotonic() + SECONDS
        while not self._is_up():
            assert monotonic() < deadline, "the service does not answer"
            assert self._process.poll() is None, self.said
            sleep(0.1)

    def _is_up(self) -> bool:
        with (
            contextlib.suppress(OSError),
            urllib.request.urlopen(f"http://{self.address}/v1/health") as answer,
        ):
            return bool(answer.status == 200)
        return False

    def stop(self) -> None:
        """Stop it as Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)
        self._process.communicate(timeout=SECONDS)
        assert self._process.returncode == 0


def _check_yaml(code: str) -> None:
    import yaml

    yaml.safe_load(code)


def _check_sql(code: str) -> None:
    import duckdb

    relation = duckdb.sql(code)
    assert relation is not None
    assert relation.fetchall()


CHECKS: dict[str, Callable[[str], object]] = {
    "json": json.loads,
    "sql": _check_sql,
    "text": lambda _: None,
    "toml": tomllib.loads,
    "yaml": _check_yaml,
}


def compare(block: Block, printed: str, shown: str) -> None:
    """Compare the output with that on the page; ``...`` stands for anything."""
    shown = shown.strip()
    if not shown:
        return
    printed = "\n".join(line.rstrip() for line in printed.strip().splitlines())
    pattern = ".*?".join(map(re.escape, shown.split("...")))
    assert re.fullmatch(pattern, printed, re.DOTALL), f"{block} prints:\n{printed}"


class Done(NamedTuple):
    """The output of a command, on both streams, and its exit code."""

    printed: str
    code: int


def is_plain(command: str, words: list[str]) -> bool:
    """Whether a command of docbats needs neither a shell nor processes of its own."""
    is_simple = words[0] == "docbats" and words[1] not in {"corpus", "lab", "mcp"}
    return is_simple and not re.search(r"[|<>&;$*~`]", command.partition(" #")[0])


def run_here(words: list[str]) -> Done:
    """Run a command in this process, which saves the half second that a new one takes to start."""
    result = CliRunner().invoke(main, words[1:], prog_name="docbats")
    return Done(result.output, result.exit_code)


def run_in_shell(command: str) -> Done:
    with started(["bash", "-o", "pipefail", "-c", command], stderr=subprocess.STDOUT) as process:
        printed, _ = process.communicate()
    return Done(printed, process.returncode)


def first_line_of(command: str) -> str:
    """Start a command that never ends, and stop it after its first line of output."""
    with started(["bash", "-c", command]) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
    assert line
    return line


@contextlib.contextmanager
def started(command: list[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Start a command; it and its children end with the context, or after `SECONDS`."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        start_new_session=True, **options,
    )  # fmt: skip
    timer = threading.Timer(SECONDS, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    try:
        yield process
    finally:
        timer.cancel()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def check_extras(block: Block, arguments: list[str]) -> None:
    """Check that what pip is told to install is docbats, with extras that exist."""
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for argument in arguments:
        named = re.fullmatch(r"(?:docbats|\.)(?:\[(.*)\])?", argument)
        if named is not None:
            assert set((named[1] or "files").split(",")) <= set(known), f"{block}: {argument}"


def check_targets(block: Block, targets: list[str]) -> None:
    lines = (ROOT / "Makefile").read_text().splitlines()
    for target in targets:
        assert any(line.startswith(f"{target}:") for line in lines), f"{block}: make {target}"
