"""What surrounds an analysis: limits, one BLAS thread, versions, progress, what is found later.

The limits grow with the input, so that a small file cannot take hours or gigabytes. They are
generous: documents that people wrote stay far below them. Each can be raised by an environment
variable, which worker processes inherit. The service and ``docbats mcp`` have stricter ones.
"""

from __future__ import annotations

import os
import platform
import threading
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Self

from docbats.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__version__ = "0.1.0"
"""The one place that states the version."""


@dataclass(frozen=True)
class Limit:
    """A limit.

    Attributes
    ----------
    name
        What is limited; the environment variable is ``DOCBATS_MAX_`` and this.
    default
        The limit if the variable is not set.
    reason
        What more would cost.
    """

    name: str
    default: int
    reason: str

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"DOCBATS_MAX_{self.name}"

    @property
    def value(self) -> int:
        """The current limit; SettingsError if the variable is not a whole number."""
        given = os.environ.get(self.variable)
        if given is None:
            return self.default
        if not (given.isascii() and given.isdecimal() and len(given) <= 18 and int(given) > 0):
            msg = f"{self.variable} must be a whole number, at least 1, got {given[:40]!r}"
            raise SettingsError(msg)
        return int(given)

    @property
    def advice(self) -> str:
        """How to raise it, for the end of a message."""
        return f"set the environment variable {self.variable} above {self.value:,} to allow it"


FILE_BYTES = Limit("FILE_BYTES", 1 << 30, "A file is held in memory as a whole.")
UNPACKED_BYTES = Limit(
    "UNPACKED_BYTES", 256 << 20, "What an archive unpacks to is held in memory as a whole."
)
UNPACKED_RATIO = Limit(
    "UNPACKED_RATIO", 100, "A small archive can unpack to a thousand times as many bytes."
)
TOPICS = Limit("TOPICS", 1000, "Time grows with the cube of the number of topics.")
VECTOR_CELLS = Limit(
    "VECTOR_CELLS",
    200_000_000,
    "Singular vectors have as many numbers, of 8 bytes each, as sentences and words times k.",
)
BONDED_CELLS = Limit(
    "BONDED_CELLS",
    30_000_000,
    "Bonding takes about 40 bytes for each sentence of the window of each sentence.",
)

_STRICT = {
    "UNPACKED_BYTES": 64 << 20,
    "UNPACKED_RATIO": 50,
    "TOPICS": 300,
    "VECTOR_CELLS": 50_000_000,
    "BONDED_CELLS": 10_000_000,
}


def use_strict_limits() -> None:
    """Lower the limits for this process and its children, unless the environment sets them.

    For the service and assistants, which analyze what others send.
    """
    for limit in LIMITS:
        if limit.name in _STRICT:
            os.environ.setdefault(limit.variable, str(_STRICT[limit.name]))


LIMITS = (FILE_BYTES, UNPACKED_BYTES, UNPACKED_RATIO, TOPICS, VECTOR_CELLS, BONDED_CELLS)
"""All limits, for the docs."""


_lock = threading.Lock()
_users = 0
_controller: Any = None
_limiter: Any = None


@contextmanager
def single_blas_thread() -> Iterator[None]:
    """Limit the BLAS libraries of this process to one thread.

    Sums split over threads round differently. The limit applies to the whole process, so the first
    of several concurrent analyses sets it and the last one lifts it.
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
    """Return the versions in a result: docbats and the libraries that it computes with.

    >>> list(result_versions())
    ['docbats', 'numpy', 'scipy', 'nupunkt', 'PyStemmer']
    """
    return dict(_result_versions())


def row_versions() -> dict[str, str]:
    """Return the versions of everything that the rows of a corpus depend on.

    >>> list(row_versions())[:3]
    ['docbats', 'python', 'numpy']
    """
    libraries = (*_LIBRARIES, *_LIBRARIES_OF_LANGUAGES, "pypandoc_binary")
    return {
        "docbats": __version__,
        "python": ".".join(platform.python_version_tuple()[:2]),
        **{library: installed_version(library) or "not installed" for library in libraries},
    }


# What follows each stage of the pipeline, and roughly how much of the time has passed by then.
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
    """What is being done, and how much of it is done; None if that is not known."""

    stage: str
    share: float | None


_listener: ContextVar[Callable[[StageProgress], object] | None] = ContextVar(
    "listener", default=None
)


@contextmanager
def listen_to_stages(listener: Callable[[StageProgress], object]) -> Iterator[None]:
    """Call a function whenever an analysis in this context begins another stage."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def stage_done(stage: str) -> None:
    """Report the stage that follows this one."""
    if stage in _AFTER:
        tell_stage(*_AFTER[stage])


def tell_stage(stage: str, share: float | None = None) -> None:
    """Report the current stage to the listener, if any."""
    listener = _listener.get()
    if listener is not None:
        listener(StageProgress(stage, share))


class DescribedLater:
    """A frozen dataclass whose last attributes are found when one of them is first read.

    It cannot be told from one that had them all along: it is equal, hashed, copied and pickled by
    their values. An attribute that may come later has no default in its class, but a factory.
    """

    @classmethod
    def later(cls, describe: Callable[[], Mapping[str, Any]], **known: Any) -> Self:
        """Return a part of which some attributes are known, and `describe` finds all others."""
        part = object.__new__(cls)
        part.__dict__.update(known, _describe=describe)
        return part

    def __getattr__(self, name: str) -> Any:
        """Find the attributes that are missing."""
        values = self.__dict__
        describe = values.get("_describe")
        if describe is not None and name in type(self).__dataclass_fields__:  # type: ignore[attr-defined]
            values.update(describe())
            values.pop("_describe", None)
        if name in values:  # also if another thread was faster
            return values[name]
        msg = f"{type(self).__name__!r} object has no attribute {name!r}"
        raise AttributeError(msg, name=name, obj=self)

    def find_all(self) -> None:
        """Find the attributes that have not been read yet."""
        for name in type(self).__dataclass_fields__:  # type: ignore[attr-defined]
            getattr(self, name)

    def __getstate__(self) -> dict[str, Any]:
        """Return all attributes, to be copied."""
        self.find_all()
        return self.__dict__
