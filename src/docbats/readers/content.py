"""What every reader takes and returns: the content of a file, and its text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from docbats.blocks import blank
from docbats.readers.decoding import DecodedText, decode, detect_text
from docbats.text.contents import INFO_NODE
from docbats.text.markup import without_terminal_marks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from docbats.blocks import Block
    from docbats.document import Document
    from docbats.places import Places
    from docbats.readers.packages import Archive
    from docbats.text.detect import DetectedLanguage

_OPENING_LENGTH = 4000  # characters
# Of GNU's Info files: "*note Bats::" or "*note Bats: (animals)Bats.", and what is before it.
_INFO_NOTE = re.compile(
    r"([(;]\s+|[(;])?\*([Nn])ote\s+([^:*]{1,300}):(?::|\s[^:.,]{1,300}(?=[.,]))"
)
# A hyphen of the program `man` at the end of a line, and the rest of the word in the next line.
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])\u2010(\n[ \t]*)([^\W\d_]\S*)[ \t]*")
_INNER_HYPHEN = re.compile(r"\u2010[^\n]")
_MARKDOWN_KINDS = frozenset({"markdown", "notebook"})


@dataclass(frozen=True, eq=False)
class FileContent:
    """The bytes of a file, decoded or unpacked once, when a reader asks for it."""

    data: bytes
    name: str  # what messages call the file; its ending may tell the kind
    encoding: str | None = None  # given by the caller; None to detect it
    # Called after each page of a PDF with the number of pages read and the number of all pages.
    on_page: Callable[[int, int], None] | None = None

    @cached_property
    def decoded(self) -> DecodedText:
        """The text by the encoding given, marked, declared or guessed; UTF-8 before guessing."""
        if self.encoding is not None:
            return DecodedText(decode(self.data, self.name, self.encoding), self.encoding)
        return detect_text(self.data, self.name)

    @property
    def text(self) -> str:
        """The decoded text; a `ReadError` if the bytes are not text."""
        return self.decoded.text

    @cached_property
    def opening(self) -> str:
        """The first characters of the text, by which most kinds of text are recognized."""
        return self.text[:_OPENING_LENGTH]

    @property
    def is_zip(self) -> bool:
        """Whether the file is a ZIP archive."""
        return self.data.startswith(b"PK\x03\x04")

    @cached_property
    def archive(self) -> Archive:
        """The file as a ZIP archive; a `ReadError` if it is broken."""
        from docbats.readers.packages import Archive

        return Archive(self.data)


@dataclass(frozen=True, eq=False)
class FileText:
    """The text of a file.

    A reader fills in what it knows of the text; :func:`docbats.readers.read_file.read_file` adds
    `kind`, `encoding`, `is_guess` and `n_replaced`.

    Attributes
    ----------
    text
        What is analyzed.
    places
        Where the characters come from; None for plain text and Markdown, of which
        :meth:`document` finds the headings.
    prose
        The text with everything but sentences (code, marks) blanked; of the same length.
    breaks
        Offsets at which a sentence always ends.
    spans
        The sentences, where the reader knows them better than punctuation does.
    lines
        What counts as lines where the text has none.
    blocks
        What the author built, in the order of the text; empty where nothing is known.
    kind
        The kind of file: one of :data:`docbats.readers.kinds.KINDS`.
    encoding
        How the characters were encoded; None for a binary file.
    is_guess
        Whether the encoding was guessed from nothing but the bytes.
    n_replaced
        The number of characters that replace bytes not in that encoding.
    remarks
        What may be unexpected in how the reader read it: each completes "The file is ...".
    id
        The path or the name of the file; None for standard input and bytes without a name.
    """

    text: str
    places: Places | None = None
    prose: str | None = None
    breaks: Sequence[int] = ()
    spans: Sequence[tuple[int, int]] | None = field(default=None, repr=False)
    lines: Sequence[tuple[int, int]] | None = field(default=None, repr=False)
    blocks: tuple[Block, ...] = field(default=(), repr=False)
    kind: str = "text"
    encoding: str | None = None
    is_guess: bool = False
    n_replaced: int = 0
    remarks: tuple[str, ...] = ()
    id: str | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What may be unexpected in how the file was read, in whole sentences."""
        notes = (*self.remarks, *filter(None, [self.encoding_note]))
        return tuple(f"The file is {note}." for note in notes)

    @property
    def encoding_note(self) -> str | None:
        """What may be unexpected in how the characters were read; None if nothing is."""
        encoding = "UTF-8" if self.encoding == "utf-8" else self.encoding
        if self.n_replaced:
            one = self.n_replaced == 1
            bad = "one character is" if one else f"{self.n_replaced:,} characters are"
            return f"read as {encoding}, in which {bad} broken and shown as \ufffd"
        return f"not UTF-8, read as {encoding}" if self.is_guess else None

    def document(
        self, sentences: Literal["auto", "lines"] = "auto", language: str = "auto"
    ) -> Document:
        """Find the sentences of the text, by the punctuation of its language.

        No sentence crosses the edge of a block, a heading is one sentence with its number, and
        code, tables, contents and references are split by lines.
        """
        import numpy as np

        from docbats.document import Document, find_language, split_text
        from docbats.text.sentences import fit_to_blocks, split_at_breaks

        known = self.spans if sentences == "auto" else self.lines
        if known is None and self.prose is None and not self.blocks:
            type_ = "markdown" if self.kind == "markdown" else "text"
            document = Document.of(self.text, type_, sentences=sentences, language=language)
            places = document.places if self.places is None else self.places
            notes = (*document.notes, *self.notes)
            return replace(document, places=places, notes=notes, id=self.id)
        prose = self.text if self.prose is None else self.prose
        detected = find_language(prose, language)
        if sentences == "auto" and self._may_have_turns():
            talk = self._with_turns(prose, detected)
            if talk is not None:
                return talk.document(sentences, language)
        spans = split_text(prose, sentences, detected) if known is None else list(known)
        if self.blocks:
            spans = fit_to_blocks(self.text, prose, self.blocks, spans, self.breaks)
        elif known is None:
            spans = split_at_breaks(prose, spans, self.breaks)
        return Document(
            self.text,
            np.array(spans, np.int64),
            self.places,
            self.prose,
            detected,
            blocks=self.blocks if sentences == "auto" else (),
            markup="markdown" if self.kind in _MARKDOWN_KINDS else None,
            notes=self.notes,
            id=self.id,
        )

    def _may_have_turns(self) -> bool:
        """Whether paragraphs may be what somebody says, of which the reader knows nothing."""
        is_file = self.kind != "text" and self.spans is None
        return is_file and not any(block.kind == "turn" for block in self.blocks)

    def _with_turns(self, prose: str, detected: DetectedLanguage) -> FileText | None:
        """Return this text with the turns among its paragraphs; None if it is not talk."""
        from docbats.places import Cue, Places
        from docbats.text.languages import load_language
        from docbats.text.speakers import find_talk_in_blocks

        found = find_talk_in_blocks(self.text, self.blocks, load_language(detected.code))
        if found is None:
            return None
        blocks, turns = found
        prose = blank(prose, (mark for turn in turns for mark in turn.marks))
        joints = [joint for turn in turns for joint in turn.joints]
        cues = tuple(Cue(*cue) for turn in turns for cue in turn.cues)
        places = self.places
        if cues:
            places = replace(places or Places(), cues=cues)
        return replace(
            self,
            prose=blank(prose, joints, with_line_ends=True) if joints else prose,
            places=places,
            blocks=tuple(blocks),
        )


def read_text(content: FileContent) -> FileText:
    """Return text as a screen shows it; its blocks are found like those of any string."""
    text = join_broken_words(show_references(without_terminal_marks(content.text)))
    language = "JSON" if _is_json(text) else "XML" if text.lstrip().startswith("<?xml") else None
    if language is None:
        return FileText(text)
    remark = f"{language}, read as plain text: save the text in it as a file of its own"
    return FileText(text, remarks=(remark,))


def _is_json(text: str) -> bool:
    """Whether a text is a JSON object or array, or lines of them."""
    if not text.lstrip().startswith(("{", "[")):
        return False
    import json

    text = text.lstrip()
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return bool(value) and text[end : end + 100].lstrip()[:1] in {"", "{", "["}


def show_references(text: str) -> str:
    r"""Return the text of an Info file with references as readers see them.

    >>> node = "File: x.info,  Node: Top\n\n"
    >>> show_references(node + "Bats (*note Food::) fly.  *Note Moths: (insects)Moths.")[len(node):]
    'Bats (see Food) fly.  See Moths.'
    """
    return _INFO_NOTE.sub(_shown, text) if INFO_NODE.search(text) else text


def join_broken_words(text: str) -> str:
    r"""Return the text of a manual page with words that were broken at line ends in one piece.

    Only the program's own hyphens are at line ends alone; an author's are within lines, too.

    >>> join_broken_words("Bats hear with\n  ultra\u2010\n  sound, and fly.")
    'Bats hear with\n  ultrasound,\n  and fly.'
    """
    if "\u2010\n" not in text or _INNER_HYPHEN.search(text):
        return text
    return _BROKEN_WORD.sub(r"\2\1", text)


def _shown(note: re.Match[str]) -> str:
    before, sign, title = note.groups()
    if sign == "N":
        return f"{before or ''}See {title}"
    return f"{before}see {title}" if before else title
