"""The command ``docbats`` and its subcommands; without one it analyzes files."""

from __future__ import annotations

from importlib.metadata import entry_points

import click
from click.shell_completion import CompletionItem, get_completion_class

from docbats.cli.analyze import analyze
from docbats.cli.chunk import chunk
from docbats.cli.corpus import corpus
from docbats.cli.fit import fit
from docbats.cli.mcp import mcp
from docbats.cli.options import similar_command
from docbats.cli.serve import serve
from docbats.cli.summarize import summarize
from docbats.render.one_line import visible

_HELP = ["-h", "--help"]


class _AnalyzeByDefault(click.Group):
    """Treat ``docbats FILE`` as ``docbats analyze FILE``, also for help and completion."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in {*self.commands, *_HELP}:
            meant = similar_command(args[0], self.commands)
            if meant is not None:
                msg = f"no such command or file: {visible(args[0])}. Did you mean docbats {meant}?"
                raise click.UsageError(msg, ctx)
            args = ["analyze", *args]
        return super().parse_args(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; ``lab`` is the laboratory's if it is installed."""
        if cmd_name == "lab":
            for point in entry_points(group="docbats.commands", name="lab"):
                found: click.Command = point.load()
                return found
        return super().get_command(ctx, cmd_name)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with click.Context(analyze, info_name=ctx.info_name, help_option_names=_HELP) as inner:
            analyze.format_help(inner, formatter)
        self.format_commands(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        items = [
            *super().shell_complete(ctx, incomplete),
            *analyze.shell_complete(click.Context(analyze), incomplete),
        ]
        once = {item.value: item for item in items}
        return [*once.values(), CompletionItem(incomplete, type="file")]


@click.group(
    cls=_AnalyzeByDefault,
    context_settings={"help_option_names": _HELP},
    no_args_is_help=True,
)
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


for _command in (analyze, chunk, corpus, fit, mcp, serve, summarize):
    main.add_command(_command)
