"""The parts of an Office file (DOCX, PPTX), and how they lead to each other."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from docbats.readers.parsers.xml import parse

if TYPE_CHECKING:
    from docbats.readers.parsers.archive import Archive

__all__ = ["Relation", "main_part", "relations"]

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
