"""``docbats chunk``: one or more files into chunks for search, a line of JSON for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import click

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

__all__ = ["chunk", "chunk_options", "make_chunker"]

_EXAMPLES = """
\b
Examples:
  docbats chunk report.md > chunks.jsonl
  docbats chunk book.epub --chunk-size 400 --tokenizer tokenizer.json --context headings
  docbats chunk talk.vtt --chunk-size 200 --size-unit words --chunk-overlap 20 -o chunks.jsonl

\b
Exit codes: 0 all went well; 1 a file could not be cut; 2 wrong use.
"""


def chunk_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a chunker to a command."""
    for option in reversed(
        (
            click.option(
                "--chunk-size", type=click.IntRange(min=1), default=DEFAULT_SIZE,
                show_default=True,
                help="Largest size of a chunk, with its overlap and its context; never exceeded.",
            ),
            click.option(
                "--chunk-overlap", type=click.IntRange(min=0), default=0, show_default=True,
                help="How much of the text before it a chunk repeats, at most, in whole "
                "sentences.",
            ),
            click.option(
                "--size-unit", type=click.Choice(get_args(ChunkUnit)), default="characters",
                help="What sizes count.  [characters, or tokens with --tokenizer]",
            ),
            click.option(
                "--tokenizer", metavar="NAME",
                help="What finds tokens: a file tokenizer.json, an encoding of tiktoken, or a "
                "model of the Hugging Face hub.  [cl100k_base]",
            ),
            click.option(
                "--context", type=click.Choice(CONTEXTS), default="none", show_default=True,
                help="What goes before each chunk to help search: the headings above it, or a "
                "title of its own words.",
            ),
        )
    ):  # fmt: skip
        command = option(command)
    return command


def make_chunker(ctx: click.Context, **options: Any) -> Chunker:
    """Return the chunker of the options that were given."""
    try:
        return Chunker(**options)
    except SettingsError as error:
        raise click.UsageError(str(error), ctx) from None
    except DocbatsError as error:
        complain(error)
        ctx.exit(1)


@click.command(
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@chunk_options
@click.option(
    "--titles", is_flag=True,
    help="Also find topics, and titles for chunks without a heading; takes as long as an analysis.",
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
    output: str | None,
    kind: str | None,
    encoding: str | None,
    **options: Any,
) -> None:
    """Cut each FILE (- is standard input) into chunks for search, a line of JSON for each.

    Paragraphs, lists, tables and code stay whole unless one alone is too large for a chunk, and
    headings go with what follows them.
    """
    chunker = make_chunker(ctx, **{name: v for name, v in options.items() if v is not None})

    def cut(read: FileText) -> list[Chunk]:
        plain = read.places is None
        return chunker(read.text if plain else read.document(chunker.sentences, chunker.language))

    def render(results: Iterator[tuple[str, Any]]) -> Iterator[str]:
        for name, chunks in results:
            yield chunks_to_lines(name, chunks)

    work_on_files(ctx, files, None, render, encoding=encoding, output=output, kind=kind, work=cut)
