"""Wrong arguments of the library."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from tests.bad_input.outcome import TEXT

import docbats


@pytest.mark.parametrize(
    "k", [0, -1, True, False, "3", 2.0, float("nan"), float("inf"), [2], b"2", 2j, np.array([2, 3])]
)
def test_k_that_is_no_count_is_refused(k: Any) -> None:
    with pytest.raises(docbats.SettingsError, match="k must be a whole number, at least 1, or "):
        docbats.analyze(TEXT, k=k)


@pytest.mark.parametrize("k", [2, np.int64(2), np.uint8(2)])
def test_k_of_any_whole_type_is_taken(k: int) -> None:
    result = docbats.analyze(TEXT, k=k)
    assert result.settings.k == 2
    assert result.to_json()


@pytest.mark.parametrize("source", [None, 3, 2.5, {"Bats": 1}, {"Bats"}, object(), str])
def test_source_of_another_type_is_refused(source: Any) -> None:
    with pytest.raises(docbats.InputError, match=r"expected a string, a list of .*, got"):
        docbats.analyze(source, k=1)


@pytest.mark.parametrize(
    ("sentences", "kind"),
    [
        (["Bats.", None], "NoneType"),
        (["Bats.", 3], "int"),
        (["Bats.", b"Tea."], "bytes"),
        (["Bats.", ["Tea."]], "list"),
    ],
)
def test_list_with_more_than_strings_is_refused(sentences: Any, kind: str) -> None:
    with pytest.raises(docbats.InputError, match=f"sentence 1 must be a string, got {kind}: "):
        docbats.analyze(sentences, k=1)


def test_a_window_wider_than_the_text_is_the_whole_text() -> None:
    wide = docbats.analyze(TEXT, k=2, window=10**9)
    assert wide.to_dict()["segments"] == docbats.analyze(TEXT, k=2, window=5).to_dict()["segments"]


def test_a_string_is_not_many_documents() -> None:
    with pytest.raises(docbats.InputError, match="expected several documents, got one str: "):
        docbats.BATS(docbats.Settings(k=1)).many(TEXT)
    with pytest.raises(docbats.SettingsError, match=r"expected docbats.Settings\(...\), got int"):
        docbats.BATS(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"preset": []}, "preset must be one of sharp, paper, got []"),
        ({"preset": "best"}, "preset must be one of sharp, paper, got 'best'"),
        ({"windw": 3}, "there is no setting 'windw': the settings are k, "),
        ({"stop_words": "the"}, "or a set of words, got 'the'"),
        ({"stop_words": [1]}, "or a set of words, got [1]"),
        ({"tagger": "nltk"}, '"spacy:NAME", a function, or None'),
        ({"tagger": 3}, "a function, or None, got 3"),
        ({"tagger": "spacy:"}, "a function, or None, got 'spacy:'"),
        ({"sentences": "words"}, "sentences must be one of auto, lines, got 'words'"),
        ({"laplacian": None}, "laplacian must be one of regularized, plain, none"),
        ({"vectors": "yes"}, "vectors must be True or False, got 'yes'"),
        ({"decay": 1.5}, "decay must be a number between 0 and 1, got 1.5"),
        ({"award": float("inf")}, "award must be a number between 0 and 1000000000, got inf"),
        ({"award": 1e308}, "award must be a number between 0 and 1000000000, got 1e"),
        ({"tau_p": "auto"}, "tau_p must be a number between 0 and 1000000000, or None"),
        ({"seed": 10**400}, "seed must be at most 9223372036854775807, got 1000"),
        ({"seed": 10**5000}, "seed must be at most 9223372036854775807, got a very large int"),
    ],
)
def test_wrong_setting_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(docbats.SettingsError, match=re.escape(message)):
        docbats.analyze(TEXT, k=2, **settings)
