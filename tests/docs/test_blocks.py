"""Every code block of README and docs is run.

Sybil and its like run Python; here commands show output with gaps, services are probed, and blocks
need libraries of their own. markdown-it, which rich brings, finds the blocks.
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

NOT_RUN = 12  # the most blocks that a reason may spare; think twice before you raise it


def cases() -> list[Any]:
    """Each page with the blocks that need nothing; and again with all, if some need a library."""
    found = []
    for page in PAGES:
        name = str(page.relative_to(ROOT))
        if blocks(page):
            found.append(pytest.param(page, False, id=name))
        if needs := [block.needs for block in blocks(page) if block.needs]:
            missing = (need for need in needs if find_spec(need[0]) is None)
            mark = pytest.mark.integrations(*next(missing, needs[0]))
            found.append(pytest.param(page, True, id=f"{name}-whole", marks=mark))
    return found


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize(("page", "whole"), cases())
@pytest.mark.usefixtures("folder")
def test_every_block_of_a_page_runs(page: Path, whole: bool) -> None:
    with contextlib.closing(Reader()) as reader:
        for block in blocks(page):
            if block.reason is None and (whole or block.needs is None):
                reader.follow(block)


def test_little_is_not_run_and_that_for_a_reason() -> None:
    spared = [block for page in PAGES for block in blocks(page) if block.reason is not None]
    told = "\n".join(f"{block}: {block.reason}" for block in spared)
    assert len(spared) <= NOT_RUN, told
    assert all(block.reason and len(block.reason.split()) >= 3 for block in spared), told


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
    """Have click read a command of ours without doing what it says."""
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
