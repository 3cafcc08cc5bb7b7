"""The versions of docbats, Python and the libraries that a result was made with."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from docbats._version import __version__

__all__ = ["find_versions", "installed_version", "result_versions", "row_versions"]

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
