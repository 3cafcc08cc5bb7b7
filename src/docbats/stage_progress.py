"""How far an analysis is: for whoever waits for it."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["StageProgress", "listen_to_stages", "stage_done", "tell_stage"]

# What follows each stage of the pipeline, and about which share of the time is behind it then.
_AFTER = {
    "start": ("Finding sentences", 0.0),
    "sentences": ("Finding words", 0.1),
    "counts": ("Comparing sentences", 0.25),
    "cost": ("Choosing the number of segments", 0.35),
    "k": ("Finding topics and segments", 0.4),
    "topics": ("Finding phrases", 0.7),
    "phrases": ("Writing titles and summaries", 0.85),
}


@dataclass(frozen=True)
class StageProgress:
    """What is being done, and which share of that is done; None if it is not known."""

    stage: str
    share: float | None


_listener: ContextVar[Callable[[StageProgress], object] | None] = ContextVar(
    "listener", default=None
)


@contextmanager
def listen_to_stages(listener: Callable[[StageProgress], object]) -> Iterator[None]:
    """Call a function whenever an analysis within this context begins another stage."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def stage_done(stage: str) -> None:
    """Report the stage that follows a stage of the pipeline."""
    if stage in _AFTER:
        tell_stage(*_AFTER[stage])


def tell_stage(stage: str, share: float | None = None) -> None:
    """Report the current stage to the listener, if any."""
    listener = _listener.get()
    if listener is not None:
        listener(StageProgress(stage, share))
