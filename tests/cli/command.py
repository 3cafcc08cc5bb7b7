"""Runs the command, here or in a process of its own, for the tests of this folder."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from click.testing import CliRunner, Result

from docbats.cli import main

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = [sys.executable, "-m", "docbats"]
BATS = "Bats hunt moths by night. Moths hear the bats and dive. Bats follow the moths. "
TEA = "Tea needs hot water. Hot tea cools in the cup. A cup of tea wants water.\n"
TEXT = BATS + TEA
FORMATS = ["text", "json", "jsonl", "chunks", "csv", "md"]


def run(*args: str | Path, stdin: str | bytes | None = None) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin, prog_name="docbats")


def output_of(*args: str | Path, stdin: str | bytes | None = None) -> str:
    """Return what the command prints, and check that it has nothing to complain about."""
    result = run(*args, stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def run_process(
    *args: str | Path, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    command = [*COMMAND, *map(str, args)]
    return subprocess.run(
        command, input=stdin, capture_output=True, env=clean_env(**environment), check=False
    )


def clean_env(**changes: str) -> dict[str, str]:
    """Return the environment, without what changes how a terminal is used."""
    unwanted = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE", "TTY_INTERACTIVE"}
    return {k: v for k, v in os.environ.items() if k not in unwanted} | changes


def write_file(path: Path, text: str | bytes) -> Path:
    """Write a text and return where."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
