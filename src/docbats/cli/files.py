"""What the commands on files share: reading them one by one, and writing the output."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager, suppress
from functools import partial
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
    from rich.text import Text

    from docbats.readers.content import FileText
    from docbats.result import Result
    from docbats.settings import Settings

    Results = Iterator[tuple[str, Result]]


def is_terminal(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal; it is None where the shell closed it."""
    return stream is not None and stream.isatty()


_PATIENCE = 1.0  # seconds after which something is shown; what is done sooner needs no words


@contextmanager
def shown_while_waiting(name: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show on a terminal what is done with a file; give what to call for each page that is read."""
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
    """A line with a spinner that appears once there has been nothing for a second."""

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
        with self._lock:
            self._text = text
            if self._status is not None:
                self._status.update(_plain(text))

    def _show(self) -> None:
        from rich.console import Console

        with self._lock:
            if not self._is_over:
                self._status = Console(stderr=True).status(_plain(self._text))
                self._status.start()


def _plain(text: str) -> Text:
    from rich.text import Text

    return Text(text)


def work_on_files(
    ctx: click.Context,
    files: Sequence[str],
    settings: Settings | None,
    render: Callable[[Results], Iterable[str | bytes]],
    *,
    encoding: str | None,
    output: str | None,
    inputs: Sequence[str] = (),
    kind: str | None = None,
    accept: Callable[[Result], object] | None = None,
    boundaries: Sequence[int] | None = None,
    work: Callable[[FileText], Any] | None = None,
) -> None:
    """Analyze the files, render the results and write that; then exit with the right code.

    `inputs` are further files that are read, and so must not be overwritten. `accept` raises a
    DocbatsError for a result that cannot be shown as asked. `boundaries` are segments of the user's
    own. With `work`, results are what it returns for a file instead of an analysis.
    """
    if output is not None and any(_same_file(output, file) for file in [*files, *inputs]):
        msg = f"-o {output} would overwrite an input: name another file"
        raise click.UsageError(msg, ctx)
    failures: list[str] = []
    try:
        results = _results(
            files,
            settings,
            failures,
            encoding=encoding,
            kind=kind,
            accept=accept,
            boundaries=boundaries,
            work=work,
        )
        _write(render(results), output)
    except BrokenPipeError:
        raise  # the reader of the pipe has left, and click ends quietly
    except OSError as error:
        complain(f"{output or 'standard output'}: cannot be written: {error.strerror or error}")
        ctx.exit(1)
    ctx.exit(1 if failures else 0)


def complain(message: object) -> None:
    """Write on standard error what went wrong."""
    click.echo(f"docbats: {visible(str(message))}", err=True)


def _results(
    files: Sequence[str],
    settings: Settings | None,
    failures: list[str],
    *,
    encoding: str | None,
    kind: str | None,
    accept: Callable[[Result], object] | None,
    boundaries: Sequence[int] | None,
    work: Callable[[FileText], Any] | None,
) -> Results:
    """Analyze file after file; one that cannot be analyzed is reported and skipped."""
    bats = BATS(settings)

    def analyze(read: FileText) -> Result:
        source = read.document(bats.settings.sentences, bats.settings.language)
        return bats(source, boundaries=boundaries)

    for file in files:
        name = shown_name(file)
        read = None
        try:
            with shown_while_waiting(name) as on_page:
                read = read_file(file, encoding=encoding, kind=kind, on_page=on_page)
                result = (work or analyze)(read)
            if accept is not None:
                accept(result)
            if read.note:
                complain(f"{name}: {read.note}; --encoding names another")
        except DocbatsError as error:
            failures.append(file)
            message = str(error)
            if isinstance(error, MissingExtraError) and read is not None:
                complain(message)
                return  # what the settings ask for is missing, for the other files as well
            complain(message if message.startswith(f"{name}: ") else f"{name}: {message}")
        else:
            yield name, result


def _write(pieces: Iterable[str | bytes], output: str | None) -> None:
    """Write to standard output as the pieces come, or to a file that appears when all is done."""
    if output is None:
        for piece in pieces:
            click.echo(_encode(piece), nl=False)
        return
    target = Path(output)
    if target.exists() and not target.is_file():  # a pipe or a device, which must stay one
        with target.open("wb") as file:
            _write_all(pieces, file)
        return
    with suppress(_NothingToWriteError):
        write_atomically({target: partial(_write_some, pieces)})


class _NothingToWriteError(Exception):
    """All files failed: what the target holds stays."""


def _write_some(pieces: Iterable[str | bytes], file: BinaryIO) -> None:
    _write_all(pieces, file)
    if not file.tell():
        raise _NothingToWriteError


def _write_all(pieces: Iterable[str | bytes], file: BinaryIO) -> None:
    file.writelines(map(_encode, pieces))


def _encode(piece: str | bytes) -> bytes:
    return piece if isinstance(piece, bytes) else piece.encode("utf-8", "backslashreplace")


def _same_file(output: str, file: str) -> bool:
    return file != STDIN and os.path.realpath(output) == os.path.realpath(file)
