from __future__ import annotations

import pytest

from docbats import Document, InputError, TooFewSentencesError, analyze
from docbats.integrations.tables import SEGMENT_COLUMNS, segment_rows, segment_table


def test_errors_name_the_row_that_cannot_be_analyzed() -> None:
    texts = ["One. Two. Red one.", "One."]
    with pytest.raises(TooFewSentencesError, match="row b: "):
        segment_table("sharp", k=3, min_sentences=1).values(["a", "b"], texts)
    with pytest.raises(
        InputError, match=r"row 7: expected a string or a docbats\.Document, got int"
    ):
        segment_table("sharp").values([7], [1])


def test_blank_and_missing_texts_have_no_rows() -> None:
    columns = segment_table("sharp").values([1, 2], [None, " \n"])
    assert columns == {name: [] for name in ("id", *SEGMENT_COLUMNS)}


def test_rows_know_headings_speakers_and_times(captions: Document, markdown: Document) -> None:
    first, second = segment_rows(analyze(captions, k=2))
    assert list(first) == list(SEGMENT_COLUMNS)
    assert (first["speakers"], first["begins"], first["ends"]) == (["Ann"], 1.0, 4.0)
    assert (second["speakers"], second["begins"]) == (["Bob"], 4.0)
    assert segment_rows(analyze(markdown, k=2))[1]["heading_path"] == ["Tea"]
    assert segment_rows(analyze(markdown, k=2))[1]["first_page"] is None
