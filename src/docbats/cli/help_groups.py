"""Help with its options in groups, and advice on commands that were mistyped."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["GroupedCommand", "similar_command"]

_REST = "Details of the method"


class GroupedCommand(click.Command):
    """A command whose help shows its options in groups.

    `groups` are the names of parameters by the title of their group; what none of them has comes
    last.
    """

    groups: ClassVar[Mapping[str, Sequence[str]]] = {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a list of options for each group."""
        records = {
            param.name: record
            for param in self.get_params(ctx)
            if isinstance(param, click.Option)  # newer versions of click list arguments, too
            and (record := param.get_help_record(ctx)) is not None
        }
        for title, names in self.groups.items():
            listed = [records.pop(name) for name in names if name in records]
            if listed:
                with formatter.section(title):
                    formatter.write_dl(listed)
        others = [records.pop(name) for name in ("version", "help") if name in records]
        for title, rest in ((_REST, list(records.values())), ("Other", others)):
            if rest:
                with formatter.section(title):
                    formatter.write_dl(rest)


def similar_command(argument: str, commands: Iterable[str]) -> str | None:
    """Return the command that was probably meant by what is neither a command nor a file.

    >>> similar_command("sumarize", ["summarize", "serve"])
    'summarize'
    """
    looks_like_a_file = argument.startswith("-") or any(c in argument for c in "./\\*")
    if looks_like_a_file or Path(argument).exists():
        return None
    found = get_close_matches(argument, list(commands), 1, cutoff=0.7)
    return found[0] if found else None
