"""A result as one piece of HTML: everything there is to see."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from docbats.render.html.cuts import Cuts, make_cuts
from docbats.render.html.element import Markup, bdi, data_block, element, joined
from docbats.render.html.figures import (
    Distances,
    Strip,
    choice_curve,
    find_distances,
    topic_mass,
)
from docbats.render.html.text import MarkedText, mark_text
from docbats.render.plain import counted, excerpt, sentence_range
from docbats.result import Entry
from docbats.settings import PRESETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docbats.result import Result, Segment, Sentence, Topic

__all__ = ["render_view"]

_TITLE = 80  # characters of a title, label or word
_SUMMARY = 5  # sentences, of a text with three times as many
_SUMMARY_WIDTH = 400  # characters of each
_TOP_WORDS, _FEWER_WORDS = 12, 5  # of a topic; fewer where there are many topics
_MOST_LANES = 40
_MOST_TOPICS = 50  # in the list of topics
_MOST_CELLS = 1500  # of the map of topics by segments
_MOST_MASSES = 15_000  # numbers from which the map is made anew
_NESTED = 20_000  # sentences up to which the outline is divided further


def render_view(
    result: Result, name: str = "", *, level: int = 2, theme_button: bool = False
) -> Markup:
    """Show a result as an ``<article>``; its headings begin at `level`.

    It needs view.css to look as it should, and view.js to become live; without either it reads
    well.
    """
    return _View(result, name, level, theme_button).render()


@dataclass(frozen=True, eq=False)
class _View:
    result: Result
    name: str
    level: int
    theme_button: bool

    @cached_property
    def key(self) -> str:
        """What ids begin with: no two documents on a page may share one."""
        seed = f"{self.name}\0{self.result.settings!r}\0{self.result.document.text}"
        return "d" + hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:5]

    @cached_property
    def cuts(self) -> Cuts:
        return make_cuts(self.result)

    @cached_property
    def distances(self) -> Distances | None:
        return find_distances(self.result) if len(self.result.document) > 1 else None

    @cached_property
    def outline(self) -> tuple[Entry, ...]:
        """The nested table of contents; in a very long text only the segments."""
        if len(self.result.document) <= _NESTED and self.result.analysis.counts.words:
            return self.result.outline
        return tuple(Entry(s.title, s.start, s.end, s.sentences) for s in self.result.segments)

    @cached_property
    def text(self) -> MarkedText:
        starts = {segment.sentences[0] for segment in self.result.segments}
        entries = (entry.sentences[0] for entry in _flat(self.outline))
        places = [sentence for sentence in entries if sentence not in starts]
        places += [sentence.index for sentence in self.summary]
        return mark_text(self.result, self.key, self.cuts.pieces, places)

    @cached_property
    def summary(self) -> tuple[Sentence, ...]:
        number = min(_SUMMARY, len(self.result.document) // 3)
        return self.result.summary(number) if number > 1 and self.result.topics else ()

    def render(self) -> Markup:
        title = _short(self.name) or "Document"
        return element(
            "article",
            element("a", "Skip to the text", class_="skip", href=f"#{self.key}-text"),
            self._head(title),
            self._bar(),
            element(
                "div",
                self._outline(),
                element("div", self._summary(), self._choice(), self._along(), class_="lead"),
                element("div", self._topics(), class_="rail"),
                self._text(),
                element("div", self._map(), self._distances(), class_="figures"),
                class_="columns",
            ),
            element("p", class_="said", role="status", aria_live="polite"),
            data_block(self._data()),
            class_="docbats",
            id=self.key,
            aria_labelledby=f"{self.key}-title",
        )

    # The parts, from top to bottom

    def _head(self, title: str) -> Markup:
        result = self.result
        k = len(result.segments)
        facts = joined(
            counted(len(result.document), "sentence"),
            " · ",
            element("span", counted(k, "segment"), class_="count"),
            " as asked for" if result.choice is None else "",
            f" · {counted(len(result.topics), 'topic')} · {_preset(result)}",
        )
        notes = [*result.notes, *self._left_out()]
        if result.choice is not None and len(result.choice.gains) == 1:
            notes.insert(0, result.choice.reason)
        return element(
            "header",
            self._heading(0, bdi(title), id=f"{self.key}-title"),
            element("p", facts, class_="facts"),
            *(element("p", note, class_="note") for note in notes),
        )

    def _left_out(self) -> Iterator[str]:
        """Say what a page of this size does without."""
        if self.text.unit > 1:
            yield f"In a text this long, {self.text.unit} sentences light up together."
        if self.text.ranks == 0:
            yield "The words of the topics are not marked: they are too many."
        elif self.text.ranks is not None:
            words = counted(self.text.ranks, "best word")
            yield f"Of each topic only the {words} are marked in the text."
        if self.result.settings.overlap:
            unit = self.result.settings.size_unit
            yield (
                f"Segments overlap by {self.result.settings.overlap} {unit}; the text below shows "
                "each sentence once."
            )

    def _bar(self) -> Markup:
        ks = [len(cut) for cut in self.cuts.segments]
        slider = element(
            "span",
            element("label", "Segments", for_=f"{self.key}-k"),
            element(
                "input", type="range", class_="slider", id=f"{self.key}-k", min=0,
                max=len(ks) - 1, value=self.cuts.own, step=1,
                aria_valuetext=counted(ks[self.cuts.own], "segment"),
            ),
            element("output", ks[self.cuts.own], class_="k", for_=f"{self.key}-k"),
            class_="choose",
        )  # fmt: skip
        buttons = (
            element(
                "button", element("kbd", "p"), " ", element("span", "Previous"),
                type="button", class_="previous", aria_keyshortcuts="p",
            ),
            element("span", class_="place", aria_hidden="true"),
            element(
                "button", element("span", "Next"), " ", element("kbd", "n"),
                type="button", class_="next", aria_keyshortcuts="n",
            ),
        )  # fmt: skip
        theme = element(
            "button", "◐", type="button", class_="theme", aria_pressed="false",
            aria_label="Dark theme", title="Light or dark",
        )  # fmt: skip
        return element(
            "div",
            element(
                "button", "Outline", type="button", class_="menu", aria_expanded="false",
                aria_controls=f"{self.key}-outline",
            ),
            slider if len(ks) > 1 else None,
            element("span", *buttons, class_="steps"),
            element(
                "label", element("input", type="checkbox", class_="keys", checked=True),
                "Keys n, p",
                class_="switch", title="Whether the keys n and p lead on and back",
            ),
            theme if self.theme_button else None,
            class_="bar", role="group", aria_label="Reading", hidden=True,
        )  # fmt: skip

    def _outline(self) -> Markup:
        numbers = {segment.sentences: i for i, segment in enumerate(self.result.segments, start=1)}
        firsts = {segment.sentences[0]: i for i, segment in enumerate(self.result.segments, 1)}

        def items(entries: Sequence[Entry]) -> Markup:
            return element("ol", *map(item, entries))

        def item(entry: Entry) -> Markup:
            number = numbers.get(entry.sentences)
            first = firsts.get(entry.sentences[0])
            target = f"g{first}" if first else f"s{entry.sentences[0]}"
            link = element(
                "a",
                element("span", number, class_="no") if number else None,
                bdi(_short(entry.title)),
                href=f"#{self.key}-{target}",
                data_segment=number,
            )
            return element("li", link, items(entry.children) if entry.children else None)

        return element(
            "nav",
            self._heading(1, "Outline"),
            items(self.outline),
            class_="outline",
            id=f"{self.key}-outline",
            aria_label=f"Outline of {_short(self.name) or 'the document'}",
        )

    def _summary(self) -> Markup | None:
        if not self.summary:
            return None
        links = (
            element(
                "a", bdi(excerpt(s.text, _SUMMARY_WIDTH)), href=f"#{self.key}-s{s.index}"
            )
            for s in self.summary
        )  # fmt: skip
        items = (element("li", link) for link in links)
        return self._section("In short", element("ul", *items), class_="summary")

    def _along(self) -> Markup | None:
        topics = self.result.topics
        if not topics:
            return None
        strip = Strip(self.result, min(len(topics), _MOST_LANES))
        rated = self.result.settings.cut != "linkage"
        names = [
            element("li", _badge(i), " ", bdi(_short(topic.label)), data_topic=i)
            for i, topic in enumerate(topics[: strip.lanes])
        ]
        if rated:
            names.append(element("li", "Strength of boundaries", class_="rated"))
        hidden = len(topics) - strip.lanes
        notes = ["Each row shows where a topic is strong; lines are the boundaries of segments."]
        if rated:
            notes.append("Boundaries above the dashed line are clear ones.")
        if hidden:
            notes.append(f"The {counted(hidden, 'lightest topic')} are left out.")
        return self._section(
            "Along the document",
            element(
                "div",
                element("ul", *names, class_="lanes"),
                element("div", strip.axis(), strip.draw(_strip_label(self.result))),
                class_="tracks",
            ),
            element("p", " ".join(notes), class_="hint"),
            class_="along",
        )

    def _topics(self) -> Markup | None:
        topics = self.result.topics
        if not topics:
            return None
        numbers = element(
            "label",
            element("input", type="checkbox", class_="numbers"),
            " Numbers in the text",
            class_="switch",
            hidden=True,
        )
        heaviest = max(topic.weight for topic in topics) or 1
        shown = topics[:_MOST_TOPICS]
        items = (self._topic(i, topic, heaviest) for i, topic in enumerate(shown))
        more = len(topics) - len(shown)
        note = f"The {counted(more, 'lightest topic')} are left out." if more else None
        return self._section(
            "Topics",
            numbers,
            element("ol", *items),
            element("p", note, class_="hint") if note else None,
            class_="topics",
        )

    def _topic(self, number: int, topic: Topic, heaviest: float) -> Markup:
        best = topic.words[0].score or 1
        words: list[object] = []
        shown = _TOP_WORDS if len(self.result.topics) <= _MOST_LANES else _FEWER_WORDS
        for word, score in topic.words[:shown]:
            size = min(4, 1 + int(4 * score / best))
            words += [element("bdi", _short(word), class_=f"x{size}"), " "]
        more = len(topic.words) - shown
        if more > 0:
            words.append(element("span", f"and {more} more", class_="more"))
        width = round(100 * topic.weight / heaviest, 1)
        return element(
            "li",
            self._heading(
                2,
                element(
                    "button", _badge(number), " ", bdi(_short(topic.label)),
                    type="button", class_="pick", aria_pressed="false",
                ),
            ),
            element(
                "svg", element("rect", width=width, height=6),
                class_="share", viewBox="0 0 100 6", preserveAspectRatio="none", height=6,
                aria_hidden="true",
            ),
            element("span", f"{topic.weight:.0%}", class_="percent"),
            element("p", *words, class_="words"),
            class_=f"topic t{number}",
            data_topic=number,
        )  # fmt: skip

    def _text(self) -> Markup:
        return self._section(
            "Text",
            *map(self._segment, range(len(self.result.segments))),
            class_="text wrapped" if self.text.wrapped else "text",
            id=f"{self.key}-text",
            tabindex=-1,
        )

    def _segment(self, place: int) -> Markup:
        segment, number = self.result.segments[place], place + 1
        pieces = self.cuts.pieces
        first, end = segment.sentences
        inside = [
            markup
            for start, markup in zip(pieces, self.text.pieces, strict=True)
            if first <= start < end
        ]
        return element(
            "section",
            self._heading(
                2,
                element("span", number, class_="no"),
                " ",
                bdi(_short(segment.title)),
            ),
            element(
                "p",
                element("span", sentence_range(segment), class_="range"),
                element("span", *self._strongest(segment), class_="strongest"),
                element("span", *_strength(segment), class_="strength"),
                class_="meta",
            ),
            element("div", *inside, class_="body", dir="auto"),
            class_="segment",
            id=f"{self.key}-g{number}",
        )

    def _strongest(self, segment: Segment) -> tuple[object, ...]:
        if segment.topic is None:
            return ()
        label = self.result.topics[segment.topic].label
        return _badge(segment.topic), " ", bdi(_short(label))

    def _map(self) -> Markup | None:
        topics, segments = self.result.topics, self.result.segments
        if not topics:
            return None
        if len(topics) * len(segments) > _MOST_CELLS:
            note = (
                f"The map of {len(topics)} topics by {len(segments)} segments is too large for "
                "this page; result.topic_segment_matrix holds it."
            )
            return self._section("Topics by segments", element("p", note, class_="hint"))
        head = element(
            "tr",
            element("th", "Topic", scope="col"),
            *(
                element("th", i, scope="col", title=_short(segment.title))
                for i, segment in enumerate(segments, start=1)
            ),
        )
        rows = [
            element(
                "tr",
                element("th", _badge(i), " ", bdi(_short(topic.label)), scope="row"),
                *(_cell(segment.topic_weights[i]) for segment in segments),
                class_=f"t{i}",
                data_topic=i,
            )
            for i, topic in enumerate(topics)
        ]
        return self._section(
            "Topics by segments",
            element(
                "div",
                element(
                    "table",
                    element("caption", "Share of each topic in the topic words, per cent"),
                    element("thead", head),
                    element("tbody", *rows),
                ),
                class_="scroll", tabindex=0, role="region",
                aria_label="Topics by segments, to scroll",
            ),
            class_="map",
        )  # fmt: skip

    def _distances(self) -> Markup | None:
        if self.distances is None or not self.result.topics:
            return None
        starts = [segment.sentences[0] for segment in self.result.segments]
        inside, across = self.distances.means(starts)
        told = f"Inside segments sentences lie {inside:.2f} apart"
        told += "." if across is None else f", across segments {across:.2f}; 2 is the most."
        return self._section(
            "Distances between sentences",
            element(
                "canvas", class_="heat", width=480, height=480, role="img", aria_label=told,
                hidden=True,
            ),
            self._scale(),
            element("p", told, class_="told"),
            element(
                "p",
                "Each row and column is a sentence, or a few; squares of near sentences along the "
                "diagonal are stretches that keep to their words. Lines are the boundaries.",
                class_="hint",
                hidden=True,
            ),
            class_="distances",
        )  # fmt: skip

    def _scale(self) -> Markup:
        """Say what the colours of the heatmap mean."""
        stops = ("near", "middle", "far")
        colours = element(
            "linearGradient",
            *(element("stop", offset=f"{50 * i}%", class_=name) for i, name in enumerate(stops)),
            id=f"{self.key}-scale",
        )
        bar = element("rect", width="100%", height=10, fill=f"url(#{self.key}-scale)")
        return element(
            "p",
            element("span", "0 near"),
            element("svg", colours, bar, height=10, aria_hidden="true"),
            element("span", "2 far"),
            class_="scale",
            hidden=True,
        )

    def _choice(self) -> Markup | None:
        choice = self.result.choice
        if choice is None or len(choice.gains) < 2:
            return None
        return self._section(
            f"Why {counted(choice.k, 'segment')}",
            choice_curve(choice),
            element("p", choice.reason),
            element(
                "p",
                "The curve is how much better so many segments explain the words than one does, "
                "less a price for each boundary.",
                class_="hint",
            ),
            class_="choice",
        )

    # For the script

    def _data(self) -> dict[str, object]:
        """Give what the slider and the heatmap need."""
        pieces, topics = self.cuts.pieces, self.result.topics
        place = {start: i for i, start in enumerate(pieces)}
        most = max(map(len, self.cuts.segments))
        live = len(pieces) * len(topics) <= _MOST_MASSES and most * len(topics) <= _MOST_CELLS
        masses = topic_mass(self.result, pieces) if live else None
        return {
            "key": self.key,
            "sentences": len(self.result.document),
            "pieces": pieces,
            "units": None if self.text.unit == 1 else self.text.units,
            "own": self.cuts.own,
            "labels": [_short(topic.label) for topic in topics],
            "masses": None if masses is None else [[_plain(x) for x in row] for row in masses],
            "cuts": [
                {
                    "pieces": [place[segment.sentences[0]] for segment in cut],
                    "titles": [_short(segment.title) for segment in cut],
                    "topics": [segment.topic for segment in cut],
                    "strengths": [_hundredths(segment.strength) for segment in cut],
                }
                for cut in self.cuts.segments
            ],
            "heat": None
            if self.distances is None
            else {"edges": self.distances.edges, "values": self.distances.encoded},
        }

    # What many parts share

    def _heading(self, depth: int, *content: object, **attributes: object) -> Markup:
        return element(f"h{min(6, self.level + depth)}", *content, **attributes)

    def _section(self, title: str, *content: object, **attributes: object) -> Markup:
        heading = f"{self.key}-{'-'.join(title.lower().split())}-heading"
        return element(
            "section",
            self._heading(1, title, id=heading),
            *content,
            aria_labelledby=heading,
            **attributes,
        )


def _flat(entries: Sequence[Entry]) -> Iterator[Entry]:
    for entry in entries:
        yield entry
        yield from _flat(entry.children)


def _short(text: str) -> str:
    return excerpt(text, _TITLE)


def _badge(topic: int) -> Markup:
    return element("span", f"T{topic + 1}", class_=f"badge t{topic}")


def _strength(segment: Segment) -> tuple[object, ...]:
    if segment.strength is None:
        return ()
    kind = "clear" if segment.strength >= 0.5 else "faint"
    return (f"boundary {segment.strength:.2f}, {kind}",)


def _cell(share: float) -> Markup:
    percent = round(100 * share)
    level = round(10 * share)
    return element("td", percent or "", class_=f"q{level}" if level else None)


def _strip_label(result: Result) -> str:
    """Say in words where each topic is strongest."""
    matrix = result.topic_segment_matrix
    places = (
        f"T{i + 1} is strongest in segment {int(row.argmax()) + 1}"
        for i, row in enumerate(matrix[:_MOST_LANES])
    )
    return f"Topics along the document: {'; '.join(places)}."


def _preset(result: Result) -> str:
    for name, preset in PRESETS.items():
        changed = replace(
            result.settings, k=preset.k, n_topics=None, vectors=False, sentences=preset.sentences
        )
        if changed == preset:
            return f"preset {name}"
    return "settings of your own"


def _plain(value: float) -> float | int:
    """Write whole numbers without a point."""
    return int(value) if value == int(value) else round(float(value), 3)


def _hundredths(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
