"""What a client sent, opened as a document: a worker process does it, since a file may be bad."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats.document import Document
from docbats.errors import MissingExtraError, ReadError
from docbats.readers.read_file import read_file
from docbats.serve.problems import Kind, Problem

if TYPE_CHECKING:
    from docbats.readers.file_text import FileText
    from docbats.readers.kinds import FileKind
    from docbats.settings import Settings

__all__ = ["Opened", "Source"]


@dataclass(frozen=True)
class Source:
    """A text, or the bytes of a file.

    Attributes
    ----------
    content
        What was sent.
    name
        What the client calls it; its ending may tell the kind of a file.
    kind
        The kind of file; None where that is to be found out, and for plain text.
    encoding
        How the characters of a file are written; None where that is to be found out.
    """

    content: str | bytes
    name: str = ""
    kind: FileKind | None = None
    encoding: str | None = None

    def open(self, settings: Settings) -> Opened:
        """Read it, or raise a problem that says why that cannot be done."""
        sentences, language = settings.sentences, settings.language
        if isinstance(self.content, str) and self.kind in {None, "text"}:
            return Opened(Document.from_text(self.content, sentences, language))
        read = self._read()
        guess = f"The file is not UTF-8 and was read as {read.encoding}."
        return Opened(read.document(sentences, language), (guess,) if read.is_guess else ())

    def _read(self) -> FileText:
        data, encoding = self.content, self.encoding
        if isinstance(data, str):
            data, encoding = data.encode(), "utf-8"
        try:
            return read_file(data, name=self.name or None, encoding=encoding, kind=self.kind)
        except ReadError as error:
            raise Problem(Kind.CANNOT_BE_READ, f"{error}.") from None
        except MissingExtraError as error:
            raise Problem(Kind.UNSUPPORTED_TYPE, f"{error}, where the service runs.") from None


@dataclass(frozen=True)
class Opened:
    """A document, and what there is to note about the way it was read."""

    document: Document
    notes: tuple[str, ...] = ()
