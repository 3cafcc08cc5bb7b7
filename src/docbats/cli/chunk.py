"""``docbats chunk``: one or more files into chunks for search, a line or a row for each."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, get_args

import click
from click.core import ParameterSource

from docbats.chunks.chunker import CONTEXTS, DEFAULT_SIZE, Chunker
from docbats.chunks.sizes import ChunkUnit
from docbats.cli.files import complain, work_on_files
from docbats.cli.options import file_options, setting_options
from docbats.errors import DocbatsError, SettingsError
from docbats.render.chunk_lines import chunks_to_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from docbats.chunks import Chunk
    from docbats.readers.file_text import FileText

__all__ = ["chunk", "chunk_options", "take_chunk_options"]

_FORMATS = ("jsonl", "parquet")

_EXAMPLES = """
\b
Examples:
  docbats chunk report.md > chunks.jsonl
  docbats chunk book.epub --chunk-size 400 --tokenizer tokenizer.json --context headings
  docbats chunk talk.vtt --chunk-size 200 --size-unit words --chunk-overlap 20 -o chunks.jsonl
  docbats chunk *.md -o chunks.parquet

\b
Exit codes: 0 all went well; 1 a file could not be cut; 2 wrong use.
"""


def chunk_options(unit: str = "--size-unit") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the options of a chunker to a command."""
    options = (
        click.option(
            "--chunk-size", type=click.IntRange(min=1), default=DEFAULT_SIZE, show_default=True,
            help="Largest size of a chunk, with its overlap and its context; never exceeded.",
        ),
        click.option(
            "--chunk-overlap", type=click.IntRange(min=0), default=0, show_default=True,
            help="How much of the text before it a chunk repeats, at most, in whole sentences.",
        ),
        click.option(
            unit, type=click.Choice(get_args(ChunkUnit)), default="characters",
            help="What the sizes of chunks count.  [characters, or tokens with --tokenizer]",
        ),
        click.option(
            "--tokenizer", metavar="NAME",
            help="What finds tokens: a file tokenizer.json, an encoding of tiktoken, or a model of "
            "the Hugging Face hub.  [cl100k_base]",
        ),
        click.option(
            "--context", type=click.Choice(CONTEXTS), default="none", show_default=True,
            help="What goes before each chunk to help search: the headings above it, or a title "
            "of its own words.",
        ),
        click.option(
            "--titles", is_flag=True,
            help="Also find topics, and titles for chunks without a heading; takes as long as an "
            "analysis.",
        ),
    )  # fmt: skip
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


def _chunker_or_exit(ctx: click.Context, **options: Any) -> Chunker:
    """Return the chunker of the options that were given."""
    try:
        return Chunker(**options)
    except SettingsError as error:
        raise click.UsageError(str(error), ctx) from None
    except DocbatsError as error:
        complain(error)
        ctx.exit(1)


def take_chunk_options(ctx: click.Context, options: dict[str, Any]) -> dict[str, Any] | None:
    """Take the options of a chunker out of those of a command; None where it is not to cut."""
    names = ("chunk_size", "chunk_overlap", "chunk_unit", "tokenizer", "context", "titles")
    given = {name: options.pop(name) for name in names}
    if not options.pop("chunks"):
        for name in names:
            if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                msg = f"--{name.replace('_', '-')} is for chunks: add --chunks, or leave it out"
                raise click.UsageError(msg, ctx)
        return None
    given["size_unit"] = given.pop("chunk_unit")
    language = {name: options[name] for name in ("sentences", "language") if options.get(name)}
    return {**given, **language}


@click.command(
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@chunk_options()
@click.option(
    "--format", "format_", type=click.Choice(_FORMATS),
    help="A line of JSON or a row of a Parquet table for each chunk.  [jsonl; parquet if -o ends "
    "in .parquet]",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file.")
@file_options
@setting_options("sentences", "language")
@click.pass_context
def chunk(
    ctx: click.Context,
    /,
    *,
    files: tuple[str, ...],
    format_: str | None,
    output: str | None,
    kind: str | None,
    encoding: str | None,
    **options: Any,
) -> None:
    """Cut each FILE (- is standard input) into chunks for search, a line of JSON for each.

    Paragraphs, lists, tables and code stay whole unless one alone is too large for a chunk, and
    headings go with what follows them.
    """
    chunker = _chunker_or_exit(ctx, **{name: v for name, v in options.items() if v is not None})
    is_table = format_ == "parquet" or (not format_ and (output or "").endswith(".parquet"))
    render = _table_writer(ctx, output) if is_table else _to_lines

    def cut(read: FileText) -> list[Chunk]:
        return chunker(read.source(chunker.sentences, chunker.language))

    work_on_files(ctx, files, None, render, encoding=encoding, output=output, kind=kind, work=cut)


def _to_lines(results: Iterator[tuple[str, Any]]) -> Iterator[str]:
    for name, chunks in results:
        yield chunks_to_lines(name, chunks)


def _table_writer(
    ctx: click.Context, output: str | None
) -> Callable[[Iterator[tuple[str, Any]]], Iterator[bytes]]:
    """Return what writes a table; where it cannot, nothing is cut in vain."""
    from docbats.cli.chunk_parquet import check_parquet, chunks_to_parquet

    if output is None:
        msg = "--format parquet writes a file: name it by -o"
        raise click.UsageError(msg, ctx)
    try:
        check_parquet()
    except DocbatsError as error:
        complain(error)
        ctx.exit(1)
    return chunks_to_parquet
