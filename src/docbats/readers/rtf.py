"""RTF: paragraphs, and the headings, lists and tables that their properties make of them."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.readers.styles import MAX_STYLE_NAME, kind_by_name
from docbats.readers.text_builder import CellTable, ParagraphKind, TextBuilder, joined_pieces

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText

_TOKEN = re.compile(
    rb"\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})?[ ]?"
    rb"|\\(?P<symbol>[\s\S])|(?P<open>\{)|(?P<close>\})|(?P<line>[\r\n]+)"
    rb"|(?P<text>[^\\{}\r\n]+)"
)
# Control words, and characters after a backslash, that stand for a character.
_CHARACTERS = {
    b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
    b"rdblquote": "”", b"bullet": "•", b"emspace": " ", b"enspace": " ", b"qmspace": " ",
    b"tab": "\t", b"line": "\n", b"softline": "\n", b"lbr": "\n",
}  # fmt: skip
_SYMBOLS = {b"~": "\xa0", b"_": "-", b"-": "", b"\\": "\\", b"{": "{", b"}": "}", b"\t": "\t"}
# Encodings by the numbers of the character sets of fonts, and by those of code pages.
_CHARSETS = {
    77: "mac-roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030",
    136: "big5hkscs", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256",
    186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 255: "cp437",
}  # fmt: skip
_CODE_PAGES = {10000: "mac-roman", 936: "gb18030", 950: "big5hkscs", 65001: "utf-8"}


def _code_page_encoding(number: int) -> str:
    """Return Python's name of a code page; the Western European one if it has none."""
    try:
        return codecs.lookup(_CODE_PAGES.get(number, f"cp{number}")).name
    except LookupError:
        return "cp1252"


_MAX_DEPTH = 10_000  # groups inside each other
# Groups that are not part of the text.
_NOT_READ = frozenset(
    b"annotation atnauthor atndate atnicn atnid atnparent atnref atntime author bkmkend bkmkstart "
    b"colortbl comment datastore fldinst footer footerf footerl footerr ftncn ftnsep ftnsepc "
    b"generator header headerf headerl headerr info listoverridetable listtable listtext "
    b"nonesttables nonshppict objdata pict pntext private rsidtbl shpinst themedata title xe tc "
    b"rxe txe".split()
)
_ITEM_MARKS = {b"listtext", b"pntext"}


@dataclass(frozen=True)
class _State:
    """What applies in a group, and in the groups inside it."""

    destination: str = "text"  # or "fonts", "styles", "skip"
    font: int | None = None
    n_skipped: int = 1  # characters after each Unicode one, for programs without Unicode
    is_hidden: bool = False


@dataclass
class _Properties:
    """The properties of the paragraph that is open."""

    style: int | None = None
    level: int | None = None
    list_level: int | None = None
    in_table: bool = False


def read_rtf(content: FileContent) -> FileText:
    """Read the paragraphs, then the notes; headers, footers, pictures, hidden text are left out."""
    if not content.data.startswith(b"{\\rtf"):
        msg = "not an RTF file (it does not begin with {\\rtf): save it again"
        raise ReadError(msg)
    reader = _RtfReader()
    at = 0
    while (token := _TOKEN.match(content.data, at)) is not None:  # not at a backslash at the end
        at = token.end() + reader.take(token)
    return reader.finish().file_text()


@dataclass
class _OpenNote:
    """A note that is being read, and what it interrupts."""

    depth: int  # of its group
    pieces: list[str]
    properties: _Properties
    paragraphs: list[str] = field(default_factory=list)


@dataclass
class _RtfReader:
    """Follows the groups and collects paragraphs."""

    _built: TextBuilder = field(default_factory=TextBuilder)
    _states: list[_State] = field(default_factory=lambda: [_State()])
    _encoding: str = "cp1252"
    _fonts: dict[int, str] = field(default_factory=dict)
    _styles: dict[int, ParagraphKind] = field(default_factory=dict)
    _defined: int | None = None  # the number of the font or style being defined
    _name: str = ""  # of that style
    _pending: bytearray = field(default_factory=bytearray)  # bytes to decode together
    _to_skip: int = 0
    _pieces: list[str] = field(default_factory=list)
    _properties: _Properties = field(default_factory=_Properties)
    _table: CellTable = field(default_factory=CellTable)
    _note: _OpenNote | None = None
    _is_new_group: bool = False

    def take(self, token: re.Match[bytes]) -> int:
        """Take the next token, and return the number of bytes after it to skip."""
        number = None if token["number"] is None else int(token["number"])
        if token["word"] == b"bin":
            return max(0, number or 0)
        if token.lastgroup == "line":
            return 0
        is_first, self._is_new_group = self._is_new_group, False
        if token.lastgroup in {"hex", "text"}:
            hex_digits, text = token["hex"], token["text"]
            self._bytes(text if hex_digits is None else bytes.fromhex(hex_digits.decode("ascii")))
            return 0
        self._flush()
        match token.lastgroup:
            case "open":
                if len(self._states) >= _MAX_DEPTH:
                    msg = f"a broken RTF file: its groups are more than {_MAX_DEPTH:,} deep"
                    raise ReadError(msg)
                self._states.append(self._states[-1])
                self._is_new_group, self._to_skip = True, 0
            case "close":
                self._end_group()
            case "symbol":
                self._symbol(token["symbol"], is_first=is_first)
            case _:
                self._word(token["word"], number)
        return 0

    def finish(self) -> TextBuilder:
        """Return everything that was read."""
        self._flush()
        self._end_note()
        if self._properties.in_table:  # a cell that never ended is a paragraph
            self._properties = _Properties()
        self._end_paragraph()
        return self._built

    def _set(self, **changes: object) -> None:
        self._states[-1] = replace(self._states[-1], **changes)  # type: ignore[arg-type]

    def _end_group(self) -> None:
        if self._states[-1].destination == "styles":
            found = kind_by_name(self._name.strip().rstrip(";").split(",")[0])
            if self._defined is not None and found is not None:
                self._styles.setdefault(self._defined, found)
            self._defined, self._name = None, ""
        if self._note is not None and len(self._states) == self._note.depth:
            self._end_note()
        if len(self._states) > 1:
            self._states.pop()
        self._to_skip = 0

    def _bytes(self, data: bytes) -> None:
        skipped = min(self._to_skip, len(data))
        self._to_skip -= skipped
        self._pending += data[skipped:]

    def _flush(self) -> None:
        """Decode the bytes that belong together: two may be one character."""
        if not self._pending:
            return
        state = self._states[-1]
        encoding = self._encoding
        if state.font is not None and state.destination == "text":
            encoding = self._fonts.get(state.font, encoding)
        text = bytes(self._pending).decode(encoding, "replace")
        self._pending.clear()
        self._put(text)

    def _put(self, text: str) -> None:
        state = self._states[-1]
        if state.destination == "styles":
            self._name += text[: MAX_STYLE_NAME - len(self._name)]
        elif state.destination == "text" and not state.is_hidden:
            self._pieces.append(text)

    def _symbol(self, symbol: bytes, *, is_first: bool) -> None:
        if symbol == b"*" and is_first:
            self._set(destination="skip")  # an optional group
        elif symbol in b"\r\n":
            self._end_paragraph()
        elif symbol in _SYMBOLS:
            self._character(_SYMBOLS[symbol])

    def _character(self, character: str) -> None:
        if self._to_skip:
            self._to_skip -= 1
        else:
            self._put(character)

    def _word(self, word: bytes, number: int | None) -> None:
        if word == b"u" and number is not None:
            self._put(chr(number % 0x10000))
            self._to_skip = self._states[-1].n_skipped
        elif word in _CHARACTERS:
            self._character(_CHARACTERS[word])
        elif word in _NOT_READ:
            if word in _ITEM_MARKS and self._states[-1].destination == "text":
                self._properties.list_level = self._properties.list_level or 1
            self._set(destination="skip")
        elif word == b"footnote":  # or an endnote, which says so inside
            self._start_note()
        elif word == b"shptxt":  # a text box, in an optional group
            self._set(destination="text")
        elif word in {b"fonttbl", b"stylesheet"}:
            self._set(destination="fonts" if word == b"fonttbl" else "styles")
        elif self._states[-1].destination != "skip":
            self._property(word, number)

    def _start_note(self) -> None:
        around = self._states[-2:][0]  # many programs call the group itself optional
        if self._note is not None or around.destination != "text" or around.is_hidden:
            self._set(destination="skip")
            return
        self._set(destination="text")
        self._note = _OpenNote(len(self._states), self._pieces, self._properties)
        self._pieces, self._properties = [], _Properties()

    def _end_note(self) -> None:
        """Go on with what a note has interrupted, after the mark that leads to it."""
        if self._note is not None:
            note, text = self._note, self._take_text(ParagraphKind())
            self._pieces, self._properties, self._note = note.pieces, note.properties, None
            self._pieces.append(self._built.add_note([*note.paragraphs, text]))

    def _property(self, word: bytes, number: int | None) -> None:
        """Apply a control word about the encoding, the font or the paragraph."""
        state = self._states[-1]
        match word:
            case b"ansicpg" if number:
                self._encoding = _code_page_encoding(number)
            case b"mac" | b"pc" | b"pca":
                self._encoding = {b"mac": "mac-roman", b"pc": "cp437", b"pca": "cp850"}[word]
            case b"uc":
                self._set(n_skipped=max(0, number or 0))
            case _ if state.destination in {"fonts", "styles"}:
                self._define(word, number, state.destination)
            case b"f":
                self._set(font=number)
            case b"plain":
                self._set(font=None, is_hidden=False)
            case b"v" | b"deleted":
                self._set(is_hidden=number != 0)
            case b"cell" | b"nestcell" | b"row" if self._note is not None:
                self._end_paragraph()
            case _:
                self._paragraph_property(word, number)

    def _define(self, word: bytes, number: int | None, destination: str) -> None:
        """Apply a control word in the table of fonts or styles."""
        if word == {"fonts": b"f", "styles": b"s"}[destination]:
            self._defined = number
        elif word == b"fcharset" and self._defined is not None and number:
            self._fonts[self._defined] = _CHARSETS.get(number, self._encoding)

    def _paragraph_property(self, word: bytes, number: int | None) -> None:
        properties = self._properties
        match word:
            case b"par" | b"sect" | b"page":
                self._end_paragraph()
            case b"pard":
                self._properties = _Properties()
            case b"s":
                properties.style = number
            case b"outlinelevel":
                properties.level = None if number is None or number > 8 else number + 1
            case b"ls":
                properties.list_level = properties.list_level or 1
            case b"ilvl":
                properties.list_level = 1 + max(0, number or 0)
            case b"intbl" | b"trowd":
                properties.in_table = True
            case b"cell" | b"nestcell":
                self._end_cell()
            case b"row":
                self._table.start_row()

    def _end_cell(self) -> None:
        if not self._table.rows:
            self._table.start_row()
        self._table.start_cell()
        kind = self._kind()
        if text := self._take_text(kind):
            self._table.add(text, kind)

    def _end_paragraph(self) -> None:
        if self._note is not None:
            self._note.paragraphs.append(self._take_text(ParagraphKind()))
            return
        if self._properties.in_table:
            if self._pieces:
                self._pieces.append("\n")
            return
        if self._table.rows:
            self._built.add_table(self._table)
            self._table = CellTable()
        kind = self._kind()
        self._built.add_paragraph(self._take_text(kind), kind)

    def _take_text(self, kind: ParagraphKind) -> str:
        """Return the text since the last paragraph or cell, with surrogate pairs joined."""
        text, self._pieces = joined_pieces(self._pieces, kind), []
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").strip()

    def _kind(self) -> ParagraphKind:
        """Return what the open paragraph is; its own properties override its style."""
        properties = self._properties
        styled = self._styles.get(properties.style or 0, ParagraphKind())
        if properties.level is not None and styled.kind in {"paragraph", "heading"}:
            return ParagraphKind("heading", properties.level)
        if properties.list_level is not None and styled.kind == "paragraph":
            return ParagraphKind("list_item", properties.list_level)
        return styled
