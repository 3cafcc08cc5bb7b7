"""``docbats analyze``: one or more files into topics and segments."""

from __future__ import annotations

import io
import os
import sys
import tempfile
import webbrowser
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click

from docbats._version import __version__
from docbats.atomic_write import write_bytes_atomically
from docbats.cli.files import complain, is_terminal, work_on_files
from docbats.cli.options import (
    GroupedCommand,
    Offsets,
    file_options,
    main_settings,
    method_settings,
    settings_or_exit,
)
from docbats.errors import DocbatsError, SettingsError
from docbats.readers.decoding import STDIN, shown_name
from docbats.render.segments_csv import to_csv
from docbats.result import json_text
from docbats.segments.cuts import check_boundaries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from docbats.result import Result
    from docbats.settings import Settings

    Results = Iterator[tuple[str, Result]]


FORMATS = ("text", "json", "jsonl", "chunks", "csv", "md", "vtt", "youtube")
_PIPE_WIDTH = 80  # columns where there is no terminal


@dataclass(frozen=True)
class View:
    """What is shown of each result, and whether it goes to a terminal."""

    format: str
    top_words: int
    outline: bool
    summaries: bool
    depth: int | None
    on_terminal: bool


def format_of_file(ctx: click.Context, output: str | None) -> str:
    """Return the format that the name of a file asks for; a report is not written so."""
    ending = PurePath(output or "").suffix.lower().removeprefix(".")
    if ending in {"html", "htm"}:
        msg = f"a report is written by --html: use --html {output} instead of -o {output}"
        raise click.UsageError(msg, ctx)
    return ending if ending in FORMATS else "text"


def check_for_format(format_: str) -> Callable[[Result], object] | None:
    """Return a function that raises an error for a result that the format cannot show, if any."""
    if format_ not in {"vtt", "youtube"}:
        return None
    from docbats.render import chapters

    return chapters.to_vtt if format_ == "vtt" else chapters.to_youtube


def render_results(
    results: Iterator[tuple[str, Result]], view: View, *, several: bool
) -> Iterator[str]:
    """Render the results one by one, except for a JSON array and a table, which need them all.

    Where there is no result there is nothing to write, not even the header of a table.
    """
    first = next(results, None)
    if first is None:
        return
    results = chain([first], results)
    if view.format == "csv":
        yield to_csv(results)
    elif view.format == "json":
        values = [_to_dict(name, result, view) for name, result in results]
        yield json_text(values if several else values[0], indent=2) + "\n"
    else:
        separator = "" if view.format in {"jsonl", "chunks"} else "\n"
        for number, (name, result) in enumerate(results):
            yield (separator if number else "") + _render_one(name, result, view)


def _render_one(name: str, result: Result, view: View) -> str:
    match view.format:
        case "jsonl":
            return json_text(_to_dict(name, result, view)) + "\n"
        case "chunks":
            from docbats.render.chunk_lines import to_chunk_lines

            return to_chunk_lines(name, result)
        case "md":
            return result.to_markdown(title=name, **_shown(view))
        case "vtt" | "youtube":
            from docbats.render.chapters import to_vtt, to_youtube

            return to_vtt(result) if view.format == "vtt" else to_youtube(result)
        case _:
            return _to_text(name, result, view)


def _to_dict(name: str, result: Result, view: View) -> dict[str, Any]:
    return {"source": name, **result.to_dict(**_shown(view))}


def _shown(view: View) -> dict[str, Any]:
    return {"top_words": view.top_words, "outline": view.outline, "depth": view.depth}


def _to_text(name: str, result: Result, view: View) -> str:
    from rich.console import Console

    from docbats.render.terminal import to_rich

    width = Console().width if view.on_terminal else _PIPE_WIDTH
    buffer = io.StringIO()
    console = Console(file=buffer, width=width, force_terminal=view.on_terminal, highlight=False)
    console.print(to_rich(result, name, **_shown(view), summaries=view.summaries))
    return "".join(line.rstrip() + "\n" for line in buffer.getvalue().splitlines())


_SUFFIXES = {".html", ".htm"}


def check_target(ctx: click.Context, html: str, files: Sequence[str], output: str | None) -> None:
    """Raise UsageError if a report would overwrite a document or another report."""
    target = Path(html)
    if html == STDIN:
        msg = "--html - would mix the report with what is printed: name a file"
        raise click.UsageError(msg, ctx)
    if len(files) > 1 and (target.suffix.lower() in _SUFFIXES or target.is_file()):
        msg = f"--html {html} names one file for {len(files)} documents: name a folder"
        raise click.UsageError(msg, ctx)
    taken = {os.path.realpath(file) for file in [*files, *([output] if output else [])]}
    if any(os.path.realpath(path) in taken for path in report_paths(target, files).values()):
        msg = f"--html {html} would overwrite an input or what -o writes: name another place"
        raise click.UsageError(msg, ctx)


def write_reports(
    ctx: click.Context,
    html: str,
    files: Sequence[str],
    results: Iterator[tuple[str, Result]],
    *,
    show: bool = False,
) -> Iterator[tuple[str, Result]]:
    """Write the report of each result as it passes by, and `show` it in a browser."""
    places = {shown_name(file): path for file, path in report_paths(Path(html), files).items()}
    for name, result in results:
        path = places.pop(name, None)
        if path is None:  # the same file again
            yield name, result
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes_atomically(path, result.to_html(name=name).encode())
        except OSError as error:
            complain(f"{path}: cannot be written: {error.strerror or error}")
            ctx.exit(1)
        if show and not webbrowser.open(path.resolve().as_uri()):
            complain(f"no browser could be opened: the report is {path.resolve()}")
        yield name, result


def report_paths(target: Path, files: Sequence[str]) -> dict[str, Path]:
    """Return the file of each report: the target itself, or one in it where it is a folder.

    A file that is given twice has one report.
    """
    if len(files) == 1 and not target.is_dir():
        return {files[0]: target}
    names: dict[str, str] = {}
    taken: set[str] = set()
    numbers: dict[str, int] = {}  # the last one given to a name, by its stem
    for file in dict.fromkeys(files):
        stem = "standard-input" if file == STDIN else Path(file).stem
        number = numbers.get(stem, 0) + 1
        while (name := f"{stem}.html" if number == 1 else f"{stem}-{number}.html") in taken:
            number += 1
        numbers[stem] = number
        taken.add(name)
        names[file] = name
    return {file: target / name for file, name in names.items()}


@dataclass(frozen=True)
class Writer:
    """A file to write, and how it is made of a result."""

    path: Path
    make: Callable[[Result], bytes]


def file_writers(
    ctx: click.Context,
    files: Sequence[str],
    output: str | None,
    *,
    pdf: str | None,
    markdown: str | None,
    depth: int | None = None,
) -> list[Writer]:
    """Check what is to be written; one document makes one file, and overwrites no other.

    `depth` is how many levels of the outline become bookmarks; None is all.
    """
    writers = []
    taken = {os.path.realpath(file) for file in [*files, *([output] if output else [])]}
    for option, target in (("--write-outline", pdf), ("--insert-headings", markdown)):
        if target is None:
            continue
        if len(files) > 1:
            msg = f"{option} writes one file, and there are {len(files)} documents: name one"
            raise click.UsageError(msg, ctx)
        if os.path.realpath(target) in taken or target == STDIN:
            msg = f"{option} {target} would overwrite an input or an output: name another file"
            raise click.UsageError(msg, ctx)
        taken.add(os.path.realpath(target))
        if pdf is not None and option == "--write-outline" and files[0] == STDIN:
            msg = "--write-outline needs the PDF a second time: name the file instead of -"
            raise click.UsageError(msg, ctx)
        is_pdf = option == "--write-outline"
        make = _with_bookmarks(files[0], depth) if is_pdf else _with_headings
        writers.append(Writer(Path(target), make))
    return writers


def write_along(
    ctx: click.Context, writers: Sequence[Writer], results: Iterator[tuple[str, Result]]
) -> Iterator[tuple[str, Result]]:
    """Write the files of each result as it passes by."""
    for name, result in results:
        for writer in writers:
            try:
                write_bytes_atomically(writer.path, writer.make(result))
            except DocbatsError as error:
                complain(f"{name}: {error}")
                ctx.exit(1)
            except OSError as error:
                complain(f"{writer.path}: cannot be written: {error.strerror or error}")
                ctx.exit(1)
        yield name, result


def _with_bookmarks(file: str, depth: int | None) -> Callable[[Result], bytes]:
    def make(result: Result) -> bytes:
        from docbats.render.bookmarks import add_bookmarks

        return add_bookmarks(result, Path(file).read_bytes(), depth)

    return make


def _with_headings(result: Result) -> bytes:
    from docbats.render.markdown import insert_headings

    return insert_headings(result).encode("utf-8", "replace")


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
    writers = file_writers(ctx, files, output, pdf=pdf, markdown=markdown, depth=depth)
    return lambda results: write_along(ctx, writers, results)
