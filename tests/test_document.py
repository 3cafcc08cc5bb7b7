from __future__ import annotations

import numpy as np
import pytest

from docbats import Document, EmptyDocumentError, InputError


def test_spans_are_checked() -> None:
    for spans in ([[0, 3], [2, 5]], [[3, 1]], [[-1, 2]], [[0, 99]]):
        with pytest.raises(InputError, match="half-open"):
            Document("a text here", np.array(spans))
    for rubbish in ([0, 1, 2], [[0, "x"]], None):
        with pytest.raises(InputError, match="pairs of whole numbers"):
            Document("a text here", rubbish)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="expected a string, got int"):
        Document(3, np.array([[0, 1]]))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", " \n\t\u2003 "])
def test_nothing_but_white_space_is_no_document(text: str) -> None:
    for make in (Document.from_text, lambda t: Document.from_sentences([t, t])):
        with pytest.raises(EmptyDocumentError, match="at least one sentence"):
            make(text)
    with pytest.raises(EmptyDocumentError):
        Document.from_sentences([])


def test_blank_sentences_keep_their_place() -> None:
    document = Document.from_sentences(["one", "", " ", "two"])
    assert document.sentences == ("one", "", " ", "two")
    assert len(document) == 4
    assert document.text == "one\n\n \ntwo"


def test_spans_cannot_be_changed_from_outside() -> None:
    spans = np.array([[0, 3]])
    document = Document("one", spans)
    spans[0, 1] = 1
    assert document.sentences == ("one",)
    with pytest.raises(ValueError, match="read-only"):
        document.spans[0, 1] = 1
