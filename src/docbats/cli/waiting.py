"""What is being done, on standard error, for whoever waits at a terminal for more than a second."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from docbats.cli.terminal import is_terminal
from docbats.render.one_line import visible
from docbats.stage_progress import StageProgress, listen_to_stages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.status import Status
    from rich.text import Text

__all__ = ["shown_while_waiting"]

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
