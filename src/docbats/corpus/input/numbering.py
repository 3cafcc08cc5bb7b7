"""Number documents in the order of the input, and find ids that come twice."""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING

from docbats.corpus.errors import CorpusError, Failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats.corpus.input.input_document import InputDocument

__all__ = ["SeenIds", "number_documents"]

_CACHE_SIZE = "-16000"  # kilobytes, as SQLite writes it; with more, it looks less at the disk


def number_documents(
    documents: Iterable[InputDocument], seen: SeenIds | None = None
) -> Iterator[InputDocument]:
    """Yield documents with their places, from 0; a second one with the same id fails."""
    for place, document in enumerate(documents):
        failure = document.failure
        if failure is None and seen is not None and not seen.add(document.id):
            failure = Failure(
                "duplicate-id",
                f"an earlier document has the id {document.id!r}, too: give it another, or name "
                "another column by --id-column",
            )
        yield replace(document, place=place, failure=failure)


class SeenIds:
    """A set of ids on disk, so that a large input needs no large memory.

    It is a table without a name, which the system removes with the process, however that ends.

    Examples
    --------
    >>> seen = SeenIds()
    >>> [seen.add(name) for name in ("a", "b", "a")]
    [True, True, False]
    """

    def __init__(self) -> None:
        self._table = sqlite3.connect("", isolation_level=None)
        for pragma in (f"cache_size={_CACHE_SIZE}", "journal_mode=OFF", "synchronous=OFF"):
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
        """Remove the table."""
        self._table.close()
