"""The file of a model of your own, and what its numbers change."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats.errors import ReadError, SettingsError
from docbats.segments.costs import FLAT, FLAT_WITH_CUES, STRUCTURED, STRUCTURED_WITH_CUES
from docbats.segments.own_model import MAX_BYTES, CutScores, Gain, OwnModel

TEXT = (Path(__file__).parents[2] / "examples" / "annual-report.txt").read_text(encoding="utf-8")
MODEL = OwnModel(parts=2, documents=20, languages=("en",), gain=Gain(0.1, 0.05, 0.2))
scores = st.floats(-1000, 1000)
models = st.builds(
    OwnModel,
    parts=st.floats(0.05, 20),
    growth=st.floats(-2, 2),
    words=st.floats(1, 1e9),
    cues=st.floats(0.05, 20),
    lengths=st.floats(0.05, 20),
    joined=st.booleans(),
    documents=st.integers(0, 10**9),
    languages=st.lists(st.text(min_size=1, max_size=20), max_size=5).map(tuple),
    default=st.none() | st.builds(CutScores, scores, scores, scores, scores, scores),
    own=st.none() | st.builds(CutScores, scores, scores, scores, scores, scores),
    gain=st.none() | st.builds(Gain, scores, scores, scores),
    version=st.text(max_size=50),
)


def changed(**values: Any) -> str:
    """Return the content of a file with other members, also of its numbers."""
    content = json.loads(MODEL.to_json())
    for name, value in values.items():
        (content["numbers"] if name in content["numbers"] else content)[name] = value
    return json.dumps(content)


@given(models)
def test_the_file_holds_the_model(model: OwnModel) -> None:
    text = model.to_json()
    assert OwnModel.from_json(text) == model
    assert OwnModel.from_json(text).to_json() == text
    assert len(text) < MAX_BYTES


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (changed(format="docbats-model-2"), "a model of the format docbats-model-2, and this"),
        (changed(format=1), "not a model of docbats, and this"),
        ("{}", "not a model of docbats"),
        ("", "not a model of docbats"),
        ("[1, 2]", r"a JSON list"),
        ("3", r"a JSON int"),
        ("[" * 9000, "nested too deeply"),
        (MODEL.to_json()[:-40], "truncated or damaged"),
        (changed(parts=float("nan")), "NaN is not a number"),
        (changed(parts=float("inf")), "Infinity is not a number"),
        (MODEL.to_json().replace("2.0", "1e999"), "parts must be a number from 0.05 to 20"),
        (MODEL.to_json().replace("2.0", "9" * 5000), "truncated or damaged"),
        (MODEL.to_json().replace("2.0", "9" * 4000), "parts must be a number"),
        (changed(parts="2"), "parts must be a number from 0.05 to 20, got '2'"),
        (changed(parts=[2]), "parts must be a number"),
        (changed(parts=True), "parts must be a number"),
        (changed(parts=None), "parts must be a number"),
        (changed(cues=0), "cues must be a number"),
        (changed(growth=3), "growth must be a number from -2 to 2, got 3"),
        (changed(joined=1), "joined must be true or false"),
        (changed(documents=1.5), "documents must be a whole number"),
        (changed(documents=-1), "documents must be a whole number"),
        (changed(languages="en"), "languages must be a list"),
        (changed(languages=[5]), "languages must be codes"),
        (changed(languages=["x"] * 60), "languages must be codes"),
        (changed(docbats=5), "version must be"),
        (changed(own=[1]), "own must be an object with pk"),
        (changed(gain={"mean": 1}), "'low' is missing"),
        (changed(numbers=5), "numbers must be an object"),
        (changed(command="rm"), "'command' is unknown"),
        (MODEL.to_json().replace('"cues"', '"__class__"'), "'cues' is missing"),
        (MODEL.to_json().replace('"cues"', '"parts"'), "a name occurs twice"),
    ],
)
def test_what_is_not_a_model(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "ours.json"
    path.write_text(content)
    with pytest.raises(SettingsError, match=rf"ours\.json: .*{message}.*: fit it again") as raised:
        docbats.Settings(model=path)
    assert len(str(raised.value)) < 400 + len(str(path))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe\0\0", "not text, so not a model of docbats"),
        (b" " * (MAX_BYTES + 1), "more than 10,000 bytes, so not a model of docbats"),
    ],
)
def test_bytes_that_are_not_a_model(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "ours.json"
    path.write_bytes(data)
    with pytest.raises(SettingsError, match=message):
        docbats.analyze("One. Two.", model=str(path))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(ReadError, match=r"none\.json: no such|a folder, not a file"):
            docbats.Settings(model=path)


@pytest.mark.parametrize("wrong", [5, {"parts": 2}, len, True])
def test_what_the_setting_may_be(wrong: Any) -> None:
    with pytest.raises(SettingsError, match=r"model must be a docbats\.OwnModel, or the path"):
        docbats.Settings(model=wrong)


def test_cuts_that_have_no_use_for_it() -> None:
    with pytest.raises(SettingsError, match='model must be None with cut="linkage"'):
        docbats.Settings(model=MODEL, cut="linkage")
    with pytest.raises(SettingsError, match='model must be None with cut="Own"'):
        docbats.Settings(model=MODEL, cut=type("Own", (docbats.SegmentCost,), {})())


def test_the_default_numbers_change_nothing() -> None:
    by_default = docbats.analyze(TEXT)
    own = docbats.analyze(TEXT, model=OwnModel())
    assert own.segments == by_default.segments
    assert own.choice == by_default.choice
    assert by_default.settings.to_dict()["model"] is None
    assert "model of your own" not in " ".join(by_default.notes)


@pytest.mark.parametrize("structure", ["auto", "ignore"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_more_parts_are_found_by_larger_factors(structure: Any, language: str) -> None:
    found = [
        len(
            docbats.analyze(
                TEXT, model=OwnModel(parts=parts), structure=structure, language=language
            ).segments
        )
        for parts in (0.3, 1.0, 3.0)
    ]
    assert found == sorted(found)
    assert found[0] < found[2]


def test_length_matters_by_its_power_within_limits() -> None:
    model = OwnModel(parts=2, growth=0.5, words=100)
    assert model.times_as_many(100) == 2
    assert model.times_as_many(400) == 4
    assert model.times_as_many(10**9) == model.times_as_many(1000)
    assert model.times_as_many(0) == model.times_as_many(10)


@pytest.mark.parametrize("model", [FLAT, STRUCTURED, FLAT_WITH_CUES, STRUCTURED_WITH_CUES])
def test_the_numbers_are_relative_to_every_default(model: Any) -> None:
    own = OwnModel(parts=3, cues=2, lengths=0.5)
    found = own.applied_to(model)
    assert found.openings == 2 * model.openings
    assert found.length == model.length / 2
    assert found.first_length == model.first_length / 2
    assert found.last_length == model.last_length / 2
    assert (
        replace(
            found,
            openings=model.openings,
            length=model.length,
            first_length=model.first_length,
            last_length=model.last_length,
            own=None,
        )
        == model
    )
    assert found.of_a_part.own is None


def test_joined_texts_keep_their_plain_breaks_unless_told_otherwise() -> None:
    texts = [part * 6 for part in ("Bats hunt moths at night. Moths hear every bat. ",
                                   "Tea needs hot water. Hot tea fills a cup. ",
                                   "Ships carry grain to port. A port loads ships. ")]  # fmt: skip
    sentences = [f"{s}." for text in texts for s in text.split(".") if s.strip()]
    by_default = docbats.analyze(sentences)
    assert by_default.choice is not None
    assert by_default.choice.has_plain_breaks
    few = docbats.analyze(sentences, model=OwnModel(parts=0.2))
    assert len(few.segments) == len(by_default.segments) == 3
    other = docbats.analyze(sentences, model=OwnModel(parts=0.2, joined=False))
    assert other.choice is not None
    assert not other.choice.has_plain_breaks


def test_a_description_names_what_changes() -> None:
    model = OwnModel(parts=1.5, words=1200, growth=0.2, cues=0.7, lengths=2, joined=False)
    assert model.description == (
        "The model: 1.5 times as many parts as by default in a text of 1,200 words, by the "
        "power 0.2 of its length; 0.7 times the weight of openings and breaks; 2 times the weight "
        "of equal lengths; plain breaks count like others."
    )
    assert OwnModel().description == (
        "The model: as many parts as by default in a text of 1,000 words."
    )
