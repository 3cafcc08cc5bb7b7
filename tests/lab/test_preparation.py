from __future__ import annotations

from docbats import Settings
from docbats.lab.preparation import prepare


def test_kept_and_other_words_sentence_by_sentence() -> None:
    prepared = prepare(
        ["The bats hunt moths.", "", "A moth hears bats hunting.", "Tea."], Settings(award=0)
    )
    assert prepared.words == ("bats", "hunt", "moths")
    assert prepared.counts.toarray().tolist() == [[1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 0]]
    assert [ids.tolist() for ids in prepared.sequence] == [[0, 1, 2], [], [2, 0, 1], []]
    assert [len(ids) for ids in prepared.content] == [3, 0, 4, 1]
    assert prepared.content_words == ("bats", "hunt", "moths", "hears", "tea")
    assert prepared.content_size == 5
