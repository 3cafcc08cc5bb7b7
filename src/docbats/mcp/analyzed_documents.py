"""The documents that an assistant asks about, with the last few results kept."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from docbats import pipeline
from docbats.errors import InputError, ReadError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from docbats.document import Document
    from docbats.mcp.allowed_folders import AllowedFolders
    from docbats.result import Result

__all__ = ["AnalyzedDocuments"]

_MAX_RESULTS = 4  # to keep; an assistant usually asks about one document, again and again


class AnalyzedDocuments:
    """Analyzes the file or text that a call names, once for all calls that follow each other."""

    def __init__(self, folders: AllowedFolders) -> None:
        self._folders = folders
        self._results: OrderedDict[Hashable, Result] = OrderedDict()
        self._lock = Lock()  # calls come on threads; one analysis at a time is enough for one user

    def analyze(
        self,
        path: str | None,
        text: str | None,
        lines: bool,
        k: int | Literal["auto"] = "auto",
        granularity: str = "medium",
    ) -> Result:
        """Return the result of a file or of a text."""
        if (path is None) == (text is None):
            msg = "pass either path, a file, or text, the text itself"
            raise InputError(msg)
        with self._lock:
            key = (self._identity(path, text), lines, k, granularity)
            if key not in self._results:
                sentences: Literal["auto", "lines"] = "lines" if lines else "auto"
                source = self._source(path, text, sentences)
                self._results[key] = pipeline.analyze(
                    source, k, sentences=sentences, granularity=granularity
                )
            self._results.move_to_end(key)
            while len(self._results) > _MAX_RESULTS:
                self._results.popitem(last=False)
            return self._results[key]

    def _identity(self, path: str | None, text: str | None) -> Hashable:
        """Return what tells a document from all others, and from itself once it is changed."""
        if path is not None:
            found = self._folders.find(path)
            try:
                known: Any = found.stat()
            except OSError as error:
                msg = f"{path}: cannot be read: {error.strerror or error}"
                raise ReadError(msg) from None
            return str(found), known.st_mtime_ns, known.st_size
        return hashlib.sha256((text or "").encode("utf-8", "surrogatepass")).digest()

    def _source(
        self, path: str | None, text: str | None, sentences: Literal["auto", "lines"]
    ) -> str | Document:
        if path is not None:
            return self._folders.read(path).source(sentences)
        given = text or ""
        size = len(given.encode("utf-8", "replace"))
        most = self._folders.max_bytes
        if size > most:
            msg = f"the text has {size:,} bytes, but at most {most:,} are allowed"
            raise InputError(msg)
        return given
