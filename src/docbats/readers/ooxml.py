"""XML by expat, and the parts of an Office file (DOCX, PPTX)."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote
from xml.parsers import expat

from docbats.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.readers.content import Archive

_MAX_DEPTH = 1000  # elements inside each other


def parse(
    data: bytes,
    start: Callable[[str, dict[str, str]], object],
    end: Callable[[str], object],
    text: Callable[[str], object] | None = None,
) -> None:
    """Call `start`, `end` and `text` for each element and each piece of text.

    Names are ``namespace name``, or just the name if there is no namespace.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    depth = 0

    def started(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_DEPTH:
            msg = f"a broken file: its XML is more than {_MAX_DEPTH} elements deep"
            raise ReadError(msg)
        start(name, attributes)

    def ended(name: str) -> None:
        nonlocal depth
        depth -= 1
        end(name)

    def refuse(*_: Any) -> None:
        msg = "its XML declares a document type, which is refused since it may define entities"
        raise ReadError(msg)

    parser.StartElementHandler = started
    parser.EndElementHandler = ended
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        msg = f"a broken file (its XML: {error}): save the file again, or download it again"
        raise ReadError(msg) from None


_CONTENT_TYPES = "[Content_Types].xml"


class Relation(NamedTuple):
    """What a part leads to: the last word of its type, such as "slide", and the name of a part."""

    type: str
    part: str


def main_part(archive: Archive, format_name: str, usual: str) -> str | None:
    """Return the name of the part with the text, if the package is in this format; else None.

    The format is a word of its content type, as "wordprocessingml". Most programs give the part a
    `usual` name such as ``word/document.xml``, but they need not.
    """
    if _CONTENT_TYPES not in archive.names:
        return usual if usual in archive.names else None
    for relation in relations(archive, "").values():
        if relation.type == "officeDocument" and relation.part in archive.names:
            if relation.part == usual or format_name in _content_type(archive, relation.part):
                return relation.part
            return None
    return usual if usual in archive.names else None


def _content_type(archive: Archive, part: str) -> str:
    found: list[str] = []

    def start(_: str, attributes: dict[str, str]) -> None:
        if attributes.get("PartName", "").lstrip("/") == part:
            found.append(attributes.get("ContentType", ""))

    parse(archive.read(_CONTENT_TYPES), start, lambda _: None)
    return found[0] if found else ""


def relations(archive: Archive, part: str) -> dict[str, Relation]:
    """Return what a part leads to inside the package, by the names that its XML uses."""
    folder, name = posixpath.split(part)
    path = posixpath.join(folder, "_rels", f"{name}.rels")
    found: dict[str, Relation] = {}
    if path not in archive.names:
        return found

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag.endswith("Relationship") and attributes.get("TargetMode") != "External":
            target = unquote(attributes.get("Target", ""))
            linked = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            kind = attributes.get("Type", "").rpartition("/")[2]
            found[attributes.get("Id", "")] = Relation(kind, linked)

    parse(archive.read(path), start, lambda _: None)
    return found
