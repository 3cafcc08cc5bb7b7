"""Markup that pandoc reads: its tree, as blocks.

pandoc is a process of its own that reads no other file, with limits on its time, its memory and
its output.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
import threading
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docbats.errors import ReadError
from docbats.readers.content import read_text
from docbats.readers.text_builder import ParagraphKind, TextBuilder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from docbats.readers.content import FileContent, FileText
    from docbats.readers.kinds import Reader

    # Blocks and inlines of pandoc: their tag is "t", and "c" is what they hold.
    Node = dict[str, Any]

_MAX_SECONDS = 60  # if smaller, long books are read as plain text
_MAX_HEAP = "512M"
_MAX_TREE = 64 << 20  # bytes of JSON, about five for each of the text; Python takes ten for each


def read_markup(content: FileContent, reader: Reader) -> FileText:
    """Read markup with pandoc; without it, or if it fails, text stays as written, with a note."""
    prepared = _prepared(content, reader)
    try:
        tree = json.loads(_run_pandoc(reader.kind, prepared))
        return _TreeReader(has_quotes=reader.kind != "man").read(tree)
    except ReadError as error:
        reason = str(error)
    except RecursionError:  # thousands of lists or quotations in each other
        reason = "pandoc finds it nested too deeply"
    remark = f"{reader.name}, read as plain text: {reason}"
    return replace(read_text(content), remarks=(remark,))


# The process.


def find_pandoc() -> str | None:
    """Return the path of the program that the extra installs; None where it is missing."""
    spec = find_spec("pypandoc")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "files"
    paths = (folder / name for name in ("pandoc", "pandoc.exe"))
    return next((str(path) for path in paths if path.is_file()), None)


def _run_pandoc(kind: str, data: bytes) -> bytes:
    """Return the tree of a document as JSON; a `ReadError` if pandoc fails."""
    pandoc = find_pandoc()
    if pandoc is None:
        msg = 'pandoc is not installed: pip install "docbats[pandoc]"'
        raise ReadError(msg)
    limits = ["+RTS", f"-M{_MAX_HEAP}", "-RTS"]
    with subprocess.Popen(
        [pandoc, "--sandbox", "--from", kind, "--to", "json", *limits],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        _limit_processor_time(process.pid)
        timer = threading.Timer(_MAX_SECONDS, process.kill)
        # In a thread, since pandoc may write before it has read everything.
        writer = threading.Thread(target=_write, args=(process, data))
        try:
            timer.start()
            writer.start()
            assert process.stdout is not None
            tree = process.stdout.read(_MAX_TREE + 1)
            if len(tree) > _MAX_TREE:
                process.kill()
            process.wait()
        finally:
            timer.cancel()
            process.kill()
            writer.join()
    if process.returncode:
        msg = "pandoc cannot read it: look for errors in it"
        raise ReadError(msg)
    return tree


def _write(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None
    with suppress(OSError), process.stdin:  # a pipe breaks where pandoc ends early
        process.stdin.write(data)


def _limit_processor_time(pid: int) -> None:
    """Let the process end by itself if this one is killed before it."""
    with suppress(ImportError, AttributeError, OSError):  # Linux alone has this
        import resource

        resource.prlimit(pid, resource.RLIMIT_CPU, (_MAX_SECONDS, _MAX_SECONDS))


# What pandoc does not understand.


def _prepared(content: FileContent, reader: Reader) -> bytes:
    """Return a file as pandoc reads it best."""
    match reader.kind:
        case "rst":
            text = _prepare_rst(content.text)
        case "asciidoc":
            text = _prepare_asciidoc(content.text)
        case "docbook" | "jats" | "fb2" | "opml":
            text = _prepare_xml(content.text)
        case _:
            text = content.text
    return text.encode("utf-8", "replace")


_ENTITY = re.compile(r"<!ENTITY\s++([\w.-]++)\s++([\"'])([^\"'&<]{0,200})\2")
_ENTITY_USE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z_][\w.-]*+);")


def _prepare_xml(text: str) -> str:
    """Return XML with what its entities stand for; pandoc knows only those of XML itself."""
    values = {found[1]: found[3] for found in _ENTITY.finditer(text)}

    def value(use: re.Match[str]) -> str:
        if (character := html.unescape(use[0])) != use[0]:  # one of those of HTML
            return html.escape(character)
        return values.get(use[1], use[1])

    return _ENTITY_USE.sub(value, text)


_DOMAIN = re.compile(r"(?m)^[ \t]*+\.\. [a-z]{1,20}(?::[a-z-]{1,20}){1,3}::(?=\s|$)")
_ANONYMOUS = re.compile(r"(?<=[\w`])(?<!_)__(?!\w)")


def _prepare_rst(text: str) -> str:
    """Return reStructuredText that pandoc reads.

    It takes a directive with the domain of a language, as in ``py:function``, for a comment, and
    fails where an anonymous reference has no target.
    """
    n_anonymous = sum(1 for _ in _ANONYMOUS.finditer(text))
    text = _DOMAIN.sub(lambda found: found[0][:-2].replace(":", "-") + "::", text)
    return text + "\n" + "\n__ #\n" * n_anonymous


_INCLUDE = re.compile(r"(?m)^include::.*")
_ASCIIDOC_UNDERLINE = re.compile(r"(={2,}|-{2,}|~{2,}|\^{2,}|\+{2,})\s*")
_ASCIIDOC_LEVELS = "=-~^+"
_ASCIIDOC_VERBATIM = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,})[^`]*")
_MAX_UNDERLINE_GAP = 2  # characters between the lengths of a title and of the line under it


def _prepare_asciidoc(text: str) -> str:
    """Return AsciiDoc with nothing to include, and with the newer of two ways to write a thing.

    These are ``== Title`` rather than underlined titles, and definitions that are not indented.
    """
    lines = ["", *_INCLUDE.sub("", text).splitlines()]
    fence: str | None = None  # that ends a block of code
    is_definition = False  # whether a term was the last line that is not blank
    for i, line in enumerate(lines):
        if fence is not None:
            fence = None if line.rstrip() == fence else fence
        elif _ASCIIDOC_UNDERLINE.fullmatch(line) and _is_title(lines[i - 2], lines[i - 1], line):
            level = 1 + _ASCIIDOC_LEVELS.index(line[0])
            lines[i - 1], lines[i] = "=" * level + " " + lines[i - 1], ""
        elif found := _ASCIIDOC_VERBATIM.fullmatch(line):
            fence = found[1]
        elif is_definition and line[:1].isspace() and line.strip():
            lines[i] = line.lstrip()
            is_definition = bool(lines[i + 1 : i + 2] and lines[i + 1].strip())
            continue
        is_definition = _is_term(line) or (is_definition and not line.strip())
    return "\n".join(lines)


def _is_term(line: str) -> bool:
    return line.rstrip().endswith(("::", ";;")) and not line.isspace()


def _is_title(before: str, title: str, underline: str) -> bool:
    is_first = not before.strip() or before.startswith("[")
    gap = abs(len(title.rstrip()) - len(underline.rstrip()))
    return is_first and title[:1].isalnum() and gap <= _MAX_UNDERLINE_GAP


# The tree.

_PARAGRAPH = ParagraphKind()
_REFERENCES = ParagraphKind("references")
# Directives of reStructuredText that show nothing, or not what they hold.
_NOT_SHOWN = {
    "codeauthor", "currentmodule", "default-domain", "default-role", "highlight", "index",
    "literalinclude", "meta", "module", "program", "sectionauthor", "tabularcolumns",
}  # fmt: skip
# What Sphinx writes before the number of a version.
_VERSION_WORDS = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
}
_KINDS_OF_DIVS = {
    "contents": ParagraphKind("contents"),
    "toctree": ParagraphKind("contents"),
    "refs": _REFERENCES,
    "citations": _REFERENCES,
}
_SPACES = {"Space": " ", "SoftBreak": " ", "LineBreak": "\n"}
_QUOTES = {"SingleQuote": ("‘", "’"), "DoubleQuote": ("“", "”")}


class _TreeReader:
    """Adds the blocks of a tree to a text."""

    def __init__(self, *, has_quotes: bool) -> None:
        self._built = TextBuilder()
        self._quote = ParagraphKind("quote") if has_quotes else _PARAGRAPH  # or indented text
        self._notes: list[list[Node]] = []
        self._note_numbers: dict[str, int] = {}
        self._levels_above = 0  # 1 under the title of the document

    def read(self, tree: Node) -> FileText:
        """Return the text of a document: its title, its summary, its blocks and its notes."""
        meta = tree["meta"]
        title = self._meta_text(meta.get("title"))
        self._add_heading(1, title)
        self._levels_above = bool(title)
        for name in ("subtitle", "abstract"):
            self._add(self._meta_text(meta.get(name)), _PARAGRAPH)
        self._add_blocks(tree["blocks"], _PARAGRAPH)
        for number, note in enumerate(self._notes, start=1):  # there may be notes in notes
            mark = {"t": "Plain", "c": [{"t": "Str", "c": f"[{number}]"}]}
            self._add_blocks([mark, *note], _REFERENCES)
        return self._built.file_text("pandoc finds no text in it")

    def _add(self, text: str, kind: ParagraphKind, *, is_prose: bool = True) -> None:
        if self._built.table.depth:
            self._built.add_paragraph(text, kind)
        elif text.strip():
            self._built.add(text.strip(), *kind, is_prose=is_prose)

    def _add_blocks(self, blocks: Iterable[Node], kind: ParagraphKind) -> None:
        """Add blocks; their paragraphs are of this kind, by the elements around them."""
        for block in blocks:
            content: Any = block.get("c")
            match block["t"]:
                case "Para" | "Plain":
                    self._add(self._text(content), kind)
                case "LineBlock":
                    self._add("\n".join(map(self._text, content)), kind)
                case "Header":
                    self._add_heading(content[0], self._text(content[2], with_notes=False))
                case "CodeBlock" if kind == _PARAGRAPH:
                    self._add(content[1].strip("\n"), ParagraphKind("code"))
                case "CodeBlock":
                    self._add(content[1], kind, is_prose=False)
                case tag:
                    self._add_container(tag, content, kind)

    def _add_container(self, tag: str, content: Any, kind: ParagraphKind) -> None:
        """Add the blocks in a block; raw text of other formats and rules are left out."""
        match tag:
            case "BulletList":
                self._add_items(content, kind)
            case "OrderedList":
                self._add_items(content[1], kind)
            case "DefinitionList":
                for term, definitions in content:
                    self._add(self._text(term), kind)
                    for definition in definitions:
                        self._add_blocks(definition, kind)
            case "BlockQuote":
                self._add_blocks(content, self._quote if kind == _PARAGRAPH else kind)
            case "Table":
                self._add_table(content, kind)
            case "Figure":
                self._add_blocks([*content[2], *content[1][1]], kind)
            case "Div":
                self._add_div(content, kind)

    def _add_heading(self, level: int, title: str) -> None:
        if any(map(str.isalnum, title)):
            self._add(title, ParagraphKind("heading", max(1, level) + self._levels_above))

    def _add_items(self, items: Iterable[list[Node]], kind: ParagraphKind) -> None:
        if kind.kind in {"paragraph", "list_item"}:
            kind = ParagraphKind("list_item", (kind.level or 0) + 1)
        for item in items:
            self._add_blocks(item, kind)

    def _add_table(self, content: list[Any], kind: ParagraphKind) -> None:
        _, caption, _, head, bodies, foot = content
        self._add_blocks(caption[1], kind)
        groups = [head[1], *(rows for body in bodies for rows in body[2:]), foot[1]]
        self._built.start_table()
        for row in (row for group in groups for row in group):
            self._built.table.start_row()
            for cell in row[1]:
                self._built.table.start_cell()
                self._add_blocks(cell[4], _PARAGRAPH)
        self._built.end_table()

    def _add_div(self, content: list[Any], kind: ParagraphKind) -> None:
        (identifier, classes, _), blocks = content
        for name in (identifier, *classes):
            kind = _KINDS_OF_DIVS.get(name, kind)
            if words := _VERSION_WORDS.get(name):
                blocks = _with_words(words, blocks)
        if _NOT_SHOWN.isdisjoint(classes):
            self._add_blocks(blocks, kind)

    def _text(self, inlines: Iterable[Node], *, with_notes: bool = True) -> str:
        return "".join(self._pieces(inlines, with_notes=with_notes))

    def _pieces(self, inlines: Iterable[Node], *, with_notes: bool) -> Iterator[str]:
        """Yield the words of a paragraph, with marks for its notes, which follow the text."""
        for inline in inlines:
            tag = inline["t"]
            content: Any = inline.get("c")
            match tag:
                case "Str":
                    yield content
                case "Space" | "SoftBreak" | "LineBreak":
                    yield _SPACES[tag]
                case "Code":
                    yield _code_text(*content)
                case "Math":
                    yield content[1]
                case "Quoted":
                    left, right = _QUOTES[content[0]["t"]]
                    yield f"{left}{self._text(content[1], with_notes=with_notes)}{right}"
                case "Note":
                    yield f" [{self._note_number(content)}]" if with_notes else ""
                case "Image" | "RawInline":
                    pass
                case _:  # emphasis, links, citations and spans: the last two have attributes
                    inside = content[1] if tag in {"Cite", "Link", "Span"} else content
                    yield from self._pieces(inside, with_notes=with_notes)

    def _note_number(self, note: list[Node]) -> int:
        """Return the number of a note; several marks may lead to one."""
        number = self._note_numbers.setdefault(json.dumps(note), len(self._notes) + 1)
        if number > len(self._notes):
            self._notes.append(note)
        return number

    def _meta_text(self, value: Node | None) -> str:
        """Return the words of metadata; blank where there are none."""
        if value is None or value["t"] not in {"MetaInlines", "MetaBlocks"}:
            return ""
        if value["t"] == "MetaInlines":
            return self._text(value["c"], with_notes=False)
        paragraphs = (block["c"] for block in value["c"] if block["t"] in {"Para", "Plain"})
        return "\n\n".join(map(self._text, paragraphs))


def _with_words(words: str, blocks: list[Node]) -> list[Node]:
    """Return the blocks of a change with what Sphinx writes before its version."""
    first, *rest = blocks or [{"t": "Para", "c": []}]
    return [{"t": "Para", "c": [{"t": "Str", "c": f"{words} "}, *first["c"]]}, *rest]


def _code_text(attributes: list[Any], code: str) -> str:
    """Return code inside a line as it is shown; a reference of Sphinx without its target.

    A role has ``words <target>``, or with a ``~`` a dotted name of which the last part is shown.
    """
    if "interpreted-text" not in attributes[1]:
        return code
    words, _, target = code.rpartition("<")
    if words.strip() and target.endswith(">"):
        return words.strip()
    return code.rpartition(".")[2].lstrip("~") if code.startswith("~") else code
