"""Public files with their text, to test the readers on: where to get and how to open them."""

from __future__ import annotations

import ast
import gzip
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True)
class ReaderSet:
    """A public set: its folder under the data, what shows that it is there, and how to get it."""

    name: str
    folder: str
    sign: str
    get: str

    def path(self, data: Path) -> Path | None:
        """Return its folder; None if it is not there."""
        path = data / self.folder
        return path if (path / self.sign).exists() else None


_DEBIAN = "apt-get download debian-faq maint-guide developers-reference, then dpkg-deb -x each into"
READER_SETS = {
    found.name: found
    for found in (
        ReaderSet("manuals as PDF", "readers/manuals", "usr/share", f"{_DEBIAN} readers/manuals"),
        ReaderSet("manuals as HTML", "readers/manuals", "usr/share", f"{_DEBIAN} readers/manuals"),
        ReaderSet(
            "article-extraction-benchmark",
            "readers/article-extraction-benchmark",
            "ground-truth.json",
            "git clone https://github.com/scrapinghub/article-extraction-benchmark into readers",
        ),
        ReaderSet(
            "trafilatura's pages",
            "readers/trafilatura",
            "tests/evaldata.py",
            "git clone https://github.com/adbar/trafilatura into readers: labels in "
            "tests/evaldata.py, 990 pages in tests/cache and tests/eval; those pages are read that "
            "are there (the source distribution of 0.8.2 has 110 in tests/cache)",
        ),
        ReaderSet(
            "chardet's files",
            "readers/chardet",
            "tests/windows-1255-hebrew",
            "pip download --no-deps --no-binary :all: chardet==5.2.0, unpacked as readers/chardet",
        ),
    )
}


@dataclass(frozen=True)
class Manual:
    """A manual in one format, in one or more files, and its text as its authors give it."""

    name: str
    files: tuple[bytes, ...]
    text: str


_MANUALS = {
    "debian-faq": (
        "doc/debian/FAQ/debian-faq.en.pdf.gz",
        "doc/debian/FAQ/*.en.html",
        "doc/debian/FAQ/debian-faq.en.txt.gz",
    ),
    "maint-guide": (
        "doc/maint-guide/maint-guide.en.pdf",
        "doc/maint-guide/html/*.en.html",
        "doc/maint-guide/maint-guide.en.txt.gz",
    ),
    "developers-reference": (
        "developers-reference/developers-reference.pdf",
        "developers-reference/*.html",
        "developers-reference/developers-reference.txt.gz",
    ),
}
_NO_CHAPTERS = ("index", "search", "genindex", "developers-reference")


def manuals(folder: Path, *, as_pages: bool) -> Iterator[Manual]:
    """Read the manuals of Debian, as PDF or as the pages of their chapters."""
    share = folder / "usr" / "share"
    for name, (pdf, pages, text) in _MANUALS.items():
        files = sorted(share.glob(pages if as_pages else pdf))
        if as_pages:
            files = [path for path in files if path.name.split(".")[0] not in _NO_CHAPTERS]
        if not files or not (share / text).exists():
            msg = f"{share}: {name} is not complete: {_DEBIAN} {folder}"
            raise ReadError(msg)
        whole = _read(share / text).decode("utf-8", "replace")
        yield Manual(name, tuple(map(_read, files)), whole)


def _read(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


@dataclass(frozen=True)
class LabelledPage:
    """A page: the whole of its main text, or phrases that are in it and phrases that are not."""

    name: str
    data: bytes
    text: str | None = None
    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()


def articles(folder: Path) -> Iterator[LabelledPage]:
    """Read the pages of the article extraction benchmark."""
    truth: dict[str, Any] = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    for name, entry in sorted(truth.items()):
        data = _read(folder / "html" / f"{name}.html.gz")
        yield LabelledPage(name, data, text=entry.get("articleBody", ""))


def labelled_pages(folder: Path) -> Iterator[LabelledPage]:
    """Read those of trafilatura's labelled pages that are there."""
    tests = folder / "tests"
    labels = _literal(tests / "evaldata.py", "EVAL_PAGES")
    for entry in labels.values():
        for place in ("cache", "eval"):
            path = tests / place / entry["file"]
            if path.exists():
                inside, outside = entry.get("with", ()), entry.get("without", ())
                yield LabelledPage(
                    path.name, path.read_bytes(), None, tuple(inside), tuple(outside)
                )
                break


def _literal(path: Path, name: str) -> dict[str, dict[str, Any]]:
    """Return the value that a module gives a name, without running the module."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in node.targets
        ):
            value: dict[str, dict[str, Any]] = ast.literal_eval(node.value)
            return value
    msg = f"{path}: no {name} in it"
    raise ReadError(msg)


@dataclass(frozen=True)
class EncodedFile:
    """A text file and its encoding."""

    name: str
    data: bytes
    encoding: str


_LANGUAGES = (
    "arabic", "bulgarian", "croatian", "czech", "greek", "hebrew", "hungarian", "polish",
    "romanian", "russian", "slovak", "slovene", "turkish",
)  # fmt: skip
_SUFFIXES = {".html", ".srt", ".txt", ".xml"}


def encoded_files(folder: Path) -> Iterator[EncodedFile]:
    """Read chardet's files, without those in an encoding that Python does not have."""
    for kind in sorted((folder / "tests").iterdir()):
        encoding = kind.name.lower()
        for language in _LANGUAGES:
            encoding = encoding.removesuffix(f"-{language}")
        if not kind.is_dir() or encoding == "euc-tw":
            continue
        for path in sorted(kind.iterdir()):
            if path.suffix.lower() in _SUFFIXES:
                yield EncodedFile(f"{kind.name}/{path.name}", path.read_bytes(), encoding)
