from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from docbats.settings import PRESETS
from docbats.text.languages.english import STOP_WORDS as ENGLISH
from docbats_lab.baselines.lexical import TEXT_TILING, compare_blocks
from docbats_lab.documents import read_segmented
from docbats_lab.methods import prepare

if TYPE_CHECKING:
    from pathlib import Path


def made(seed: int, topics: int, sentences: int) -> list[str]:
    """Sentences of made-up words, each topic with words of its own."""
    draw = random.Random(seed)
    found = []
    for topic in range(topics):
        words = ["".join(draw.choices("bcdfgklmnprst", k=6)) for _ in range(12)]
        lengths = (draw.randint(4, 20) for _ in range(sentences))
        found += [f"{topic} the {' '.join(draw.choices(words, k=n))}." for n in lengths]
    return found


def pieces_of_nltk(sentences: list[str]) -> list[str]:
    from nltk.tokenize import TextTilingTokenizer

    found = TextTilingTokenizer(stopwords=ENGLISH).tokenize("\n\n".join(sentences))
    return [piece.strip() for piece in found]


def pieces_of_ours(sentences: list[str]) -> list[str]:
    starts = TEXT_TILING.cut(prepare(sentences), 1, 0)
    ends = [*starts[1:], len(sentences)]
    return ["\n\n".join(sentences[a:b]) for a, b in zip(starts, ends, strict=True)]


# 7 sentences make fewer blocks than nltk compares, 25 a few more.
@pytest.mark.parametrize("sentences", [7, 25, 60])
@pytest.mark.parametrize("seed", range(4))
def test_the_segments_are_those_of_nltk(seed: int, sentences: int) -> None:
    text = made(seed, 3, sentences)
    assert pieces_of_ours(text) == pieces_of_nltk(text)
    assert len(pieces_of_ours(text)) > 1


def test_blocks_by_hand() -> None:
    class Word:
        def __init__(self, *occurrences: list[int]) -> None:
            self.ts_occurences = list(occurrences)

    # Three sequences: bats bats moths | bats | tea.
    table = {"bats": Word([0, 2], [1, 1]), "moths": Word([0, 1]), "tea": Word([2, 1])}
    assert compare_blocks([None] * 3, table) == pytest.approx([2 / 5**0.5, 0.0])


@pytest.mark.parametrize(
    "sentences",
    [
        ["Bats."],
        ["", "."],
        ["The."] * 40,
        ["Bats hunt moths in the evening and at night."] * 80,
        ["", "Bats hunt.", "", "Tea."],
        ["12 34 -- ."] * 200,
        ["bats\n\nand\tmoths " * 10, ""] * 30,
        ["mono-syl-la-ble-words-" * 30] * 5,
    ],
)
def test_odd_documents_get_a_legal_cut(sentences: list[str]) -> None:
    prepared = prepare(sentences)
    starts = TEXT_TILING.cut(prepared, 3, 0)
    assert starts == TEXT_TILING.cut(prepared, 3, 0)
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    assert starts[-1] < len(sentences)


def test_words_of_other_languages_keep_their_letters() -> None:
    words = ("été", "élève", "forêt", "âge", "çà"), ("thé", "tasse", "café", "lait", "sucré")
    sentences = [
        f"{first} {second} {third} {fourth}, {first} {third}."
        for topic in words
        for first, second, third, fourth in list(permutations(topic, 4))[:60]
    ]
    accented = prepare(sentences, replace(PRESETS["paper"], language="fr"))
    plain = [s.translate(str.maketrans("éèêâàç", "eeeaac")) for s in sentences]
    bare = prepare(plain, replace(PRESETS["paper"], language="fr"))
    assert TEXT_TILING.cut(accented, 1, 0) == TEXT_TILING.cut(bare, 1, 0)
    assert len(TEXT_TILING.cut(accented, 1, 0)) > 1


@pytest.mark.data
def test_a_real_document_is_cut_as_by_nltk(data: Path) -> None:
    sentences = list(read_segmented(data / "choi" / "1" / "3-11" / "0.ref").sentences)
    sentences = [" ".join(sentence.split()) for sentence in sentences]
    assert pieces_of_ours(sentences) == pieces_of_nltk(sentences)
