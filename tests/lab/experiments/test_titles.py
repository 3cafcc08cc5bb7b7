"""The experiments on titles and summaries, and the weights that come out of the first."""

from __future__ import annotations

import json
import lzma
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from docbats.titles.titles import (
    CONFIDENCE_FEATURES,
    CONFIDENCE_WEIGHTS,
    FEATURES,
    TITLE_WEIGHTS,
)
from docbats_lab.documents import SectionedText, read_structured
from docbats_lab.experiments import summaries, titles
from docbats_lab.experiments.request import Request
from docbats_lab.experiments.summaries import lex_rank, rouge_l, rouge_n
from docbats_lab.experiments.summaries import page as summaries_page
from docbats_lab.experiments.titles import page as titles_page
from docbats_lab.title_fits import BestPhrase, fit_confidence, fit_weights, rank_sections
from docbats_lab.title_methods import TITLE_METHODS, rank_words
from docbats_lab.titled import TitledDocument, f1, read_titled, stems, without_templates

RESULTS = Path(__file__).parents[3] / "benchmarks" / "results" / "lab"
OFFLINE = [name for name in TITLE_METHODS if name not in {"docbats", "KeyBERT", "YAKE"}]

SECTIONS = {
    "Silt in the harbour": "The harbour fills with silt. Silt of the harbour is dug out. The silt "
    "comes from the river. River silt is heavy, and the harbour is small.",
    "Introduction": "A report begins. It says what a report says. Some words follow.",
    "The cranes of the quay": "Two cranes stand on the quay. The cranes lift stones. A crane of "
    "the quay fell in spring. New cranes are dear.",
    "Rules for ships": "Ships obey the rules. The rules of the port are old. A ship that breaks "
    "the rules must pay. Ships wait for the tide.",
}


def make_blocks() -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    for heading, text in SECTIONS.items():
        blocks.append({"type": "heading", "level": 1, "text": heading})
        blocks.append({"type": "paragraph", "text": text})
    return blocks


def write_document(folder: Path, source: str, name: str, language: str = "en") -> None:
    blocks = make_blocks()
    path = folder / "structured" / source / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"language": language, "blocks": blocks}), encoding="utf-8")


def read_all(data: Path) -> list[TitledDocument]:
    return read_titled(each for found in read_structured(data).values() for each in found)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    for source in ("aosa", "pro-git"):
        write_document(tmp_path, source, "one")
        write_document(tmp_path, source, "two")
    write_document(tmp_path, "laws", "three", language="es")
    (tmp_path / "sections").mkdir()
    for source in ("blog", "manual"):
        with lzma.open(
            tmp_path / "sections" / f"{source}.jsonl.xz", "wt", encoding="utf-8"
        ) as file:
            file.write(json.dumps({"id": "four", "blocks": make_blocks()}) + "\n")
    return tmp_path


def test_the_weights_are_those_that_were_fitted() -> None:
    facts = json.loads((RESULTS / "titles" / "facts.json").read_text(encoding="utf-8"))
    assert facts["weights"] == TITLE_WEIGHTS
    assert tuple(TITLE_WEIGHTS) == FEATURES


def test_sections_lose_their_headings_and_generic_ones_are_counted(made: Path) -> None:
    document = read_all(made)[0]
    assert document.n_generic == 1
    assert document.headings[1] is None
    assert [i for i, _ in document.scored()] == [0, 2, 3]
    assert document.text.sections[2].startswith("Two cranes")


def test_the_experiment_and_its_page(made: Path, tmp_path: Path) -> None:
    titles.run(Request(made, tmp_path / "out", methods=OFFLINE, jobs=1))
    facts = json.loads((tmp_path / "out" / "titles" / "facts.json").read_text(encoding="utf-8"))
    assert facts["sections"]["aosa"] == {
        "documents": 2,
        "sections": 8,
        "generic": 2,
        "scored": 6,
    }
    assert set(facts["weights"]) == set(FEATURES)
    assert facts["scores"]["docbats"]["aosa"]["f1"] > 0.5
    text = "\n".join(titles_page(tmp_path / "out" / "titles", tmp_path))
    assert "| docbats |" in text
    assert "laws (es)" in text
    assert set(facts["confidence"]["weights"]) == set(CONFIDENCE_WEIGHTS)
    assert facts["sections_of_83"]["scored"] == 6
    assert "(default)" in text


def test_headings_that_recur_are_left_out(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        write_document(tmp_path, "aosa", name)
    write_document(tmp_path, "pro-git", "four")
    found = without_templates(read_all(tmp_path))
    assert {d.source: (sum(1 for _ in d.scored()), d.n_generic) for d in found} == {
        "aosa": (0, 4),
        "pro-git": (3, 1),
    }


def test_the_expected_f1_of_a_phrase_is_calibrated() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(4000, len(CONFIDENCE_FEATURES)))
    expected = 1 / (1 + np.exp(1 - features[:, 0]))
    scores = (rng.random(4000) < expected).astype(float)
    best = [BestPhrase("a", row, score) for row, score in zip(features, scores, strict=True)]
    weights = fit_confidence(best)
    assert weights["constant"] == pytest.approx(-1, abs=0.15)
    assert list(weights.values())[1] == pytest.approx(1, abs=0.15)
    assert max(map(abs, list(weights.values())[2:])) < 0.15


@pytest.mark.parametrize("name", [*OFFLINE, "docbats"])
@pytest.mark.parametrize("language", ["en", "fr", "zh", "xx"])
def test_every_way_titles_odd_sections(name: str, language: str) -> None:
    texts = ["Bats hunt moths. Moths hear bats.", "7 7 7.", "The of and.", "x", "水"]
    starts = tuple(int(n) for n in np.cumsum([0, *(len(text) + 2 for text in texts[:-1])]))
    text = SectionedText("\n\n".join(texts), starts, language)
    for found in TITLE_METHODS[name].titles(text).values():
        assert len(found) == len(texts)
        assert all(isinstance(title, str) for title in found)
    again = SectionedText(text.text, starts, language)
    assert TITLE_METHODS[name].titles(again) == TITLE_METHODS[name].titles(text)


def test_yake_is_the_program_of_its_authors() -> None:
    pytest.importorskip("yake")
    text = SectionedText("Bats hunt moths at night. " * 3, (0,), "en")
    assert "moths" in TITLE_METHODS["YAKE"].titles(text)["YAKE"][0].lower()


def test_a_walk_over_words_by_hand() -> None:
    # Of "a b c" the middle word has two neighbours, and a walk comes to it twice as often.
    names, rank = rank_words(["a", "b", "c"], 2, by_position=False)
    assert names == ["a", "b", "c"]
    assert rank.sum() == pytest.approx(1)
    assert rank[1] == pytest.approx(0.15 / 3 + 0.85 * (1 - rank[1]))
    early = rank_words(["a", "b", "c"], 2, by_position=True)[1]
    assert early[0] > early[2]


def test_f1_of_stems() -> None:
    assert stems("The hunting of the bats", "en") == {"hunt", "bat"}
    assert f1(frozenset("ab"), frozenset("bc")) == 0.5
    assert f1(frozenset(), frozenset("a")) == 0


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=8), st.data())
def test_rouge_equals_the_definition(words: list[str], data: st.DataObject) -> None:
    other = data.draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=8))
    longest = 0
    for mask in range(1 << len(words)):
        chosen = [word for i, word in enumerate(words) if mask >> i & 1]
        rest = iter(other)
        if all(word in rest for word in chosen):
            longest = max(longest, len(chosen))
    total = len(words) + len(other)
    assert rouge_l(" ".join(words), " ".join(other)) == pytest.approx(2 * longest / total)
    common = sum(min(words.count(word), other.count(word)) for word in "abc")
    assert rouge_n(" ".join(words), " ".join(other), 1) == pytest.approx(2 * common / total)


def test_lex_rank_takes_what_is_like_the_others() -> None:
    rows = sparse.csr_array(np.array([[1.0, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1]]))
    assert lex_rank(rows, 1) == [1]
    assert lex_rank(rows, 9) == [0, 1, 2, 3]


def test_summaries_and_their_page(tmp_path: Path) -> None:
    blocks = [
        block
        for heading, text in {"Abstract": "Silt fills the harbour.", **SECTIONS}.items()
        for block in (
            {"type": "heading", "level": 1, "text": heading},
            {"type": "paragraph", "text": text},
        )
    ]
    path = tmp_path / "structured" / "peps" / "one.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"language": "en", "blocks": blocks}), encoding="utf-8")
    summaries.run(Request(tmp_path, tmp_path / "out", jobs=1))
    text = "\n".join(summaries_page(tmp_path / "out" / "summaries", tmp_path))
    assert re.search(r"\| docbats \| 0\.\d", text)
    assert "| lead |" in text


@pytest.mark.data
def test_the_weights_come_out_again(data: Path) -> None:
    documents = [d for d in read_all(data) if d.text.language == "en"]
    found = fit_weights([section for document in documents for section in rank_sections(document)])
    assert found == pytest.approx(TITLE_WEIGHTS, abs=0.2, rel=0.05)
