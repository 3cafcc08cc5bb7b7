from __future__ import annotations

import doctest
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from docbats import Document, SettingsError, analyze

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.integrations("spacy", "docbats[spacy]")


def pipeline(*before: str, **config: Any) -> Any:
    """Make a pipeline that finds the component by its entry point."""
    import spacy

    nlp = spacy.blank("en")
    for name in before:
        nlp.add_pipe(name)
    nlp.add_pipe("docbats", config=config)
    return nlp


def test_docstrings_tell_the_truth() -> None:
    from docbats.integrations import spacy

    assert doctest.testmod(spacy).failed == 0


def test_the_spans_are_the_segments(example: Path) -> None:
    text = example.read_text()
    doc = pipeline()(text)
    segments = analyze(text).segments
    spans = doc.spans["docbats"]
    assert [span.start_char for span in spans] == [segment.start for segment in segments]
    assert [span.label_ for span in spans] == [segment.title for segment in segments]
    assert [span.start for span in spans][1:] == [span.end for span in spans][:-1]
    assert (spans[0].start, spans[-1].end) == (0, len(doc))


def test_topics_are_plain_values(example: Path) -> None:
    text = example.read_text()
    doc = pipeline()(text)
    result = analyze(text)
    topics = doc._.docbats_topics
    assert [topic["label"] for topic in topics] == [topic.label for topic in result.topics]
    assert topics[0]["words"] == [word for word, _ in result.topics[0].words[:10]]
    strongest = [None if s.topic is None else result.topics[s.topic].label for s in result.segments]
    assert [span._.docbats_topic for span in doc.spans["docbats"]] == strongest


def test_sentences_of_the_pipeline_are_used(example: Path) -> None:
    text = example.read_text()
    doc = pipeline("sentencizer")(text)
    spans = [(sentence.start_char, sentence.end_char) for sentence in doc.sents]
    segments = analyze(Document(text, np.array(spans))).segments
    assert [span.start_char for span in doc.spans["docbats"]] == [s.start for s in segments]
    starts = {sentence.start for sentence in doc.sents}
    assert all(span.start in starts for span in doc.spans["docbats"])


def test_settings_come_from_the_config(example: Path) -> None:
    settings: dict[str, Any] = {"max_size": 100, "size_unit": "words"}
    nlp = pipeline(k="auto", spans_key="parts", settings=settings)
    doc = nlp(example.read_text())
    assert "docbats" not in doc.spans
    assert len(doc.spans["parts"]) == len(analyze(example.read_text(), **settings).segments)
    with pytest.raises(SettingsError, match="no setting 'size'"):
        pipeline(settings={"size": 3})
    with pytest.raises(SettingsError, match="k is an argument: pass"):
        pipeline(settings={"k": 3})
    with pytest.raises(SettingsError, match="sentences come from the pipeline"):
        pipeline(settings={"sentences": "lines"})


def test_documents_and_pipelines_can_be_stored(example: Path, tmp_path: Path) -> None:
    import spacy
    from spacy.tokens import Doc

    nlp = pipeline("sentencizer", k=3)
    doc = nlp(example.read_text())
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert again._.docbats_topics == doc._.docbats_topics
    assert [s.label_ for s in again.spans["docbats"]] == [s.label_ for s in doc.spans["docbats"]]
    nlp.to_disk(tmp_path)
    stored = spacy.load(tmp_path)(example.read_text())
    assert [s.start for s in stored.spans["docbats"]] == [s.start for s in doc.spans["docbats"]]


@pytest.mark.parametrize("text", ["", " \n", "One.", "a", "\n\nBats fly. Bats sleep.  "])
def test_any_text_will_do(text: str) -> None:
    for before in ((), ("sentencizer",)):
        doc = pipeline(*before)(text)
        assert sum(map(len, doc.spans["docbats"])) == (len(doc) if text.strip() else 0)


def test_limits_below_a_token_leave_no_empty_span() -> None:
    doc = pipeline(settings={"max_size": 4, "size_unit": "characters"})(
        "Extraordinarily long words."
    )
    assert all(len(span) for span in doc.spans["docbats"])


def test_spans_have_all_values_of_their_segments(example: Path, captions: Document) -> None:
    from docbats.integrations.spacy import make_doc

    text = example.read_text()
    doc = pipeline()(text)
    spans = doc.spans["docbats"]
    for span, segment in zip(spans, analyze(text).segments, strict=True):
        known = span._.docbats
        assert text[known["start"] : known["end"]] == segment.text
        assert (known["title"], known["strength"]) == (segment.title, segment.strength)
    nlp = pipeline(k=2)
    doc = nlp(make_doc(nlp, captions))
    assert [span._.docbats["speakers"] for span in doc.spans["docbats"]] == [["Ann"], ["Bob"]]
    assert doc.spans["docbats"][1]._.docbats["seconds"] == [4.0, 9.0]
    doc.to_bytes()
