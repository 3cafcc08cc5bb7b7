"""A text with the spans of its sentences, made of whatever holds one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from operator import attrgetter
from os import PathLike
from typing import IO, TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from docbats.blocks import check_blocks
from docbats.errors import EmptyDocumentError, InputError, SettingsError
from docbats.runtime import FILE_BYTES
from docbats.text.detect import DetectedLanguage, detect_language
from docbats.text.languages import LANGUAGES, load_language
from docbats.text.markup import (
    looks_like_markdown,
    plain_text,
    respell,
    spelled,
    terminal_marks,
    without_terminal_marks,
)
from docbats.text.sentences import (
    LINE,
    UNPUNCTUATED_REMARK,
    fit_to_blocks,
    is_unpunctuated,
    split_sentences,
    split_unpunctuated,
)
from docbats.text.structure import PlainStructure, find_structure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.blocks import Block
    from docbats.places import Cue, Heading, Place, Places

    _Piece = TypeVar("_Piece", Block, Cue, Heading)


@dataclass(frozen=True, eq=False)
class Document:
    """A text and the half-open character spans of its sentences, in order.

    Make one with :meth:`of`, or pass your own spans. A document that was read from a file knows the
    `places` of its text there. `prose` is the text with everything blanked that would be mistaken
    for words, such as link targets, tags and code; None where nothing is. `detected` is the
    language, and `blocks` are the headings, paragraphs and so on, where they are known. `markup`
    names the markup language of the text, whose marks need not be shown. `notes` say what may be
    unexpected in how a file was read. `id` is a name that stays when the text changes, such as its
    path; the ids of chunks are made of it.

    Examples
    --------
    >>> document = Document.of("Bats fly at night. They hear the walls.")
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
    notes: tuple[str, ...] = field(default=(), repr=False)
    id: str | None = field(default=None, repr=False)

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
    def of(
        cls,
        source: Source,
        type: str | None = None,  # noqa: A002  (what the command and the service call it)
        *,
        sentences: Literal["auto", "lines"] = "auto",
        language: str = "auto",
    ) -> Document:
        r"""Make a document of text, sentences, blocks, bytes, a path, a file or a document.

        Line ends, a byte order mark, escape sequences, soft hyphens, accents apart from their
        letters and white space at the ends change offsets and nothing else.

        Parameters
        ----------
        source
            A string, which is always text and never a path; a list of sentences, or of blocks as
            in :meth:`from_blocks`; bytes; a path object; an open file; or a document, which is
            returned as it is.
        type
            The type of file, such as ``"markdown"``; ``"text"`` is plain text. Recognized by
            default: a string is Markdown if it looks like it, the data of a transcript or a chat,
            of which only what is said is the text, and plain text otherwise.
        sentences
            ``"auto"`` splits by punctuation and finds headings, paragraphs, lists and speakers;
            ``"lines"`` makes each line that is not blank a sentence.
        language
            The code of the language, such as ``"de"``; detected by default.

        Examples
        --------
        >>> [block.kind for block in Document.of("# Bats\n\nThey fly.").blocks]
        ['heading', 'paragraph']
        """
        if isinstance(source, Document):
            return source
        if isinstance(source, str):
            return cls._of_string(source, type, sentences, language)
        if isinstance(source, bytearray | memoryview):
            source = bytes(source)
        if isinstance(source, bytes | PathLike):
            return cls.read(source, kind=type, sentences=sentences, language=language)
        if isinstance(source, Sequence):
            items: Sequence[Any] = source
            if items and isinstance(items[0], Mapping):
                return cls.from_blocks(items, language)
            return cls.from_sentences(items)
        if hasattr(source, "read"):
            return cls.read(source, kind=type, sentences=sentences, language=language)
        msg = (
            "expected a string, a list of sentences or blocks, bytes, a path object, an open file "
            f"or a docbats.Document, got {source.__class__.__name__}"
        )
        raise InputError(msg)

    @classmethod
    def from_text(
        cls, text: str, sentences: Literal["auto", "lines"] = "auto", language: str = "auto"
    ) -> Document:
        """Make a document of plain text; `sentences` and `language` are as in :meth:`of`."""
        if not isinstance(text, str):
            raise _not_a_string(text)
        return cls._of_string(text, "text", sentences, language)

    @classmethod
    def _of_string(
        cls, text: str, type_: str | None, sentences: Literal["auto", "lines"], language: str
    ) -> Document:
        if sentences not in {"auto", "lines"}:
            msg = f"sentences must be one of auto, lines, got {sentences!r}"
            raise SettingsError(msg)
        plain = _canonical(text)
        if type_ == "markdown" or (type_ is None and looks_like_markdown(plain)):
            from docbats.readers.markdown import read_markdown

            document = read_markdown(plain).document(sentences, language)
        elif type_ == "text" or (type_ is None and not _has_messages(plain)):
            document = cls._of_plain_text(plain, sentences, language)
        else:
            data, kind = text.encode("utf-8", "replace"), type_ or "messages"
            return cls.read(
                data, encoding="utf-8", kind=kind, sentences=sentences, language=language
            )
        return document if plain == text else document._moved_to(text)

    @classmethod
    def _of_plain_text(
        cls, text: str, sentences: Literal["auto", "lines"], language: str
    ) -> Document:
        detected = find_language(text, language)
        found = PlainStructure()
        if sentences == "auto":
            found = find_structure(text, load_language(detected.code))
        prose = found.prose(text)
        spans = split_text(prose, sentences, detected)
        notes: tuple[str, ...] = ()
        if found.blocks:
            spans = fit_to_blocks(text, prose, found.blocks, spans)
        if sentences == "auto" and is_unpunctuated(prose, len(spans)):
            pieces = [line.span() for line in LINE.finditer(text)]
            spans = split_unpunctuated(prose, pieces, ())
            spans = fit_to_blocks(text, prose, found.blocks, spans) if found.blocks else spans
            notes = (f"The text is {UNPUNCTUATED_REMARK}.",)
        return cls(
            text,
            np.array(spans, dtype=np.int64),
            places=_places_of(found.cues),
            prose=None if prose == text else prose,
            detected=detected,
            blocks=found.blocks,
            notes=notes,
        )

    def _moved_to(self, text: str) -> Document:
        """Return this document, which was made of the canonical form of `text`, for `text`."""
        if text.startswith(self.text):  # most often, only a newline follows
            prose = None if self.prose is None else self.prose + text[len(self.text) :]
            return replace(self, text=text, prose=prose)
        hidden = [found.span() for found in terminal_marks(text)]
        is_hidden = np.zeros(len(text), np.bool_)
        for start, end in hidden:
            is_hidden[start:end] = True
        begin = np.flatnonzero(~is_hidden)
        stop = begin + 1
        written = without_terminal_marks(text)
        respelled = respell(written)
        if respelled is not None:
            written = respelled.text
            begin, stop = begin[respelled.start], stop[respelled.end - 1]
        signs = _code_points(written)
        kept = np.flatnonzero((signs != ord("\r")) | (np.append(signs[1:], 0) != ord("\n")))
        first = np.searchsorted(kept, _text_start(written))
        kept = kept[first : first + len(self.text)]
        begin, stop = begin[kept], stop[kept]
        visible = len(text) - len(text.lstrip())

        def moved(piece: _Piece) -> _Piece:
            # A byte order mark belongs to the first block, or it would come before its heading.
            start = int(begin[piece.start]) if piece.start else visible
            return replace(piece, start=start, end=int(stop[piece.end - 1]))

        starts, ends = self.spans.T
        places, prose = self.places, self.prose
        if places is not None:
            places = replace(
                places,
                headings=tuple(map(moved, places.headings)),
                cues=tuple(map(moved, places.cues)),
            )
        if prose is not None or hidden:
            change = np.zeros(len(text) + 1, np.int64)
            if prose is not None:
                is_blank = _code_points(prose) != _code_points(self.text)
                np.add.at(change, begin[is_blank], 1)
                np.add.at(change, stop[is_blank], -1)
            signs = _code_points(text).copy()
            is_hidden &= signs != ord("\n")
            signs[is_hidden | (np.cumsum(change[:-1]) > 0)] = ord(" ")
            prose = signs.tobytes().decode("utf-32-le", "surrogatepass")
        return replace(
            self,
            text=text,
            spans=np.column_stack([begin[starts], stop[ends - 1]]),
            places=places,
            prose=prose,
            blocks=tuple(map(moved, self.blocks)),
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
        """Join blocks by blank lines; no sentence crosses the edge of a block.

        Each block is a mapping with its `kind` and `text`, and what else is known: the `level` and
        `number` of a heading, whose text is without the number; the `speaker` and `seconds` of a
        turn. :class:`docbats.Block` lists the kinds.

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
        source: str | PathLike[str] | bytes | IO[bytes] | IO[str],
        *,
        name: str | None = None,
        encoding: str | None = None,
        kind: str | None = None,
        sentences: Literal["auto", "lines"] = "auto",
        language: str = "auto",
    ) -> Document:
        """Read a file of any kind that docbats knows; ``docs/files.md`` lists them.

        The `id` of the document is its path or its name.

        Parameters
        ----------
        source
            A path, ``-`` for standard input, an open file, or the content itself as bytes.
        name
            What to call bytes; its ending shows their kind where the content does not.
        encoding, kind
            How characters are written, and the kind of file; both are detected automatically by
            default.
        sentences, language
            As in :meth:`of`.
        """
        from docbats.readers.read_file import read_file

        if hasattr(source, "read"):
            own_name = getattr(source, "name", None)
            name = name or (own_name if isinstance(own_name, str) else None)
            content = source.read(FILE_BYTES.value + 1)
            if isinstance(content, str):
                content, encoding = content.encode("utf-8", "replace"), "utf-8"
            source = content
        read = read_file(source, name=name, encoding=encoding, kind=kind)
        return read.document(sentences, language)

    def place(self, start: int, end: int) -> Place | None:
        """Return where ``text[start:end]`` is in the file; None where that is not known."""
        if self.places is None:
            return None
        piece = self.text[start:end]
        first = start + len(piece) - len(piece.lstrip())
        return self.places.find(first, max(first, start + len(piece.rstrip())))

    def without_marks(self, start: int, end: int) -> str:
        """Return ``text[start:end]`` on one line, without bullets and the marks of Markdown."""
        if self.prose is None:
            return " ".join(self.text[start:end].split())
        if not self.prose[start:end].isspace():
            start = end - len(self.prose[start:end].lstrip())
        i = bisect_right(self.blocks, start, key=attrgetter("start")) - 1
        if i < 0 or self.blocks[i].end < end:
            return plain_text(self.text[start:end])
        first, last = self.blocks[i].start, self.blocks[i].end
        if self.blocks[i].kind == "turn" and not self.prose[start:end].isspace():
            return plain_text(self.prose[first:last], start - first, end - first)
        return plain_text(self.text[first:last], start - first, end - first)

    @cached_property
    def identity(self) -> str:
        """The `id`, or a hash of the text of a document without one."""
        if self.id is not None:
            return self.id
        return sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()

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
        return tuple([self.text[start:end] for start, end in self.spans.tolist()])


Source = (
    str
    | Sequence[str]
    | Sequence[Mapping[str, Any]]
    | bytes
    | PathLike[str]
    | IO[bytes]
    | IO[str]
    | Document
)
"""What :meth:`Document.of` takes."""

_NOT_TEXT = re.compile(r"[\s\ufeff]*+")


def _text_start(text: str) -> int:
    """Return the number of characters before a text: a byte order mark, and white space."""
    found = _NOT_TEXT.match(text)
    return found.end() if found else 0


def _canonical(text: str) -> str:
    r"""Return a text in one spelling, with ``\n`` as line ends, and nothing invisible around it."""
    text = spelled(without_terminal_marks(text))
    text = text[_text_start(text) :].rstrip()
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _code_points(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


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


def _has_messages(text: str) -> bool:
    """Whether a text is the data of a transcript, of which only what is said is text."""
    if not text.startswith(("{", "[", "start\tend\ttext")):
        return False
    from docbats.readers.content import FileContent
    from docbats.readers.messages import has_messages

    return has_messages(FileContent(text.encode("utf-8", "replace"), "the text", "utf-8"))


def _places_of(cues: Sequence[tuple[int, int, float, float]]) -> Places | None:
    """Return the times of a transcript; None if it has none."""
    if not cues:
        return None
    from docbats.places import Cue, Places

    return Places(cues=tuple(Cue(*cue) for cue in cues))


def _pairs(spans: object) -> NDArray[np.int64]:
    try:
        return np.array(spans, dtype=np.int64).reshape(-1, 2)
    except (TypeError, ValueError, OverflowError):
        msg = f"the sentence spans must be (start, end) pairs of whole numbers, got {spans!r:.60}"
        raise InputError(msg) from None
