"""Small corpora to run on."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMMAND = [sys.executable, "-c", "from docbats.cli import main; main()", "corpus"]
_WORDS = [
    "ferry",
    "harbour",
    "crew",
    "tea",
    "water",
    "moth",
    "bat",
    "river",
    "stone",
    "garden",
    "letter",
    "winter",
    "bread",
    "lamp",
]


def text_of(number: int) -> str:
    """Make a short text of two subjects, another one for each number."""
    a, b, c, d = (_WORDS[(number * 5 + step) % len(_WORDS)] for step in (0, 3, 5, 9))
    first = f"The {a} meets the {b}. A {b} likes the {a}. Number {number} is a {a}. "
    return f"{first}The {c} is a {d}. No {d} sees the {c}. One {c} is old."


def write_lines(path: Path, texts: list[str]) -> Path:
    """Write texts as JSON lines."""
    lines = [json.dumps({"id": f"d{i}", "text": text}) + "\n" for i, text in enumerate(texts)]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def read_lines(folder: Path) -> list[dict[str, Any]]:
    """Read all rows of a run in the order of its parts."""
    return [
        json.loads(line)
        for part in sorted(folder.glob("part-*.jsonl"))
        for line in part.read_text(encoding="utf-8").splitlines()
    ]


def tree(folder: Path) -> dict[str, bytes]:
    """Return the content of every file."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def command(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run ``docbats corpus``."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False,
        timeout=120, **options,
    )  # fmt: skip


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """A file of 17 short documents."""
    return write_lines(tmp_path / "texts.jsonl", [text_of(number) for number in range(17)])


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What goes wrong on purpose, for this and for other processes."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    return importlib.import_module("faults")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Return a function that makes a disk of its own of a size; needs to be root."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")

    def mount(size: str) -> Path:
        made = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
        if subprocess.run(made, capture_output=True, check=False).returncode:
            pytest.skip("this machine does not let us mount a small disk")
        return place

    yield mount
    subprocess.run(["umount", "-l", str(place)], capture_output=True, check=False)
