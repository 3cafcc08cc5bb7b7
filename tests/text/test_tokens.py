from __future__ import annotations

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats.document import Document
from docbats.text import words as tokens_module
from docbats.text.languages import load_language
from docbats.text.markup import spelled, without_terminal_marks
from docbats.text.words import Tokens, tokenize


def strings(tokens: Tokens) -> list[str]:
    return [tokens.forms[form] for form in tokens.form]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't stop, it’s 3.5!", ["Don't", "stop", ",", "it’s", "3", ".", "5", "!"]),
        ("'quoted' words'", ["'", "quoted", "'", "words", "'"]),
        ("cafe\u0301 co\u00adoperate", ["café", "cooperate"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
        ("用Python写代码。", ["用", "Python", "写代", "代码", "。"]),
        ("夜のコウモリ", ["夜の", "のコ", "コウ", "ウモ", "モリ"]),
        ("a😀b", ["a", "😀", "b"]),
        ("北京's bats", ["北京", "'s", "bats"]),
        ("夜 夜’夜b'c", ["夜", "夜", "’", "夜", "b'c"]),
        ("a''b a'", ["a", "'", "'", "b", "a", "'"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert strings(tokenize(Document.from_text(text))) == expected


@given(st.text(st.characters() | st.sampled_from("ab '’.。夜"), min_size=1, max_size=100))
def test_spans_reproduce_the_tokens_and_nothing_is_lost(text: str) -> None:
    text = without_terminal_marks(text)
    if not spelled(text).strip():
        return
    document = Document.from_text(text)
    tokens = tokenize(document)
    spans = list(zip(tokens.start.tolist(), tokens.end.tolist(), strict=True))
    assert [spelled(text[start:end]) for start, end in spans] == strings(tokens)
    covered = {i for start, end in spans for i in range(start, end)}
    assert {i for i, c in enumerate(text) if not re.match(r"[\s\xad\u2060]", c)} <= covered
    for (start, _), sentence in zip(spans, tokens.sentence.tolist(), strict=True):
        assert document.spans[sentence, 0] <= start < document.spans[sentence, 1]


@given(st.text(st.characters() | st.sampled_from("ab '’.。夜の\u0301\u200d"), min_size=1))
def test_tokens_are_what_a_plain_expression_finds(text: str) -> None:
    if not text.strip():
        return
    written, text = text, spelled(text)
    marks = {c for c in text if unicodedata.category(c)[0] == "M"} | set("\u200c\u200d")
    letter = rf"[\w{re.escape(''.join(marks))}]"
    words = re.findall(rf"{letter}+(?:['’]{letter}+)*|[^\w\s]", text)
    han = tokens_module._HAN_OR_KANA.pattern
    expected = []
    for run in (run for word in words for run in re.findall(f"{han}+|(?:(?!{han}).)+", word)):
        pairs = [run[i : i + 2] for i in range(len(run) - 1)]
        expected += pairs if pairs and re.match(han, run) else [run]
    assert strings(tokenize(Document(written, np.array([0, len(written)])))) == expected


def test_tokens_between_the_sentences_are_left_out() -> None:
    document = Document("One two. Three four. Five", np.array([[4, 8], [9, 9], [15, 19]]))
    tokens = tokenize(document)
    assert strings(tokens) == ["two", ".", "four"]
    assert tokens.sentence.tolist() == [0, 0, 2]


@given(
    st.lists(st.text(st.sampled_from("ab c.'é"), max_size=8), min_size=1, max_size=12),
    st.integers(1, 20),
)
def test_the_size_of_blocks_makes_no_difference(sentences: list[str], size: int) -> None:
    if not "".join(sentences).strip():
        return
    document = Document.from_sentences(sentences)
    whole = tokenize(document)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens_module, "_BLOCK_SIZE", size)
        parts = tokenize(document)
    assert strings(parts) == strings(whole)
    np.testing.assert_array_equal(parts.start, whole.start)
    np.testing.assert_array_equal(parts.sentence, whole.sentence)


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("fr", "L'eau d’aujourd'hui, qu'il l'a", "L' eau d’ aujourd'hui , qu' il l' a"),
        ("fr", "presque d'l'eau 'l'eau'", "presque d' l'eau ' l' eau '"),
        ("it", "dell'acqua all’inizio un'ora po'", "dell' acqua all’ inizio un' ora po '"),
        ("en", "d'Artagnan l'eau", "d'Artagnan l'eau"),
        ("nl", "foto's 's avonds", "foto's ' s avonds"),
    ],
)
def test_an_elision_is_a_token_of_its_own(code: str, text: str, expected: str) -> None:
    document = Document.from_sentences([text])
    tokens = tokenize(document, load_language(code))
    assert strings(tokens) == expected.split()
    spans = zip(tokens.start.tolist(), tokens.end.tolist(), strict=True)
    assert [text[start:end] for start, end in spans] == expected.split()


def test_a_segmenter_finds_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def in_threes(run: str) -> list[str]:
        return [run[i : i + 3] for i in range(0, len(run), 3)]

    monkeypatch.setattr(tokens_module, "find_segmenter", lambda _: in_threes)
    text = "一二三四五 six 七。ab八九"
    tokens = tokenize(Document.from_sentences([text]), load_language("zh"))
    assert strings(tokens) == ["一二三", "四五", "six", "七", "。", "ab", "八九"]
    spans = zip(tokens.start.tolist(), tokens.end.tolist(), strict=True)
    assert [spelled(text[start:end]) for start, end in spans] == strings(tokens)
