from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import takes_linear_time

from docbats.text.languages import LANGUAGES, load_language
from docbats.text.sentences import split_sentences

ROOT = Path(__file__).parent.parent.parent
SENTENCES: dict[str, dict[str, list[str]]] = json.loads(
    (ROOT / "benchmarks" / "languages" / "sentences.json").read_text()
)
CODES = [code for code in LANGUAGES if code != "en"]


def split(text: str, code: str | None) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text, load_language(code))]


@pytest.mark.parametrize(("group", "code"), [(g, code) for g in SENTENCES for code in SENTENCES[g]])
def test_nearly_all_sentences_end_where_they_should(group: str, code: str) -> None:
    glue = "" if code in {"zh", "ja"} else " "
    sentences = SENTENCES[group][code]
    found = split(glue.join(sentences), code)
    assert len(set(found) & set(sentences)) >= len(sentences) - 4


@pytest.mark.parametrize(
    ("code", "sentences"),
    [
        ("de", ["Am 3. Mai, z. B. um 8 Uhr, kam Dr. Lind.", "Er blieb bis 1990.", "Dann ging er."]),
        ("de", ["„Halt!“ rief sie.", "»Warum?« fragte er."]),
        ("fr", ["« Halte ! » cria-t-elle.", "M. Lind s'arrêta."]),
        ("es", ["¿Quién es?", "¡Soy yo!", "El Sr. Lind, p. ej., no vino."]),
        ("it", ["Il sig. Lind arrivò, ecc.", "Poi partì."]),
        ("nl", ["Er waren drie auto's.", "Dhr. Lind had er één."]),
        ("pl", ["Urodził się w 1960 r. w Krakowie.", "Potem wyjechał."]),
        ("ru", ["Это было в 1881 г. под Берлином.", "Он купил яблоки и т. д.", "Потом ушёл."]),
        ("zh", ["“我不知道。”他说。", "门开了。"]),
        ("ja", ["「はい。」と彼は言った。", "とても静かだった。"]),
        (None, ["Det kostade 3.50 kronor.", "Ingen betalade."]),
    ],
)
def test_full_stops_within_sentences_do_not_end_them(
    code: str | None, sentences: list[str]
) -> None:
    glue = "" if code in {"zh", "ja"} else " "
    assert split(glue.join(sentences), code) == sentences


def test_a_quotation_that_never_closes_ends_all_the_same() -> None:
    text = "他说：“好。" + "今天很冷。" * 100
    assert len(split(text, "zh")) > 30


@given(
    st.text(st.characters() | st.sampled_from(" \n.。!?…「」“”»«zBтд1I'"), max_size=200),
    st.sampled_from([*CODES, None]),
)
def test_nothing_but_white_space_is_lost(text: str, code: str | None) -> None:
    spans = split_sentences(text, load_language(code))
    assert all(start < end for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    found = [text[start:end] for start, end in spans]
    assert "".join("".join(sentence.split()) for sentence in found) == "".join(text.split())


@pytest.mark.parametrize("mark", [". ", "z. B. ", "。", "「。", "!?… ", "A. 1. ", "...", "?!"])
@pytest.mark.parametrize("code", ["de", "zh"])
def test_much_of_the_same_takes_linear_time(mark: str, code: str) -> None:
    assert takes_linear_time(lambda size: split(mark * size, code), 1_000)
    assert takes_linear_time(lambda size: split(f"{mark * size}x", code), 1_000)


@pytest.mark.parametrize("code", CODES)
def test_rows_of_stops_end_one_sentence(code: str) -> None:
    if load_language(code).writes_spaces:
        assert split("Ja... Nun?! Gut?... Na", code) == ["Ja...", "Nun?!", "Gut?...", "Na"]
