"""``docbats analyze``: one or more files into topics and segments."""

from __future__ import annotations

import io
import sys
from itertools import chain
from typing import TYPE_CHECKING, Any, get_args

import click

from docbats._version import __version__
from docbats.cli.files import is_terminal, work_on_files
from docbats.cli.options import file_options, main_settings, settings_or_exit
from docbats.cli.reports import check_target, write_reports
from docbats.render.segments_csv import to_csv
from docbats.result import Result, json_text
from docbats.settings import Cut, Laplacian, Ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Results = Iterator[tuple[str, Result]]

__all__ = ["analyze"]

FORMATS = ("text", "json", "jsonl", "csv", "md", "vtt", "youtube")
_PIPED, _WIDEST = 80, 100  # columns

_EXAMPLES = """
\b
Examples:
  docbats report.txt
  docbats report.txt -k 6 --outline
  docbats report.txt --html report.html
  docbats *.txt --format jsonl -o outlines.jsonl
  docbats talk.vtt --format youtube
  docbats paper.pdf --write-outline paper-with-outline.pdf
  docbats book.txt --max-size 200 --size-unit words --overlap 20 --format csv

\b
Exit codes: 0 all went well; 1 a file could not be analysed; 2 wrong use.
"""


@click.command(
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@main_settings
@click.option(
    "--outline", is_flag=True, help="Divide the segments further, as a table of contents."
)
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True,
    help="What to print: for people (text, md), or for programs (json: an array if there are "
    "several files, jsonl: one line a file, csv: one row a segment); chapters of a transcript for "
    "players (vtt) and for YouTube (youtube).",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file.")
@click.option(
    "--html", type=click.Path(), metavar="PATH",
    help="Also write a page to look at in a browser to this file; for several files, one page each "
    "into this folder.",
)  # fmt: skip
@click.option(
    "--top-words", type=click.IntRange(min=1), default=10, show_default=True,
    help="How many words to show of each topic (and, up to 10, of each segment).",
)  # fmt: skip
@click.option(
    "--write-outline", type=click.Path(dir_okay=False), metavar="PDF",
    help="Also write the PDF to this file, with the outline as its bookmarks.",
)  # fmt: skip
@click.option(
    "--insert-headings", type=click.Path(dir_okay=False), metavar="MD",
    help="Also write the text as Markdown to this file, with a heading before each segment.",
)  # fmt: skip
@file_options
@click.option(
    "--cut", type=click.Choice(get_args(Cut)),
    help="Segments by the likelihood of their words, or by average linkage (eq. 14).",
)  # fmt: skip
@click.option(
    "--ranking", type=click.Choice(get_args(Ranking)),
    help="Topics by cores of words that share sentences, or by KMeans (section 3.4.1).",
)  # fmt: skip
@click.option("--award", "--lambda", type=float, help="λ of eq. 1: award to nouns and verbs. [1]")
@click.option(
    "-w", "--window", type=int,
    help="w of eq. 2: sentences bonded on each side. [sharp 1, paper 5]",
)  # fmt: skip
@click.option(
    "-d", "--decay", type=float,
    help="d of eq. 2: weight of each further sentence. [sharp 0.4, paper 0.7]",
)  # fmt: skip
@click.option("--tau-p", type=float, help="τ_p of eq. 3, for words. [average degree]")
@click.option("--tau-o", type=float, help="τ_o of eq. 3, for sentences. [average degree]")
@click.option(
    "--laplacian", type=click.Choice(get_args(Laplacian)),
    help="Eq. 3 (regularized, the default), with both τ zero (plain), or left out (none).",
)  # fmt: skip
@click.option("--min-sentences", type=int, help="Keep words that occur in this many sentences. [2]")
@click.option("--stem/--no-stem", default=None, help="Count words of one stem as one. [stem]")
@click.option("--restarts", type=int, help="Restarts of KMeans. [10]")
@click.option("--seed", type=int, help="Seed of KMeans and of the SVD. [0]")
@click.version_option(__version__, prog_name="docbats", message="%(prog)s %(version)s")
@click.pass_context
def analyze(
    ctx: click.Context,
    /,
    *,
    files: tuple[str, ...],
    format_: str,
    output: str | None,
    html: str | None,
    top_words: int,
    outline: bool,
    write_outline: str | None,
    insert_headings: str | None,
    kind: str | None,
    encoding: str | None,
    preset: str,
    **changes: Any,
) -> None:
    """Find the topics and the segments of each FILE (- is standard input)."""
    settings = settings_or_exit(ctx, preset, changes)
    in_colour = output is None and is_terminal(sys.stdout)
    if html is not None:
        check_target(ctx, html, files, output)
    write_along = _writing_along(ctx, files, output, pdf=write_outline, markdown=insert_headings)

    def render(results: Iterator[tuple[str, Result]]) -> Iterator[str]:
        several = len(files) > 1
        if html is not None:
            results = write_reports(ctx, html, files, results)
        results = write_along(results)
        return _rendered(
            results, format_, top_words, outline=outline, several=several, tty=in_colour
        )

    stop_words = changes["stop_words"]
    work_on_files(
        ctx,
        files,
        settings,
        render,
        encoding=encoding,
        output=output,
        inputs=[stop_words] if stop_words else [],
        kind=kind,
        accept=_acceptance(format_),
    )


def _writing_along(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str | None,
    *,
    pdf: str | None,
    markdown: str | None,
) -> Callable[[Results], Results]:
    """Give what writes further files of the results as they pass by; mostly there is none."""
    if pdf is None and markdown is None:
        return iter
    from docbats.cli.rewritten import file_writers, write_along

    writers = file_writers(ctx, files, output, pdf=pdf, markdown=markdown)
    return lambda results: write_along(ctx, writers, results)


def _acceptance(format_: str) -> Callable[[Result], object] | None:
    """Give what refuses a result that the format cannot show."""
    if format_ not in {"vtt", "youtube"}:
        return None
    from docbats.render import chapters

    return chapters.to_vtt if format_ == "vtt" else chapters.to_youtube


def _rendered(
    results: Iterator[tuple[str, Result]],
    format_: str,
    top_words: int,
    *,
    outline: bool,
    several: bool,
    tty: bool,
) -> Iterator[str]:
    """Render the results one by one, except for a JSON array and a table, which need them all.

    Where there is no result there is nothing to write, not even the heads of a table.
    """
    first = next(results, None)
    if first is None:
        return
    results = chain([first], results)
    if format_ == "csv":
        yield to_csv(results)
    elif format_ == "json":
        values = [_named_dict(name, result, top_words, outline) for name, result in results]
        yield json_text(values if several else values[0], indent=2) + "\n"
    else:
        for number, (name, result) in enumerate(results):
            if format_ == "jsonl":
                yield json_text(_named_dict(name, result, top_words, outline)) + "\n"
            elif format_ in {"vtt", "youtube"}:
                yield "\n" * (number > 0) + _chapters(result, format_)
            elif format_ == "md":
                yield "\n" * (number > 0) + result.to_markdown(
                    title=name, top_words=top_words, outline=outline
                )
            else:
                yield "\n" * (number > 0) + _terminal_text(name, result, top_words, outline, tty)


def _chapters(result: Result, format_: str) -> str:
    from docbats.render.chapters import to_vtt, to_youtube

    return to_vtt(result) if format_ == "vtt" else to_youtube(result)


def _named_dict(name: str, result: Result, top_words: int, outline: bool) -> dict[str, Any]:
    return {"source": name, **result.to_dict(top_words=top_words, outline=outline)}


def _terminal_text(name: str, result: Result, top_words: int, outline: bool, tty: bool) -> str:
    from rich.console import Console

    from docbats.render.terminal import to_rich

    width = min(Console().width, _WIDEST) if tty else _PIPED
    buffer = io.StringIO()
    console = Console(file=buffer, width=width, force_terminal=tty, highlight=False)
    console.print(to_rich(result, name, top_words, outline=outline))
    return "".join(line.rstrip() + "\n" for line in buffer.getvalue().splitlines())
