"""The bytes behind a path, or behind ``-`` for standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from docbats.errors import ReadError

__all__ = ["STDIN", "read_bytes", "shown_name"]

STDIN = "-"


def shown_name(path: str) -> str:
    """Return what messages call a file, or standard input where `path` is ``-``."""
    return "standard input" if path == STDIN else path


def read_bytes(path: str, max_bytes: int | None = None) -> bytes:
    """Return the bytes of a file, or of standard input where `path` is ``-``; the first if many."""
    if path == STDIN and sys.stdin is None:
        msg = f"{shown_name(path)}: closed: name a file, or pipe a text in"
        raise ReadError(msg)
    size = -1 if max_bytes is None else max_bytes
    try:
        if path == STDIN:
            return sys.stdin.buffer.read(size)
        with Path(path).open("rb") as file:
            return file.read(size)
    except FileNotFoundError:
        msg = f"{path}: no such file"
    except IsADirectoryError:
        msg = f"{path}: a folder, not a file: name the files in it, e.g. {path.rstrip('/')}/*.txt"
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        msg = f"{shown_name(path)}: cannot be read: {reason}"
    raise ReadError(msg)
