from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import numpy as np
import pytest

from docbats import PRESETS, Settings, SettingsError, analyze


def test_the_defaults_are_those_of_the_paper() -> None:
    paper = PRESETS["paper"]
    assert paper == Settings()
    assert (paper.award, paper.window, paper.decay, paper.min_sentences) == (1, 5, 0.7, 2)
    assert (paper.laplacian, paper.tau_p, paper.tau_o) == ("regularized", None, None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("k", 0), ("k", -1), ("k", 2.5), ("k", "3"), ("k", True), ("k", float("nan")),
        ("award", -0.1), ("award", float("inf")), ("window", -1), ("window", 1.5),
        ("decay", 1.1), ("decay", -1), ("decay", None), ("min_sentences", 0),
        ("laplacian", "no"), ("tau_p", -1), ("tau_o", "average"), ("tagger", "nltk"),
        ("tagger", "spacy:"), ("tagger", 7), ("stop_words", "german"), ("stop_words", [1]),
        ("stop_words", 5), ("sentences", "words"), ("restarts", 0), ("seed", -1),
        ("vectors", 1), ("stem", "yes"),
    ],
)  # fmt: skip
def test_values_that_make_no_sense_are_refused_with_advice(name: str, value: object) -> None:
    with pytest.raises(SettingsError, match=rf"{name}=.* makes no sense: give "):
        Settings(**{name: value})  # type: ignore[arg-type]


def test_numpy_numbers_are_numbers() -> None:
    settings = Settings(k=np.int64(3), decay=np.float32(0.5))  # type: ignore[arg-type]
    assert settings == Settings(k=3, decay=0.5)
    assert type(settings.k) is int


def test_settings_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().k = 3  # type: ignore[misc]


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="no setting 'windows': the settings are k, award"):
        analyze("text", k=1, windows=3)
    with pytest.raises(SettingsError, match="preset='best' does not exist: give one of paper"):
        analyze("text", k=1, preset="best")


def test_k_is_asked_for() -> None:
    with pytest.raises(SettingsError, match="k is missing"):
        analyze("Bats fly.")


def test_all_settings_are_documented_and_exported() -> None:
    assert Settings.__doc__ is not None
    values: dict[str, Any] = Settings(k=2, stop_words=frozenset({"b", "a"})).to_dict()
    for field in fields(Settings):
        assert field.name in Settings.__doc__
        assert field.name in values
    assert values["stop_words"] == ["a", "b"]
