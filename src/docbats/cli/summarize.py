"""``docbats summarize``: the sentences of a document that sum it up best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from docbats.cli.files import analyze_with, work_on_files
from docbats.cli.options import file_options, setting_options, settings_or_exit
from docbats.render.markdown import escape_markdown
from docbats.render.one_line import one_line, visible
from docbats.result import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.parts import Sentence
    from docbats.result import Result

_EXAMPLES = """
\b
Examples:
  docbats summarize report.txt
  docbats summarize report.txt -n 10 --format md -o summary.md
  docbats summarize talk.pdf

\b
Exit codes: 0 success; 1 a file could not be summarized; 2 wrong usage.
"""


@click.command(
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option(
    "-n", "--number", type=click.IntRange(min=1), default=5, show_default=True,
    help="Number of sentences to choose.",
)  # fmt: skip
@click.option(
    "--format", "format_", type=click.Choice(["text", "md", "jsonl"]), default="text",
    show_default=True,
    help="What to print: plain text, one sentence per line; Markdown; or one line of JSON per "
    "file, with offsets.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file.")
@file_options
@setting_options("k", "sentences", "language", "model")
@click.pass_context
def summarize(
    ctx: click.Context,
    /,
    *,
    files: tuple[str, ...],
    number: int,
    format_: str,
    output: str | None,
    kind: str | None,
    encoding: str | None,
    **changes: Any,
) -> None:
    """Choose the sentences that sum up each FILE best (- is standard input).

    They are sentences of the file, in its order, whose words belong to its main topics, from one
    segment after the other.
    """
    settings = settings_or_exit(ctx, "sharp", changes)

    def render(results: Iterator[tuple[str, Result]]) -> Iterator[str]:
        separator = "" if format_ == "jsonl" else "\n"
        for index, (name, result) in enumerate(results):
            chosen = result.summary(number)
            if format_ == "jsonl":
                shown = _json_line(name, chosen)
            else:
                shown = _lines(name, chosen, format_, several=len(files) > 1)
            yield (separator if index else "") + shown

    inputs = [changes["model"]] if changes["model"] else []
    work_on_files(
        ctx,
        files,
        analyze_with(settings),
        render,
        encoding=encoding,
        output=output,
        kind=kind,
        inputs=inputs,
    )


def _json_line(name: str, chosen: tuple[Sentence, ...]) -> str:
    sentences = [
        {"sentence": s.index, "start": s.start, "end": s.end, "text": s.text} for s in chosen
    ]
    return json_text({"source": name, "summary": sentences}) + "\n"


def _lines(name: str, chosen: tuple[Sentence, ...], format_: str, *, several: bool) -> str:
    if format_ == "md":
        return f"# {escape_markdown(name)}\n\n" + "".join(
            f"- {escape_markdown(s.text)}\n" for s in chosen
        )
    head = f"{visible(name)}\n" if several else ""
    return head + "".join(f"{one_line(s.text)}\n" for s in chosen)
