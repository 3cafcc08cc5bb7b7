"""Fixtures for all libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from docbats import Document

if TYPE_CHECKING:
    from pathlib import Path

# The same words again and again, so that only true offsets are right.
REPEATED = "Bats hunt moths. Moths hear bats. " * 3 + "Tea needs hot water. Hot tea cools. " * 3

MARKDOWN = """\
# Bats

Bats hunt moths. Moths hear bats. Bats fly at night.

## Food

Bats eat moths. Moths fear bats.

# Tea

Tea needs hot water. Hot tea cools. Tea steams.

## Cups

Cups hold tea. Cups break.
"""

CAPTIONS = """\
WEBVTT

00:00:01.000 --> 00:00:04.000
<v Ann>Bats hunt moths. Moths hear bats.

00:00:04.000 --> 00:00:09.000
<v Bob>Tea needs hot water. Hot tea cools.
"""


@pytest.fixture
def repeated() -> str:
    """A text whose sentences all occur three times."""
    return REPEATED


@pytest.fixture
def markdown() -> Document:
    """A document with headings of two levels."""
    return Document.read(MARKDOWN.encode(), name="a.md")


@pytest.fixture
def captions() -> Document:
    """A document with two speakers and times."""
    return Document.read(CAPTIONS.encode(), name="b.vtt")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files of several kinds: one is blank, one cannot be read, one is hidden."""
    (tmp_path / "a.md").write_text(MARKDOWN, encoding="utf-8")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "b.vtt").write_text(CAPTIONS, encoding="utf-8")
    (tmp_path / "c.txt").write_text(" \n", encoding="utf-8")
    (tmp_path / "d.exe").write_bytes(b"MZ")
    (tmp_path / ".e.txt").write_text("Hidden.", encoding="utf-8")
    return tmp_path
