"""The result of an analysis, and its exports."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from docbats.describe import describe_segments
from docbats.errors import SettingsError
from docbats.parts import Sentence, segment_dict, topic_dict
from docbats.runtime import DescribedLater, single_blas_thread
from docbats.segments.cuts import find_cut

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from rich.console import RenderableType

    from docbats.document import Document
    from docbats.parts import Outline, Segments, Topics, Vectors
    from docbats.pipeline import Analysis
    from docbats.segments.choose_k import Choice
    from docbats.settings import Settings

SCHEMA = 1
"""Number of the JSON layout; it grows when a reader of the old layout would break."""

_LONG_TEXT = 3_000  # words, twenty minutes of talk; larger: more texts have only a flat list

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, eq=False)
class Result(DescribedLater):
    """The topics and segments of one document.

    Where segments are is known at once; topics, titles and all else are found when they are first
    read.

    Attributes
    ----------
    document
        The text and the spans of its sentences.
    settings
        The settings of the analysis.
    topics
        Heaviest first.
    segments
        In the order of the text, exactly ``settings.k`` of them.
    choice
        Why there are this many segments, if the text decided.
    notes
        Sentences about anything in the result that you might not expect.
    versions
        Of docbats and of the libraries that its numbers depend on.
    seconds
        Time spent on each stage so far.
    vectors
        Present if ``settings.vectors`` asked for them.
    """

    document: Document
    settings: Settings
    topics: Topics
    segments: Segments
    choice: Choice | None
    notes: tuple[str, ...]
    versions: Mapping[str, str]
    seconds: Mapping[str, float]
    vectors: Vectors | None
    analysis: Analysis = field(repr=False)

    def describe(self) -> Self:
        """Find now what is otherwise found when it is first read, and return this result."""
        for part in (self, self.choice, *self.segments):
            if part is not None:
                part.find_all()
        return self

    def cut(self, k: int) -> Result:
        """Cut the same document into k segments, without reading it again; the topics stay."""
        is_number = isinstance(k, int | np.integer) and not isinstance(k, bool)
        if not is_number or not 1 <= k <= len(self.document):
            msg = f"k must be a whole number from 1 to {len(self.document)}, got {k!r}"
            raise SettingsError(msg)
        with single_blas_thread():
            starts = find_cut(self.settings.cut).starts(self.analysis, int(k))
            segments = describe_segments(self.analysis, starts)
            notes = self.notes  # on the language and the topics, which stay
            if self.settings.namer is not None:
                from docbats.naming import is_naming_note, name_segments

                segments, new = name_segments(self.analysis, segments)
                notes = (*(note for note in notes if not is_naming_note(note)), *new)
        settings = replace(self.settings, k=int(k))
        return replace(self, settings=settings, segments=segments, choice=None, notes=notes)

    @cached_property
    def outline(self) -> Outline:
        """A nested table of contents: the segments, divided further as long as that is worth it.

        Many segments are gathered into parts first. ``outline(depth=2)`` has two levels.
        """
        from docbats.segments.outline import make_outline

        with single_blas_thread():
            return make_outline(self.analysis, self.segments)

    @property
    def default_depth(self) -> int:
        """How many levels of the outline are shown unless you ask for others: 1 or 2.

        Two for a text of more than 3,000 words that the author's headings do not divide. One if
        segments have limits of size, which smaller parts would not keep, and in ``paper``.
        """
        analysis = self.analysis
        is_divisible = self.rates_boundaries and analysis.text.counts.words
        if not is_divisible or analysis.limits is not None:
            return 1
        is_long = np.count_nonzero(analysis.text.tokens.is_word) > _LONG_TEXT
        return 2 if is_long and analysis.cost.section_starts is None else 1

    def shown_outline(
        self, *, outline: bool | None = None, depth: int | None = None
    ) -> Outline | None:
        """Return the outline that text, Markdown and JSON show; None if they show only segments.

        Parameters
        ----------
        outline
            Whether to show it; by default if :attr:`default_depth` is 2 and a segment is divided.
        depth
            How many levels to show; shows them whatever `outline` is.
        """
        if outline or depth is not None:
            return self.outline(depth)
        if outline is False or self.default_depth == 1:
            return None
        found = self.outline(self.default_depth)
        return found if found.depth > 1 else None

    def summary(self, sentences: int = 5) -> tuple[Sentence, ...]:
        """Choose the sentences that together cover most, in the order of the text.

        First those that sum up their segments, see :attr:`Segment.summary`, the most central ones
        if there are too many; then others by the weight of the topics of their words.
        """
        from docbats.describe import choose_sentences

        if not isinstance(sentences, int | np.integer) or sentences < 1:
            msg = f"sentences must be a whole number, at least 1, got {sentences!r}"
            raise SettingsError(msg)
        text = self.analysis.text
        starts = np.array([segment.sentences[0] for segment in self.segments])
        summaries = self.analysis.summaries.choose(starts)
        leaders = [summary for summary in summaries if summary is not None]
        if sentences <= len(leaders):
            best = sorted(leaders, key=lambda leader: -leader.worth)[: int(sentences)]
            chosen = tuple(sorted(leader.sentence for leader in best))
        else:
            chosen = choose_sentences(
                self.document,
                text.counts.occurrences,
                self.analysis.topics.scores,
                self.analysis.topics.words,
                starts,
                n=int(sentences),
                language=text.language,
                first=[None if summary is None else summary.sentence for summary in summaries],
            )
        spans = self.document.spans[list(chosen)].tolist()
        texts = self.document.sentences
        return tuple(
            Sentence(i, start, end, texts[i]) for i, (start, end) in zip(chosen, spans, strict=True)
        )

    @property
    def language(self) -> str | None:
        """The code of the language that was recognized or set; None if it is unknown."""
        return self.analysis.text.language.code

    @property
    def rates_boundaries(self) -> bool:
        """Whether segments have the strength of the boundary before them."""
        return find_cut(self.settings.cut).uses_cost and self.analysis.cost.penalty is not None

    @property
    def topic_segment_matrix(self) -> NDArray[np.float64]:
        """Topics by segments: each column holds the segment's topic weights."""
        return np.array([segment.topic_weights for segment in self.segments]).T

    def to_dict(
        self,
        *,
        top_words: int | None = None,
        outline: bool | None = None,
        depth: int | None = None,
        seconds: bool = False,
    ) -> dict[str, Any]:
        """Return everything but the vectors as JSON-ready values.

        Parameters
        ----------
        top_words
            How many words to show of each topic and segment; all by default.
        outline
            Whether to add the nested table of contents, with all levels; by default that of a long
            text without headings, with two levels, see :attr:`default_depth`.
        depth
            How many of its levels to show; implies `outline`.
        seconds
            Whether to add the time of each stage. Without it the same document and settings give
            the same dictionary.
        """
        values: dict[str, Any] = {
            "schema": SCHEMA,
            "versions": dict(self.versions),
            "settings": self.settings.to_dict(),
            "document": {
                "characters": len(self.document.text),
                "sentences": len(self.document),
                "kept_words": len(self.analysis.text.counts.words),
                "language": self.language,
            },
            "choice": None if self.choice is None else self.choice.to_dict(),
            "topics": [topic_dict(topic, top_words) for topic in self.topics],
            "segments": [segment_dict(segment, top_words) for segment in self.segments],
            "notes": list(self.notes),
        }
        entries = self.shown_outline(outline=outline, depth=depth)
        if entries is not None:
            values["outline"] = entries.to_list()
        if seconds:
            values["seconds"] = {stage: round(spent, 6) for stage, spent in self.seconds.items()}
        return values

    def to_json(self, *, indent: int | None = 2, **parts: Any) -> str:
        """Return :meth:`to_dict`, which takes the same `parts`, as JSON for any UTF-8 file."""
        return json_text(self.to_dict(**parts), indent=indent)

    def to_markdown(
        self,
        *,
        title: str = "",
        top_words: int = 10,
        outline: bool | None = None,
        depth: int | None = None,
    ) -> str:
        """Return the segments and topics as Markdown, after the outline if there is one.

        `outline` and `depth` are as in :meth:`to_dict`.
        """
        from docbats.render.markdown import to_markdown

        return to_markdown(self, title, top_words, outline=outline, depth=depth)

    def to_frame(self, library: Literal["pandas", "polars", "arrow"] = "pandas") -> Any:
        """Return a row for each segment, as a pandas or polars frame or an Arrow table."""
        from docbats.integrations.tables import to_frame

        return to_frame(self, library)

    def to_html(self, name: str = "", *, media: str | os.PathLike[str] | None = None) -> str:
        """Return a self-contained page for the browser.

        `media` is the path of the recording of a talk, relative to the page, which links it and
        plays it beside the text.
        """
        from docbats.render.html import render_page
        from docbats.render.media import Recording

        return render_page(self, name, None if media is None else Recording.linked(media))

    def _repr_html_(self) -> str:
        """Show the page in a notebook."""
        from docbats.render.html import render_frame

        return render_frame(self)

    def __rich__(self) -> RenderableType:
        """Show the outline and the topics in a terminal, by ``rich.print(result)``."""
        from docbats.render.terminal import to_rich

        return to_rich(self)

    def __str__(self) -> str:
        """Return the numbers of sentences, segments and topics, and the outline, line by line."""
        from docbats.render.one_line import counted, visible

        sizes = [
            counted(len(self.document), "sentence"),
            counted(len(self.segments), "segment"),
            counted(len(self.topics), "topic"),
        ]
        titles = (
            str(self.outline).splitlines()
            if self.analysis.text.counts.words
            else [f"{i} {segment.title}" for i, segment in enumerate(self.segments, start=1)]
        )
        return "\n".join([", ".join(sizes), *map(visible, titles)])

    def __repr__(self) -> str:
        sizes = (len(self.segments), len(self.topics), len(self.document))
        return "<Result: segments {}, topics {}, sentences {}>".format(*sizes)


def json_text(value: object, indent: int | None = None) -> str:
    """Return JSON with real letters; lone surrogates, which UTF-8 cannot encode, are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
