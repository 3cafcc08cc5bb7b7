"""The experiment on cues: what it takes from sentences, and what it learns from many sources."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from docbats.errors import ReadError
from docbats.segments.costs import NumberRule
from docbats.segments.cues import CueWeights
from docbats_lab.experiments.cues import (
    LISTS,
    PARAGRAPHS,
    CueTrial,
    Rows,
    cue_matrix,
    find_vocabulary,
    fit_cues,
    fit_number,
    fold_of_families,
    judge,
    page,
    prepare_trial,
)
from docbats_lab.experiments.cues import Task as CueTask
from docbats_lab.layouts import SectionFiles

FACTS = Path(__file__).parents[3] / "benchmarks" / "results" / "lab" / "cues"


def line(n_sections: int = 3) -> str:
    blocks: list[dict[str, object]] = []
    for i in range(n_sections):
        blocks.append({"type": "heading", "level": 1, "text": f"Part {i}"})
        for subject in ("Tea is hot and green.", "Ships of the line sail on."):
            text = f"In this part we meet number {i}. {subject} It ends here."
            blocks.append({"type": "paragraph", "text": text})
    return json.dumps({"id": "a", "source": "s", "title": "T", "blocks": blocks})


def trial() -> CueTrial:
    found = prepare_trial(("sections", "s", line()))
    assert found is not None
    return found


def test_a_document_of_sections() -> None:
    found = trial()
    assert found.trial.true_starts == (0, 6, 12)
    assert found.rows(LISTS).tolist() == list(range(1, 18))
    assert found.rows(PARAGRAPHS).tolist() == [3, 6, 9, 12, 15]
    assert found.features(LISTS).shape == (18, 5)
    assert found.features(PARAGRAPHS).shape == (18, 14)
    assert prepare_trial(("sections", "s", line(1))) is None


def test_known_cues_become_columns() -> None:
    vocabulary = find_vocabulary([trial()], least=1)
    assert {"in", "this", "tea", "ships"} <= set(vocabulary.words)
    matrix = cue_matrix(trial(), vocabulary).toarray()
    assert matrix.shape == (18, vocabulary.n_cues)
    first = vocabulary.words.index("in")
    early = len(vocabulary.words) + vocabulary.words.index("tea")
    assert np.flatnonzero(matrix[:, first]).tolist() == [3, 6, 9, 12, 15]
    assert np.flatnonzero(matrix[:, early]).tolist() == [1, 7, 13]
    assert not len(find_vocabulary([trial()], least=2).words)


def test_the_fit_finds_planted_weights() -> None:
    rng = np.random.default_rng(0)
    cues = (rng.random((4000, 6)) < 0.3).astype(float)
    features = rng.normal(size=(4000, 2))
    wanted = np.array([2, -1, 0, 0, 1, 0, 1, -1])
    odds = np.hstack([cues, features]) @ wanted - 1
    is_start = odds + rng.logistic(size=4000) > 0
    rows = Rows(sparse.csr_array(cues), features, is_start, np.ones(4000))
    fit = fit_cues(rows, C=10.0)
    np.testing.assert_allclose([*fit.cues, *fit.features, fit.constant], [*wanted, -1], atol=0.3)
    found = cues @ fit.cues + features @ fit.features + fit.constant
    np.testing.assert_allclose(found, odds, atol=1.0)
    assert np.abs(fit_cues(rows, C=1e-4).cues).max() < np.abs(fit.cues).max() / 2


@pytest.mark.parametrize("kind", [LISTS, PARAGRAPHS])
def test_cuts_follow_the_odds(kind: str) -> None:
    odds = np.full(18, -9.0)
    odds[[0, 6, 12]] = [0.0, 9.0, 9.0]
    weights = CueWeights(np.empty(0), np.zeros(trial().features(kind).shape[1]), 0.0)
    number = NumberRule(np.log(3), 0.0, 0.0)
    cuts = judge(CueTask(trial(), kind, odds, weights, number, 0))
    assert cuts.scores["true k, cues"] == (0.0, 0.0, 1.0, 0.0, 0.0)
    assert cuts.evidence.shape == (len(cuts.is_right), 3)


def test_the_number_of_parts_is_fitted_to_the_least_error() -> None:
    from dataclasses import replace

    found = trial()
    trials, likely = [], []
    rng = np.random.default_rng(1)
    for k in (3, 4, 6, 9):
        for _ in range(5):
            n = int(rng.integers(500, 5000))
            likely.append(float(k**2 / 4))
            starts = tuple(range(k))
            trials.append(
                replace(found, trial=replace(found.trial, words=(n,), true_starts=starts))
            )
    rule = fit_number(trials, likely)
    assert abs(rule.words) < 0.05
    for one, n_likely in zip(trials, likely, strict=True):
        assert abs(rule.expected(one.trial.words[0], n_likely) - one.trial.k) < 1.5


def test_related_sources_are_left_out_together() -> None:
    folds = fold_of_families(["wiki", "wikitext", "18f", "18f-handbook", "icsi", "lectures"])
    assert set(folds) == {"wiki", "18f", "icsi", "lectures"}
    assert folds["icsi"] != folds["lectures"]


def test_files_of_sections(tmp_path: Path) -> None:
    layout = SectionFiles()
    with pytest.raises(ReadError, match=r"expected SOURCE\.jsonl\.xz"):
        layout.lines(tmp_path)
    path = tmp_path / "s.jsonl.xz"
    path.write_bytes(lzma.compress(f"{line()}\n{line(4)}\n".encode()))
    assert layout.count(tmp_path) == 2
    assert [len(document.segments) for document in layout.read(tmp_path)] == [3, 4]
    assert list(layout.lines(tmp_path)) == ["s"]
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ReadError, match=r"s\.jsonl\.xz cannot be read"):
        layout.count(tmp_path)
    path.write_bytes(lzma.compress(b'{"id": 1}\n'))
    with pytest.raises(ReadError, match="copy the file again"):
        list(layout.read(tmp_path))


def test_the_page_shows_the_committed_facts(tmp_path: Path) -> None:
    text = "".join(page(FACTS, tmp_path))
    assert "mean of the seven sets" in text
    assert "mean of 83 sources of sections" in text
