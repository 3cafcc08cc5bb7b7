"""What ``--write-outline`` and ``--insert-headings`` write: the document again, with our titles."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docbats.atomic_write import write_bytes_atomically
from docbats.cli.files import complain
from docbats.errors import DocbatsError
from docbats.readers.paths import STDIN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from docbats.result import Result

__all__ = ["Writer", "file_writers", "write_along"]


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
    from docbats.render.insert_headings import insert_headings

    return insert_headings(result).encode("utf-8", "replace")
