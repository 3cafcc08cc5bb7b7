"""``docbats chunk``: one or more files into chunks for search, a line or a row for each."""

from __future__ import annotations

import io
from functools import reduce
from itertools import chain
from typing import TYPE_CHECKING, Any, get_args

import click
from click.core import ParameterSource

from docbats.chunks.chunker import CONTEXTS, DEFAULT_SIZE, Chunker
from docbats.chunks.sizes import ChunkUnit
from docbats.cli.files import complain, work_on_files
from docbats.cli.options import file_options, setting_options
from docbats.corpus.formats import replace_surrogates_within, schemas
from docbats.errors import DocbatsError, SettingsError
from docbats.integrations.tables import CHUNK_COLUMNS, chunk_rows
from docbats.render.chunk_lines import chunks_to_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from docbats.chunks import Chunk
    from docbats.readers.content import FileText

_MIN_GROUP_ROWS = 10_000  # of a row group; with more, more memory is held


def check_parquet() -> None:
    """Raise MissingExtraError if pyarrow is not installed."""
    schemas()


def chunks_to_parquet(results: Iterator[tuple[str, Iterable[Chunk]]]) -> Iterator[bytes]:
    """Yield the bytes of a table with a row for each chunk of each file, by its name.

    Where there is no file, there is no table.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from docbats.integrations.pyarrow import make_schema

    first = next(results, None)
    if first is None:
        return
    schema = make_schema({"source": "str", **CHUNK_COLUMNS})
    held = _HeldBytes()
    with pq.ParquetWriter(held, schema, compression="zstd") as writer:
        for rows in _row_groups(chain([first], results)):
            try:
                table = pa.Table.from_pylist(rows, schema)
            except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot hold
                table = pa.Table.from_pylist(replace_surrogates_within(rows), schema)
            writer.write_table(table)
            yield held.take()
    yield held.take()


def _row_groups(results: Iterable[tuple[str, Iterable[Chunk]]]) -> Iterator[list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    for name, chunks in results:
        rows += [{"source": name, **row} for row in chunk_rows(chunks)]
        if len(rows) >= _MIN_GROUP_ROWS:
            yield rows
            rows = []
    if rows:
        yield rows


class _HeldBytes(io.RawIOBase):
    """A file that holds what is written to it until it is taken."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        piece = bytes(data)
        self._pieces.append(piece)
        self._size += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._size

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


_FORMATS = ("jsonl", "parquet")

_EXAMPLES = """
\b
Examples:
  docbats chunk report.md > chunks.jsonl
  docbats chunk book.epub --chunk-size 400 --tokenizer tokenizer.json --context headings
  docbats chunk talk.vtt --chunk-size 200 --size-unit words --chunk-overlap 20 -o chunks.jsonl
  docbats chunk *.md -o chunks.parquet

\b
Exit codes: 0 success; 1 a file could not be cut; 2 wrong use.
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
        return chunker(read.document(chunker.sentences, chunker.language))

    work_on_files(ctx, files, cut, render, encoding=encoding, output=output, kind=kind)


def _to_lines(results: Iterator[tuple[str, Any]]) -> Iterator[str]:
    for name, chunks in results:
        yield chunks_to_lines(name, chunks)


def _table_writer(
    ctx: click.Context, output: str | None
) -> Callable[[Iterator[tuple[str, Any]]], Iterator[bytes]]:
    """Return what writes a table; where it cannot, nothing is cut in vain."""
    if output is None:
        msg = "--format parquet writes a file: name it by -o"
        raise click.UsageError(msg, ctx)
    try:
        check_parquet()
    except DocbatsError as error:
        complain(error)
        ctx.exit(1)
    return chunks_to_parquet
