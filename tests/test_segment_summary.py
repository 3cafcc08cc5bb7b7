"""The sentence under each segment."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats.describe import (
    MIN_CONTENT_WORDS,
    OPENING_FACTOR,
    SegmentSummaries,
    count_content_words,
    find_prose,
    stand_alone,
)
from docbats.text.languages import LANGUAGES, load_language
from docbats.text.languages.english import LANGUAGE as ENGLISH

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("name", ["annual-report", "article", "how-to", "lecture"])
def test_a_sentence_of_the_segment_that_stands_alone(name: str) -> None:
    result = docbats.analyze((EXAMPLES / f"{name}.txt").read_text(encoding="utf-8"))
    for segment in result.segments:
        inside = [" ".join(s.split()) for s in result.document.sentences[slice(*segment.sentences)]]
        assert segment.summary in inside
        assert segment.summary.rstrip('"”’').endswith((".", "!"))
        first = segment.summary.split()[0].lower().strip(",")
        assert first not in {"it", "this", "they", "he", "she", "however", "but", "these"}


def test_what_points_back_is_passed_over() -> None:
    text = (
        "This old harbour of theirs silts up in the harbour, and the silt of the harbour stays. "
        "In either case the silt of the harbour is dug out by dredgers each wet spring. "
        "Dredgers dig the silt out of the old harbour in spring."
    )
    (segment,) = docbats.analyze(text, k=1, min_sentences=1).segments
    assert segment.summary == "Dredgers dig the silt out of the old harbour in spring."


def test_code_and_headings_are_no_summary() -> None:
    prose = "The old harbour is deep enough for all large ships of the fleet."
    source = f"# Harbour\n\n```\nharbour = harbour(harbour)\n```\n\n{prose}\n"
    document = docbats.Document.read(source.encode(), name="a.md")
    (segment,) = docbats.analyze(document, k=1, min_sentences=1).segments
    assert segment.summary == prose
    only_code = docbats.Document.read(b"```\nharbour = 1\n```\n", name="a.md")
    assert docbats.analyze(only_code, k=1).segments[0].summary == ""


GOOD = "The dredgers lift silt out of the harbour near the northern quay each spring."


@pytest.mark.parametrize(
    "line",
    [
        "Yeah.",
        "mm, mm yeah.",
        "I think so, yeah.",
        "Thanks very much for that.",
        "Ann Lee",
        "Acting Chair",
        "Ann Lee, Bo Kim, Cy Moe, Di Roe, Ed Poe, Flo Wu.",
        "Thank you, dredgers, silt, harbour, quay, cranes, ships and spring tides.",
        "I now call on the member for the harbour, the quay, cranes, ships and spring tides.",
        "Good morning everyone: harbour, quay, cranes, ships, silt, dredgers and spring.",
    ],
)
def test_backchannels_thanks_and_names_sum_up_nothing(line: str) -> None:
    alone = docbats.analyze([line] * 3, k=1)
    assert alone.segments[0].summary == ""
    result = docbats.analyze([line, line, GOOD, line, line], k=1)
    assert result.segments[0].summary == GOOD


@pytest.mark.parametrize(
    "line",
    [
        "The uh dredgers lift silt out of the the deep old harbour.",
        "so the dredgers lift silt out of the deep old harbour.",
        "Well, uh, so they lift silt out of the deep old harbour.",
        "PROFESSOR: [INAUDIBLE] silt out of the deep old harbour.",
    ],
)
def test_stumbling_and_fragments_stand_alone_less_well(line: str) -> None:
    assert stand_alone(line, ENGLISH) < stand_alone(GOOD, ENGLISH)


def test_names_in_capitals_and_brackets_are_not_content() -> None:
    assert count_content_words("PROFESSOR: [INAUDIBLE] STUDENT: Dredgers lift silt.", ENGLISH) == 3


@pytest.mark.parametrize(
    ("code", "thanks"),
    [
        ("de", "Vielen Dank für Ihre Worte zum Hafen."),
        ("es", "Muchas gracias por sus palabras sobre el puerto."),
        ("fr", "Merci pour ces mots sur le port."),
        ("it", "Grazie delle parole sul porto."),
        ("ja", "港についてのお話をありがとうございます。"),
        ("nl", "Bedankt voor uw woorden over de haven."),
        ("pl", "Dziękuję za słowa o porcie."),
        ("pt", "Obrigado pelas palavras sobre o porto."),
        ("ru", "Спасибо за слова о порте."),
        ("zh", "谢谢您关于港口的发言。"),
    ],
)
def test_thanks_are_known_in_every_language(code: str, thanks: str) -> None:
    assert load_language(code).is_courtesy(thanks)
    text = (EXAMPLES / "languages" / f"{code}.txt").read_text(encoding="utf-8")
    document = docbats.Document.from_text(text, language=code)
    assert not any(load_language(code).is_courtesy(sentence) for sentence in document.sentences)


def test_all_languages_have_words_of_thanks() -> None:
    assert [code for code in LANGUAGES if load_language(code).courtesies is None] == []


def test_thanks_to_a_thing_are_not_thanks() -> None:
    assert not ENGLISH.is_courtesy("Thanks to its dredgers the harbour is deep.")


def test_in_short_is_made_of_them() -> None:
    result = docbats.analyze((EXAMPLES / "lecture.txt").read_text(encoding="utf-8"))
    summaries = {segment.summary for segment in result.segments}
    for n in range(1, len(result.segments) + 1):
        assert {" ".join(s.text.split()) for s in result.summary(n)} <= summaries
    longer = [" ".join(s.text.split()) for s in result.summary(len(summaries) + 3)]
    assert summaries <= set(longer)
    assert len(longer) == len(summaries) + 3


def test_it_is_in_every_output() -> None:
    result = docbats.analyze((EXAMPLES / "how-to.txt").read_text(encoding="utf-8"))
    values = json.loads(result.to_json())["segments"]
    assert [value["summary"] for value in values] == [s.summary for s in result.segments]
    assert all(value["summary"][:40] in result.to_html() for value in values)


@given(st.integers(0, 200))
def test_equals_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    words = ["harbour", "silt", "quay", "ship", "crane", "tide", "pier", "buoy", "dune"]
    sentences = [
        " ".join([*rng.permutation(words)[: rng.integers(1, 10)], "again."]).capitalize()
        for _ in range(12)
    ]
    result = docbats.analyze(sentences, k=1, min_sentences=1)
    F = result.analysis.F
    starts = np.array(sorted({0, *rng.integers(0, 12, 2).tolist()}))
    X = F.toarray()
    unit = X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300)
    total = unit.sum(axis=0)
    document = result.document
    found = SegmentSummaries(document, F.tocsc()).choose(starts)
    assert find_prose(document).all()
    for place, (start, end) in enumerate(zip(starts, [*starts[1:], 12], strict=True)):
        own = unit[start:end].sum(axis=0)
        value = unit[start:end] @ (own / max(np.linalg.norm(own), 1e-300))
        value += unit[start:end] @ (total / max(np.linalg.norm(total), 1e-300))
        size = np.array([len(s.split()) for s in sentences[start:end]])
        value *= np.minimum(1, size / 8)
        value[0] *= OPENING_FACTOR
        value[size - 1 < MIN_CONTENT_WORDS] = 0  # "again" is no content word
        chosen = found[place]
        if chosen is None:
            assert not value.any()
            continue
        assert value[chosen.sentence - start] == pytest.approx(value.max())


def test_it_has_no_marks_of_markdown(tmp_path: Path) -> None:
    path = tmp_path / "bats.md"
    path.write_text(
        "# Bats\n\nBats *fly* at `night` and **hunt** [moths](http://example.org) by ear.\n",
        encoding="utf-8",
    )
    (segment,) = docbats.analyze(docbats.Document.read(path)).segments
    assert segment.summary == "Bats fly at night and hunt moths by ear."
