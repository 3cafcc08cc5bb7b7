"""A text with the spans of its sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from docbats.blocks import check_blocks
from docbats.errors import EmptyDocumentError, InputError, SettingsError
from docbats.text.detect import DetectedLanguage, detect_language
from docbats.text.languages import LANGUAGES, load_language
from docbats.text.sentences import LINE, fit_to_blocks, split_sentences
from docbats.text.structure import PlainStructure, find_structure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from docbats.blocks import Block
    from docbats.places import Place, Places


@dataclass(frozen=True, eq=False)
class Document:
    """A text and the half-open character spans of its sentences, in order.

    Make one with :meth:`from_text`, :meth:`from_sentences` or :meth:`read`, or pass spans of your
    own. One that was read from a file knows the `places` of its text there; where the text holds
    markup, as Markdown does, `prose` is the text with what would be read as words blanked: targets
    of links, tags, code and so on. `detected` is its language, and `blocks` are the headings,
    paragraphs and so on that its author built it of, where these are known already. `markup` is
    the language of marks that the text is written in, so that they need not be shown.

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
    blocks: tuple[Block, ...] = field(default=(), repr=False)
    markup: Literal["markdown"] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise _not_a_string(self.text)
        spans = _pairs(self.spans)
        edges = spans.ravel()
        if len(edges) and (
            edges[0] < 0 or edges[-1] > len(self.text) or (np.diff(edges) < 0).any()
        ):
            msg = (
                "the sentence spans must be half-open (start, end) pairs in order and without "
                f"overlap, between 0 and {len(self.text)}: check where they begin and end"
            )
            raise InputError(msg)
        if not self.text.strip() or not len(spans):
            msg = "the document is empty: give a text with at least one sentence"
            raise EmptyDocumentError(msg)
        spans.flags.writeable = False
        object.__setattr__(self, "spans", spans)
        object.__setattr__(self, "blocks", tuple(self.blocks))
        check_blocks(self.blocks, len(self.text))

    @classmethod
    def from_text(
        cls, text: str, sentences: Literal["auto", "lines"] = "auto", language: str = "auto"
    ) -> Document:
        """Split `text` into sentences: by punctuation, or one on each line that is not blank.

        Punctuation is that of the `language`, by its code, or of the one that is detected. Where
        sentences are not lines, paragraphs, headings, lists and speakers are found as well.
        """
        if not isinstance(text, str):
            raise _not_a_string(text)
        if sentences not in {"auto", "lines"}:
            msg = f"sentences must be one of auto, lines, got {sentences!r}"
            raise SettingsError(msg)
        detected = find_language(text, language)
        spans = split_text(text, sentences, detected)
        found = PlainStructure()
        if sentences == "auto":
            found = find_structure(text, load_language(detected.code))
        if not found.blocks:
            return cls(text, np.array(spans, dtype=np.int64), detected=detected)
        prose = found.prose(text)
        if prose != text:
            spans = split_text(prose, sentences, detected)
        spans = fit_to_blocks(text, prose, found.blocks, spans)
        return cls(
            text,
            np.array(spans, dtype=np.int64),
            prose=None if prose == text else prose,
            detected=detected,
            blocks=found.blocks,
        )

    @classmethod
    def from_sentences(cls, sentences: Sequence[str]) -> Document:
        """Join ready sentences by newlines; each item stays one sentence, even a blank one."""
        for position, sentence in enumerate(sentences):
            if not isinstance(sentence, str):
                msg = (
                    f"sentence {position} must be a string, got {type(sentence).__name__}: for a "
                    "list of documents call BATS.many"
                )
                raise InputError(msg)
        lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        ends = np.cumsum(lengths + 1) - 1
        return cls("\n".join(sentences), np.column_stack([ends - lengths, ends]))

    @classmethod
    def from_blocks(cls, blocks: Iterable[Mapping[str, Any]], language: str = "auto") -> Document:
        """Join blocks by blank lines; sentences never go beyond a block.

        Each block is a mapping with its `kind` and its `text`, and what else is known of it: the
        `level` and the `number` of a heading, whose text is without it; the `speaker` and
        the `seconds` of a turn. :class:`docbats.Block` has the kinds.

        Examples
        --------
        >>> document = Document.from_blocks([
        ...     {"kind": "heading", "level": 1, "number": "1", "text": "Bats"},
        ...     {"kind": "paragraph", "text": "Bats fly at night. They hear the walls."},
        ... ])
        >>> [block.kind for block in document.blocks], document.sentences[0]
        (['heading', 'paragraph'], '1 Bats')
        """
        from docbats.readers.text_builder import join_blocks

        return join_blocks(blocks).document(language=language)

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
        """Read a file of any kind that docbats knows; ``docs/files.md`` lists them.

        Parameters
        ----------
        source
            A path, ``-`` for standard input, or the content itself as bytes.
        name
            What to call bytes; its ending shows their kind where the content does not.
        encoding, kind
            How characters are written, and the kind of file; both are detected automatically by
            default.
        sentences, language
            As in :meth:`from_text`.
        """
        from docbats.readers.read_file import read_file

        read = read_file(source, name=name, encoding=encoding, kind=kind)
        return read.document(sentences, language)

    def place(self, start: int, end: int) -> Place | None:
        """Return where ``text[start:end]`` is in the file; None where that is not known."""
        if self.places is None:
            return None
        piece = self.text[start:end]
        first = start + len(piece) - len(piece.lstrip())
        return self.places.find(first, max(first, start + len(piece.rstrip())))

    @cached_property
    def language(self) -> DetectedLanguage:
        """The language of the text, detected where it is not known already."""
        prose = self.text if self.prose is None else self.prose
        return detect_language(prose) if self.detected is None else self.detected

    def __repr__(self) -> str:
        from docbats.render.one_line import excerpt

        opening = excerpt(self.text, 40)
        return f"<Document: sentences {len(self)}, characters {len(self.text):,}, {opening!r}>"

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.spans)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The text of each sentence."""
        return tuple(self.text[start:end] for start, end in self.spans.tolist())


def _not_a_string(text: object) -> InputError:
    return InputError(f"expected a string, got {type(text).__name__}: decode bytes, or join a list")


def find_language(text: str, language: str) -> DetectedLanguage:
    """Return the language of this code, or for ``auto`` the one that is detected."""
    if language == "auto":
        return detect_language(text)
    if language not in LANGUAGES:
        msg = f"language must be one of auto, {', '.join(LANGUAGES)}, got {language!r}"
        raise SettingsError(msg)
    return DetectedLanguage(language)


def split_text(
    text: str, sentences: Literal["auto", "lines"], language: DetectedLanguage
) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a text, or of its lines that are not blank."""
    if sentences == "lines":
        return [match.span() for match in LINE.finditer(text)]
    return split_sentences(text, load_language(language.code))


def _pairs(spans: object) -> NDArray[np.int64]:
    try:
        return np.array(spans, dtype=np.int64).reshape(-1, 2)
    except (TypeError, ValueError, OverflowError):
        msg = f"the sentence spans must be (start, end) pairs of whole numbers, got {spans!r:.60}"
        raise InputError(msg) from None
