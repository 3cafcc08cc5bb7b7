from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from docbats.document import Document
from docbats.text import words as word_cache
from docbats.text.languages.english import STOP_WORDS
from docbats.text.tags import tag
from docbats.text.words import WordCache, find_words, tokenize

if TYPE_CHECKING:
    import pytest

TEXTS = [
    "The bats fly. Bats sleep at noon, and Anna's bat sleeps longer.",
    "They plan flights. The plan fails, and nobody flies at noon.",
    "Noon. The flying bats' plan: sleep longer than Anna does!",
]


def test_only_new_words_are_asked_about() -> None:
    asked: list[list[str]] = []

    @WordCache
    def sizes(words: list[str]) -> list[int]:
        asked.append(words)
        return [len(word) for word in words]

    assert sizes(["bat", "moth"]) == [3, 4]
    assert sizes(("moth", "a", "bat", "at")) == [4, 1, 3, 2]
    assert sizes(["at", "bat"]) == [2, 3]
    assert asked == [["bat", "moth"], ["a", "at"]]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_cache, "_MAX_CHARACTERS", 100)
    lengths = WordCache(lambda words: [len(word) for word in words])
    for i in range(200):
        words = [f"word {i}", "x" * (i % 150), "a"]
        assert lengths(words) == [len(word) for word in words]
        assert sum(map(len, lengths._facts)) <= 100


def read(text: str) -> tuple[object, ...]:
    document = Document.from_text(text)
    tokens = tokenize(document)
    words = find_words(document, tokens, STOP_WORDS)
    return words.names, words.word.tolist(), words.token.tolist(), tag(tokens).tolist()


def test_answers_do_not_depend_on_what_was_read_before(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = [read(text) for text in TEXTS]
    assert [read(text) for text in reversed(TEXTS)] == usual[::-1]
    monkeypatch.setattr(word_cache, "_MAX_CHARACTERS", 60)  # so that facts are dropped all the time
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(read, TEXTS * 30)) == usual * 30
