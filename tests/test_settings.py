from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, fields
from typing import Any

import numpy as np
import pytest

from docbats import PRESETS, SegmentCost, Settings, SettingsError, analyze
from docbats.settings import SETTING_INFOS


def test_the_defaults_are_those_of_the_sharp_preset() -> None:
    assert list(PRESETS) == ["sharp", "paper"]
    assert PRESETS["sharp"] == Settings()
    assert (Settings().cut, Settings().ranking, Settings().k) == ("likelihood", "cores", "auto")


def test_the_paper_preset_is_the_paper() -> None:
    paper = PRESETS["paper"]
    assert (paper.cut, paper.ranking) == ("linkage", "kmeans")
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
        ("stop_words", 5), ("language", "sv"), ("language", None), ("sentences", "words"),
        ("restarts", 0), ("seed", -1),
        ("vectors", 1), ("stem", "yes"), ("n_topics", 0), ("cut", "ward"), ("ranking", "lda"),
        ("min_size", -1), ("max_size", 0), ("size_unit", "lines"), ("overlap", -1),
        ("class_weights", {"NOUNS": 1}), ("class_weights", {"NOUN": -1}), ("class_weights", 3),
        ("embeddings", "minilm"), ("embedding_unit", "letters"),
    ],
)  # fmt: skip
def test_wrong_values_are_refused_with_what_was_expected(name: str, value: object) -> None:
    expected = re.escape(f"{name} must be {SETTING_INFOS[name].value.expected}, got {value!r}")
    with pytest.raises(SettingsError, match=f"^{expected}$"):
        Settings(**{name: value})  # type: ignore[arg-type]


def test_the_paper_s_cut_has_no_use_for_embeddings() -> None:
    with pytest.raises(SettingsError, match='embeddings must be None with cut="linkage"'):
        Settings(cut="linkage", embeddings=len)


def test_a_cost_of_one_s_own_is_an_instance() -> None:
    class Own(SegmentCost):
        pass

    own = Own()
    assert Settings(cut=own, max_size=4).cut is own
    with pytest.raises(SettingsError, match="or an instance of a class derived from"):
        Settings(cut=Own)  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match='embeddings must be None with cut="Own"'):
        Settings(cut=own, embeddings=len)


def test_numpy_numbers_are_numbers() -> None:
    settings = Settings(k=np.int64(3), decay=np.float32(0.5))  # type: ignore[arg-type]
    assert settings == Settings(k=3, decay=0.5)
    assert type(settings.k) is int


def test_settings_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().k = 3  # type: ignore[misc]


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="no setting 'windows': the settings are k, gran"):
        analyze("text", k=1, windows=3)  # type: ignore[call-arg]
    with pytest.raises(SettingsError, match="preset must be one of sharp, paper, got 'best'"):
        analyze("text", k=1, preset="best")


def test_no_k_means_auto() -> None:
    assert Settings(k=None) == Settings(k="auto")  # type: ignore[arg-type]


def test_sizes_must_agree_with_one_another_and_with_the_cut() -> None:
    for sizes, message in [
        ({"min_size": 5, "max_size": 4}, "min_size must be at most max_size, which is 4, got 5: "),
        ({"overlap": 4, "max_size": 4}, "overlap must be less than max_size, which is 4, got 4: "),
        ({"max_size": 4, "cut": "linkage"}, 'max_size must be None with cut="linkage", .* got 4: '),
    ]:
        with pytest.raises(SettingsError, match=message):
            Settings(**sizes)  # type: ignore[arg-type]


def test_all_settings_are_documented_and_exported() -> None:
    assert Settings.__doc__ is not None
    values: dict[str, Any] = Settings(k=2, stop_words=frozenset({"b", "a"})).to_dict()
    for field in fields(Settings):
        assert field.name in Settings.__doc__
        assert field.name in values
    assert values["stop_words"] == ["a", "b"]
