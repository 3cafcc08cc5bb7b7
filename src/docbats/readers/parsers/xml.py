"""XML by expat, with document types refused: nothing is expanded or fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from docbats.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["parse"]

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
