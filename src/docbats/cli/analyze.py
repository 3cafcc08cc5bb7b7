"""``docbats analyze``: one or more files into topics and segments."""

from __future__ import annotations

import sys
import tempfile
from typing import TYPE_CHECKING, Any

import click

from docbats._version import __version__
from docbats.cli.files import work_on_files
from docbats.cli.help_groups import GroupedCommand
from docbats.cli.options import (
    Offsets,
    file_options,
    main_settings,
    method_settings,
    settings_or_exit,
)
from docbats.cli.output_formats import (
    FORMATS,
    View,
    check_for_format,
    format_of_file,
    render_results,
)
from docbats.cli.reports import check_target, write_reports
from docbats.cli.terminal import is_terminal
from docbats.errors import SettingsError
from docbats.segments.own_boundaries import check_boundaries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from docbats.result import Result
    from docbats.settings import Settings

    Results = Iterator[tuple[str, Result]]

__all__ = ["analyze"]

_GROUPS: dict[str, Sequence[str]] = {
    "Segments and topics": (
        "k", "granularity", "n_topics", "min_size", "max_size", "size_unit", "overlap",
        "boundaries", "preset",
    ),
    "What to show": ("outline", "depth", "summaries", "format_", "top_words"),
    "What to write": (
        "output", "html", "open_report", "write_outline", "insert_headings",
    ),
    "How to read the files": (
        "kind", "encoding", "language", "sentences", "structure", "stop_words", "tagger",
    ),
}  # fmt: skip

_EXAMPLES = """
\b
Examples:
  docbats report.txt
  docbats report.txt -k 6 --outline
  docbats book.epub --granularity coarse --depth 2
  docbats report.txt --html report.html
  docbats report.pdf --open
  docbats *.txt --format jsonl -o outlines.jsonl
  docbats talk.vtt --format youtube
  docbats paper.pdf --write-outline paper-with-outline.pdf
  docbats book.txt --max-size 200 --size-unit words --overlap 20 --format csv

\b
Exit codes: 0 all went well; 1 a file could not be analyzed; 2 wrong use.
"""


class _Analyze(GroupedCommand):
    groups = _GROUPS


@click.command(
    cls=_Analyze,
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@main_settings
@click.option(
    "--outline", is_flag=True, help="Divide the segments further, into a table of contents."
)
@click.option(
    "--depth", type=click.IntRange(min=1), metavar="N",
    help="Show this many levels of the outline; implies --outline.  [all]",
)  # fmt: skip
@click.option(
    "--summaries", is_flag=True, help="Show under each segment the sentence that sums it up."
)
@click.option(
    "--boundaries", type=Offsets(), metavar="N,N,...",
    help="Segments of your own: the characters where they begin, to be titled and described like "
    "found ones. For one FILE.",
)  # fmt: skip
@click.option(
    "--format", "format_", type=click.Choice(FORMATS),
    help="What to print: for people (text, md), for programs (json, an array if there are several "
    "files; jsonl, a line of JSON for each file; chunks, one for each segment, with its overlap; "
    "csv, one row for each segment), or the chapters of a transcript, for players (vtt) or for "
    "YouTube (youtube).  [by the ending of -o, such as .json or .md; else text]",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file.")
@click.option(
    "--html", type=click.Path(), metavar="PATH",
    help="Also write a report for the browser to this file; for several files, one report each to "
    "this folder.",
)  # fmt: skip
@click.option(
    "--open", "open_report", is_flag=True,
    help="Open the report in a browser: that of --html, or else one in a temporary folder.",
)  # fmt: skip
@click.option(
    "--top-words", type=click.IntRange(min=1), default=10, show_default=True,
    help="Number of words to show of each topic (and, up to 10, of each segment).",
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
@method_settings
@click.version_option(__version__, prog_name="docbats", message="%(prog)s %(version)s")
@click.pass_context
def analyze(
    ctx: click.Context,
    /,
    *,
    files: tuple[str, ...],
    format_: str | None,
    output: str | None,
    html: str | None,
    open_report: bool,
    top_words: int,
    outline: bool,
    summaries: bool,
    boundaries: tuple[int, ...] | None,
    depth: int | None,
    write_outline: str | None,
    insert_headings: str | None,
    kind: str | None,
    encoding: str | None,
    preset: str,
    **changes: Any,
) -> None:
    """Find the topics and the segments of each FILE (- is standard input)."""
    settings = settings_or_exit(ctx, preset, changes)
    if boundaries is not None:
        _check_boundaries(ctx, boundaries, settings, files)
    format_ = format_ or format_of_file(ctx, output)
    on_terminal = output is None and is_terminal(sys.stdout)
    shows_outline = outline or (depth is not None and write_outline is None)
    view = View(
        format_,
        top_words,
        outline=shows_outline,
        depth=depth,
        summaries=summaries,
        on_terminal=on_terminal,
    )
    if open_report and html is None:
        html = tempfile.mkdtemp(prefix="docbats-")
    if html is not None:
        check_target(ctx, html, files, output)
    write_copies = _copy_writer(
        ctx, files, output, pdf=write_outline, markdown=insert_headings, depth=depth
    )

    def render(results: Results) -> Iterator[str]:
        if html is not None:
            results = write_reports(ctx, html, files, results, show=open_report)
        return render_results(write_copies(results), view, several=len(files) > 1)

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
        accept=check_for_format(format_),
        boundaries=boundaries,
    )


def _check_boundaries(
    ctx: click.Context, boundaries: tuple[int, ...], settings: Settings, files: tuple[str, ...]
) -> None:
    """Refuse boundaries for several files, and together with what else sets the segments."""
    if len(files) > 1:
        msg = f"--boundaries are those of one file, got {len(files)} files"
        raise click.UsageError(msg, ctx)
    try:
        check_boundaries(boundaries, settings)
    except SettingsError as error:
        raise click.UsageError(str(error), ctx) from None


def _copy_writer(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str | None,
    *,
    pdf: str | None,
    markdown: str | None,
    depth: int | None,
) -> Callable[[Results], Results]:
    """Return a function that passes results on and writes the copies of their files, if any."""
    if pdf is None and markdown is None:
        return iter
    from docbats.cli.rewritten import file_writers, write_along

    writers = file_writers(ctx, files, output, pdf=pdf, markdown=markdown, depth=depth)
    return lambda results: write_along(ctx, writers, results)
