"""PPTX: the slides of a presentation, each with its title as a heading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.readers.ooxml import main_part, parse, relations
from docbats.readers.text_builder import CellTable, ParagraphKind, TextBuilder

if TYPE_CHECKING:
    from docbats.readers.content import Archive, FileText

_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_TITLES = {"title", "ctrTitle"}
_NOT_READ = {"dt", "ftr", "hdr", "sldImg", "sldNum"}  # placeholders that every slide repeats
# Parts that belong to a slide, and what their paragraphs are.
_LINKED_KINDS = {"diagramData": ParagraphKind("list_item", 1), "notesSlide": ParagraphKind()}
_LISTS = {"body", "obj", ""}  # placeholders whose paragraphs have bullets


def find_presentation(archive: Archive) -> str | None:
    """Return the name of the part that lists the slides; None if it is no presentation."""
    return main_part(archive, "presentationml", "ppt/presentation.xml")


def read_pptx(archive: Archive) -> FileText:
    """Read the slides in the order in which they are shown, each with its notes."""
    presentation = find_presentation(archive) or "ppt/presentation.xml"
    linked = relations(archive, presentation)
    order: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if name.endswith(" sldId"):
            order.append(next((v for k, v in attributes.items() if k.endswith(" id")), ""))

    parse(archive.read(presentation), start, lambda _: None)
    parts = [linked[name].part for name in order if name in linked]
    built = TextBuilder()
    for part in parts:
        built.start_page()
        if part in archive.names:
            _read_slide(archive, part, built)
    if not built:
        msg = "a presentation without text: if its slides are images, recognize their text first"
        raise ReadError(msg)
    return built.file_text()


def _read_slide(archive: Archive, part: str, built: TextBuilder) -> None:
    slide = _Slide()
    parse(archive.read(part), slide.start, slide.end, slide.text)
    if slide.is_hidden:
        return
    # The title may come after the text in the file, but is read first.
    _add(sorted(slide.found, key=lambda found: not _is_title(found)), built)
    for relation in relations(archive, part).values():
        kind = _LINKED_KINDS.get(relation.type)
        if kind is not None and relation.part in archive.names:
            linked = _Slide(kind)
            parse(archive.read(relation.part), linked.start, linked.end, linked.text)
            _add(linked.found, built)


def _add(found: list[tuple[str | CellTable, ParagraphKind]], built: TextBuilder) -> None:
    for content, kind in found:
        if isinstance(content, CellTable):
            content.add_to(built)
        else:
            built.add(content, kind.kind, kind.level)


def _is_title(found: tuple[str | CellTable, ParagraphKind]) -> bool:
    return found[1].kind == "heading"


class _Slide:
    """Collects the paragraphs and tables of a slide; all are of one kind if that is given."""

    def __init__(self, kind: ParagraphKind | None = None) -> None:
        self.found: list[tuple[str | CellTable, ParagraphKind]] = []
        self.is_hidden = False
        self._kind = kind
        self._placeholder: str | None = None  # of the shape that is open
        self._level = 1
        self._pieces: list[str] = []
        self._title: list[str] = []  # the lines of the title
        self._tables: list[CellTable] = []
        self._in_text = False
        self._not_shown = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._not_shown += name == _FALLBACK
        match name.rpartition(" ")[2]:
            case "sld":
                self.is_hidden = attributes.get("show") in {"0", "false"}
            case "sp":
                self._placeholder = None
            case "ph":
                self._placeholder = attributes.get("type", "")
            case "p":
                self._pieces, self._level = [], 1
            case "pPr":
                level = attributes.get("lvl", "0")
                self._level = 1 + (int(level) if len(level) == 1 and level.isdecimal() else 0)
            case "t":
                self._in_text = True
            case "br":
                self._pieces.append("\n")
            case tag:
                self._start_table(tag)

    def _start_table(self, tag: str) -> None:
        if tag == "tbl":
            self._tables.append(CellTable())
        elif len(self._tables) == 1 and tag == "tr":
            self._tables[0].start_row()
        elif len(self._tables) == 1 and tag == "tc":
            self._tables[0].start_cell()

    def end(self, name: str) -> None:
        self._not_shown -= name == _FALLBACK
        match name.rpartition(" ")[2]:
            case "t":
                self._in_text = False
            case "p":
                self._end_paragraph("".join(self._pieces).strip())
                self._pieces = []
            case "sp":
                if self._title:
                    self.found.append((" ".join(self._title), ParagraphKind("heading", 1)))
                self._placeholder, self._title = None, []
            case "tbl" if self._tables:
                table = self._tables.pop()
                if not self._tables:
                    self.found.append((table, ParagraphKind("table")))

    def text(self, text: str) -> None:
        if self._in_text and not self._not_shown:
            self._pieces.append(text)

    def _end_paragraph(self, text: str) -> None:
        if not text or self._placeholder in _NOT_READ:
            return
        if self._tables:
            self._tables[0].add(text, ParagraphKind())
        elif self._kind is not None:
            self.found.append((text, self._kind))
        elif self._placeholder in _TITLES:
            self._title.append(text)
        elif self._placeholder in _LISTS:
            self.found.append((text, ParagraphKind("list_item", self._level)))
        else:
            self.found.append((text, ParagraphKind()))
