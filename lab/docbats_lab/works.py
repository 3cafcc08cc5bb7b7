"""The works of the zoo: their files, and what their HTML says of their outline and prose.

The rules fit the generators of the works in ``data/zoo.ini``, and only those.
"""

from __future__ import annotations

import configparser
import gzip
import io
import os
import re
import shutil
import subprocess
import tempfile
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from docbats.document import Document
from docbats.errors import ReadError
from docbats.readers.pandoc import find_pandoc
from docbats.text.headings import is_references_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

GRAM = 4
"""The length of the runs of words that texts are compared by."""

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_NUMBER = re.compile(
    r"""\s*(?:
      (?:chapter|chapitre|kapitel|cap[ií]tulo|capitolo|appendix|annexe|anhang|ap[eé]ndice|appendice
        |part|partie|teil|parte|section|глава|приложение|часть|付録)
        \s*(?:[0-9]+|[ivxlc]+|[a-z])\b(?:\.\d+)*[.:)\s—–-]*
      |第\s*\d+\s*[章部節]
      |§?\s*(?:\d+|[a-z])(?:\.\d+)*\s*[.:)]\s+
      |(?:\d+|[a-z]\.\d+)(?:\.\d+)*\s+
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_BOOK_BEFORE_CHAPTER = re.compile(r"^(?!\d).+ (?=(?:Chapter \d+|Appendix [A-Z]) - )")  # DebianDoc
_INVISIBLE = re.compile("「\\d+」|[\u200b-\u200f\u2060\ufeff\xad]")  # and marks of footnotes


def words(text: str) -> list[str]:
    """Return the words of a text; each character of Chinese, Japanese and Korean is one."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).replace("\xad", "").casefold())


def title_key(title: str) -> str:
    """Return a title without its number, case, spaces and punctuation."""
    title = _INVISIBLE.sub("", unicodedata.normalize("NFKC", title)).strip().removesuffix("¶")
    number = _NUMBER.match(title)
    return "".join(words(title[number.end() :] if number else title)) or "".join(words(title))


def count_grams(blocks: Iterable[str]) -> Counter[tuple[str, ...]]:
    """Count the runs of words within blocks."""
    found: Counter[tuple[str, ...]] = Counter()
    for block in blocks:
        own = words(block)
        found.update(tuple(own[i : i + GRAM]) for i in range(len(own) - GRAM + 1))
    return found


class Place(NamedTuple):
    """A title, and where it is in the text: the share of the letters of prose before it."""

    title: str
    place: float


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_DROPPED_TAGS = _set("script style nav head noscript button")
_DROPPED_CLASSES = _set(
    "navheader navfooter nav-panel header docnav book_nav breadcrumbs related sphinxsidebar footer "
    "clearer contents Contents_element shortcontents toc list-of-figures list-of-tables "
    "list-of-examples toctree-wrapper localtoc menu menu-comment headerlink nav-wrapper "
    "nav-wide-wrapper mobile-nav-chapters copiable-anchor summary-letter index top genindextable "
    "indextable printindex-index-entry menu-bar"
)
_DROPPED_IDS = _set(
    "Table_of_Contents Contents_element SEC_Contents SEC_Overview sidebar menu-bar toc page-header "
    "page-footer column2 gtoc footer index"
)
_KEPT_WITH_PARAGRAPHS = _set("header index top contents footer")
_NO_HEADING_CLASSES = _set(
    "author subtitle titlerest pubdate corpauthor releaseinfo editor edition date"
)
_OTHER_TAGS = _set("pre table math svg textarea select")
_OTHER_CLASSES = _set("footnotes footnote footnotes-segment bibliography screen programlisting")
_BLOCK_TAGS = _set(
    "p li dd dt div section article main body blockquote ul ol dl td th center address figcaption "
    "figure caption header details summary aside hr"
)
_INLINE_TAGS = _set("a sup span")  # of marks of footnotes, which do not end a paragraph
# Whose titles are not asked for, but not wrong, either, like those of notes.
_ADMONITION_CLASSES = _set("note tip caution warning important")
_LOWEST = 9  # level
_TITLE_PAGE = (
    "ancestor::*[contains(@class,'titlepage')][../@class='book' or ../@class='article']"  # DocBook
)


@dataclass(frozen=True)
class _Item:
    """A block of a page: a heading with its level, prose, or other text."""

    kind: str
    text: str
    level: int = 0


class _PageWalk:
    """The blocks of a page without its navigation."""

    def __init__(self, data: bytes, work: Mapping[str, str]) -> None:
        from lxml import html

        self.items: list[_Item] = []
        self._levels_by_number = work.get("levels") == "numbers"
        self._open: list[str] = []
        root = html.fromstring(data, parser=_html_parser(data))
        for node in root.xpath(work["drop"]) if "drop" in work else ():
            node.drop_tree()
        main = (
            root.xpath(work.get("main", "//main|//*[@role='main']"))
            or root.xpath("//body")
            or [root]
        )
        self._walk(main[0], "prose")
        self._close("prose")

    def _close(self, kind: str) -> None:
        text = " ".join("".join(self._open).split())
        if text:
            self.items.append(_Item(kind, text))
        self._open.clear()

    def _walk(self, node: Any, kind: str) -> None:
        classes = _classes(node)
        if _is_dropped(node, classes):
            return
        if re.fullmatch("h[1-6]", node.tag):
            self._close(kind)
            if not classes & _NO_HEADING_CLASSES:
                item = self._heading(node, classes)
                self.items.append(item if kind == "prose" else replace(item, level=_LOWEST))
            return
        if node.tag in _INLINE_TAGS and classes & _OTHER_CLASSES:
            self.items.append(_Item("other", node.text_content()))
            return
        inner = "other" if node.tag in _OTHER_TAGS or classes & _OTHER_CLASSES else kind
        is_block = node.tag in _BLOCK_TAGS or inner != kind
        if is_block:
            self._close(kind)
        self._open.append((" " if node.tag == "br" else "") + (node.text or ""))
        for child in node:
            self._walk(child, inner)
            self._open.append(child.tail or "")
        if is_block:
            self._close(inner)

    def _heading(self, node: Any, classes: set[str]) -> _Item:
        """Return a heading; the level of a book's title is 0."""
        text = " ".join("".join(_heading_texts(node)).split()).strip("¶# ")
        level, parent = int(node.tag[1]), node.getparent()
        if _classes(parent) & _ADMONITION_CLASSES:
            return _Item("heading", text, _LOWEST)
        text = _BOOK_BEFORE_CHAPTER.sub("", text)
        number = re.split(r"[^\d.]", text, maxsplit=1)[0].rstrip(".")
        if self._levels_by_number and (number or level == 1):
            level = 1 + number.count(".") if number else 0
        is_docutils_title = (
            level == 1
            and "title" in classes
            and (parent.tag in ("main", "body") or parent.get("class") == "document")
        )
        is_title = is_docutils_title or "titlemain" in classes or node.xpath(_TITLE_PAGE)
        return _Item("heading", text, 0 if is_title else level)


def _classes(node: Any) -> set[str]:
    return set((node.get("class") or "").split()) if isinstance(node.tag, str) else set()


def _is_dropped(node: Any, classes: set[str]) -> bool:
    if not isinstance(node.tag, str) or node.tag in _DROPPED_TAGS:
        return True
    is_navigation = (
        classes & _DROPPED_CLASSES
        or node.get("id") in _DROPPED_IDS
        or node.get("role") == "navigation"
    )
    return bool(is_navigation) and not (
        classes & _KEPT_WITH_PARAGRAPHS and len(node.findall(".//p")) > 3
    )


def _heading_texts(node: Any) -> Iterator[str]:
    yield node.text or ""
    for child in node:
        dropped = _classes(child) & {"headerlink", "copiable-anchor", "footnote"}
        is_mark = child.tag == "sup" and (node.tag == "a" or child.find(".//a") is not None)
        if isinstance(child.tag, str) and not (dropped or is_mark) and child.tag != "script":
            yield from _heading_texts(child)
        yield child.tail or ""


def _html_parser(data: bytes) -> Any:
    """Return a parser that reads UTF-8 even where the page does not say so."""
    from lxml import html

    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return html.HTMLParser()
    return html.HTMLParser(encoding="utf-8")


class Oracle:
    """The outline and the text of pages, in order.

    Chapters have level 1. Where there is one heading of the highest level only, it is the title of
    the page, and those of the next level are the chapters. Where the pages are in `parts` with
    titles, these are the chapters, and an empty part may be the title of all.
    """

    def __init__(self, parts: Mapping[str, Iterable[Path]], work: Mapping[str, str]) -> None:
        base = int(work.get("base", "1"))
        items: list[_Item] = []
        for title, pages in parts.items():
            if title:
                items.append(_Item("heading", title, base - 1 if items or pages else base - 2))
            items += [item for path in pages for item in _PageWalk(load_file(path), work).items]
        items = _without_references(items)
        base -= any(parts)
        levels = [i.level for i in items if i.kind == "heading" and i.level >= base]
        if levels.count(base) == 1 and len(levels) > 1:
            base = min(level for level in levels if level > base)
        sizes = [0 if i.kind == "other" else len("".join(i.text.split())) for i in items]
        total, length = sum(sizes) or 1, 0
        self._headings: list[tuple[int, Place]] = []
        for item, size in zip(items, sizes, strict=True):
            key = title_key(item.text)
            if item.kind == "heading" and key:
                self._headings.append((item.level - base + 1, Place(key, length / total)))
            length += size
        self.prose = [item.text for item in items if item.kind == "prose"]
        self.grams = count_grams(self.prose)
        self.all_grams = set(count_grams([" ".join(item.text for item in items)]))

    def titles(self, lowest: int = -9, highest: int = 9) -> list[Place]:
        """Return the titles of some levels, in order."""
        return [title for level, title in self._headings if lowest <= level <= highest]

    @cached_property
    def sentence_rate(self) -> float:
        """The number of sentences per word of prose, by the splitter of docbats."""
        blocks = [{"kind": "paragraph", "text": text} for text in self.prose or ["-"]]
        n_words = sum(len(words(text)) for text in self.prose)
        return len(Document.from_blocks(blocks)) / max(1, n_words)


def _without_references(items: list[_Item]) -> list[_Item]:
    """Return the items with the prose under a title such as "References" as other text."""
    in_references = False
    kept: list[_Item] = []
    for item in items:
        if item.kind == "heading":
            in_references = is_references_title(item.text)
        is_other = in_references and item.kind == "prose"
        kept.append(replace(item, kind="other") if is_other else item)
    return kept


def find_parts(index: Path) -> dict[str, list[Path]]:
    """Return the title and the sections of an index page of Sphinx, with the pages of each."""
    from lxml import html

    parts: dict[str, list[Path]] = {}
    found = html.fromstring(load_file(index)).xpath(
        "//section//h1|//section//h2|//*[contains(@class, 'toctree-l1')]/a"
    )
    title = ""
    for node in found:
        if node.tag in ("h1", "h2"):
            title = node.text or ""
            parts[title] = []
        elif (page := index.parent / node.get("href")).is_file():
            parts.setdefault(title, []).append(page)
    return parts


def load_file(path: Path) -> bytes:
    """Return the content of a file: of a .pod as HTML, of a manual page as `man` shows it."""
    if path.suffix == ".pod":
        return _output("pod2html", f"--infile={path}", f"--cachedir={tempfile.gettempdir()}")
    if re.fullmatch(r"man\d", path.parent.name):
        return _output("col", "-bx", stdin=_output("man", "-l", str(path)))
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def _output(*command: str, stdin: bytes = b"") -> bytes:
    env = os.environ | {"MANWIDTH": "80", "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, input=stdin, capture_output=True, check=True, env=env).stdout


# The works and their files

_MAX_PAGES = 2  # of a work with a page for each chapter; more would outweigh the other kinds
_MIN_PAGE_BYTES = 12_000  # smaller pages have hardly a heading
_MENU = re.compile(r'<div class="contents">.*?</div>|<ul class="section-toc">.*?</ul>', re.DOTALL)
_SHARE = "usr/share"

_MADE = ("docx", "odt", "rtf", "epub", "plain", "gfm")
KINDS = {
    "page": "HTML, a page for each chapter",
    "html": "HTML, one page",
    "epub": "EPUB",
    "odt": "OpenDocument",
    "pdf": "PDF",
    "pdf0": "PDF without its bookmarks",
    "txt": "plain text",
    "info": "info",
    "info0": "info without its zero bytes",
    "man": "manual pages, as `man` shows them",
    "rst": "reStructuredText, AsciiDoc",
    "md": "Markdown",
    **{f"made_{kind}": f"{kind} made by pandoc" for kind in _MADE},
}
"""The kinds of files, with their names on the page."""

_SUFFIXES = {"plain": "txt", "gfm": "md"}
TOOLS = {"man": ("man", "col", "pod2html"), **{f"made_{kind}": ("pandoc",) for kind in _MADE}}
"""The programs that make files of some kinds."""
_INDEX_MARKS = re.compile(rb"\0\x08\[.*?\0\x08\]|[\0\x08\x1f]", re.DOTALL)


@lru_cache(1)
def read_works() -> Mapping[str, Mapping[str, str]]:
    """Return the table of works."""
    text = resources.files("docbats_lab").joinpath("data", "zoo.ini").read_text("utf-8")
    works = configparser.ConfigParser(interpolation=None, delimiters=("=",))
    works.read_string(text)
    return {name: dict(works[name]) for name in sorted(works.sections())}


@dataclass(frozen=True)
class ZooFile:
    """A file of a work; several paths are its parts, `twin` is its own HTML."""

    root: Path
    work: str
    kind: str
    paths: tuple[Path, ...]
    twin: Path | None = None

    @property
    def name(self) -> str:
        """The name of its row."""
        return f"{self.work}/{self.kind}/{self.paths[0].name}"

    @property
    def file_name(self) -> str:
        """The name under which it is read."""
        name = self.paths[0].name.removesuffix(".gz")
        made = self.kind.removeprefix("made_")
        return name if made == self.kind else f"{Path(name).stem}.{_SUFFIXES.get(made, made)}"

    def load(self) -> bytes:
        """Return its content."""
        data = b"\n".join(map(load_file, self.paths))
        if self.kind.startswith("made_"):
            made = self.kind.removeprefix("made_")
            options = ["-f", "html", "-t", made, "-s", "--toc", "-o", "-"]
            done = subprocess.run(
                [find_tool("pandoc") or "pandoc", *options],
                input=data,
                capture_output=True,
                cwd=self.paths[0].parent,
                check=True,
            )
            return done.stdout
        if self.kind == "pdf0":
            return _without_bookmarks(data)
        return _INDEX_MARKS.sub(b"", data) if self.kind == "info0" else data

    def oracle(self) -> Oracle:
        """Return what its HTML says."""
        work = read_works()[self.work]
        if self.twin:
            return Oracle({"": [self.twin]}, work)
        has_parts = self.kind.removesuffix("0") in work.get("parts", "").split()
        return _work_oracle(self.root, self.work, has_parts=has_parts)


@lru_cache(1)  # the files of a work are scored one after the other
def _work_oracle(root: Path, name: str, *, has_parts: bool) -> Oracle:
    work = read_works()[name]
    if "parts" in work:
        (index,) = _expand(root, work["oracle"])
        parts = find_parts(index)
        pages = [page for own in parts.values() for page in own]
        return Oracle(parts if has_parts else {"": pages}, work)
    skip = re.compile(work.get("skip", "genindex|search|py-modindex"))
    pages = [page for page in _expand(root, work["oracle"]) if not skip.search(page.name)]
    return Oracle({"": pages}, work)


def find_tool(name: str) -> str | None:
    """Return the path of a program; None if it is not installed."""
    return shutil.which(name) or (find_pandoc() if name == "pandoc" else None)


def _without_bookmarks(data: bytes) -> bytes:
    import pypdfium2

    new, out = pypdfium2.PdfDocument.new(), io.BytesIO()
    new.import_pages(pypdfium2.PdfDocument(data))
    new.save(out)
    return out.getvalue()


def find_files(root: Path, kinds: Sequence[str]) -> list[ZooFile]:
    """Return the files of these kinds of all works, those of a work one after the other."""
    return [
        file
        for name, work in read_works().items()
        for kind in kinds
        for file in _files(root, name, work, kind)
    ]


def _files(root: Path, name: str, work: Mapping[str, str], kind: str) -> Iterator[ZooFile]:
    key = "made" if kind.startswith("made_") else kind.removesuffix("0")
    paths = _expand(root, work.get(key, ""))
    if key == "info" and paths:
        yield ZooFile(root, name, kind, tuple(paths))
        return
    if key == "page":
        large = [p for p in paths if p.stat().st_size > _MIN_PAGE_BYTES and "index" not in p.name]
        paths = large or paths
        paths = paths[:: max(1, len(paths) // _MAX_PAGES)][:_MAX_PAGES]
    for path in paths:
        twin = path if key == "page" else None
        if key in ("md", "rst", "txt", "man") and "each" in work:
            pattern, page = work["each"].split(" => ")
            twin = Path(re.sub(pattern, page, str(path)))
            if not twin.exists():
                continue
        yield ZooFile(root, name, kind, (path,), twin)


def _expand(root: Path, patterns: str) -> list[Path]:
    """Return the files of patterns, in order.

    ``index.html ->`` means the pages it links to, and ``index.html ->>`` those in its menu, each
    before those in its own.
    """
    found: list[Path] = []
    for pattern in patterns.split():
        if pattern == "->":
            index = found.pop()
            page = load_file(index).decode("utf-8", "replace")
            hrefs = re.findall(r"""href\s*=\s*["']([^"'#?]+)""", page)
            linked = [index.parent / unquote(href) for href in hrefs if "://" not in href]
            found += dict.fromkeys(
                p for p in linked if p.suffix in (".html", ".htm") and p.is_file() and p != index
            )
        elif pattern == "->>":
            found += _menu_pages(found.pop(), set())
        else:
            found += sorted((root / _SHARE).glob(pattern), key=_natural_order)
    return found


def _menu_pages(page: Path, seen: set[Path]) -> Iterator[Path]:
    """Yield the pages in the menu of a page of texinfo, and in theirs."""
    seen.add(page)
    for menu in _MENU.findall(load_file(page).decode("utf-8", "replace")):
        for href in re.findall(r'href="([^"#]+)', menu):
            path = page.parent / href
            if path.is_file() and path not in seen:
                yield path
                yield from _menu_pages(path, seen)


def _natural_order(path: Path) -> list[str | int]:
    parts = re.split(r"(\d+)", str(path))
    return [int(part) if i % 2 else part for i, part in enumerate(parts)]


# Download

_NO_APT = (
    "the packages of the zoo come from Debian's mirror: run this on Debian 12 (bookworm), which "
    "has apt-get and dpkg-deb, or in a container of it"
)


def zoo_folder() -> Path:
    """Return the folder to which packages are unpacked."""
    cache = os.environ.get("DOCBATS_CACHE") or Path.home() / ".cache" / "docbats"
    return Path(cache) / "zoo"


def fetch_packages(folder: Path, packages: Sequence[str]) -> dict[str, str]:
    """Download and unpack the packages that are not there yet; return all with their versions."""
    notes = folder / "packages"
    notes.mkdir(parents=True, exist_ok=True)
    versions = {}
    for package in packages:
        if not list(notes.glob(f"{package}_*")):
            _fetch(package, folder)
        versions[package] = max(notes.glob(f"{package}_*")).name.split("_")[1]
    return versions


def _fetch(package: str, folder: Path) -> None:
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        raise ReadError(_NO_APT)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        command = ["apt-get", "download", "--quiet", package]
        done = subprocess.run(command, cwd=temporary, capture_output=True, text=True, check=False)
        files = list(Path(temporary).glob("*.deb"))
        if done.returncode or not files:
            msg = (
                f"apt-get cannot download {package}: {done.stderr.strip() or 'no file came'}; "
                f"try apt-get update, and see that this is Debian 12 with network access"
            )
            raise ReadError(msg)
        subprocess.run(["dpkg-deb", "-x", files[0], folder], check=True)
        (folder / "packages" / unquote(files[0].name)).touch()
