"""Run every code block of README and docs.

Sybil and similar tools run Python; here commands show output with gaps, services are called, and
some blocks need other libraries. markdown-it, a dependency of rich, finds the blocks.
"""

from __future__ import annotations

import contextlib
import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.docs.blocks import PAGES, ROOT, Block, blocks, commands
from tests.docs.follow import Reader, compare

from docbats.cli import main

SLOW_PAGES = {"docs/corpus.md"}  # its commands start two dozen processes
MAX_NOT_RUN = 12  # blocks that are not run for a reason; if larger, more of the docs is untested


def cases() -> list[Any]:
    """Return each page with the blocks that need no library, and again with all if some do."""
    found = []
    for page in PAGES:
        name = str(page.relative_to(ROOT))
        if blocks(page):
            marks = pytest.mark.slow if name in SLOW_PAGES else ()
            found.append(pytest.param(page, False, id=name, marks=marks))
        if needs := [block.needs for block in blocks(page) if block.needs]:
            missing = (need for need in needs if find_spec(need[0]) is None)
            mark = pytest.mark.integrations(*next(missing, needs[0]))
            found.append(pytest.param(page, True, id=f"{name}-whole", marks=mark))
    return found


@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore:PySpark does not:FutureWarning"
)
@pytest.mark.parametrize(("page", "whole"), cases())
@pytest.mark.usefixtures("folder")
def test_every_block_of_a_page_runs(page: Path, whole: bool) -> None:
    with contextlib.closing(Reader()) as reader:
        for block in blocks(page):
            if block.reason is None and (whole or block.needs is None):
                reader.follow(block)


def test_few_blocks_are_not_run_and_each_for_a_reason() -> None:
    not_run = [block for page in PAGES for block in blocks(page) if block.reason is not None]
    listed = "\n".join(f"{block}: {block.reason}" for block in not_run)
    assert len(not_run) <= MAX_NOT_RUN, listed
    assert all(block.reason and len(block.reason.split()) >= 3 for block in not_run), listed


def test_no_block_is_empty() -> None:
    found = [block for page in PAGES for block in blocks(page)]
    assert [str(block) for block in found if not block.code.strip()] == []


@pytest.mark.usefixtures("folder")
def test_commands_that_are_not_run_have_the_right_options() -> None:
    Path("DATA").mkdir()
    for page in PAGES:
        for block in blocks(page):
            if block.reason is not None and block.language == "console":
                for command, _ in commands(block):
                    for part in re.split(r" [|&]+ ", command):
                        _check_options(shlex.split(part, comments=True))


def _check_options(words: list[str]) -> None:
    """Have click parse a command of docbats without running it."""
    if not words or words[0] != "docbats":
        return
    command: Any = main
    context, rest = None, words[1:]
    while True:
        context = command.make_context(command.name, list(rest), parent=context)
        if not hasattr(command, "commands"):
            return
        _, command, rest = command.resolve_command(context, context._protected_args + context.args)
        if command is None:
            return


def test_gaps_stand_for_anything() -> None:
    block = Block(ROOT / "README.md", 1, "console", "")
    compare(block, "one\ntwo\nthree\n", "one\n...\nthree")
    compare(block, "0.1 s\n", "... s")
    with pytest.raises(AssertionError):
        compare(block, "one\ntwo\n", "one")


def test_commands_are_found() -> None:
    code = "$ docbats a.txt   # for people\na.txt\n\nTopics\n$ cat a |\n    docbats -\n$ true\n"
    block = Block(ROOT / "README.md", 1, "console", code)
    assert commands(block) == [
        ("docbats a.txt   # for people", "a.txt\n\nTopics"),
        ("cat a |\n    docbats -", ""),
        ("true", ""),
    ]


def test_the_tests_run_what_is_installed_here() -> None:
    assert (Path(sys.executable).parent / "docbats").exists()
