"""What surrounds an analysis: one BLAS thread, versions, and how far it is."""

from __future__ import annotations

import platform
import threading
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from docbats._version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_lock = threading.Lock()
_users = 0
_controller: Any = None
_limiter: Any = None


@contextmanager
def single_blas_thread() -> Iterator[None]:
    """Hold the BLAS libraries of this process to one thread.

    Sums split over threads round differently. The limit is a property of the process, so the first
    of several analyses at a time sets it and the last one lifts it.
    """
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _users, _controller, _limiter  # noqa: PLW0603  (the limit itself is global)
    with _lock:
        if _users == 0:
            if _controller is None:
                import scipy.linalg  # noqa: F401  (the controller only sees what is loaded)
                from threadpoolctl import ThreadpoolController

                _controller = ThreadpoolController()
            _limiter = _controller.limit(limits=1, user_api="blas")
        _users += 1


def _leave() -> None:
    global _users  # noqa: PLW0603
    with _lock:
        _users -= 1
        if _users == 0:
            _limiter.restore_original_limits()


_LIBRARIES = ("numpy", "scipy", "nupunkt", "PyStemmer")
_LIBRARIES_OF_LANGUAGES = ("rjieba", "fugashi", "unidic-lite")


def installed_version(library: str) -> str | None:
    """Return the version of a library; None if it is not installed."""
    try:
        return __version__ if library == "docbats" else version(library)
    except PackageNotFoundError:
        return None


def find_versions(*libraries: str) -> dict[str, str]:
    """Return the version of Python and of each library that is installed.

    >>> list(find_versions("docbats", "no-such-library", "numpy"))
    ['python', 'docbats', 'numpy']
    """
    found = {library: installed_version(library) for library in libraries}
    installed = {library: number for library, number in found.items() if number is not None}
    return {"python": platform.python_version(), **installed}


@cache
def _result_versions() -> dict[str, str]:
    found = find_versions("docbats", *_LIBRARIES)
    del found["python"]
    return found


def result_versions() -> dict[str, str]:
    """Return the versions that a result names: docbats and the libraries that it computes with.

    >>> list(result_versions())
    ['docbats', 'numpy', 'scipy', 'nupunkt', 'PyStemmer']
    """
    return dict(_result_versions())


def row_versions() -> dict[str, str]:
    """Return the versions of everything that the bytes of a row of a corpus depend on.

    >>> list(row_versions())[:3]
    ['docbats', 'python', 'numpy']
    """
    libraries = (*_LIBRARIES, *_LIBRARIES_OF_LANGUAGES)
    return {
        "docbats": __version__,
        "python": ".".join(platform.python_version_tuple()[:2]),
        **{library: installed_version(library) or "not installed" for library in libraries},
    }


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
