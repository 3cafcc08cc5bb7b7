"""``docbats chunk``: files into chunks for search, as JSON lines or a Parquet table."""

from __future__ import annotations

import io
from itertools import chain
from typing import TYPE_CHECKING, Any, get_args

import click
from click.core import ParameterSource

from docbats.chunks.chunker import CONTEXTS, DEFAULT_SIZE, Chunker
from docbats.chunks.sizes import ChunkUnit
from docbats.cli.files import complain, work_on_files
from docbats.cli.options import file_options, setting_options, together
from docbats.corpus.documents import replace_surrogates_within
from docbats.corpus.formats import schemas
from docbats.errors import DocbatsError, SettingsError
from docbats.integrations.tables import CHUNK_COLUMNS, chunk_rows
from docbats.render.rows import chunks_to_lines
from docbats.settings import SizeUnit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from docbats.chunks import Chunk
    from docbats.cli.options import Decorator
    from docbats.readers.content import FileText

    ChunkedFiles = Iterator[tuple[str, Iterable[Chunk]]]

_MIN_GROUP_ROWS = 10_000  # per row group of a table; with more, more memory is used

_EXAMPLES = """
\b
Examples:
  docbats chunk report.md > chunks.jsonl
  docbats chunk book.epub --chunk-size 400 --tokenizer tokenizer.json --context headings
  docbats chunk talk.vtt --chunk-size 200 --size-unit words --chunk-overlap 20 -o chunks.jsonl
  docbats chunk *.md -o chunks.parquet

\b
Exit codes: 0 success; 1 a file could not be cut; 2 wrong usage.
"""


def chunk_options(*, of_corpus: bool = False) -> Decorator:
    """Return a decorator that adds the options of a chunker to a command.

    In `docbats corpus`, sizes and units are also those of segments.
    """
    units = get_args(ChunkUnit)
    unit_help = "Unit of the sizes of chunks.  [characters, or tokens with --tokenizer]"
    least_help = "Smallest size of a chunk: a smaller one is merged with a neighbor under the same "
    least_help += "heading, wherever the text allows."
    if of_corpus:
        units = (*dict.fromkeys([*get_args(SizeUnit), *units]),)
        unit_help = "Unit of all sizes.  [sentences; with --chunks characters, or tokens with "
        unit_help += "--tokenizer, and not sentences]"
        least_help = "Smallest size of a segment or chunk, kept wherever the text allows."
    options = (
        click.option(
            "--chunk-size", type=click.IntRange(min=1), default=DEFAULT_SIZE, show_default=True,
            help="Largest size of a chunk, with its overlap and its context; never exceeded.",
        ),
        click.option(
            "--chunk-overlap", type=click.IntRange(min=0), default=0, show_default=True,
            help="Begin each chunk with the last sentences of the one before it, as many whole "
            "ones as have this size together (or words, if not even one has), so that what "
            "belongs together is in one chunk wherever it is cut. It counts in --chunk-size.",
        ),
        click.option("--min-size", type=click.IntRange(min=0), help=least_help),
        click.option("--size-unit", type=click.Choice(units), help=unit_help),
        click.option(
            "--tokenizer", metavar="NAME",
            help="Counts tokens: a file tokenizer.json, an encoding of tiktoken, or a model of the "
            "Hugging Face hub.  [cl100k_base]",
        ),
        click.option(
            "--context", type=click.Choice(CONTEXTS), default="none", show_default=True,
            help="What to put before each chunk to help search: the headings above it, or a title "
            "made of its own words.",
        ),
        click.option(
            "--titles", is_flag=True,
            help="Also find topics, and titles for chunks without a heading; takes as long as an "
            "analysis.",
        ),
    )  # fmt: skip
    return together(options)


def take_chunk_options(ctx: click.Context, options: dict[str, Any]) -> dict[str, Any] | None:
    """Take a chunker's options out of a command's options; None without ``--chunks``."""
    names = ("chunk_size", "chunk_overlap", "tokenizer", "context", "titles")
    given = {name: options.pop(name) for name in names}
    if not options.pop("chunks"):
        for name in names:
            if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                msg = f"--{name.replace('_', '-')} is for chunks: add --chunks, or leave it out"
                raise click.UsageError(msg, ctx)
        return None
    shared = {name: options.pop(name) for name in ("min_size", "size_unit")}
    language = {name: options[name] for name in ("sentences", "language")}
    known = {**shared, **language}
    return {**given, **{name: value for name, value in known.items() if value is not None}}


@click.command(
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@chunk_options()
@click.option(
    "--format", "format_", type=click.Choice(("jsonl", "parquet")),
    help="Write a line of JSON or a row of a Parquet table for each chunk.  [jsonl; parquet if -o "
    "ends in .parquet]",
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
    headings stay with the text after them.
    """
    is_table = format_ == "parquet" or (not format_ and (output or "").endswith(".parquet"))
    if is_table and output is None:
        msg = "--format parquet writes a file: name it by -o"
        raise click.UsageError(msg, ctx)
    try:
        chunker = Chunker(**{name: v for name, v in options.items() if v is not None})
        if is_table:
            schemas()  # fails without pyarrow, before anything is cut in vain
    except SettingsError as error:
        raise click.UsageError(str(error), ctx) from None
    except DocbatsError as error:
        complain(error)
        ctx.exit(1)

    def cut(read: FileText) -> list[Chunk]:
        if not read.text.strip():
            return []  # a blank file has no sentences for a document, and no chunks
        return chunker(read.document(chunker.sentences, chunker.language))

    render: Callable[[ChunkedFiles], Iterable[str | bytes]] = _table if is_table else _lines
    work_on_files(ctx, files, cut, render, encoding=encoding, output=output, kind=kind)


def _lines(results: ChunkedFiles) -> Iterator[str]:
    return (chunks_to_lines(name, chunks) for name, chunks in results)


def _table(results: ChunkedFiles) -> Iterator[bytes]:
    """Yield the bytes of a Parquet table with a row for each chunk; nothing without files."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from docbats.integrations.pyarrow import make_schema

    first = next(results, None)
    if first is None:
        return
    schema = make_schema({"source": "str", **CHUNK_COLUMNS})
    written = _WrittenBytes()
    with pq.ParquetWriter(written, schema, compression="zstd") as writer:
        for rows in _row_groups(chain([first], results)):
            try:
                table = pa.Table.from_pylist(rows, schema)
            except UnicodeEncodeError:  # a lone surrogate, which UTF-8 cannot encode
                table = pa.Table.from_pylist(replace_surrogates_within(rows), schema)
            writer.write_table(table)
            yield written.take()
    yield written.take()


def _row_groups(results: ChunkedFiles) -> Iterator[list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    for name, chunks in results:
        rows += [{"source": name, **row} for row in chunk_rows(chunks)]
        if len(rows) >= _MIN_GROUP_ROWS:
            yield rows
            rows = []
    if rows:
        yield rows


class _WrittenBytes(io.RawIOBase):
    """A file that holds what is written to it until it is taken."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._taken = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._held += data
        return len(data)

    def tell(self) -> int:
        return self._taken + len(self._held)

    def take(self) -> bytes:
        taken, self._held = bytes(self._held), bytearray()
        self._taken += len(taken)
        return taken
