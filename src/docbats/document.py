"""A text with the spans of its sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from docbats.errors import EmptyDocumentError, InputError, SettingsError
from docbats.text.detect import DetectedLanguage, detect_language
from docbats.text.languages import LANGUAGES, load_language
from docbats.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from docbats.readers.places import Place, Places

__all__ = ["Document"]

_LINE = re.compile(r"\S(?:[^\n\r\v\f\x85\u2028\u2029]*\S)?")


@dataclass(frozen=True, eq=False)
class Document:
    """A text and the half-open character spans of its sentences, in order.

    Make one with :meth:`from_text`, :meth:`from_sentences` or :meth:`read`, or give spans of your
    own. One that was read from a file knows the `places` of its text there; where the text holds
    more than language, as Markdown does, `prose` is the text with all else blanked; and where
    somebody looked, `detected` is its language.

    Examples
    --------
    >>> document = Document.from_text("Bats fly at night. They hear the walls.")
    >>> list(document.sentences)
    ['Bats fly at night.', 'They hear the walls.']
    """

    text: str
    spans: NDArray[np.int64]
    places: Places | None = field(default=None, repr=False)
    prose: str | None = field(default=None, repr=False)
    detected: DetectedLanguage | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            msg = f"{type(self.text).__name__} is no kind of text: give a string"
            raise InputError(msg)
        spans = _pairs(self.spans)
        edges = spans.ravel()
        if len(edges) and (
            edges[0] < 0 or edges[-1] > len(self.text) or (np.diff(edges) < 0).any()
        ):
            msg = (
                "the sentence spans overlap, run backwards or leave the text: give half-open "
                f"(start, end) pairs in order, within 0 and {len(self.text)}"
            )
            raise InputError(msg)
        if not self.text.strip() or not len(spans):
            msg = "the document is empty: give a text with at least one sentence"
            raise EmptyDocumentError(msg)
        spans.flags.writeable = False
        object.__setattr__(self, "spans", spans)

    @classmethod
    def from_text(
        cls, text: str, sentences: Literal["auto", "lines"] = "auto", language: str = "auto"
    ) -> Document:
        """Split `text` into sentences: by punctuation, or one on each line that is not blank.

        Punctuation is that of the language, by its code, or of the one that is found.
        """
        if not isinstance(text, str):
            msg = f"{type(text).__name__} is no kind of text: give a string"
            raise InputError(msg)
        if sentences not in {"auto", "lines"}:
            msg = f"sentences={sentences!r} makes no sense: give auto or lines"
            raise SettingsError(msg)
        detected = _detect(text, language)
        if sentences == "lines":
            spans = [match.span() for match in _LINE.finditer(text)]
        else:
            spans = split_sentences(text, load_language(detected.code))
        return cls(text, np.array(spans, dtype=np.int64), detected=detected)

    @classmethod
    def from_sentences(cls, sentences: Sequence[str]) -> Document:
        """Join ready sentences by newlines; each item stays one sentence, even a blank one."""
        for position, sentence in enumerate(sentences):
            if not isinstance(sentence, str):
                msg = (
                    f"sentence {position} is a {type(sentence).__name__}: give strings only (many "
                    "documents go through BATS.many)"
                )
                raise InputError(msg)
        lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        ends = np.cumsum(lengths + 1) - 1
        return cls("\n".join(sentences), np.column_stack([ends - lengths, ends]))

    @classmethod
    def read(
        cls,
        source: str | PathLike[str] | bytes,
        *,
        name: str | None = None,
        encoding: str | None = None,
        kind: str | None = None,
        sentences: Literal["auto", "lines"] = "auto",
        language: str = "auto",
    ) -> Document:
        """Read a file of any kind that docbats knows; ``docs/files.md`` tells which.

        Parameters
        ----------
        source
            A path, ``-`` for standard input, or the content itself as bytes.
        name
            What to call bytes; its ending tells their kind where the content does not.
        encoding, kind
            How characters are written, and the kind of file; by default both are found out.
        sentences, language
            As in :meth:`from_text`.
        """
        from docbats.readers.read_file import read_file

        read = read_file(source, name=name, encoding=encoding, kind=kind)
        return read.document(sentences, language)

    def place(self, start: int, end: int) -> Place | None:
        """Tell where ``text[start:end]`` is found in the file; None where nobody knows."""
        if self.places is None:
            return None
        piece = self.text[start:end]
        first = start + len(piece) - len(piece.lstrip())
        return self.places.find(first, max(first, start + len(piece.rstrip())))

    @cached_property
    def language(self) -> DetectedLanguage:
        """What language the text is in."""
        prose = self.text if self.prose is None else self.prose
        return detect_language(prose) if self.detected is None else self.detected

    def __len__(self) -> int:
        """Count the sentences."""
        return len(self.spans)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The text of each sentence."""
        return tuple(self.text[start:end] for start, end in self.spans.tolist())


def _detect(text: str, language: str) -> DetectedLanguage:
    if language == "auto":
        return detect_language(text)
    if language not in LANGUAGES:
        msg = f"language={language!r} makes no sense: give auto or one of {', '.join(LANGUAGES)}"
        raise SettingsError(msg)
    return DetectedLanguage(language)


def _pairs(spans: object) -> NDArray[np.int64]:
    try:
        return np.array(spans, dtype=np.int64).reshape(-1, 2)
    except (TypeError, ValueError):
        msg = f"{spans!r:.60} are no sentence spans: give (start, end) pairs of whole numbers"
        raise InputError(msg) from None
