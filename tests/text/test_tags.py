from __future__ import annotations

import sys
from typing import TYPE_CHECKING
from unittest.mock import Mock

import numpy as np
import pytest

from docbats import MissingExtraError, analyze
from docbats.document import Document
from docbats.errors import SettingsError
from docbats.text import tags
from docbats.text.tags import find_classes, flag_classes
from docbats.text.words import tokenize

if TYPE_CHECKING:
    from pathlib import Path

TOKENS = tokenize(Document.from_sentences(["Bats fly fast", "", "Tea cools"]))


def test_no_tagger_no_award() -> None:
    assert not flag_classes(find_classes(TOKENS, None), "NOUN", "PROPN", "VERB").any()


@pytest.mark.parametrize(
    "known",
    [
        {"Bats": "NOUN", "fly": "VERB", "fast": "ADV", "Tea": "PROPN", "cools": "AUX"},
        {"Bats": "NNS", "fly": "VBP", "fast": "RB", "Tea": "NNP", "cools": "MD"},
    ],
)
def test_any_function_from_a_sentence_to_tags_will_do(known: dict[str, str]) -> None:
    seen = []

    def tagger(words: list[str]) -> list[str]:
        seen.append(words)
        return [known[word] for word in words]

    flags = flag_classes(find_classes(TOKENS, tagger), "NOUN", "PROPN", "VERB")
    assert flags.tolist() == [True, True, False, True, False]
    assert seen == [["Bats", "fly", "fast"], ["Tea", "cools"]]


def test_the_award_follows_the_tagger() -> None:
    lines = ["bats fly", "bats sleep", "tea cools", "tea steams"]

    def only_tea(words: list[str]) -> list[str]:
        return ["NOUN" if word == "tea" else "X" for word in words]

    result = analyze(
        lines, k=2, n_topics=2, tagger=only_tea, decay=0, laplacian="none", vectors=True
    )
    assert result.vectors is not None
    # Each of the two words makes its own block: sqrt(2) times its count, 1 or with the award 2.
    np.testing.assert_allclose(result.vectors.singular_values, [8**0.5, 2**0.5])
    assert result.to_dict()["settings"]["tagger"].startswith("function:")


def test_a_tag_for_each_token_is_asked_for() -> None:
    with pytest.raises(SettingsError, match=r"2 tags for a sentence of 3 tokens .* one tag,"):
        find_classes(TOKENS, lambda words: ["NOUN"] * (len(words) - 1))
    for answer in (None, 3, [None] * 3):
        with pytest.raises(SettingsError, match=r"returned .* for a sentence of 3 tokens"):
            find_classes(TOKENS, Mock(return_value=answer))


def test_without_spacy_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    tags._spacy_tagger.cache_clear()
    with pytest.raises(MissingExtraError, match=r'pip install "docbats\[spacy\]"'):
        find_classes(TOKENS, "spacy:en_core_web_sm")


@pytest.mark.spacy
def test_a_missing_pipeline_says_how_to_install_it() -> None:
    with pytest.raises(MissingExtraError, match="python -m spacy download no_such_pipeline"):
        find_classes(TOKENS, "spacy:no_such_pipeline")


@pytest.mark.spacy
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # spaCy's own
@pytest.mark.parametrize("component", ["morphologizer", "tagger"])
def test_a_spacy_pipeline_tags_our_tokens(tmp_path: Path, component: str) -> None:
    import spacy
    from spacy.training import Example

    pipeline = spacy.blank("en")
    pipeline.add_pipe(component)
    words = ["bats", "tea", "fly", "cools", "fast", "slow"]
    if component == "tagger":
        gold = {"tags": ["NN", "NN", "VB", "VB", "RB", "RB"]}
    else:
        gold = {"pos": ["NOUN", "NOUN", "VERB", "VERB", "ADV", "ADV"]}
    examples = [
        Example.from_dict(
            pipeline.make_doc(" ".join(words[i] for i in order)),
            {key: [values[i] for i in order] for key, values in gold.items()},
        )
        for order in np.random.default_rng(0).permuted(np.tile(np.arange(6), (30, 1)), axis=1)
    ]
    optimizer = pipeline.initialize(lambda: examples)
    for _ in range(20):
        pipeline.update(examples, sgd=optimizer)
    pipeline.to_disk(tmp_path / "small")

    tokens = tokenize(Document.from_sentences(["bats fly fast", "slow tea cools"]))
    classes = find_classes(tokens, f"spacy:{tmp_path / 'small'}")
    flags = flag_classes(classes, "NOUN", "PROPN", "VERB")
    assert flags.tolist() == [True, True, False, False, True, True]
