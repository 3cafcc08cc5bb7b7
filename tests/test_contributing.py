"""What CONTRIBUTING.md says is true, and the steps to add something lead there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import docbats
from docbats import SegmentCost, pipeline
from docbats.parts import Title
from docbats.render.html import report
from docbats.render.html.markup import element
from docbats_lab.documents import SegmentedDocument
from docbats_lab.experiments.scorers import SegmentationScorer
from docbats_lab.method_registry import SEGMENTERS
from docbats_lab.methods import Segmenter, prepare

if TYPE_CHECKING:
    import numpy as np
    import pytest
    from numpy.typing import NDArray

    from docbats import Document, PreparedText
    from docbats.render.html.markup import Markup
    from docbats.render.html.report_context import ReportContext
    from docbats.titles.phrases import Phrases
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
    assert len(recipes) == 9
    for recipe in recipes:
        (test,) = re.findall(r"Test: `(tests/[\w/]+\.py)`", " ".join(recipe.split()))
        assert (ROOT / test).exists()


def test_the_one_command_is_a_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^check: lint walk test\b", makefile, re.MULTILINE)


class Evenness(SegmentCost):
    """Segments of the same length cost least."""

    def fit(self, text: PreparedText) -> None:
        self.n_sentences = len(text)

    def cost(self, first: int, end: int) -> float:
        return ((end - first) / self.n_sentences) ** 2


def test_a_cost_is_a_class_with_fit_and_cost() -> None:
    result = docbats.analyze(SENTENCES, k=2, cut=Evenness())
    assert [segment.sentences for segment in result.segments] == [(0, 2), (2, 4)]


def test_k_is_chosen_by_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_in_two(_cost: SegmentCost, n_sentences: int, _granularity: str) -> docbats.Choice:
        return docbats.Choice(k=n_sentences // 2, runner_up=None, gains=(), penalty=0.0)

    monkeypatch.setattr(pipeline, "choose_k", one_in_two)
    for preset in docbats.PRESETS:
        assert len(docbats.analyze(SENTENCES, preset=preset).segments) == 2


def test_segments_are_titled_by_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def by_number(
        _document: Document,
        _phrases: Phrases,
        starts: NDArray[np.int64],
        _avoid: object,
        _threshold: float,
    ) -> list[Title]:
        return [Title(f"From sentence {start}") for start in starts.tolist()]

    monkeypatch.setattr(pipeline, "title_segments", by_number)
    result = docbats.analyze(SENTENCES, k=2)
    assert [segment.title for segment in result.segments] == ["From sentence 0", "From sentence 2"]
    assert [entry.title for entry in result.outline] == ["From sentence 0", "From sentence 2"]
    with_heading = docbats.Document.from_blocks(
        [
            {"kind": "heading", "level": 1, "text": "Bats"},
            {"kind": "paragraph", "text": "They fly."},
        ]
    )
    (segment,) = docbats.analyze(with_heading, k=1).segments
    assert (segment.title, segment.subtitle) == ("Bats", "From sentence 0")


def test_a_baseline_is_a_segmenter_with_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def halves(prepared: Prepared, k: int, _seed: int) -> list[int]:
        return [i * len(prepared.sentences) // k for i in range(k)]

    method = Segmenter("Halves", "none", halves)
    assert method.cut(prepare(SENTENCES), 2, 0) == [0, 2]
    monkeypatch.setitem(SEGMENTERS, method.name, method)
    document = SegmentedDocument("a", (tuple(SENTENCES[:2]), tuple(SENTENCES[2:])))
    assert SegmentationScorer(0)(document, ["Halves"])["Halves"]["pk"] == 0


def test_a_panel_is_a_function_from_the_context_to_an_element(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def count(context: ReportContext) -> Markup:
        return element("section", f"{len(context.result.segments)} parts", class_="count")

    monkeypatch.setattr(report, "topic_map", count)
    page = docbats.analyze(SENTENCES, k=2).to_html()
    assert '<section class="count">2 parts</section>' in page
