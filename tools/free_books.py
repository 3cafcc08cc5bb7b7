"""Makes Markdown files of three free books, for ``docbats lab run books``.

The books are in packages of Debian 12, `apt-get download` gets them, `dpkg-deb -x FILE FOLDER`
unpacks them: debian-handbook 11 (The Debian Administrator's Handbook), anarchism 15.3 (An Anarchist
FAQ) and r-cran-janeaustenr 1.0.0 (Persuasion).
"""

from __future__ import annotations

import argparse
import html
import re
import struct
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_VOID = frozenset({"br", "img", "meta", "link", "hr", "col", "input"})
_BLOCKS = frozenset(
    {"blockquote", "dd", "div", "dt", "h1", "h2", "h3", "h4", "h5", "li", "p", "pre"}
)
_LEFT_OUT = frozenset({"head", "table"})
_LEFT_OUT_CLASSES = frozenset({"docnav", "toc", "mediaobject", "legalnotice"})
_LEFT_OUT_IDS = frozenset({"banner", "title"})
_SPECIAL = re.compile(r"([\\`*_\[\]<>#])")  # what Markdown takes for marks
_MARKS = {"li": "-", "blockquote": ">"}
_FAQ_SECTION = re.compile(r"sec([A-J])(int|\d+)$")
_R_STRING = re.compile(rb"\x00[\x00-\x0f]\x00\x09(....)", re.DOTALL)


class _Page(HTMLParser):
    """The blocks of a page: names of elements, and their texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.blocks: list[tuple[str, str]] = []
        self._open: list[tuple[str, bool]] = []  # whether it is left out
        self._text: list[str] = []
        self.feed(text)
        self.close()
        self._flush()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a block."""
        if tag in _VOID:
            self._text.append(" ")
            return
        if tag in _BLOCKS:
            self._flush()
        given = {name: value or "" for name, value in attrs}
        classes = set(given.get("class", "").split())
        is_left_out = (
            tag in _LEFT_OUT
            or bool(classes & _LEFT_OUT_CLASSES)
            or given.get("id") in _LEFT_OUT_IDS
            or (tag == "p" and "title" in classes)
        )
        self._open.append((tag, is_left_out))

    def handle_endtag(self, tag: str) -> None:
        """End a block, and what was left open in it."""
        if tag in _BLOCKS:
            self._flush()
        if tag in (name for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Take text."""
        if not any(is_left_out for _, is_left_out in self._open):
            self._text.append(data)

    def _flush(self) -> None:
        text, self._text = "".join(self._text), []
        kind = next((tag for tag, _ in reversed(self._open) if tag in _BLOCKS - {"div", "p"}), "p")
        text = text.strip("\n").rstrip() if kind == "pre" else " ".join(text.split())
        if text.strip():
            self.blocks.append((kind, text))


def _blocks(path: Path) -> list[tuple[str, str]]:
    return _Page(path.read_text(encoding="utf-8")).blocks


def _markdown(kind: str, text: str) -> str:
    if kind == "pre":
        return f"~~~~~~\n{text}\n~~~~~~"
    if kind[0] == "h":
        return f"{'#' * int(kind[1])} " + _SPECIAL.sub(r"\\\1", text)
    if kind in _MARKS:
        return f"{_MARKS[kind]} {text}"
    return f"\\{text}" if text[0] in "#>-+*" else text


def debian_handbook(package: Path) -> Iterator[str]:
    """Yield the Markdown of the handbook: the pages in the order in which they are linked."""
    folder = package / "usr/share/doc/debian-handbook/html/en-US"
    page, seen = "index.html", set[str]()
    while page not in seen:
        seen.add(page)
        text = (folder / page).read_text(encoding="utf-8")
        if page != "index.html":
            yield from (_markdown(*block) for block in _Page(text).blocks)
        found = re.search(r'rel="next" href="([^"#]+)', text)
        page = found[1] if found else page


def anarchist_faq(package: Path) -> Iterator[str]:
    """Yield the Markdown of the sections A to J; chapters are at level 2, questions at level 3."""
    folder = package / "usr/share/doc/anarchism/html"
    files = {}
    for path in folder.glob("sec*.html"):
        if found := _FAQ_SECTION.match(path.stem):
            files[found[1], 0 if found[2] == "int" else int(found[2])] = path
    for (_, chapter), path in sorted(files.items()):
        if chapter:
            title = re.search(r"<title>(.*?)\s*\|", path.read_text(encoding="utf-8"))
            yield _markdown("h2", html.unescape(title[1]) if title else str(chapter))
        for kind, text in _blocks(path):
            if kind == "h1" and chapter:
                continue  # the title once more
            below = f"h{int(kind[1]) + 1}" if kind[0] == "h" and chapter else kind
            yield _markdown(below, text)


def persuasion(package: Path) -> Iterator[str]:
    """Yield the Markdown of the novel, out of the file in which R keeps the package's data."""
    path = package / "usr/lib/R/site-library/janeaustenr/data/Rdata.rdb"
    for lines in _r_strings(path.read_bytes()):
        if lines[0] == "Persuasion":
            paragraphs = re.split(r"\n\s*\n", "\n".join(lines[lines.index("Chapter 1") :]))
            for paragraph in filter(str.strip, paragraphs):
                text = " ".join(paragraph.split())
                is_heading = re.fullmatch(r"Chapter \d+", text)
                yield _markdown("h1" if is_heading else "p", text)


def _r_strings(data: bytes) -> Iterator[list[str]]:
    """Yield the strings of each object: its size, and then a zlib stream of R's serialization."""
    while data:
        stream = zlib.decompressobj()
        content = stream.decompress(data[4:])
        data = stream.unused_data
        yield [
            content[found.end() : found.end() + struct.unpack(">i", found[1])[0]].decode("latin-1")
            for found in _R_STRING.finditer(content)
            if struct.unpack(">i", found[1])[0] >= 0
        ]


BOOKS = {
    "debian-administrators-handbook": ("debian-handbook", debian_handbook),
    "an-anarchist-faq": ("anarchism", anarchist_faq),
    "persuasion": ("r-cran-janeaustenr", persuasion),
}


def main() -> None:
    """Write a Markdown file for each book."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", type=Path, help="folder with one folder for each package")
    parser.add_argument("output", type=Path, help="folder of the Markdown files, DATA/books")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for name, (package, blocks) in BOOKS.items():
        text = "\n\n".join(blocks(options.packages / package)) + "\n"
        (options.output / f"{name}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
