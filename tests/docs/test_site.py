from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from markdown_it import MarkdownIt
from tests.docs.blocks import PAGES, ROOT, blocks

import docbats
import docbats.corpus
from docbats.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import click

DOCS = ROOT / "docs"
needs_sphinx = pytest.mark.integrations("sphinx", "docbats[docs]")


def test_every_page_is_in_the_navigation() -> None:
    pages = {str(page.relative_to(DOCS).with_suffix("")) for page in PAGES[1:]}
    assert pages == set(reached("index"))


def reached(page: str) -> Iterator[str]:
    """Yield the pages that the tables of contents reach from a page."""
    yield page
    path = DOCS / f"{page}.md"
    if not path.exists():
        return
    for token in MarkdownIt().parse(path.read_text()):
        if token.type == "fence" and token.info.startswith("{toctree}"):
            for line in token.content.splitlines():
                if line and not line.startswith(":"):
                    below = (path.parent / line.strip()).resolve().relative_to(DOCS)
                    yield from reached(str(below))


def test_every_extra_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    page = (DOCS / "install.md").read_text()
    named = set(re.findall(r"`([a-z-]+)`", "".join(re.findall(r"^\|.*?\|", page, re.MULTILINE))))
    assert named == set(project["optional-dependencies"]) - {"dev"}


@pytest.mark.parametrize(("page", "package"), [("library", docbats), ("corpus", docbats.corpus)])
def test_every_public_name_is_in_the_reference(page: str, package: Any) -> None:
    text = (DOCS / "reference" / f"{page}.md").read_text()
    names = re.findall(rf"^\.\. auto\w+:: {package.__name__}\.(\w+)$", text, re.MULTILINE)
    assert sorted(names) == sorted(package.__all__)


def test_names_that_pages_import_from_modules_are_in_the_reference() -> None:
    documented = {
        name
        for page in (DOCS / "reference").glob("*.md")
        for name in re.findall(r"^\.\. auto\w+:: (\S+)$", page.read_text(), re.MULTILINE)
    }
    # For those who change docbats itself, or run its laboratory.
    internal = {
        "docbats_lab.layouts.Wiki727k",
        "docbats.text.languages.language.Language",
    }
    for page in PAGES:
        if page.parent.name != "stages":
            assert set(used_names(page)) <= documented | internal, page


def used_names(page: Path) -> Iterator[str]:
    """Yield the names of docbats' modules that a page imports, or calls by their full names."""
    for block in blocks(page):
        if block.language == "python" and not block.code.startswith(">>>"):
            for node in ast.walk(ast.parse(block.code)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("docbats"):
                    yield from (f"{node.module}.{alias.name}" for alias in node.names)
    yield from re.findall(r"`(docbats(?:\.[a-z]\w*){2,})\(", page.read_text())


def test_the_page_on_json_has_the_keys_that_are_written(folder: Path) -> None:
    sources = ("report.txt", "talk.vtt", "paper.pdf", "notes.md", "notes.ipynb")
    cell = {"cell_type": "markdown", "source": "# A\n\nBats hunt moths. Moths hear bats.\n"}
    (folder / "notes.ipynb").write_text(json.dumps({"cells": [cell], "nbformat": 4}))
    written = {"source"}
    for source in sources:
        result = docbats.analyze(docbats.Document.read(source))
        written |= set(keys(result.to_dict(outline=True)))
    page = (DOCS / "reference" / "json.md").read_text()
    documented = set(re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE))
    assert documented - {"choice"} == written


def keys(value: Any, path: str = "") -> Iterator[str]:
    """Yield the keys of a result; settings and versions only by their own names."""
    if isinstance(value, list) and value and isinstance(value[0], dict) and path != "outline":
        for member in value:
            yield from keys(member, f"{path}[]")
    elif isinstance(value, dict) and path not in {"settings", "versions"}:
        for name, inner in value.items():
            yield from keys(inner, f"{path}.{name}" if path else name)
    else:
        yield path


def test_the_figures_of_the_questions_are_those_of_the_laboratory() -> None:
    measured = (DOCS / "lab" / "segmentation.md").read_text()
    page = (DOCS / "faq.md").read_text()
    for name, count, part in re.findall(
        r"^## (\w+), (\d+) documents\n(.*?)(?=^## |\Z)", measured, re.MULTILINE | re.DOTALL
    ):
        rows = {row[0]: row for row in table_rows(part)}
        if not any(row[0].startswith(f"{name}:") for row in table_rows(page)):
            continue
        wanted = [
            count,
            score(rows["docbats (k)"][1]),
            score(rows["docbats"][1]),
            rows["docbats (k)"][6],
            score(rows["None"][1]),
            score(rows["MiniLM DP"][1]),
        ]
        assert any(row[0].startswith(f"{name}:") and row[1:] == wanted for row in table_rows(page))


def table_rows(text: str) -> list[list[str]]:
    """Return the cells of all tables; of rows with the same first cell, only the first."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            found.setdefault(cells[0], cells)
    return list(found.values())


def score(cell: str) -> str:
    return cell.partition(" ")[0]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without warnings."""
    folder = tmp_path_factory.mktemp("site")
    options = ["-q", "-n", "-W", "--keep-going"]
    command = [sys.executable, "-m", "sphinx", *options, "docs", str(folder)]
    made = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return folder


@needs_sphinx
def test_every_command_and_option_is_in_the_reference(site: Path) -> None:
    page = unescape((site / "reference" / "command.html").read_text())
    words = re.sub(r"<[^>]+>", "", page)
    for names, command in every_command(main, ("docbats",)):
        assert " ".join(names) in words, names
        for parameter in command.params:
            for option in parameter.opts:
                assert option in words or parameter.param_type_name == "argument", (names, option)


def every_command(
    command: click.Command, names: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield names, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from every_command(inner, (*names, name))


@needs_sphinx
def test_every_public_name_and_setting_has_its_place(site: Path) -> None:
    library = (site / "reference" / "library.html").read_text()
    assert all(f'id="docbats.{name}"' in library for name in docbats.__all__)
    corpus = (site / "reference" / "corpus.html").read_text()
    assert all(f'id="docbats.corpus.{name}"' in corpus for name in docbats.corpus.__all__)
    settings = (site / "reference" / "settings.html").read_text()
    for field in fields(docbats.Settings):
        assert f'<span class="pre">{field.name}</span>' in settings


@needs_sphinx
def test_the_site_asks_for_nothing_from_elsewhere(site: Path) -> None:
    loaded = re.compile(
        r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(?:https?:)?//"""
        r"""|<link\b(?![^>]*rel=["']?(?:canonical|license))[^>]*\bhref=["']?(?:https?:)?//"""
        r"""|(?:@import|url\()\s*["']?(?:https?:)?//"""
    )
    for path in site.rglob("*"):
        if path.suffix in {".html", ".css"}:
            assert loaded.search(path.read_text()) is None, path
