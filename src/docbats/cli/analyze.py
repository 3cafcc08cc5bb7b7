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

from docbats.atomic_write import write_bytes_atomically
from docbats.cli.files import analyze_with, complain, is_terminal, work_on_files
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
from docbats.render.media import check_recording, link_recording
from docbats.render.rows import to_chunk_lines, to_csv
from docbats.result import json_text
from docbats.runtime import __version__
from docbats.segments.cuts import check_boundaries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from docbats.readers.content import FileText
    from docbats.render.media import Recording
    from docbats.result import Result

    Results = Iterator[tuple[str, Result]]

_CHAPTERS = ("vtt", "youtube", "podcast", "ffmetadata", "srt", "minutes")
FORMATS = ("text", "json", "jsonl", "chunks", "csv", "md", *_CHAPTERS)
_PIPE_WIDTH = 80  # columns if the output is not a terminal
_REPORT_SUFFIXES = {".html", ".htm"}

_GROUPS: dict[str, Sequence[str]] = {
    "Segments and topics": (
        "k", "granularity", "n_topics", "min_size", "max_size", "size_unit", "overlap",
        "boundaries", "model", "namer", "namer_timeout", "preset",
    ),
    "What to show": ("outline", "depth", "summaries", "format_", "top_words"),
    "What to write": (
        "output", "html", "open_report", "media", "write_outline", "insert_headings",
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
  docbats talk.vtt --media talk.mp3 --html talk.html
  docbats paper.pdf --write-outline paper-with-outline.pdf
  docbats book.txt --max-size 200 --size-unit words --overlap 20 --format csv

\b
Exit codes: 0 success; 1 a file could not be analyzed; 2 wrong usage.
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
    "--outline", is_flag=True,
    help="Divide the segments further, into a table of contents with all its levels.",
)  # fmt: skip
@click.option(
    "--depth", type=click.IntRange(min=1), metavar="N",
    help="Show this many levels of the outline; implies --outline.  [all with --outline; else 2 "
    "for a text of more than 3,000 words without headings]",
)  # fmt: skip
@click.option("--summaries", is_flag=True, help="Show the sentence that sums up each segment.")
@click.option(
    "--boundaries", type=Offsets(), metavar="N,N,...",
    help="Use your own segments, which begin at these characters, and describe them as usual. "
    "For one FILE.",
)  # fmt: skip
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), metavar="NAME",
    help="What to print: for people (text, md), for programs (json, an array if there are several "
    "files; jsonl, a line of JSON for each file; chunks, one for each segment, with its overlap; "
    "csv, one row for each segment), or a transcript: its chapters for players (vtt), YouTube "
    "(youtube), podcasts (podcast) or ffmpeg (ffmetadata), its captions with these titles (srt), "
    "or its minutes (minutes).  [by the suffix of -o, such as .json or .md; else text]",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file.")
@click.option(
    "--html", type=click.Path(), metavar="PATH",
    help="Also write a report for the browser to this file; for several files, one report each to "
    "this folder.",
)  # fmt: skip
@click.option(
    "--open", "open_report", is_flag=True,
    help="Open the report in a browser: the one from --html, or one in a temporary folder.",
)  # fmt: skip
@click.option(
    "--media", type=click.Path(), metavar="FILE",
    help="The recording of a transcript, audio or video: the report of --html or --open links it "
    "and plays it beside the text. For one FILE.",
)  # fmt: skip
@click.option(
    "--top-words", type=click.IntRange(min=1), default=10, show_default=True,
    help="Number of words to show for each topic (and, up to 10, for each segment).",
)  # fmt: skip
@click.option(
    "--write-outline", type=click.Path(dir_okay=False), metavar="PDF",
    help="Also write the PDF to this file, with the outline as bookmarks.",
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
    media: str | None,
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
        if len(files) > 1:
            msg = f"--boundaries needs one file, got {len(files)} files"
            raise click.UsageError(msg, ctx)
        try:
            check_boundaries(boundaries, settings)
        except SettingsError as error:
            raise click.UsageError(str(error), ctx) from None
    is_for_bookmarks = depth is not None and write_outline is not None and not outline
    view = _View(
        format_ or _format_of_file(ctx, output),
        top_words,
        outline=outline or (False if is_for_bookmarks else None),
        depth=None if is_for_bookmarks else depth,
        summaries=summaries,
        on_terminal=output is None and is_terminal(sys.stdout),
    )
    if open_report and html is None:
        html = tempfile.mkdtemp(prefix="docbats-")
    copies = _check_copies(
        ctx, files, output,
        html=html, media=media, pdf=write_outline, markdown=insert_headings, depth=depth,
    )  # fmt: skip
    analyze_file = analyze_with(settings, boundaries)

    def work(read: FileText) -> Result:
        result = analyze_file(read)
        if view.format in _CHAPTERS:
            _to_chapters(result, view.format)  # raises an error for a file that has none
        return result

    def render(results: Results) -> Iterator[str]:
        results = _write_copies(ctx, copies, results, show=open_report)
        return _render_results(results, view, several=len(files) > 1)

    inputs = [changes[name] for name in ("stop_words", "model") if changes[name]]
    work_on_files(
        ctx, files, work, render, encoding=encoding, output=output, inputs=inputs, kind=kind
    )


@dataclass(frozen=True)
class _View:
    """What to show of each result, and whether it goes to a terminal."""

    format: str
    top_words: int
    outline: bool | None
    summaries: bool
    depth: int | None
    on_terminal: bool

    @property
    def details(self) -> dict[str, Any]:
        """The arguments that text, Markdown and JSON share."""
        return {"top_words": self.top_words, "outline": self.outline, "depth": self.depth}


def _format_of_file(ctx: click.Context, output: str | None) -> str:
    """Return the format that the suffix of a file names, or text."""
    suffix = PurePath(output or "").suffix.lower()
    if suffix in _REPORT_SUFFIXES:
        msg = f"a report is written by --html: use --html {output} instead of -o {output}"
        raise click.UsageError(msg, ctx)
    return suffix.removeprefix(".") if suffix.removeprefix(".") in FORMATS else "text"


def _render_results(results: Results, view: _View, *, several: bool) -> Iterator[str]:
    """Render the results one by one, except for JSON arrays and tables, which need all of them.

    Without results there is nothing to write, not even the header of a table.
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


def _render_one(name: str, result: Result, view: _View) -> str:
    match view.format:
        case "jsonl":
            return json_text(_to_dict(name, result, view)) + "\n"
        case "chunks":
            return to_chunk_lines(name, result)
        case "md":
            return result.to_markdown(title=name, **view.details)
        case format_ if format_ in _CHAPTERS:
            return _to_chapters(result, view.format)
        case _:
            return _to_text(name, result, view)


def _to_dict(name: str, result: Result, view: _View) -> dict[str, Any]:
    return {"source": name, **result.to_dict(**view.details)}


def _to_chapters(result: Result, format_: str) -> str:
    from docbats.render.chapters import FORMATS

    return FORMATS[format_](result)


def _to_text(name: str, result: Result, view: _View) -> str:
    from rich.console import Console

    from docbats.render.terminal import to_rich

    width = Console().width if view.on_terminal else _PIPE_WIDTH
    buffer = io.StringIO()
    console = Console(file=buffer, width=width, force_terminal=view.on_terminal, highlight=False)
    console.print(to_rich(result, name, **view.details, summaries=view.summaries))
    return "".join(line.rstrip() + "\n" for line in buffer.getvalue().splitlines())


@dataclass(frozen=True)
class _Copy:
    """Files to write besides the output: their paths by document, and how to make them."""

    paths: dict[str, Path]
    make: Callable[[str, Result], bytes]
    is_report: bool = False


def _check_copies(
    ctx: click.Context,
    files: Sequence[str],
    output: str | None,
    *,
    html: str | None,
    media: str | None,
    pdf: str | None,
    markdown: str | None,
    depth: int | None,
) -> list[_Copy]:
    """Return the copies to write; raise UsageError if one would overwrite another file.

    `depth` is how many levels of the outline become bookmarks; None is all.
    """
    copies = []
    inputs = [*files, *([output] if output else []), *([media] if media else [])]
    taken = {os.path.realpath(file) for file in inputs}
    if html is not None:
        paths = _check_reports(ctx, html, files, taken)
        recording = _check_media(ctx, media, paths, output)
        copies.append(_Copy(paths, _report_maker(recording), is_report=True))
    elif media is not None:
        msg = f"--media {media} is for the report: add --html PATH or --open"
        raise click.UsageError(msg, ctx)
    for option, target, make in (
        ("--write-outline", pdf, _bookmark_maker(files[0], depth)),
        ("--insert-headings", markdown, _with_headings),
    ):
        if target is None:
            continue
        if len(files) > 1:
            msg = f"{option} writes one file, and there are {len(files)} documents: name one"
            raise click.UsageError(msg, ctx)
        if os.path.realpath(target) in taken or target == STDIN:
            msg = f"{option} {target} would overwrite an input or an output: name another file"
            raise click.UsageError(msg, ctx)
        if option == "--write-outline" and files[0] == STDIN:
            msg = "--write-outline needs the PDF a second time: name the file instead of -"
            raise click.UsageError(msg, ctx)
        taken.add(os.path.realpath(target))
        copies.append(_Copy({shown_name(files[0]): Path(target)}, make))
    return copies


def _check_reports(
    ctx: click.Context, html: str, files: Sequence[str], taken: set[str]
) -> dict[str, Path]:
    """Return where to write the report of each document; add the paths to those taken."""
    target = Path(html)
    if html == STDIN:
        msg = "--html - would mix the report with what is printed: name a file"
        raise click.UsageError(msg, ctx)
    if len(files) > 1 and (target.suffix.lower() in _REPORT_SUFFIXES or target.is_file()):
        msg = f"--html {html} names one file for {len(files)} documents: name a folder"
        raise click.UsageError(msg, ctx)
    paths = report_paths(target, files)
    written = {os.path.realpath(path) for path in paths.values()}
    if written & taken:
        msg = f"--html {html} would overwrite an input or what -o writes: name another place"
        raise click.UsageError(msg, ctx)
    taken |= written
    return {shown_name(file): path for file, path in paths.items()}


def _check_media(
    ctx: click.Context, media: str | None, reports: dict[str, Path], output: str | None
) -> Recording | None:
    """Return the recording as the report finds it; raise UsageError for several reports."""
    if media is None:
        return None
    if len(reports) > 1:
        msg = f"--media {media} is one recording for {len(reports)} documents: name one document"
        raise click.UsageError(msg, ctx)
    if output is not None and os.path.realpath(output) == os.path.realpath(media):
        msg = f"-o {output} would overwrite the recording: name another file"
        raise click.UsageError(msg, ctx)
    try:
        is_video = check_recording(Path(media))
    except DocbatsError as error:
        complain(error)
        ctx.exit(1)
    (page,) = reports.values()
    return link_recording(Path(media), page, is_video=is_video)


def report_paths(target: Path, files: Sequence[str]) -> dict[str, Path]:
    """Return the path of each report: the target itself, or a file in it if it is a folder.

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


def _report_maker(recording: Recording | None) -> Callable[[str, Result], bytes]:
    def make(name: str, result: Result) -> bytes:
        from docbats.render.html import render_page

        return render_page(result, name, recording).encode()

    return make


def _bookmark_maker(file: str, depth: int | None) -> Callable[[str, Result], bytes]:
    def make(_: str, result: Result) -> bytes:
        from docbats.render.bookmarks import add_bookmarks

        return add_bookmarks(result, Path(file).read_bytes(), depth)

    return make


def _with_headings(_: str, result: Result) -> bytes:
    from docbats.render.markdown import insert_headings

    return insert_headings(result).encode("utf-8", "replace")


def _write_copies(
    ctx: click.Context, copies: Sequence[_Copy], results: Results, *, show: bool
) -> Results:
    """Pass the results on, and write the copies of each; `show` the reports in a browser."""
    for name, result in results:
        for copy in copies:
            path = copy.paths.pop(name, None)
            if path is None:  # the same file again
                continue
            try:
                if copy.is_report:
                    path.parent.mkdir(parents=True, exist_ok=True)
                write_bytes_atomically(path, copy.make(name, result))
            except DocbatsError as error:
                complain(f"{name}: {error}")
                ctx.exit(1)
            except OSError as error:
                complain(f"{path}: cannot be written: {error.strerror or error}")
                ctx.exit(1)
            if copy.is_report and show and not webbrowser.open(path.resolve().as_uri()):
                complain(f"no browser could be opened: the report is {path.resolve()}")
        yield name, result
