"""The blocks of a Markdown text, found by markdown-it; the text stays as written."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from docbats.blocks import Block, blank, non_prose_spans
from docbats.places import Places
from docbats.readers.content import FileText
from docbats.readers.text_builder import headings_of
from docbats.text.headings import mark_contents_and_references, split_number
from docbats.text.layout import ends_sentence
from docbats.text.markup import inline_non_prose, plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from docbats.blocks import BlockKind

# Line by line and possessive: a choice for each character would take a hundred bytes of memory for
# each of them.
PARAGRAPH = re.compile(r"\S[^\n]*+(?:\n(?!\s*\n)[^\n]*+)*+")
"""From the first character that is not blank to before a blank line."""

_ATX = re.compile(r"\A[ \t]*+#{1,6}(?=\s|$)|(?<=\s)#++[ \t]*+$")
_UNDERLINE = re.compile(r"(?:\r\n?|\n)[ \t]*(?:=+|-+)[ \t]*$")
_ITEM_OR_QUOTE = re.compile(
    r"[ \t]*+(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]++|$)|>[ \t]*+)*+(?:\[[ xX]\](?=[ \t]))?+"
)
_QUOTE = re.compile(r"(?:\r\n?|\n)[ \t]*+(?:>[ \t]*+)++")
_ONE_LINK = (
    r"\[(?:[^\[\]\\]|\\.|\[[^\[\]]*+\])++\](?:\([^()]*+(?:\([^()]*+\)[^()]*+)?+\)|\[[^\[\]]*+\])"
)
_LINKS_ONLY = re.compile(rf"(?:[\s*_~`\d.,;:|/()·•–—-]*+{_ONE_LINK})++[\s*_~`.,;:|/)·•–—-]*+")
_ANCHOR = re.compile(r"\]\(\s*#")
_TARGET = re.compile(r"\]\(|\]\[")
_MAX_LINE_OF_LINKS = 1000  # characters


def _line_marks(written: str, kind: BlockKind) -> Iterator[re.Match[str]]:
    """Yield the marks of lines: ``#``, ``===``, bullets and ``>``."""
    if kind == "heading":
        yield from _ATX.finditer(written)
        yield from _UNDERLINE.finditer(written)
    elif kind in {"list_item", "quote"}:
        if first := _ITEM_OR_QUOTE.match(written):
            yield first
        yield from _QUOTE.finditer(written)


# Levels of nested quotations and lists, which count twice; whatever is deeper is one block.
# markdown-it needs a frame of Python's stack for each.
_MAX_NESTING = 200
_MIN_LINK_LIST = 3  # items; a shorter list of links is only contents if all are anchors
_MAX_FRONT_MATTER = 20_000  # characters
_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n?|\n)")
_LINE_END = re.compile(r"\r\n|\r|\n")
# Lines that show nothing: fences of directives, labels and macros of MyST and others.
_DIRECTIVE = re.compile(
    r"(?m)^[ \t]*+(?::{3,}[^\r\n]*+|\([^()\s]{1,100}\)=|(?:\{\{[^{}\r\n]{0,500}\}\}[ \t]*+)++)"
    r"[ \t]*+$"
)
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,100}\]:")
_HTML_HEADING = re.compile(r"(?i)\s*<h([1-6])[\s>](?:(?!</?h[1-6])[\s\S]){1,2000}</h\1>\s*")
# Indented text is code in Markdown, unless it has this many words per line and this letter share,
# as in quoted laws or the paragraphs of novels.
_MIN_PROSE_WORDS, _MIN_PROSE_SHARE = 8, 0.93
_TERM = re.compile(r"([^\n]{1,100}?)(?: {2,}|\\)\n(?![\s\S]*(?: {2}|\\)\n)")
_HTML_NOT_SHOWN = ("<!", "<?", "<script", "<style")
_HTML_KINDS: dict[str, BlockKind] = {"<table": "table", "<pre": "code", "<nav": "contents"}
_CONTAINERS: dict[str, BlockKind] = {
    "bullet_list_open": "list_item",
    "ordered_list_open": "list_item",
    "blockquote_open": "quote",
}
_LEAVES: dict[str, BlockKind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "code",
    "code_block": "code",
    "table_open": "table",
    "definition": "references",
    "html_block": "paragraph",
}


@dataclass(frozen=True)
class _Leaf:
    """The lines of one block; `kind` is that of the outermost list or quotation."""

    kind: BlockKind
    own_kind: BlockKind
    lines: tuple[int, int]
    content: str
    level: int | None = None
    list_number: int | None = None  # of the outermost list
    is_html: bool = False


class MarkdownBlocks:
    """The blocks and the prose of a Markdown text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._blanked: list[tuple[int, int]] = []
        body = _front_matter_end(text)
        if body:
            self._blanked.append((0, body))
        shown, directives = _without_directives(text[body:])
        self._blanked += [(body + start, body + end) for start, end in directives]
        tokens = _parser().parse(shown) if shown and not shown.isspace() else []
        leaves = _with_link_lists(_with_terms(_leaves(tokens)))
        starts = [body, *(end.end() for end in _LINE_END.finditer(text, body)), len(text)]
        blocks = [
            block
            for leaf in leaves
            if (block := self._block(leaf, starts[leaf.lines[0]], starts[leaf.lines[1]]))
        ]
        self.blocks = mark_contents_and_references(blocks, text)
        self._blanked += non_prose_spans(self.blocks)

    def prose(self) -> str:
        """Return the text with marks and non-prose blanked."""
        return blank(self.text, self._blanked)

    def _block(self, leaf: _Leaf, start: int, end: int) -> Block | None:
        """Return the block of a leaf, and blank its marks; None if it has no words."""
        written = self.text[start:end]
        start += len(written) - len(written.lstrip())
        written = written.strip()
        end = start + len(written)
        if leaf.kind == "heading":
            heading = plain_text(leaf.content)
            number, title = split_number(heading)
            self._blank_marks(leaf, start, written)
            if any(map(str.isalnum, title)):
                return Block("heading", start, end, leaf.level, number, title, written=heading)
            return None
        block = Block(leaf.kind, start, end, leaf.level)
        if not block.is_prose:
            return block if written else None
        if leaf.own_kind in {"code", "table", "references", "contents"}:
            self._blanked.append((start, end))  # inside a list or a quotation
            return block
        marks = self._blank_marks(leaf, start, written)
        if leaf.is_html and written.lower().startswith(_HTML_NOT_SHOWN):
            self._blanked.append((start, end))
            return None
        words = blank(written, marks)
        return block if any(map(str.isalnum, words)) else None

    def _blank_marks(self, leaf: _Leaf, start: int, written: str) -> list[tuple[int, int]]:
        """Blank the marks of a block, and return those inside its lines."""
        of_lines = (found.span() for found in _line_marks(written, leaf.kind))
        inline = list(inline_non_prose(written))
        self._blanked += [(start + first, start + last) for first, last in (*of_lines, *inline)]
        return inline


def read_markdown(text: str) -> FileText:
    """Read Markdown; offsets refer to the text as written."""
    found = MarkdownBlocks(text)
    places = Places(headings=headings_of(found.blocks))
    return FileText(text, places, found.prose(), blocks=found.blocks, kind="markdown")


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    options = {"maxNesting": _MAX_NESTING, "inline_definitions": True}
    parser = MarkdownIt("commonmark", options).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _leaves(tokens: Sequence[Token]) -> Iterator[_Leaf]:
    """Yield the innermost blocks in order."""
    containers: list[BlockKind] = []
    lists = 0
    in_footnote = False
    for token, following in pairwise([*tokens, *tokens[-1:]]):
        if token.type in _CONTAINERS:
            lists += not containers
            containers.append(_CONTAINERS[token.type])
        elif f"{token.type.removesuffix('_close')}_open" in _CONTAINERS and token.nesting < 0:
            containers.pop()
        is_too_deep = token.nesting > 0 and following.nesting < 0
        if token.map is None or not (token.type in _LEAVES or is_too_deep):
            continue
        own = _LEAVES.get(token.type, "paragraph")
        content = token.content if token.type == "html_block" else following.content
        depth = containers.count("list_item") if containers else None
        level: int | None = depth
        if token.type == "code_block" and _reads_as_prose(token.content):
            own = "paragraph"
        if own == "heading":
            level = int(token.tag[1:])
        if token.type == "html_block":
            own, level = _html_kind(token.content, level)
        is_footnote = own == "paragraph" and _FOOTNOTE.match(content) is not None
        in_footnote = is_footnote or (in_footnote and token.type == "code_block")
        if in_footnote:
            own, level = "references", None
        yield _Leaf(
            kind=containers[0] if containers else own,
            own_kind=own,
            lines=(token.map[0], token.map[1]),
            content=content,
            level=(depth or None) if containers else level,
            list_number=lists if containers and containers[0] == "list_item" else None,
            is_html=token.type == "html_block",
        )


def _reads_as_prose(content: str) -> bool:
    """Whether indented lines hold sentences rather than code."""
    words, lines = len(content.split()), len(content.splitlines())
    marks = sum(not (letter.isalnum() or letter.isspace()) for letter in content)
    return words >= _MIN_PROSE_WORDS * lines and marks <= (1 - _MIN_PROSE_SHARE) * len(content)


def _html_kind(content: str, level: int | None) -> tuple[BlockKind, int | None]:
    """Return the kind and the level of a block that is written in HTML."""
    heading = _HTML_HEADING.fullmatch(content)
    if heading is not None:
        return "heading", int(heading[1])
    opening = content.lstrip()[:10].lower()
    for tag, kind in _HTML_KINDS.items():
        if opening.startswith(tag):
            return kind, level
    return "paragraph", level


def _with_terms(leaves: Iterator[_Leaf]) -> Iterator[_Leaf]:
    """Split terms, which have the only kept line end of a paragraph after them, from definitions.

    Markdown has no lists of definitions, and pandoc writes them so. Of an address or a poem, all
    line ends are kept, and an address does not end a sentence.
    """
    for leaf in leaves:
        is_paragraph = leaf.own_kind == "paragraph" and not leaf.is_html
        found = _TERM.match(leaf.content) if is_paragraph else None
        if found is None or ends_sentence(found[1]) or not ends_sentence(leaf.content):
            yield leaf
            continue
        first, stop = leaf.lines
        yield replace(leaf, content=found[1], lines=(first, first + 1))
        yield replace(leaf, content=leaf.content[found.end() :], lines=(first + 1, stop))


def _with_link_lists(leaves: Iterator[_Leaf]) -> Iterator[_Leaf]:
    """Mark the lists that are only links: tables of contents and menus."""
    for number, group in groupby(leaves, lambda leaf: leaf.list_number):
        items = list(group)
        if number is not None and all(map(_is_link, items)):
            texts = [leaf.content for leaf in items]
            in_text = all(len(_ANCHOR.findall(t)) == len(_TARGET.findall(t)) for t in texts)
            if in_text or len(items) >= _MIN_LINK_LIST:
                items = [replace(leaf, kind="contents", level=None) for leaf in items]
        yield from items


def _is_link(leaf: _Leaf) -> bool:
    """Whether a list item holds links and no other words."""
    is_line = leaf.own_kind == "paragraph" and len(leaf.content) <= _MAX_LINE_OF_LINKS
    return is_line and _LINKS_ONLY.fullmatch(leaf.content) is not None


def _without_directives(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text with lines that show nothing blanked, and the spans of these lines."""
    if not any(mark in text for mark in (":::", ")=", "{{")):
        return text, []
    plain = _LINE_END.sub(lambda end: "\n" * len(end[0]), text)
    spans = [found.span() for found in _DIRECTIVE.finditer(plain)]
    return blank(text, spans), spans


def _front_matter_end(text: str) -> int:
    """Return the end of the metadata before the text; 0 if there is none."""
    opening = _FRONT_MATTER.match(text)
    if opening is None:
        return 0
    mark = re.escape(opening[1])
    closing = re.compile(rf"(?:\r\n?|\n)(?:{mark}|\.\.\.)[ \t]*(?:\r\n?|\n|$)")
    found = closing.search(text, opening.end(1), opening.end() + _MAX_FRONT_MATTER)
    first = text[opening.end() : opening.end() + 200].lstrip("\r\n")
    return found.end() if found and re.match(r"[\w\"'#-]", first) else 0
