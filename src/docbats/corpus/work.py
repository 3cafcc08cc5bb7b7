"""What is done with one document, wherever the engine does it."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docbats.corpus.engine import Answer
from docbats.corpus.errors import Failure
from docbats.corpus.rows import failed_row, row_of
from docbats.errors import DocbatsError, MissingExtraError
from docbats.pipeline import BATS

if TYPE_CHECKING:
    from docbats.corpus.formats import Format
    from docbats.corpus.record import Record
    from docbats.result import Result
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
    """

    settings: Settings
    format: Format
    top_words: int = 10
    with_text: bool = True
    reports: bool = False

    def __call__(self, record: Record) -> Answer:
        """Analyse a document; MissingExtraError where no other would fare better."""
        try:
            result = self._result(record)
            row = row_of(record, result, top_words=self.top_words, with_text=self.with_text)
            page = result.to_html(name=record.id) if self.reports else None
            answer = Answer(
                self.format.encode(row),
                page=None if page is None else page.encode("utf-8", "backslashreplace"),
            )
        except MissingExtraError:
            raise
        except DocbatsError as error:
            return self.failed(record, Failure("cannot-be-analysed", str(error)))
        except Exception as error:
            return self.failed(record, Failure("unexpected", _told(error)))
        return answer

    def failed(self, record: Record, failure: Failure) -> Answer:
        """Make a row of a failure."""
        return Answer(self.format.encode(failed_row(record, failure)), failure)

    def _result(self, record: Record) -> Result:
        if record.text is None:
            msg = f"{record.id!r} has no text"
            raise TypeError(msg)
        return BATS(self.settings)(record.text)


def _told(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}"
    return f"{type(error).__name__} at {place}: {error}"
