"""What CONTRIBUTING.md says is true, and the steps to add something lead there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import docbats
from docbats.render.html import report
from docbats.render.html.markup import element
from docbats_lab.methods import Segmenter, prepare

if TYPE_CHECKING:
    import pytest

    from docbats.render.html.markup import Markup
    from docbats.render.html.report_context import ReportContext
    from docbats_lab.methods import Prepared

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SENTENCES = ["Bats hunt moths.", "Moths hear bats.", "Tea needs water.", "Hot water draws tea."]


def test_every_path_is_there() -> None:
    paths = re.findall(r"`([\w./]+/|[\w./]+\.py)`", GUIDE.replace("NAME", "english"))
    assert len(paths) > 20
    for path in paths:
        places = [ROOT / path, ROOT / "src" / "docbats" / path]
        is_example = path.endswith("/english.py") and "languages" not in path
        assert is_example or any(place.exists() for place in places), path


def test_every_package_has_its_line() -> None:
    package = ROOT / "src" / "docbats"
    folders = {path.parent.name for path in package.glob("*/__init__.py")} - {"processes"}
    assert not [folder for folder in sorted(folders) if f"`{folder}/" not in GUIDE]


def test_every_recipe_names_the_test_that_follows_it() -> None:
    recipes = re.split(r"^- \*\*", GUIDE.partition("## To add")[2], flags=re.MULTILINE)[1:]
    assert len(recipes) == 6
    for recipe in recipes:
        (test,) = re.findall(r"Test: `(tests/[\w/]+\.py)`", " ".join(recipe.split()))
        assert (ROOT / test).exists()


def test_the_one_command_is_a_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^check: lint test\b", makefile, re.MULTILINE)


def test_a_baseline_is_a_segmenter_with_a_function() -> None:
    def halves(prepared: Prepared, k: int, _seed: int) -> list[int]:
        return [i * len(prepared.sentences) // k for i in range(k)]

    method = Segmenter("Even", "none", halves)
    assert method.cut(prepare(SENTENCES), 2, 0) == [0, 2]


def test_a_panel_is_a_function_from_the_context_to_an_element(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def count(context: ReportContext) -> Markup:
        return element("section", f"{len(context.result.segments)} parts", class_="count")

    monkeypatch.setattr(report, "topic_map", count)
    page = docbats.analyze(SENTENCES, k=2).to_html()
    assert '<section class="count">2 parts</section>' in page
