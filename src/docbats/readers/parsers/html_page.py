"""The main text of an HTML page, in blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.errors import ReadError
from docbats.readers.parsers.html_main import find_main
from docbats.readers.parsers.html_trafilatura import choose_blocks, extract_main
from docbats.readers.parsers.html_walk import walk_page
from docbats.readers.parsers.text_builder import TextBuilder
from docbats.text.nfc import compose, has_accent_run

if TYPE_CHECKING:
    from docbats.readers.file_text import FileText
    from docbats.readers.parsers.html_walk import HtmlBlock

__all__ = ["html_blocks", "read_html"]


def read_html(text: str) -> FileText:
    """Read the running text of a page."""
    built = TextBuilder()
    for block in html_blocks(text):
        built.add(block.text, block.kind, block.level, block.number, is_prose=block.is_prose)
    if not built:
        msg = "a page without text: if its text is made by scripts, save it from a browser first"
        raise ReadError(msg)
    return built.file_text()


def html_blocks(text: str, *, whole: bool = False) -> list[HtmlBlock]:
    """Return the blocks of a page; with `whole` also its menus, headers and the like."""
    if whole:
        return walk_page(text, is_xml=True, is_book=True).blocks
    text = compose(text)
    page = walk_page(text, is_xml=text[:100].lstrip().startswith("<?xml"))
    own = find_main(page)
    main = None if has_accent_run(text) else extract_main(page, text)
    return own if main is None else choose_blocks(page, own, main)
