"""The versions of everything that the bytes of a row depend on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from docbats._version import __version__

__all__ = ["computing_versions"]

_LIBRARIES = ("numpy", "scipy", "nupunkt", "PyStemmer", "rjieba", "fugashi", "unidic-lite")


def computing_versions() -> dict[str, str]:
    """Name docbats, Python and the libraries that docbats computes with.

    >>> list(computing_versions())[:3]
    ['docbats', 'python', 'numpy']
    """
    return {
        "docbats": __version__,
        "python": ".".join(platform.python_version_tuple()[:2]),
        **{library: _version(library) for library in _LIBRARIES},
    }


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:  # of an extra
        return "not installed"
