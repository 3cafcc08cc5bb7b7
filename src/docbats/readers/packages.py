"""What DOCX, ODT, PPTX and EPUB are made of: ZIP archives of XML, and links between their parts."""

from __future__ import annotations

import io
import posixpath
import zipfile
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote
from xml.parsers import expat

from docbats.errors import ReadError
from docbats.runtime import UNPACKED_BYTES, UNPACKED_RATIO, Limit

if TYPE_CHECKING:
    from collections.abc import Callable

# Bytes that the members read may unpack to, however small the file is. If larger, a file of a few
# kilobytes can take longer to read.
_ALWAYS_ALLOWED_BYTES = 4 << 20
_MAX_DEPTH = 1000  # elements inside each other
_CONTENT_TYPES = "[Content_Types].xml"
# Repeats its content for programs that do not understand the newer form beside it.
FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"


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
        """Unpack one member; raise a `ReadError` if that would exceed the limits."""
        try:
            info = self._zip.getinfo(name)
        except KeyError:
            msg = f"a broken file: {name} is missing in it: save the file again"
            raise ReadError(msg) from None
        if info.flag_bits & 1:
            msg = "encrypted: remove its password first"
            raise ReadError(msg)
        limit, max_bytes = self._limit()
        allowed = max_bytes - self._bytes_read
        try:
            with self._zip.open(info) as member:
                data = member.read(allowed + 1) if info.file_size <= allowed else None
        except MemoryError:  # which says nothing about the file
            raise
        except Exception as error:  # each compression has exceptions of its own, such as LZMAError
            msg = f"a broken file ({name}: {error}): save the file again, or download it again"
            raise ReadError(msg) from None
        if data is None or len(data) > allowed:
            msg = (
                f"it unpacks to more than {max_bytes:,} bytes, too much for a document of "
                f"{self._packed_bytes:,}: if it really is one, save it as plain text, or "
                f"{limit.advice}"
            )
            raise ReadError(msg)
        self._bytes_read += len(data)
        return data

    def check_shown(self, n_characters: int) -> None:
        """Raise a `ReadError` for more characters than members of the archive may have."""
        limit, most = self._limit()
        if n_characters > most:
            msg = (
                f"it shows more than {most:,} characters, too much for a document of "
                f"{self._packed_bytes:,} bytes: if it really is one, save it as plain text, or "
                f"{limit.advice}"
            )
            raise ReadError(msg)

    def _limit(self) -> tuple[Limit, int]:
        """Return the stricter limit, and the number of bytes it allows over all members."""
        in_proportion = max(_ALWAYS_ALLOWED_BYTES, UNPACKED_RATIO.value * self._packed_bytes)
        if in_proportion < UNPACKED_BYTES.value:
            return UNPACKED_RATIO, in_proportion
        return UNPACKED_BYTES, UNPACKED_BYTES.value


def parse_xml(
    data: bytes,
    start: Callable[[str, dict[str, str]], object],
    end: Callable[[str], object] | None = None,
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
        if end is not None:
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


def local_name(name: str) -> str:
    """Return the name of an element without its namespace."""
    return name.rpartition(" ")[2]


def find_elements(data: bytes, *names: str) -> list[dict[str, str]]:
    """Return the attributes of all elements with these local names, in order."""
    found: list[dict[str, str]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if local_name(name) in names:
            found.append(attributes)

    parse_xml(data, start)
    return found


class Relation(NamedTuple):
    """A link to another part: the last word of its type, such as "slide", and the part's name."""

    type: str
    part: str


def main_part(archive: Archive, format_name: str, usual: str) -> str | None:
    """Return the name of the part of an Office file that holds the text.

    None if the file is in another format than `format_name`, a word of the part's content type such
    as "wordprocessingml". Most programs give the part its `usual` name, ``word/document.xml`` for
    example, but they need not.
    """
    if _CONTENT_TYPES in archive.names:
        for relation in relations(archive, "").values():
            if relation.type == "officeDocument" and relation.part in archive.names:
                if relation.part == usual or format_name in _content_type(archive, relation.part):
                    return relation.part
                return None
    return usual if usual in archive.names else None


def _content_type(archive: Archive, part: str) -> str:
    for attributes in find_elements(archive.read(_CONTENT_TYPES), "Override"):
        if attributes.get("PartName", "").lstrip("/") == part:
            return attributes.get("ContentType", "")
    return ""


def relations(archive: Archive, part: str) -> dict[str, Relation]:
    """Return the links of a part of an Office file, by the ids that its XML uses."""
    folder, name = posixpath.split(part)
    path = posixpath.join(folder, "_rels", f"{name}.rels")
    found: dict[str, Relation] = {}
    if path in archive.names:
        for link in find_elements(archive.read(path), "Relationship"):
            if link.get("TargetMode") != "External":
                target = posixpath.join("/", folder, unquote(link.get("Target", "")))
                kind = link.get("Type", "").rpartition("/")[2]
                linked = posixpath.normpath(target).lstrip("/")
                found[link.get("Id", "")] = Relation(kind, linked)
    return found
