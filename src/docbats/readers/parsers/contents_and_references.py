"""Which blocks are a table of contents or a bibliography, by the headings above them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docbats.blocks import Block

__all__ = ["mark_contents_and_references"]

# fmt: off
_CONTENTS = {
    "contents", "table of contents", "toc", "on this page", "in this article", "page contents",
    "contenido", "contenidos", "índice", "tabla de contenido", "tabla de contenidos",
    "sommaire", "table des matières", "inhalt", "inhaltsverzeichnis", "indice", "sommario",
    "sumário", "conteúdo", "inhoud", "inhoudsopgave", "spis treści", "obsah", "innehåll",
    "içindekiler", "содержание", "оглавление", "зміст", "目录", "目錄", "目次", "목차", "차례",
}
_REFERENCES = {
    "references", "bibliography", "works cited", "literature cited", "references and notes",
    "referencias", "bibliografía", "referencias bibliográficas", "références", "bibliographie",
    "literatur", "literaturverzeichnis", "quellen", "quellenverzeichnis", "riferimenti",
    "bibliografia", "referências", "referências bibliográficas", "literatuur", "literatura",
    "källor", "referenser", "kaynakça", "литература", "список литературы", "библиография",
    "参考文献", "參考文獻", "참고문헌", "参考资料",
}
# fmt: on
_SENTENCE_END = (".", "!", "?", "。", "！", "？", ":")
_MAX_ENTRY = 120  # characters of a line of contents
_REFERENCE = re.compile(
    r"\[[^\]]{1,40}\]|.{0,400}?(?:https?://|\bdoi\b|\barXiv\b|\b(?:1[5-9]|20)\d\d\b)", re.DOTALL
)
_MIN_REFERENCE_SHARE = 0.6  # of the blocks of a bibliography that look like a reference


def mark_contents_and_references(blocks: Sequence[Block], text: str) -> tuple[Block, ...]:
    """Return the blocks, with what stands under "Contents" or "References" marked as such.

    The heading of a table of contents becomes part of it; that of a bibliography stays a heading.
    """
    marked: list[Block] = []
    references_above: int | None = None  # the level of the heading that references stand under
    for heading, body, following in _sections(blocks):
        if heading is None:
            marked += body
            continue
        name = (heading.title or "").strip(" :.").casefold()
        level = heading.level or 1
        if references_above is not None and level <= references_above:
            references_above = None
        is_last = following is None or (following.level or 1) <= level
        if _is_contents(name, body, text) and (is_last or name in _CONTENTS):
            marked += [_as_contents(block) for block in (heading, *body)]
            continue
        if name in _REFERENCES and _are_references(body, text):
            references_above = level
        marked.append(heading)
        if references_above is None:
            marked += body
        else:
            marked += [replace(b, kind="references") if b.is_prose else b for b in body]
    return tuple(marked)


def _sections(
    blocks: Sequence[Block],
) -> Iterator[tuple[Block | None, list[Block], Block | None]]:
    """Yield each heading, what follows it, and the next heading; first what has no heading."""
    heading: Block | None = None
    body: list[Block] = []
    for block in blocks:
        if block.kind != "heading":
            body.append(block)
            continue
        yield heading, body, block
        heading, body = block, []
    yield heading, body, None


def _as_contents(block: Block) -> Block:
    if block.kind == "contents":
        return block
    return replace(block, kind="contents", level=None, number=None, title=None, is_certain=True)


def _is_contents(name: str, body: list[Block], text: str) -> bool:
    """Whether all under a heading is contents, or may be, where the heading says so."""
    if not body:
        return False
    if all(block.kind == "contents" for block in body):
        return True
    return name in _CONTENTS and all(_is_entry(block, text) for block in body)


def _is_entry(block: Block, text: str) -> bool:
    if block.kind in {"contents", "list_item", "table"}:
        return True
    is_short = block.end - block.start <= _MAX_ENTRY
    return (
        block.kind == "paragraph"
        and is_short
        and not text[block.start : block.end].endswith(_SENTENCE_END)
    )


def _are_references(body: list[Block], text: str) -> bool:
    prose = [block for block in body if block.is_prose]
    found = sum(_REFERENCE.match(text, block.start, block.end) is not None for block in prose)
    return bool(prose) and found >= _MIN_REFERENCE_SHARE * len(prose)
