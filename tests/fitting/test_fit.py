"""A model is fitted to documents of one kind, and judged on those left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.fitting.texts import (
    make_markdown,
    make_parts,
    many_short_parts,
    with_paragraphs,
    without_signal,
)

import docbats
from docbats.errors import InputError, SettingsError
from docbats.fitting.fit import Fit, compare_with_default
from docbats.fitting.marked import MarkedDocument, read_marked
from docbats.runtime import listen_to_stages
from docbats.segments.metrics import window_errors
from docbats.segments.own_model import Gain, OwnModel

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def fitted() -> Fit:
    """A fit to authors who make many short parts."""
    return docbats.fit(make_markdown(parts) for parts in many_short_parts(24))


def test_many_short_parts_are_expected_from_then_on(fitted: Fit) -> None:
    model = fitted.model
    assert model.parts > 1.5
    assert (model.documents, model.languages) == (24, ("en",))
    assert model.gain is not None
    assert 0.1 < model.gain.low < model.gain.mean < model.gain.high
    assert model.default is not None
    assert model.own is not None
    assert model.default.ratio < 0.7
    assert 0.9 < model.own.ratio < 1.1
    assert model.own.f1 > model.default.f1
    assert model.own.pk < model.default.pk


def test_the_model_cuts_a_new_document_better(fitted: Fit) -> None:
    text = "\n\n".join(map(with_paragraphs, make_parts(seed=99, n_parts=14)))
    by_default, own = docbats.analyze(text), docbats.analyze(text, model=fitted.model)
    assert len(by_default.segments) < 10
    assert len(own.segments) == 14
    assert own.notes[-1] == "A model fitted to 24 documents of your own was used."
    assert own.settings.to_dict()["model"] == fitted.model.numbers
    assert docbats.BATS(own.settings)(text, k="auto").to_json() == own.to_json()


def test_headings_decide_with_any_model(fitted: Fit) -> None:
    text = make_markdown(make_parts(seed=98, n_parts=4))
    for model in (None, fitted.model):
        assert len(docbats.analyze(text, model=model).segments) == 4


def test_the_same_bytes_twice(fitted: Fit) -> None:
    again = docbats.fit([make_markdown(parts) for parts in many_short_parts(24)])
    assert again.model.to_json() == fitted.model.to_json()
    assert str(again) == str(fitted)


def test_nothing_is_written_without_a_gain(tmp_path: Path) -> None:
    found = docbats.fit(without_signal(24))
    assert found.model.gain is not None
    assert not found.model.gain.is_beyond_chance
    with pytest.raises(InputError, match=r"gains nothing beyond chance.*: keep the default"):
        found.write(tmp_path / "ours.json")
    assert not (tmp_path / "ours.json").exists()


def test_a_gain_is_written_and_read(fitted: Fit, tmp_path: Path) -> None:
    path = tmp_path / "ours.json"
    fitted.write(path)
    assert OwnModel.read(path) == fitted.model
    settings = docbats.Settings(model=path)
    assert settings == docbats.Settings(model=str(path)) == docbats.Settings(model=fitted.model)
    assert settings.own_model == fitted.model


def test_the_table_of_a_fit(fitted: Fit) -> None:
    lines = str(fitted).splitlines()
    assert lines[0] == "24 documents, 0 without known boundaries"
    assert [line.split()[0] for line in lines[2:5]] == ["documents", "default", "your"]
    assert lines[-2].startswith("gain +0.")
    assert lines[-1] == fitted.model.description


def test_19_documents_are_too_few() -> None:
    documents = [make_markdown(parts) for parts in many_short_parts(19)]
    message = "20 or more documents with known boundaries are needed, got 19"
    with pytest.raises(InputError, match=f"{message}: add"):
        docbats.fit(documents)
    with pytest.raises(InputError, match=f"{message}; 2 more have none, such as document 20: head"):
        docbats.fit([*documents, "No headings.", "None here."])


def test_documents_without_boundaries_are_counted() -> None:
    documents = [*many_short_parts(20), [["No."], ["Too short."]]]
    found = docbats.fit(documents)
    assert found.model.documents == 20
    assert [one.name for one in found.unusable] == ["document 21"]


def test_no_more_documents_than_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docbats.fitting.fit._MAX_DOCUMENTS", 20)
    found = docbats.fit(many_short_parts(22))
    assert (found.model.documents, found.left_out) == (20, 2)
    assert "2 more than a fit takes" in str(found)


def test_a_language_that_is_not_english() -> None:
    documents = [make_markdown(parts) for parts in many_short_parts(20)]
    found = docbats.fit(documents, language="de")
    assert found.model.languages == ("de",)
    assert found.model.parts > 1.5
    with pytest.raises(SettingsError, match="language"):
        docbats.fit(many_short_parts(20), language="xx")


def test_progress() -> None:
    shown: list[str] = []
    with listen_to_stages(lambda progress: shown.append(progress.stage)):
        docbats.fit(many_short_parts(20))
    assert list(dict.fromkeys(shown))[-2:] == ["preparing the documents", "fitting"]


@pytest.mark.parametrize("gain", [None, Gain(0.0, 0.0, 0.0), Gain(0.1, -0.01, 0.2)])
def test_what_is_not_beyond_chance(gain: Gain | None, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="gains nothing"):
        Fit(OwnModel(gain=gain)).write(tmp_path / "ours.json")


@pytest.mark.parametrize("model", [OwnModel(), OwnModel(parts=3, cues=2, lengths=0.35, growth=0.4)])
@pytest.mark.parametrize("kind", ["paragraphs", "sentences"])
def test_what_is_judged_is_what_an_analysis_finds(model: OwnModel, kind: str) -> None:
    for parts in many_short_parts(4):
        source = make_markdown(parts) if kind == "paragraphs" else parts
        (marked,) = read_marked([source])
        assert isinstance(marked, MarkedDocument)
        result = docbats.analyze(marked.document, model=model)
        starts = [segment.sentences[0] for segment in result.segments]
        words = [len(sentence.split()) for sentence in marked.document.sentences]
        pk, wd = window_errors(words, marked.starts, starts)
        own = compare_with_default([marked], model).own
        assert (own.pk, own.wd) == (round(pk, 4), round(wd, 4))
        assert own.ratio == round(len(starts) / len(parts), 4)
