"""PPTX: the slides of a presentation, each with its title as a heading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.readers.packages import (
    FALLBACK,
    find_elements,
    local_name,
    main_part,
    parse_xml,
    relations,
)
from docbats.readers.text_builder import CellTable, ParagraphKind, TextBuilder

if TYPE_CHECKING:
    from docbats.readers.content import FileContent, FileText
    from docbats.readers.packages import Archive

_TITLES = {"title", "ctrTitle"}
_NOT_READ = {"dt", "ftr", "hdr", "sldImg", "sldNum"}  # placeholders that every slide repeats
_LISTS = {"body", "obj", ""}  # placeholders whose paragraphs have bullets
# Parts that belong to a slide, and what their paragraphs are.
_LINKED_KINDS = {"diagramData": ParagraphKind("list_item", 1), "notesSlide": ParagraphKind()}


def find_presentation(archive: Archive) -> str | None:
    """Return the name of the part that lists the slides; None if this is not a presentation."""
    return main_part(archive, "presentationml", "ppt/presentation.xml")


def read_pptx(content: FileContent) -> FileText:
    """Read the slides in the order in which they are shown, each with its notes."""
    archive = content.archive
    presentation = find_presentation(archive) or "ppt/presentation.xml"
    linked = relations(archive, presentation)
    built = TextBuilder()
    for slide in find_elements(archive.read(presentation), "sldId"):
        link = linked.get(next((v for k, v in slide.items() if k.endswith(" id")), ""))
        if link is not None:
            built.start_page()
            if link.part in archive.names:
                _read_slide(archive, link.part, built)
    return built.file_text(
        "a presentation without text: if its slides are images, recognize their text first"
    )


def _read_slide(archive: Archive, part: str, built: TextBuilder) -> None:
    slide = _Slide()
    parse_xml(archive.read(part), slide.start, slide.end, slide.text)
    if slide.is_hidden:
        return
    # The title may come after the text in the file, but is read first.
    found = sorted(slide.found, key=lambda item: item[1].kind != "heading")
    for relation in relations(archive, part).values():
        linked_kind = _LINKED_KINDS.get(relation.type)
        if linked_kind is not None and relation.part in archive.names:
            linked = _Slide(linked_kind)
            parse_xml(archive.read(relation.part), linked.start, linked.end, linked.text)
            found += linked.found
    for content, kind in found:
        if isinstance(content, CellTable):
            built.add_table(content)
        else:
            built.add(content, *kind)


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
        self._table = CellTable()
        self._in_text = False
        self._fallbacks = 0  # open elements that repeat other text

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._fallbacks += name == FALLBACK
        match local_name(name):
            case "sld":
                self.is_hidden = attributes.get("show") in {"0", "false"}
            case "sp" | "ph" as tag:
                self._placeholder = attributes.get("type", "") if tag == "ph" else None
            case "p":
                self._pieces, self._level = [], 1
            case "pPr":
                level = attributes.get("lvl", "0")
                self._level = 1 + (int(level) if len(level) == 1 and level.isdecimal() else 0)
            case "t":
                self._in_text = True
            case "br":
                self._pieces.append("\n")
            case "tbl":
                self._table.depth += 1
            case "tr":
                self._table.start_row()
            case "tc":
                self._table.start_cell()

    def end(self, name: str) -> None:
        self._fallbacks -= name == FALLBACK
        match local_name(name):
            case "t":
                self._in_text = False
            case "p":
                self._end_paragraph("".join(self._pieces).strip())
                self._pieces = []
            case "sp":
                if self._title:
                    self.found.append((" ".join(self._title), ParagraphKind("heading", 1)))
                self._placeholder, self._title = None, []
            case "tbl":
                self._table.depth -= 1
                if not self._table.depth:
                    self.found.append((self._table, ParagraphKind("table")))
                    self._table = CellTable()

    def text(self, text: str) -> None:
        if self._in_text and not self._fallbacks:
            self._pieces.append(text)

    def _end_paragraph(self, text: str) -> None:
        if not text or self._placeholder in _NOT_READ:
            return
        if self._table.depth:
            self._table.add(text, ParagraphKind())
        elif self._kind is not None:
            self.found.append((text, self._kind))
        elif self._placeholder in _TITLES:
            self._title.append(text)
        elif self._placeholder in _LISTS:
            self.found.append((text, ParagraphKind("list_item", self._level)))
        else:
            self.found.append((text, ParagraphKind()))
