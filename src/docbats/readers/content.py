"""What every reader takes and returns: the content of a file, and its text with places."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from docbats.errors import ReadError
from docbats.readers.decoding import DecodedText, decode, detect_text
from docbats.runtime import UNPACKED_BYTES, UNPACKED_RATIO, Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from docbats.blocks import Block
    from docbats.document import Document
    from docbats.places import Places

# What the members that are read may unpack to, however small the file is; larger values let a file
# of a few kilobytes take longer.
_ALWAYS_ALLOWED_BYTES = 4 << 20


class Archive:
    """A ZIP archive; nothing in it is ever written to disk."""

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
            msg = f"a broken ZIP archive ({error}): save the file again, or download it again"
            raise ReadError(msg) from None
        self.names = frozenset(self._zip.namelist())
        self._bytes_read = 0
        self._packed_bytes = len(data)

    def read(self, name: str) -> bytes:
        """Unpack one member; a `ReadError` if that would exceed the limits."""
        try:
            info = self._zip.getinfo(name)
        except KeyError:
            msg = f"a broken file: {name} is missing in it: save the file again"
            raise ReadError(msg) from None
        if info.flag_bits & 1:
            msg = "encrypted: remove its password first"
            raise ReadError(msg)
        limit, in_all = self._limit()
        allowed = in_all - self._bytes_read
        try:
            with self._zip.open(info) as member:
                data = member.read(allowed + 1) if info.file_size <= allowed else None
        except MemoryError:  # which says nothing of the file
            raise
        except Exception as error:  # each way of packing has classes of its own, as LZMAError
            msg = f"a broken file ({name}: {error}): save the file again, or download it again"
            raise ReadError(msg) from None
        if data is None or len(data) > allowed:
            msg = (
                f"it unpacks to more than {in_all:,} bytes, too much for a document of "
                f"{self._packed_bytes:,}: if it really is one, save it as plain text, or "
                f"{limit.advice}"
            )
            raise ReadError(msg)
        self._bytes_read += len(data)
        return data

    def _limit(self) -> tuple[Limit, int]:
        """Return the bound that comes first, and how many bytes it allows over all members."""
        in_proportion = max(_ALWAYS_ALLOWED_BYTES, UNPACKED_RATIO.value * self._packed_bytes)
        if in_proportion < UNPACKED_BYTES.value:
            return UNPACKED_RATIO, in_proportion
        return UNPACKED_BYTES, UNPACKED_BYTES.value


_OPENING_LENGTH = 4000  # characters


@dataclass(frozen=True, eq=False)
class FileContent:
    """The bytes of a file; what readers need of them is worked out once, when asked for.

    Attributes
    ----------
    data
        The bytes.
    name
        What messages call the file; its ending may tell the kind.
    encoding
        The encoding given by the caller; None to detect it.
    on_page
        Called after each page of a PDF with the number of pages read, and that of all.
    """

    data: bytes
    name: str
    encoding: str | None = None
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
        return Archive(self.data)


_MARKDOWN_KINDS = frozenset({"markdown", "notebook"})


@dataclass(frozen=True, eq=False)
class FileText:
    """The text of a file.

    A reader fills in what it knows of the text; `kind`, `encoding`, `is_guess` and `n_replaced` are
    filled in by :func:`docbats.readers.read_file.read_file`.

    Attributes
    ----------
    text
        What is analyzed.
    places
        Where the characters come from; None for plain text, which is its own source.
    prose
        The text with what holds no sentences (code, marks) blanked; of the same length.
    breaks
        Offsets where a sentence ends in any case.
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
        How many characters stand for bytes that are not in that encoding.
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

    @property
    def note(self) -> str | None:
        """What one might not expect of how the characters were read; None if all is well."""
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

        No sentence crosses the edge of a block, a heading is one with its number, and what is no
        prose is split by lines.
        """
        import numpy as np

        from docbats.document import Document, find_language, split_text
        from docbats.text.sentences import fit_to_blocks, split_at_breaks

        known = self.spans if sentences == "auto" else self.lines
        if known is None and self.prose is None and not self.blocks:
            type_ = "markdown" if self.kind == "markdown" else "text"
            document = Document.of(self.text, type_, sentences=sentences, language=language)
            return document if self.places is None else replace(document, places=self.places)
        prose = self.text if self.prose is None else self.prose
        detected = find_language(prose, language)
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
        )
