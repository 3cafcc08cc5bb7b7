"""The texts: the help of GNOME and of LibreOffice, and documents that join its passages."""

from __future__ import annotations

import html
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np

from docbats.text.languages import LANGUAGES, load_language
from docbats.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DOCUMENTS = 60  # of each source, in each language
MIN_SENTENCES = 6  # of a passage
SEED = 8

MALLARD = "{http://projectmallard.org/1.0/}"
_PARAGRAPH = re.compile(r'<p id="(\w+)" class="paragraph"[^>]*>(.*?)</p>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")

Pages = dict[str, dict[str, str]]
"""The paragraphs of each page by their names, which are the same in all languages."""


def fetch(folder: Path) -> None:
    """Download the packages and unpack them."""
    folder.mkdir(parents=True, exist_ok=True)
    names = ["en-us" if code == "en" else "zh-cn" if code == "zh" else code for code in LANGUAGES]
    packages = ["gnome-user-docs", *(f"libreoffice-help-{name}" for name in names)]
    subprocess.run(["apt-get", "download", *packages], cwd=folder, check=True)
    for package in sorted(folder.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True)


def read_gnome(folder: Path, code: str) -> Pages:
    """Read the pages of GNOME's help in one language."""
    name = {"en": "C", "pt": "pt_BR", "zh": "zh_CN"}.get(code, code)
    pages = {}
    for path in sorted((folder / "usr/share/help" / name / "gnome-help").glob("*.page")):
        paragraphs = ET.parse(path).getroot().iter(f"{MALLARD}p")
        texts = [" ".join("".join(paragraph.itertext()).split()) for paragraph in paragraphs]
        pages[path.stem] = {str(i): text for i, text in enumerate(texts) if text}
    return pages


def read_libreoffice(folder: Path, code: str) -> Pages:
    """Read the guides of LibreOffice's help in one language."""
    name = {"en": "en-US", "zh": "zh-CN"}.get(code, code)
    root = folder / "usr/share/libreoffice/help" / name / "text"
    pages = {}
    for path in sorted(root.glob("*/guide/*.html")):
        found = _PARAGRAPH.findall(path.read_text(encoding="utf-8"))
        texts = {key: " ".join(html.unescape(_TAG.sub("", text)).split()) for key, text in found}
        pages[str(path.relative_to(root))] = {key: text for key, text in texts.items() if text}
    return pages


SOURCES: dict[str, Callable[[Path, str], Pages]] = {
    "GNOME": read_gnome,
    "LibreOffice": read_libreoffice,
}


@dataclass(frozen=True)
class Joined:
    """Passages of different pages, one after the other; each is a list of sentences."""

    passages: tuple[tuple[str, ...], ...]

    @property
    def sentences(self) -> list[str]:
        """All sentences in their order."""
        return [sentence for passage in self.passages for sentence in passage]

    @property
    def lengths(self) -> list[int]:
        """How many sentences each passage has."""
        return [len(passage) for passage in self.passages]


@cache
def translated(folder: Path, source: str) -> dict[str, Pages]:
    """Read the pages in all languages, with only the paragraphs that were translated into each."""
    read = {code: SOURCES[source](folder, code) for code in LANGUAGES}
    english = {text for texts in read["en"].values() for text in texts.values()}

    def is_translated(page: str, key: str) -> bool:
        texts = (read[code].get(page, {}).get(key) for code in LANGUAGES if code != "en")
        return all(text is not None and text not in english for text in texts)

    kept = {
        page: [key for key in texts if is_translated(page, key)]
        for page, texts in read["en"].items()
    }
    return {
        code: {page: {key: pages[page][key] for key in keys} for page, keys in kept.items()}
        for code, pages in read.items()
    }


def join(folder: Path, source: str) -> dict[str, list[Joined]]:
    """Make the documents of each language, all by the same draws."""
    pages = translated(folder, source)
    passages = {
        page: sentences
        for page in pages["en"]
        if (sentences := {code: split_paragraphs(pages[code][page], code) for code in LANGUAGES})
        and all(len(each) >= MIN_SENTENCES for each in sentences.values())
    }
    return _draw(passages, list(LANGUAGES))


def join_foreign(folder: Path, code: str) -> list[Joined]:
    """Make the documents of a language that is none of ours, of GNOME's help."""
    pages = {
        page: split_paragraphs(texts, None) for page, texts in read_foreign(folder, code).items()
    }
    passages = {page: {code: each} for page, each in pages.items() if len(each) >= MIN_SENTENCES}
    return _draw(passages, [code])[code]


def _draw(passages: dict[str, dict[str, list[str]]], codes: list[str]) -> dict[str, list[Joined]]:
    """Draw pages for each document, and how much of each is taken."""
    names = sorted(passages)
    generator = np.random.default_rng(SEED)
    documents: dict[str, list[Joined]] = {code: [] for code in codes}
    for _ in range(DOCUMENTS):
        k = int(generator.integers(3, 10))
        chosen = generator.choice(len(names), size=k, replace=False)
        share = generator.uniform(0.4, 1, size=k)
        for code in codes:
            parts = []
            for page, part in zip(chosen.tolist(), share.tolist(), strict=True):
                passage = passages[names[page]][code]
                parts.append(
                    tuple(passage[: max(MIN_SENTENCES, round(part * min(len(passage), 20)))])
                )
            documents[code].append(Joined(tuple(parts)))
    return documents


def split_paragraphs(paragraphs: dict[str, str], code: str | None) -> list[str]:
    """Split paragraphs into sentences."""
    language = load_language(code)
    return [
        text[start:end]
        for text in paragraphs.values()
        for start, end in split_sentences(text, language)
    ]


def read_foreign(folder: Path, code: str) -> Pages:
    """Read what GNOME's help has in a language that is none of ours."""
    pages = SOURCES["GNOME"](folder, "en")
    english = {text for texts in pages.values() for text in texts.values()}
    return {
        page: {key: text for key, text in texts.items() if text not in english}
        for page, texts in SOURCES["GNOME"](folder, code).items()
    }
