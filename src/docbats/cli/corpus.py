"""``docbats corpus``: many documents into a folder of results, or a stream of them."""

from __future__ import annotations

import shlex
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, get_args

import click

from docbats.cli.chunk import chunk_options, take_chunk_options
from docbats.cli.files import complain, is_terminal
from docbats.cli.options import main_settings_except, settings_or_exit
from docbats.corpus.formats import FORMATS
from docbats.corpus.source_files import Layout
from docbats.errors import DocbatsError, SettingsError
from docbats.render.one_line import excerpt, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from docbats.corpus import CorpusOptions, Progress, Summary
    from docbats.corpus.engines import MakeEngine

_LINE_SECONDS = 30.0  # between two lines of progress if there is no terminal


@contextmanager
def shown_progress(quiet: bool) -> Iterator[Callable[[Progress], object]]:
    """Show the progress: a bar on a terminal, otherwise a line from time to time."""
    if quiet:
        yield lambda _: None
    elif is_terminal(sys.stderr):
        with _bar() as show:
            yield show
    else:
        yield _ProgressLines()


@contextmanager
def _bar() -> Iterator[Callable[[Progress], object]]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = [BarColumn(), TextColumn("{task.description}")]
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=None)

        def show(progress: Progress) -> None:
            total = progress.total or None
            bar.update(task, completed=progress.read, total=total, description=_state(progress))

        yield show


class _ProgressLines:
    """Writes a line of progress from time to time."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _LINE_SECONDS

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _LINE_SECONDS
            click.echo(_state(progress), err=True)


def _state(progress: Progress) -> str:
    state = f"{progress.documents:,} documents, {progress.rate:,.0f} a second"
    if progress.failed:
        state += f", {progress.failed:,} failed"
    left = progress.seconds_left
    return state if left is None else f"{state}, {_duration(left)} left"


def say_summary(summary: Summary, output: str) -> None:
    """Print what was done and what failed to standard error."""
    documents = f"{summary.documents:,} document{'s' if summary.documents != 1 else ''}"
    parts = f"{summary.parts:,} part{'s' if summary.parts != 1 else ''}"
    speed = f"{_duration(summary.seconds)}, {summary.rate:,.0f} a second"
    lines = [f"{documents} in {output} ({parts}), {speed}"]
    if summary.resumed:
        lines.append(f"{summary.resumed:,} of them were there before")
    if summary.repaired:
        names = ", ".join(summary.repaired[:5]) + (", ..." if len(summary.repaired) > 5 else "")
        lines.append(f"damaged, and written again with its part: {names}")
    if summary.failed:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in summary.failures.items())
        lines.append(f"{summary.failed:,} failed: {kinds}")
        lines += [f"  {_failure_line(name, failure.message)}" for name, failure in summary.examples]
        if summary.failed > len(summary.examples):
            lines.append("  ...")
    click.echo("\n".join(map(visible, lines)), err=True)


def _failure_line(name: str, message: str) -> str:
    """Return a message with the name of its document, unless it begins with it already."""
    return excerpt(message if message.startswith(f"{name}: ") else f"{name}: {message}", 300)


def _duration(seconds: float) -> str:
    """Return a time in seconds, minutes or hours.

    >>> _duration(12.34), _duration(3700)
    ('12.3 s', '1 h 1 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


SOME_FAILED = 3
"""The exit code of a run that is complete, but has documents that failed."""

_EXAMPLES = """
\b
Examples:
  docbats corpus texts/ -o out
  docbats corpus 'wiki/*.jsonl.zst' -o out --format parquet --text-column body
  docbats corpus texts/ -o out --chunks --chunk-size 1500 --context headings --format parquet
  docbats corpus texts/ -o out --resume
  docbats corpus s3://talks/2026 -o s3://talks/out --engine ray --address auto
  docbats corpus report out
  tail -f feed.jsonl | docbats corpus - > results.jsonl

\b
Exit codes: 0 success; 1 the run failed or was stopped; 2 wrong usage; 3 the run is complete, but
some documents failed.
"""


class _RunByDefault(click.Group):
    """Makes ``docbats corpus INPUT`` mean ``docbats corpus run INPUT``, in its help as well."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with click.Context(run, info_name=ctx.info_name, parent=ctx.parent) as inner:
            inner.help_option_names = ctx.help_option_names
            run.format_help(inner, formatter)
        self.format_commands(ctx, formatter)


@click.group(
    cls=_RunByDefault,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
def corpus() -> None:
    """Analyze many documents, in parallel and without losing any."""


@corpus.command(
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False),
    help="Folder to write to, or its URL.  [JSON lines to standard output]",
)  # fmt: skip
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), default="jsonl", show_default=True,
    help="A line of JSON per document, or Parquet tables: documents, segments and topics, or "
    "documents and chunks.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Continue the run in the folder.")
@click.option(
    "--input-format", type=click.Choice(get_args(Layout)),
    help="What the files contain, if their names do not say: one document each, names of files, "
    "or a document per line or row.",
)  # fmt: skip
@click.option(
    "--text-column", default="text", show_default=True, help="Column with the text of a record."
)
@click.option(
    "--id-column", help="Column with the id of a record.  [id if it exists, else file and line]"
)
@click.option("--encoding", help="Encoding of text and CSV files.  [text: detected; CSV: UTF-8]")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), help="Number of processes.  [number of processors]"
)
@click.option(
    "--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True,
    help="Use processes on this machine, or Ray: on this machine or on the cluster at --address.",
)  # fmt: skip
@click.option(
    "--address", metavar="HOST:PORT|auto",
    help="Address of a running Ray cluster; auto for the one that this machine is in.",
)  # fmt: skip
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), default=60, show_default=True,
    help="Longest time that one document may take, in seconds.",
)  # fmt: skip
@click.option(
    "--max-memory", type=click.IntRange(min=300), default=4000, show_default=True,
    help="Largest memory of a process on this machine, in megabytes.",
)  # fmt: skip
@click.option(
    "--max-characters", type=click.IntRange(min=1), default=10_000_000, show_default=True,
    help="Largest number of characters in a document.",
)  # fmt: skip
@click.option(
    "--part-size", type=click.IntRange(min=1), default=1000, show_default=True,
    help="Largest number of documents in one file of the output.",
)  # fmt: skip
@click.option(
    "--unordered", is_flag=True,
    help="Write rows as they are ready, not in the order of the input.",
)  # fmt: skip
@click.option("--no-text", is_flag=True, help="Leave the text out of segments and chunks.")
@click.option("--reports", is_flag=True, help="Also write a page for each document.")
@click.option(
    "--top-words", type=click.IntRange(min=1), default=10, show_default=True,
    help="Number of words to write for each topic and segment.",
)  # fmt: skip
@click.option(
    "--chunks", is_flag=True,
    help="Cut documents into chunks for search instead of analyzing them, as docbats chunk does.",
)  # fmt: skip
@chunk_options(of_corpus=True)
@click.option("-q", "--quiet", is_flag=True, help="Show neither progress nor summary.")
@main_settings_except("min_size", "size_unit")
@click.pass_context
def run(
    ctx: click.Context,
    /,
    *,
    inputs: tuple[str, ...],
    output: str | None,
    format_: str,
    resume: bool,
    jobs: int | None,
    engine: str,
    address: str | None,
    timeout: float,
    max_memory: int,
    unordered: bool,
    no_text: bool,
    quiet: bool,
    preset: str,
    **options: Any,
) -> None:
    """Analyze the documents of each INPUT: a folder, a pattern, a file, or - for standard input.

    A file contains JSON lines (.jsonl, also .gz and .zst), a table (.csv, .tsv, .parquet), or one
    document (any other: text, Markdown, HTML, PDF, DOCX, EPUB, captions, notebooks, markup). A
    single .txt file is a list of files, one per line. INPUT and the folder may be URLs, such as
    s3://bucket/folder.

    Every document becomes a row, even if it fails. A run that was stopped continues with --resume
    and writes the same files as if it had not been stopped.
    """
    from docbats.corpus import CorpusOptions

    options["chunks"] = take_chunk_options(ctx, options)
    names = ("input_format", "text_column", "id_column", "encoding", "max_characters", "part_size",
             "reports", "top_words", "chunks")  # fmt: skip
    given = {name: options.pop(name) for name in names}
    settings = settings_or_exit(ctx, preset, options)
    with _exit_on_error(ctx):
        corpus_options = CorpusOptions(
            settings=settings, format=format_, with_text=not no_text, **given
        )
        how = {
            "jobs": jobs,
            "timeout": timeout,
            "max_memory": max_memory,
            "engine": _engine(engine, address, jobs, timeout),
            "ordered": not unordered,
        }
        if output is not None:
            code = _run(inputs, output, corpus_options, how, resume=resume, quiet=quiet)
        elif resume:
            msg = "--resume continues a run in a folder: name the folder with -o"
            raise SettingsError(msg)
        else:
            code = _stream(inputs, corpus_options, how)
    ctx.exit(code)


@corpus.command()
@click.argument("folder", type=click.Path(), metavar="OUT")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False),
    help="Write the page to this file.  [report.html in the folder]",
)  # fmt: skip
@click.pass_context
def report(ctx: click.Context, folder: str, output: str | None) -> None:
    """Write a page about the run in the folder OUT.

    It shows the number of segments and the length of the documents, which ones failed and why, and
    the most common words of their topics.
    """
    from docbats.corpus.report import write_corpus_report
    from docbats.corpus.storage import strip_file_scheme, to_path

    with _exit_on_error(ctx):
        place = to_path(strip_file_scheme(folder))
        target = place / "report.html" if output is None else to_path(strip_file_scheme(output))
        click.echo(write_corpus_report(place, target))


def _engine(name: str, address: str | None, jobs: int | None, timeout: float) -> MakeEngine | None:
    """Return the requested engine; None for processes of this machine."""
    if name == "ray":
        from docbats.corpus.ray_cluster import ray_engine

        return ray_engine(address, jobs=jobs, timeout=timeout)
    if address is not None:
        msg = "--address is for a Ray cluster: add --engine ray"
        raise SettingsError(msg)
    return None


def _run(
    inputs: tuple[str, ...],
    output: str,
    options: CorpusOptions,
    how: dict[str, Any],
    *,
    resume: bool,
    quiet: bool,
) -> int:
    """Write to a folder; return the exit code."""
    from docbats import corpus

    try:
        with shown_progress(quiet) as on_progress:
            summary = corpus.run(
                inputs, output, options, resume=resume, on_progress=on_progress, **how
            )
    except KeyboardInterrupt:
        complain(f"stopped; finished parts are in {output}. Continue with: {_resume_command()}")
        return 1
    if not quiet:
        say_summary(summary, output)
    return SOME_FAILED if summary.failed else 0


def _stream(inputs: tuple[str, ...], options: CorpusOptions, how: dict[str, Any]) -> int:
    """Write lines to standard output; return the exit code."""
    from docbats import corpus

    failed = False
    try:
        for document in corpus.stream(inputs, options, **how):
            failed = failed or document.failure is not None
            sys.stdout.buffer.write(document.row)
            sys.stdout.buffer.flush()
    except KeyboardInterrupt:
        return 1
    return SOME_FAILED if failed else 0


@contextmanager
def _exit_on_error(ctx: click.Context) -> Iterator[None]:
    """Report errors, and exit with the right code."""
    from docbats.corpus import ResumeError

    try:
        yield
    except (SettingsError, ResumeError) as error:
        raise click.UsageError(str(error), ctx) from None
    except DocbatsError as error:
        complain(error)
        ctx.exit(1)


def _resume_command() -> str:
    """Return the command that continues this run."""
    words = ["docbats", *sys.argv[1:]]
    return shlex.join(words if "--resume" in words else [*words, "--resume"])
