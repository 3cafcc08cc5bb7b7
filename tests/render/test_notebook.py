from __future__ import annotations

import pickle
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from docbats import Document, Segment, Topic, analyze
from docbats.parts import Segments, Topics
from docbats.render.notebook import choice_card, outline_card

TEXT = (Path(__file__).parents[2] / "examples" / "annual-report.txt").read_text(encoding="utf-8")
VOID = {"input", "meta"}


class Balance(HTMLParser):
    """Checks that elements are closed in order, and gathers what they show."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.shown = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.shown += f"{data} "


def shown(card: str) -> str:
    parser = Balance()
    parser.feed(card)
    assert not parser.open
    return parser.shown


def test_topics_and_segments_are_short_lists() -> None:
    result = analyze(TEXT)
    lines = repr(result.topics).splitlines()
    assert lines[0] == f"<{len(result.topics)} topics>"
    assert len(lines) == 1 + len(result.topics)
    assert max(map(len, lines)) < 100
    assert repr(result.segments).splitlines()[0] == "<5 segments>"
    assert f"[0:{result.segments[0].end}]" in repr(result.segments)
    assert len(repr(result.choice)) < 120
    assert repr(analyze("Tea cools.").segments).startswith("<1 segment>")


def test_cards_show_what_there_is() -> None:
    result = analyze(TEXT)
    assert isinstance(result.topics, Topics)
    assert isinstance(result.segments, Segments)
    card = shown(result.topics._repr_html_())
    assert all(topic.label in card for topic in result.topics)
    card = shown(result.segments._repr_html_())
    assert all(segment.title in card for segment in result.segments)
    card = shown(result.outline._repr_html_())
    assert result.outline._repr_html_() == outline_card(result.outline)
    assert all(child.title in card for entry in result.outline for child in entry.children)
    assert result.choice is not None
    card = shown(result.choice._repr_html_())
    assert result.choice.reason in card
    assert choice_card(result.choice) == result.choice._repr_html_()


def test_other_cuts_and_pickles_keep_their_cards() -> None:
    result = analyze(TEXT)
    assert isinstance(result.cut(9).segments, Segments)
    assert isinstance(pickle.loads(pickle.dumps(result.topics)), Topics)
    assert result.topics == tuple(result.topics)


def test_markup_and_marks_of_the_text_do_no_harm() -> None:
    topic = Topic(words=(), weight=1.0, label="<script>\u202e")
    segment = Segment(
        start=0,
        end=9,
        sentences=(0, 1),
        text="<b>bold</b>\x1b[31m",
        title="<i>",
        topic_weights=(1.0,),
        keywords=(),
        strength=None,
        overlap_start=0,
    )
    for card in (Topics([topic])._repr_html_(), Segments([segment])._repr_html_()):
        assert not {"<script", "<b>", "<i>"} & {card[i : i + 7] for i in range(len(card))}
        assert "\u202e" not in card
        assert "\x1b" not in card
        shown(card)


def test_long_lists_are_cut() -> None:
    result: Any = analyze("\n".join(f"Bat {i} hunts moth {i}." for i in range(90)), k=80)
    assert "… and 20 more" in shown(result.segments._repr_html_())
    assert "… and 20 more" in repr(result.segments)
    assert "more" in shown(outline_card(result.outline)) or len(result.outline) < 60


def test_a_document_shows_its_sizes_and_first_words() -> None:
    document = Document.from_text(TEXT)
    assert repr(document).startswith("<Document: sentences 85, characters ")
    assert "The Skarne and Outer Holms" in repr(document)
    assert len(repr(document)) < 120


@pytest.mark.parametrize("text", ["One.", "Bats fly. Bats sleep."])
def test_short_texts_have_cards_too(text: str) -> None:
    result: Any = analyze(text)
    for card in (
        result.topics._repr_html_(),
        result.segments._repr_html_(),
        result.choice._repr_html_(),
        outline_card(result.outline),
    ):
        shown(card)
