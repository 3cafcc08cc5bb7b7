"""The code blocks of README and docs.

A comment before a block says how to run it: ``<!-- needs: polars from docbats[polars] -->`` that it
needs a library which `make test` does not install, ``<!-- not run: why -->`` that it cannot be run.
A block of text right after Python is its output. The output shown after a command is compared;
``...`` stands for anything, and ``# exits with 1`` marks a command that is meant to fail.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in page.parts),
]
COMMENT = re.compile(r"<!-- (not run|needs): (.*?) -->", re.DOTALL)
NEEDS = re.compile(r"(\S+) from (\S+)")


@dataclass(frozen=True)
class Block:
    """A code block, with what the comment before it says."""

    page: Path
    line: int
    language: str
    code: str
    reason: str | None = None  # not to run it
    needs: tuple[str, str] | None = None  # a module, and the package that brings it
    is_output: bool = False  # of the Python right before it

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


@cache
def blocks(page: Path) -> tuple[Block, ...]:
    """Return the code blocks of a page, without the directives for the site."""
    found: list[Block] = []
    comments: dict[str, str] = {}
    before = ""
    for token in MarkdownIt().parse(page.read_text()):
        language = token.info.strip() if token.type == "fence" else ""
        if token.type == "html_block":
            comments = dict(COMMENT.findall(token.content))
        elif token.type == "fence" and not language.startswith("{"):
            assert token.map is not None
            is_output = (before, language) == ("python", "text")
            needs = NEEDS.fullmatch(comments.get("needs", ""))
            assert ("needs" in comments) == bool(needs), f"{page}: needs: MODULE from PACKAGE"
            found.append(
                Block(
                    page,
                    token.map[0] + 1,
                    language,
                    token.content,
                    reason=found[-1].reason if is_output else comments.get("not run"),
                    needs=found[-1].needs if is_output else needs and (needs[1], needs[2]),
                    is_output=is_output,
                )
            )
        if token.type != "html_block":
            comments, before = {}, language
    return tuple(found)


def commands(block: Block) -> list[tuple[str, str]]:
    """Split a block into its commands, each with the output that is shown below it."""
    found: list[tuple[list[str], list[str]]] = []
    for line in block.code.splitlines():
        if line.startswith("$ "):
            found.append(([line[2:]], []))
        elif not found:
            msg = f"{block}: a console block begins with $"
            raise ValueError(msg)
        elif not found[-1][1] and found[-1][0][-1].endswith(("\\", "|")):
            found[-1][0].append(line)
        else:
            found[-1][1].append(line)
    return [("\n".join(command), "\n".join(shown)) for command, shown in found]
