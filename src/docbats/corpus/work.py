"""What is done with one document, wherever the engine does it."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docbats.corpus.engine import Answer
from docbats.corpus.errors import Failure, too_large
from docbats.corpus.packed import unpacked_name
from docbats.corpus.rows import failed_row, row_of
from docbats.errors import DocbatsError, MissingExtraError, ReadError
from docbats.pipeline import BATS

if TYPE_CHECKING:
    from docbats.corpus.formats import Format
    from docbats.corpus.record import Record
    from docbats.pipeline import Source
    from docbats.settings import Settings

__all__ = ["Analyse"]


@dataclass(frozen=True)
class Analyse:
    """From a document to its row.

    Attributes
    ----------
    settings
        Of the analysis.
    format
        Of the output.
    top_words
        How many words a topic and a segment show.
    with_text
        Whether segments come with their text.
    reports
        Whether each document gets a page of its own.
    encoding
        Of files that are text; by default it is found out.
    longest
        The most characters that a document may have.
    """

    settings: Settings
    format: Format
    top_words: int = 10
    with_text: bool = True
    reports: bool = False
    encoding: str | None = None
    longest: int = 10_000_000

    def __call__(self, record: Record) -> Answer:
        """Analyse a document; MissingExtraError where no other would fare better."""
        try:
            return self._answer(record)
        except MissingExtraError:
            raise
        except ReadError as error:
            return self.failed(record, Failure("bad-bytes", str(error)))
        except DocbatsError as error:
            return self.failed(record, Failure("cannot-be-analysed", str(error)))
        except Exception as error:
            return self.failed(record, Failure("unexpected", _told(error)))

    def failed(self, record: Record, failure: Failure) -> Answer:
        """Make a row of a failure."""
        return Answer(self.format.encode(failed_row(record, failure)), failure)

    def _answer(self, record: Record) -> Answer:
        read = self._read(record)
        if read.size > self.longest:
            return self.failed(record, too_large(f"{read.size:,} characters", self.longest))
        result = BATS(self.settings)(read.source)
        row = row_of(
            record, result, top_words=self.top_words, with_text=self.with_text, note=read.note
        )
        page = None
        if self.reports:
            page = result.to_html(name=record.id).encode("utf-8", "backslashreplace")
        return Answer(self.format.encode(row), page=page)

    def _read(self, record: Record) -> _Read:
        """Find out what a document says."""
        if record.content is None:
            msg = f"{record.id!r} has no text"
            raise TypeError(msg)
        if not isinstance(record.content, bytes):
            return _Read(record.content, record.size)
        from docbats.readers.read_file import read_file

        name = unpacked_name(record.source)
        found = read_file(record.content, name=name, encoding=self.encoding)
        source: Source = found.text  # plain text goes as it is: the analysis finds its sentences
        if found.places is not None:
            source = found.document(self.settings.sentences, self.settings.language)
        note = f"Not UTF-8: read as {found.encoding}." if found.is_guess else None
        return _Read(source, len(found.text), note)


@dataclass(frozen=True)
class _Read:
    """What a document says, how many characters that is, and what is to be said about it."""

    source: Source
    size: int
    note: str | None = None


def _told(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}"
    return f"{type(error).__name__} at {place}: {error}"
