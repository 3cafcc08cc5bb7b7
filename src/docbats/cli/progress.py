"""The progress and the summary that ``docbats corpus`` shows."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from docbats.cli.terminal import is_terminal
from docbats.render.one_line import excerpt, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from docbats.corpus import Progress, Summary

__all__ = ["say_summary", "shown_progress"]

_LINE_SECONDS = 30.0  # between two lines of progress where there is no terminal


@contextmanager
def shown_progress(quiet: bool) -> Iterator[Callable[[Progress], object]]:
    """Show the progress: as a bar on a terminal, elsewhere as a line from time to time."""
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
    """Write on standard error what was done, and what failed."""
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
    """Return the message with the name of the document, which it may begin with already."""
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
