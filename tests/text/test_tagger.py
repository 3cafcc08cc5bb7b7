from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from docbats.document import Document
from docbats.text.tags import CLASSES, Slots, find_slots, flag_classes, load_model, tag
from docbats.text.words import Tokens, tokenize

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROOT = Path(__file__).parents[2]
SENTENCES = [
    "The old cat sat on the mat and watched three birds.",
    "They plan to record a new song in London.",
    "Her plan broke the record.",
    "Don\u2019t you think Anna's brother can swim?",
    "«Noël» 北京 naïve İstanbul ß 👩‍🚀 12th-century e-mail.",
    "?",
]


def tokens_of(*sentences: str) -> Tokens:
    return tokenize(Document.from_sentences(sentences))


def flag_nouns_and_verbs(tokens: Tokens) -> NDArray[np.bool_]:
    return flag_classes(tag(tokens), "NOUN", "PROPN", "VERB")


def classes_of(sentence: str) -> dict[str, str]:
    tokens = tokens_of(sentence)
    names = [CLASSES[number] for number in tag(tokens)]
    return {tokens.forms[form]: name for form, name in zip(tokens.form, names, strict=True)}


def test_no_tokens() -> None:
    none = np.zeros(0, np.int64)
    tokens = Tokens(forms=(), form=none, start=none, end=none, sentence=none)
    assert tag(tokens).shape == (0,)
    assert flag_nouns_and_verbs(tokens).shape == (0,)
    assert flag_nouns_and_verbs(tokens).dtype == np.bool_


def test_one_token() -> None:
    assert flag_nouns_and_verbs(tokens_of("dogs")).tolist() == [True]
    assert flag_nouns_and_verbs(tokens_of("!")).tolist() == [False]


def test_a_plain_sentence() -> None:
    found = classes_of("The cat sat on a wooden chair in Paris, and it was happy.")
    assert found == {
        "The": "OTHER",
        "cat": "NOUN",
        "sat": "VERB",
        "on": "OTHER",
        "a": "OTHER",
        "wooden": "ADJ",
        "chair": "NOUN",
        "in": "OTHER",
        "Paris": "PROPN",
        ",": "OTHER",
        "and": "OTHER",
        "it": "OTHER",
        "was": "AUX",
        "happy": "ADJ",
        ".": "OTHER",
    }


@pytest.mark.parametrize(
    ("sentence", "word", "wanted"),
    [
        ("They plan to leave.", "plan", "VERB"),
        ("The plan failed.", "plan", "NOUN"),
        ("We will record the song.", "record", "VERB"),
        ("She broke the record.", "record", "NOUN"),
        ("You can visit the museum.", "visit", "VERB"),
        ("Our visit was short.", "visit", "NOUN"),
    ],
)
def test_context_tells_nouns_from_verbs(sentence: str, word: str, wanted: str) -> None:
    assert classes_of(sentence)[word] == wanted


def test_flags_are_nouns_names_and_verbs() -> None:
    tokens = tokens_of(*SENTENCES)
    wanted = [CLASSES[number] in {"NOUN", "PROPN", "VERB"} for number in tag(tokens)]
    assert flag_nouns_and_verbs(tokens).tolist() == wanted


def test_a_sentence_is_tagged_by_itself() -> None:
    alone = [tag(tokens_of(sentence)) for sentence in SENTENCES]
    np.testing.assert_array_equal(tag(tokens_of(*SENTENCES)), np.concatenate(alone))


@pytest.mark.parametrize(
    "text", ["\ud800", "a\udfff b", "👍🏽 ok", "\x00", "İİİ" * 40, "ﬀ\u2019s", "'s"]
)
def test_odd_characters(text: str) -> None:
    tokens = tokens_of(text)
    assert len(tag(tokens)) == len(tokens)


def test_a_word_of_a_megabyte_costs_nothing() -> None:
    usual, huge = tokens_of("The end."), tokens_of(f"The {'a' * (1 << 20)}.")
    load_model()
    begin = time.process_time()
    found = tag(huge)
    assert time.process_time() - begin < 0.1
    assert len(found) == len(usual)


def test_another_process_gives_the_same_answer() -> None:
    program = (
        "import json, sys\n"
        "from docbats.document import Document\n"
        "from docbats.text.tags import tag\n"
        "from docbats.text.words import tokenize\n"
        "print(tag(tokenize(Document.from_sentences(json.load(sys.stdin)))).tolist())\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=json.dumps(SENTENCES),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert answers == {f"{tag(tokens_of(*SENTENCES)).tolist()}\n"}


def test_vectorised_scores_equal_a_plain_loop() -> None:
    tokens = tokens_of(*SENTENCES)
    np.testing.assert_array_equal(tag(tokens), tag_one_by_one(tokens))


def tag_one_by_one(tokens: Tokens) -> NDArray[np.int64]:
    """Hash the three forms of each token on their own and add up their weights one by one."""
    model = load_model()

    def slots_at(place: int, sentence: int) -> Slots:
        inside = 0 <= place < len(tokens) and tokens.sentence[place] == sentence
        forms = [tokens.forms[tokens.form[place]]] if inside else []
        return find_slots(forms, model.lexicon)  # its first column: the form, or else the edge

    found = []
    for place, sentence in enumerate(tokens.sentence.tolist()):
        before, own, after = (slots_at(place + offset, sentence) for offset in (-1, 0, 1))
        is_first = int(place == 0 or tokens.sentence[place - 1] != sentence)
        parts = (own.own, own.cased[is_first], before.before, after.after)
        slots = [slot for part in parts for slot in part[:, 0]]
        scores = [sum(int(model.weights[slot, c]) for slot in slots) for c in range(len(CLASSES))]
        found.append(scores.index(max(scores)))
    return np.array(found, np.int64)


def test_rows_of_weights_are_padded_with_zeros() -> None:
    assert not load_model().weights[:, len(CLASSES) :].any()


def test_the_weights_file_is_small() -> None:
    path = resources.files("docbats.text").joinpath("data", "tagger-en.npz")
    assert len(path.read_bytes()) < 1_500_000


@pytest.fixture(scope="session")
def accuracy(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, float]]:
    """What tagger/evaluate.py measures."""
    table = tmp_path_factory.mktemp("tagger") / "accuracy.json"
    script = ROOT / "tagger" / "evaluate.py"
    subprocess.run([sys.executable, script, "--json", table], check=True, capture_output=True)
    result: dict[str, dict[str, float]] = json.loads(table.read_text())["accuracy"]
    return result


@pytest.mark.data
@pytest.mark.parametrize(
    ("treebank", "variant", "least"),
    [
        ("ud-english-ewt/test", "as written", 97.0),
        ("ud-english-ewt/test", "lower case", 96.0),
        ("ud-english-gum/test", "as written", 96.5),
        ("ud-english-gum/dev", "as written", 96.5),
    ],
)
def test_accuracy_on_content_words(
    accuracy: dict[str, dict[str, float]], treebank: str, variant: str, least: float
) -> None:
    assert accuracy[treebank][variant] >= least
