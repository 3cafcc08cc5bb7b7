"""What a client sent, opened as a document.

A worker process opens it, since a bad file may hang or crash its reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats.document import Document
from docbats.errors import MissingExtraError, ReadError
from docbats.readers.read_file import read_file
from docbats.serve.problems import Kind, Problem
from docbats.stage_progress import tell_stage

if TYPE_CHECKING:
    from docbats.readers.file_text import FileText
    from docbats.readers.kinds import FileKind
    from docbats.settings import Settings

__all__ = ["OpenedUpload", "Upload"]


@dataclass(frozen=True)
class Upload:
    """A text, or the bytes of a file.

    Attributes
    ----------
    content
        What was sent.
    name
        What the client calls it; the suffix of a file's name may decide its kind.
    kind
        The kind of file; None to detect it, and for plain text.
    encoding
        The character encoding of a file; None to detect it.
    """

    content: str | bytes
    name: str = ""
    kind: FileKind | None = None
    encoding: str | None = None

    def open(self, settings: Settings, max_characters: int = 5_000_000) -> OpenedUpload:
        """Return it as a document; raise a problem where it cannot be read or is too long."""
        sentences, language = settings.sentences, settings.language
        if isinstance(self.content, str) and self.kind in {None, "text"}:
            return OpenedUpload(Document.from_text(self.content, sentences, language))
        read = self._read()
        if len(read.text) > max_characters:
            msg = (
                f"The file holds {len(read.text):,} characters of text, but at most "
                f"{max_characters:,} are allowed: send it in parts, or start docbats serve with a "
                "larger --max-bytes."
            )
            raise Problem(Kind.TOO_LARGE, msg)
        notes = (f"The file is {read.note}.",) if read.note else ()
        return OpenedUpload(read.document(sentences, language), notes)

    def _read(self) -> FileText:
        data, encoding = self.content, self.encoding
        if isinstance(data, str):
            data, encoding = data.encode(), "utf-8"
        try:
            return read_file(
                data, name=self.name or None, encoding=encoding, kind=self.kind, on_page=_tell_page
            )
        except ReadError as error:
            raise Problem(Kind.CANNOT_BE_READ, f"{error}.") from None
        except MissingExtraError as error:
            raise Problem(Kind.UNSUPPORTED_TYPE, f"{error}, where the service runs.") from None


def _tell_page(done: int, pages: int) -> None:
    tell_stage(f"Reading page {done:,} of {pages:,}", done / pages)


@dataclass(frozen=True)
class OpenedUpload:
    """A document, and notes on how it was read."""

    document: Document
    notes: tuple[str, ...] = ()
