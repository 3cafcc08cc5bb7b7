"""``docbats summarize``: the sentences that say most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from docbats.cli.files import work_on_files
from docbats.cli.options import (
    NumberOrAuto,
    file_options,
    language_option,
    sentences_option,
    settings_or_exit,
)
from docbats.render.one_line import visible
from docbats.result import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.parts import Sentence
    from docbats.result import Result

__all__ = ["summarize"]

_EXAMPLES = """
\b
Examples:
  docbats summarize report.txt
  docbats summarize report.txt -n 10 --format md -o summary.md
  docbats summarize talk.pdf

\b
Exit codes: 0 all went well; 1 a file could not be summarised; 2 wrong use.
"""


@click.command(
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option(
    "-n", "--number", type=click.IntRange(min=1), default=5, show_default=True,
    help="How many sentences to choose.",
)  # fmt: skip
@click.option(
    "-k", type=NumberOrAuto(),
    help="Number of segments that the sentences are to cover; by default the text decides (auto).",
)  # fmt: skip
@click.option(
    "--format", "format_", type=click.Choice(["text", "md", "jsonl"]), default="text",
    show_default=True,
    help="Plain text, one sentence a line; Markdown; or one line of JSON a file, with offsets.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file.")
@file_options
@sentences_option
@language_option
@click.pass_context
def summarize(
    ctx: click.Context,
    /,
    *,
    files: tuple[str, ...],
    number: int,
    k: int | str | None,
    format_: str,
    output: str | None,
    kind: str | None,
    encoding: str | None,
    sentences: str | None,
    language: str | None,
) -> None:
    """Choose the sentences of each FILE that together say most (- is standard input).

    They are its own sentences, in its own order: those whose words belong to its main topics, every
    segment in its turn.
    """
    changes = {"k": k, "sentences": sentences, "language": language}
    settings = settings_or_exit(ctx, "sharp", changes)

    def render(results: Iterator[tuple[str, Result]]) -> Iterator[str]:
        for place, (name, result) in enumerate(results):
            chosen = result.summary(number)
            if format_ == "jsonl":
                yield _json_line(name, chosen)
            else:
                yield "\n" * (place > 0) + _lines(name, chosen, format_, len(files) > 1)

    work_on_files(ctx, files, settings, render, encoding=encoding, output=output, kind=kind)


def _json_line(name: str, chosen: tuple[Sentence, ...]) -> str:
    sentences = [
        {"sentence": s.index, "start": s.start, "end": s.end, "text": s.text} for s in chosen
    ]
    return json_text({"source": name, "summary": sentences}) + "\n"


def _lines(name: str, chosen: tuple[Sentence, ...], format_: str, several: bool) -> str:
    head = {"md": f"# {visible(name)}\n\n", "text": f"{visible(name)}\n"}[format_]
    mark = "- " if format_ == "md" else ""
    body = "".join(f"{mark}{' '.join(visible(s.text).split())}\n" for s in chosen)
    return (head if several or format_ == "md" else "") + body
