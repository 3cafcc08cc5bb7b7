"""The experiment on cues: what it takes from sentences, and what it learns from many sources."""

from __future__ import annotations

import json
import lzma
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from docbats.errors import ReadError
from docbats.segments.choose_k import STRENGTH_WITH_CUES
from docbats.segments.costs import NumberRule, PartsRule
from docbats.segments.cues import CueWeights
from docbats_lab.carry_over.cues import (
    LISTS,
    MODELS,
    PARAGRAPHS,
    CueTrial,
    CutTask,
    NumberTrial,
    Rows,
    cue_matrix,
    find_vocabulary,
    fit_cues,
    fit_model,
    fit_number,
    fit_parts,
    fold_of_families,
    log_odds,
    model_facts,
    prepare_trial,
)
from docbats_lab.experiments.cues import judge, page
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
    features = rng.normal(size=(4000, 3))
    wanted = np.array([2, -1, 0, 0, 1, 0, 1, -1, 0.5])
    odds = np.hstack([cues, features]) @ wanted - 1
    is_start = odds + rng.logistic(size=4000) > 0
    rows = Rows(sparse.csr_array(cues), features, is_start, np.ones(4000))
    fit = fit_cues(rows, 10.0)
    found = [*fit.cues, *fit.features, fit.places, fit.constant]
    np.testing.assert_allclose(found, [*wanted, -1], atol=0.3)
    np.testing.assert_allclose(log_odds(rows, fit), odds, atol=1.0)
    assert np.abs(fit_cues(rows, 1e-4).cues).max() < np.abs(fit.cues).max() / 2


@pytest.mark.parametrize("kind", [LISTS, PARAGRAPHS])
def test_cuts_follow_the_odds(kind: str) -> None:
    odds = np.full(18, -9.0)
    odds[[0, 6, 12]] = [0.0, 9.0, 9.0]
    weights = CueWeights(np.empty(0), np.zeros(trial().features(kind).shape[1]), 0.0, 0.0)
    number = NumberRule(np.log(3), 0.0, 0.0, 0.0)
    model = replace(MODELS[kind], parts=PartsRule(gain=1e-3, boundary=0.0, spread=1.0))
    cuts = judge((CutTask(trial(), kind, odds, weights, number, 0), model))
    assert cuts.scores["true k, cues"] == (0.0, 0.0, 1.0, 0.0, 0.0)
    assert cuts.evidence.shape == (len(cuts.is_right), 3)


def test_the_number_of_parts_is_fitted_to_the_least_error() -> None:
    found = trial()
    trials, likely = [], []
    for k in (3, 4, 6, 9):
        for n in (10, 20, 40, 80, 160):
            likely.append(float(k**2 / 4))
            starts = tuple(range(k))
            words = (1,) * n
            trials.append(
                replace(found, trial=replace(found.trial, words=words, true_starts=starts))
            )
    rule = fit_number(trials, likely)
    assert abs(rule.short) < 0.05
    for one, n_likely in zip(trials, likely, strict=True):
        assert abs(rule.expected(len(one.trial), 100, n_likely) - one.trial.k) < 1.5
    bent = replace(rule, short=1.0, long=-0.5)
    usual = bent.expected(60, 1_000, 3.0)
    assert usual == bent.expected(60, 8_000, 3.0)
    assert bent.expected(15, 1_000, 3.0) == pytest.approx(usual / 2)
    assert bent.expected(60, 32_000, 3.0) == pytest.approx(usual / 2)
    assert bent.expected(60, 1e9, 3.0) == pytest.approx(usual / 2)


def test_an_article_has_one_part() -> None:
    text = "A headline\nThe ferry sank at dawn on Monday. Nobody was hurt.\nIt was old, they said."
    found = prepare_trial(("articles", "bbc", text))
    assert found is not None
    assert found.trial.true_starts == (0,)


def test_constants_change_as_long_as_the_loss_falls() -> None:
    start = MODELS[LISTS]
    best, least = fit_model(start, lambda m: abs(m.openings - 1.5) + abs(m.growth - 0.5))
    assert (best.openings, best.growth, least) == (1.5, 0.5, 0.0)
    assert replace(best, openings=start.openings, growth=start.growth) == start
    assert fit_model(start, lambda _: 1.0) == (start, 1.0)


def test_the_rule_of_the_number_is_as_sure_as_it_is_right() -> None:
    found, rule = trial(), MODELS[LISTS].parts
    k = found.trial.k
    losses = np.abs(np.log(np.arange(1, 9) / k))
    near = NumberTrial(found, k / rule.usual_share, np.zeros(8), losses)
    far = NumberTrial(found, 2 * k / rule.usual_share, np.zeros(8), losses)
    sure, unsure = fit_parts([near], rule), fit_parts([near, far], rule)
    assert sure.spread > unsure.spread
    assert unsure.gain == pytest.approx(0.3 * unsure.spread)


@pytest.mark.parametrize("share", [0.75, 0.9, 1.0])
def test_the_share_of_the_number_is_that_of_the_best_cuts(share: float) -> None:
    found, numbers = trial(), np.arange(1, 31)
    losses = np.abs(np.log(numbers / (20 * share)))
    fitted = fit_parts([NumberTrial(found, 20.0, np.zeros(30), losses)], MODELS[LISTS].parts)
    assert fitted.usual_share == share


def test_the_constants_are_those_that_were_fitted() -> None:
    facts = json.loads((FACTS / "facts.json").read_text(encoding="utf-8"))
    for kind, model in MODELS.items():
        assert facts[kind]["model"] == model_facts(model)
    assert facts["strengths"]["rule"] == asdict(STRENGTH_WITH_CUES)


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
