"""What the commands on files share: reading them one by one, and writing the output."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

import click

from docbats.atomic_write import write_atomically
from docbats.errors import DocbatsError, MissingExtraError
from docbats.pipeline import BATS
from docbats.readers.decoding import STDIN, shown_name
from docbats.readers.read_file import read_file
from docbats.render.one_line import visible
from docbats.runtime import StageProgress, listen_to_stages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.status import Status

    from docbats.readers.content import FileText
    from docbats.result import Result
    from docbats.settings import Settings

_PATIENCE = 1.0  # seconds before progress is shown; a smaller value flickers on short files


def work_on_files(
    ctx: click.Context,
    files: Sequence[str],
    work: Callable[[FileText], Any],
    render: Callable[[Iterator[tuple[str, Any]]], Iterable[str | bytes]],
    *,
    encoding: str | None,
    output: str | None,
    kind: str | None,
    inputs: Sequence[str] = (),
) -> None:
    """Work on each file, render the results and write them; then exit with the right code.

    A file for which `work` raises a DocbatsError is reported and skipped. `inputs` are further
    files that are read, and so must not be overwritten.
    """
    sources = {os.path.realpath(file) for file in [*files, *inputs] if file != STDIN}
    if output is not None and os.path.realpath(output) in sources:
        msg = f"-o {output} would overwrite an input: name another file"
        raise click.UsageError(msg, ctx)
    has_failed = False

    def results() -> Iterator[tuple[str, Any]]:
        nonlocal has_failed
        for file in files:
            name = shown_name(file)
            read = None
            try:
                with shown_while_waiting(name) as on_page:
                    read = read_file(file, encoding=encoding, kind=kind, on_page=on_page)
                    result = work(read)
                _tell_notes(name, read)
            except DocbatsError as error:
                has_failed = True
                message = str(error)
                if isinstance(error, MissingExtraError) and read is not None:
                    complain(message)
                    return  # the settings need it, so the other files would fail as well
                complain(message if message.startswith(f"{name}: ") else f"{name}: {message}")
            else:
                yield name, result

    try:
        _write(render(results()), output)
    except BrokenPipeError:
        raise  # the reader of the pipe has left, and click ends quietly
    except OSError as error:
        complain(f"{output or 'standard output'}: cannot be written: {error.strerror or error}")
        if output is None:
            _drop_what_is_left()
        ctx.exit(1)
    ctx.exit(1 if has_failed else 0)


def _drop_what_is_left() -> None:
    """Let Python write what is still buffered nowhere, or it fails once more when it ends."""
    with suppress(OSError, ValueError):  # if the standard output is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell_notes(name: str, read: FileText) -> None:
    for remark in read.remarks:
        complain(f"{name}: {remark}")
    if read.encoding_note:
        complain(f"{name}: {read.encoding_note}; --encoding names another")


def analyze_with(
    settings: Settings, boundaries: Sequence[int] | None = None
) -> Callable[[FileText], Result]:
    """Return a function that analyzes a file, with `boundaries` into these segments."""
    bats = BATS(settings)
    return lambda read: bats(
        read.document(settings.sentences, settings.language), boundaries=boundaries
    ).describe()


def complain(message: object) -> None:
    """Write to standard error what went wrong."""
    click.echo(f"docbats: {visible(str(message))}", err=True)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal; it is None if the shell has closed it."""
    return stream is not None and stream.isatty()


@contextmanager
def shown_while_waiting(name: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show progress on a terminal; yield a function to call after each page that is read."""
    if not is_terminal(sys.stderr):
        yield None
        return
    waiting = _Waiting(name)
    try:
        with listen_to_stages(waiting.tell):
            yield waiting.tell_page
    finally:
        waiting.end()


class _Waiting:
    """A line with a spinner, which appears after a second."""

    def __init__(self, name: str) -> None:
        self._name = visible(name)
        self._text = f"Reading {self._name}"
        self._status: Status | None = None
        self._lock = threading.Lock()
        self._is_over = False
        self._timer = threading.Timer(_PATIENCE, self._show)
        self._timer.daemon = True
        self._timer.start()

    def tell_page(self, done: int, pages: int) -> None:
        self._say(f"Reading {self._name} (page {done:,} of {pages:,})")

    def tell(self, progress: StageProgress) -> None:
        share = "" if progress.share is None else f" ({progress.share:.0%})"
        self._say(f"Analyzing {self._name}: {progress.stage.lower()}{share}")

    def end(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._is_over = True
            if self._status is not None:
                self._status.stop()

    def _say(self, text: str) -> None:
        from rich.text import Text

        with self._lock:
            self._text = text
            if self._status is not None:
                self._status.update(Text(text))

    def _show(self) -> None:
        from rich.console import Console
        from rich.text import Text

        with self._lock:
            if not self._is_over:
                self._status = Console(stderr=True).status(Text(self._text))
                self._status.start()


class _NothingToWriteError(Exception):
    """All files failed, so the target stays as it is."""


def _write(pieces: Iterable[str | bytes], output: str | None) -> None:
    """Write to standard output piece by piece, or to a file that appears when it is complete."""
    encoded = (
        piece if isinstance(piece, bytes) else piece.encode("utf-8", "backslashreplace")
        for piece in pieces
    )
    if output is None:
        for piece in encoded:
            click.echo(piece, nl=False)
        return
    target = Path(output)
    if target.exists() and not target.is_file():  # a pipe or a device, which must stay one
        with target.open("wb") as file:
            file.writelines(encoded)
        return

    def write(file: BinaryIO) -> None:
        file.writelines(encoded)
        if not file.tell():
            raise _NothingToWriteError

    with suppress(_NothingToWriteError):
        write_atomically({target: write})
