"""The command ``docbats`` and its subcommands; without one it analyzes files."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem, get_completion_class

from docbats.runtime import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

_HELP = ["-h", "--help"]
_OWN_OPTIONS = [*_HELP, "--version"]
_MODULES = ("analyze", "chunk", "corpus", "fit", "mcp", "serve", "summarize")
"""The commands with a module of their own, which is loaded when one is used."""


class _AnalyzeByDefault(click.Group):
    """Treat ``docbats FILE`` as ``docbats analyze FILE``, also for help and completion."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        names = self.list_commands(ctx)
        if args and args[0] not in {*names, *_OWN_OPTIONS}:
            meant = similar_command(args[0], names)
            if meant is not None:
                from docbats.render.one_line import visible

                msg = f"no such command or file: {visible(args[0])}. Did you mean docbats {meant}?"
                raise click.UsageError(msg, ctx)
            args = ["analyze", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *_MODULES])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; ``lab`` is the laboratory's if it is installed."""
        found: click.Command
        if cmd_name in _MODULES:
            found = getattr(import_module(f"docbats.cli.{cmd_name}"), cmd_name)
            return found
        if cmd_name == "lab":
            for point in entry_points(group="docbats.commands", name="lab"):
                found = point.load()
                return found
        return super().get_command(ctx, cmd_name)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        analyze = self._analyze(ctx)
        with click.Context(analyze, info_name=ctx.info_name, help_option_names=_HELP) as inner:
            analyze.format_help(inner, formatter)
        self.format_commands(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        analyze = self._analyze(ctx)
        items = [
            *super().shell_complete(ctx, incomplete),
            *analyze.shell_complete(click.Context(analyze), incomplete),
        ]
        once = {item.value: item for item in items}
        return [*once.values(), CompletionItem(incomplete, type="file")]

    def _analyze(self, ctx: click.Context) -> click.Command:
        found = self.get_command(ctx, "analyze")
        assert found is not None
        return found


def similar_command(argument: str, commands: Iterable[str]) -> str | None:
    """Return the command that was probably meant, if the argument is not a file.

    >>> similar_command("sumarize", ["summarize", "serve"])
    'summarize'
    """
    looks_like_a_file = argument.startswith("-") or any(c in argument for c in "./\\*")
    if looks_like_a_file or Path(argument).exists():
        return None
    found = get_close_matches(argument, list(commands), 1, cutoff=0.7)
    return found[0] if found else None


@click.group(
    cls=_AnalyzeByDefault,
    context_settings={"help_option_names": _HELP},
    no_args_is_help=True,
)
@click.version_option(__version__, prog_name="docbats", message="%(prog)s %(version)s")
def main() -> None:
    """Find the topics and the segments of documents."""


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script that completes docbats commands in your shell.

    Load it from your shell's start-up file, for example:

    \b
      eval "$(docbats completion bash)"      # in ~/.bashrc
      eval "$(docbats completion zsh)"       # in ~/.zshrc
      docbats completion fish | source       # in ~/.config/fish/config.fish
    """  # noqa: D301  (click looks for the character itself)
    script = get_completion_class(shell)
    if script is None:  # pragma: no cover  (click knows all three)
        raise click.UsageError(shell)
    click.echo(script(main, {}, "docbats", "_DOCBATS_COMPLETE").source())


@main.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def lab(arguments: tuple[str, ...]) -> None:  # noqa: ARG001  (whatever they are, it is missing)
    """Rerun the experiments of the paper (needs docbats-lab)."""
    msg = "the laboratory is not installed: from a clone of docbats, run `pip install ./lab`"
    raise click.ClickException(msg)
