from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.text.detect import DetectedLanguage, detect_language
from docbats.text.languages import LANGUAGES

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

ONE_SENTENCE = {
    "en": "The bat hears what it cannot see.",
    "de": "Die Fledermaus hört, was sie nicht sehen kann.",
    "fr": "La chauve-souris entend ce qu'elle ne peut pas voir.",
    "es": "El murciélago oye lo que no puede ver con los ojos.",
    "pt": "O morcego ouve o que não pode ver com os olhos.",
    "it": "Il pipistrello sente ciò che non può vedere con gli occhi.",
    "nl": "De vleermuis hoort wat zij niet met haar ogen kan zien.",
    "pl": "Nietoperz słyszy to, czego nie może zobaczyć.",
    "ru": "Летучая мышь слышит то, что не может увидеть.",
    "zh": "蝙蝠听得见它看不见的东西。",
    "ja": "コウモリは目に見えないものを耳で聞く。",
}

OTHER_LANGUAGES = {
    "sv": "Fladdermusen hör det som den inte kan se med ögonen, och den flyger på natten.",
    "da": "Flagermusen hører det, som den ikke kan se, og den flyver om natten.",
    "cs": "Netopýr slyší to, co nemůže vidět, a létá v noci, když je tma.",
    "tr": "Yarasa gözleriyle göremediği şeyi kulaklarıyla duyar ve bu onun için çok önemlidir.",
    "ca": "El ratpenat sent el que no pot veure amb els ulls i vola de nit.",
    "ro": "Liliacul aude ceea ce nu poate vedea cu ochii și zboară noaptea.",
    "uk": "Кажан чує те, чого не може побачити, і літає вночі, а вдень він спить.",
    "el": "Η νυχτερίδα ακούει αυτό που δεν μπορεί να δει.",
    "ko": "박쥐는 눈으로 볼 수 없는 것을 귀로 듣는다.",
    "ar": "العربية: يسمع الخفاش ما لا يراه.",
}


@pytest.mark.parametrize("code", ONE_SENTENCE)
def test_one_sentence_is_enough(code: str) -> None:
    assert detect_language(ONE_SENTENCE[code]) == DetectedLanguage(code)


@pytest.mark.parametrize("code", sorted(OTHER_LANGUAGES.keys() - LANGUAGES.keys()))
def test_other_languages_are_not_mistaken_for_ours(code: str) -> None:
    assert detect_language(OTHER_LANGUAGES[code]) == DetectedLanguage(None)


def test_our_examples(example: Path) -> None:
    assert detect_language(example.read_text()) == DetectedLanguage("en")


def test_a_text_that_does_not_tell_is_taken_for_english() -> None:
    assert detect_language("Bats hunt moths.") == DetectedLanguage("en")
    assert detect_language("") == DetectedLanguage("en")
    assert detect_language("1 2 3 4.0 — !?") == DetectedLanguage("en")
    names = " ".join(f"alpha{i} beta{i}" for i in "abcdefghijklmnopqrst")
    assert detect_language(names) == DetectedLanguage("en", is_doubtful=True)


def test_the_language_of_most_of_the_text_counts() -> None:
    german = (EXAMPLES / "languages" / "de.txt").read_text()
    french = (EXAMPLES / "languages" / "fr.txt").read_text()
    assert detect_language(german * 2 + french).code == "de"
    assert detect_language(german + french * 2).code == "fr"
    assert detect_language(french * 50 + german * 200).code == "de"


def test_words_of_another_script_do_not_mislead() -> None:
    chinese = (EXAMPLES / "languages" / "zh.txt").read_text()
    assert detect_language(chinese + " The file is here and that is all.").code == "zh"
    assert detect_language("The word for tea is 茶, which is read as cha.").code == "en"
    assert detect_language("Das Wort für Tee ist 茶, und man liest es als cha.").code == "de"


@given(st.text() | st.text(st.sampled_from("aeé ßñ的のия.' \n\ud800")))
def test_any_text_has_an_answer_and_always_the_same(text: str) -> None:
    found = detect_language(text)
    assert found.code is None or found.code in LANGUAGES
    assert found == detect_language(text)


@pytest.mark.data
@pytest.mark.parametrize("name", ["choi", "introductions", "lectures", "news", "textbook", "wiki"])
def test_every_document_of_the_evaluation_is_found_to_be_english(name: str, data: Path) -> None:
    from docbats_lab.experiments.request import load_documents

    texts = ("\n".join(document.sentences) for document in load_documents(data, name))
    assert {detect_language(text) for text in texts} == {DetectedLanguage("en")}
