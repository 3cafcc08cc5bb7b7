from __future__ import annotations

import pytest

from docbats import InputError, TooFewSentencesError
from docbats.integrations.segment_table import COLUMNS, segment_columns


def test_errors_name_the_row_that_cannot_be_analyzed() -> None:
    texts = ["One. Two. Red one.", "One."]
    with pytest.raises(TooFewSentencesError, match="row b: "):
        segment_columns(["a", "b"], texts, "sharp", k=3, min_sentences=1)
    with pytest.raises(InputError, match="row 7: expected a string, got int"):
        segment_columns([7], [1], "sharp")  # type: ignore[list-item]


def test_blank_and_missing_texts_have_no_rows() -> None:
    columns = segment_columns([1, 2], [None, " \n"], "sharp")
    assert columns == {name: [] for name in COLUMNS}
