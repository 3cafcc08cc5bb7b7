"""Which ids were seen, on disk, so that a large input needs no large memory."""

from __future__ import annotations

import hashlib
import sqlite3

from docbats.corpus.errors import CorpusError

__all__ = ["SeenIds"]

_CACHE = "-16000"  # kilobytes, as SQLite writes it


class SeenIds:
    """A set of ids that takes little memory.

    It is a table without a name, which the system removes with the process, however that ends.

    Examples
    --------
    >>> seen = SeenIds()
    >>> [seen.add(name) for name in ("a", "b", "a")]
    [True, True, False]
    """

    def __init__(self) -> None:
        self._table = sqlite3.connect("", isolation_level=None)
        for pragma in (f"cache_size={_CACHE}", "journal_mode=OFF", "synchronous=OFF"):
            self._table.execute(f"PRAGMA {pragma}")
        self._table.execute("CREATE TABLE ids (id BLOB PRIMARY KEY) WITHOUT ROWID")

    def add(self, name: str) -> bool:
        """Add an id; False if it was there already."""
        key = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        try:
            added = self._table.execute("INSERT OR IGNORE INTO ids VALUES (?)", (key,))
        except sqlite3.OperationalError as error:
            msg = f"the table of ids in the temporary folder: {error}: make room there and resume"
            raise CorpusError(msg) from None
        return added.rowcount == 1

    def close(self) -> None:
        """Let go of the table."""
        self._table.close()
