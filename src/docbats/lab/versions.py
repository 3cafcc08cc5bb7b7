"""The versions of what a result was made with."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

__all__ = ["find_versions"]


def find_versions(*libraries: str) -> dict[str, str]:
    """Name the version of Python and of each library that is installed."""
    found = {"python": platform.python_version()}
    for library in libraries:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found
