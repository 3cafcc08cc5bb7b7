"""The command and its subcommands; without one it analyzes files."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem, get_completion_class

from docbats.cli.analyze import analyze
from docbats.cli.chunk import chunk
from docbats.cli.corpus import corpus
from docbats.cli.help_groups import similar_command
from docbats.cli.lab import lab
from docbats.cli.mcp import mcp
from docbats.cli.serve import serve
from docbats.cli.summarize import summarize
from docbats.render.one_line import visible

__all__ = ["main"]

_HELP = ["-h", "--help"]


class _AnalyzeByDefault(click.Group):
    """``docbats FILE`` means ``docbats analyze FILE``, in running, helping and completing."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in {*self.commands, *_HELP}:
            meant = similar_command(args[0], self.commands)
            if meant is not None:
                msg = f"no such command or file: {visible(args[0])}. Did you mean docbats {meant}?"
                raise click.UsageError(msg, ctx)
            args = ["analyze", *args]
        return super().parse_args(ctx, args)

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


main.add_command(analyze)
main.add_command(chunk)
main.add_command(corpus)
main.add_command(lab)
main.add_command(mcp)
main.add_command(serve)
main.add_command(summarize)
