"""Titles and summaries by a function of your own: what it gets, what it returns, what is checked.

Nothing is called or sent anywhere unless the setting `namer` names a function.
"""

from __future__ import annotations

import importlib
import threading
import unicodedata
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.parts import AUTHORS_TITLES, Segments
from docbats.runtime import tell_stage
from docbats.titles.titles import SentenceGroups, rank_phrases

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from docbats.parts import Segment
    from docbats.pipeline import Analysis

MAX_TITLE = 100
"""The most characters in a title."""

MAX_SUMMARY = 500
"""The most characters in a summary."""

_BIDI_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})  # categories of Unicode


@dataclass(frozen=True)
class SegmentToName:
    """A segment, for a namer.

    Attributes
    ----------
    text
        All of its text.
    title, summary
        Those of docbats, which stay if the namer returns none.
    has_heading
        Whether the title is the author's heading, which stays whatever the namer returns.
    candidates
        Phrases of its text that may be titles, best first.
    keywords
        The words that stand out in it, best first.
    headings
        The author's headings above it, highest first.
    speakers
        Who speaks in it.
    """

    text: str = field(repr=False)
    title: str
    summary: str
    has_heading: bool = False
    candidates: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()


@dataclass(frozen=True)
class NamingRequest:
    """What a namer gets: all segments of a document, in order.

    Attributes
    ----------
    segments
        The segments.
    language
        The code of the language of the document; None if it is unknown.
    """

    segments: tuple[SegmentToName, ...]
    language: str | None = None


@dataclass(frozen=True)
class SegmentName:
    """What a namer returns for a segment, on one line each.

    Attributes
    ----------
    title
        At most 100 characters; None keeps that of docbats.
    summary
        At most 500 characters; empty for none, None keeps that of docbats.
    """

    title: str | None = None
    summary: str | None = None


def name_segments(analysis: Analysis, segments: Segments) -> tuple[Segments, tuple[str, ...]]:
    """Return the segments with the names that the namer gives them, and notes on what went wrong.

    Where the namer fails, is too slow or returns what cannot be used, the names of docbats stay.
    """
    request = make_request(analysis, segments)
    seconds = analysis.settings.namer_timeout
    tell_stage("Asking for titles", 0.95)
    try:
        answer = _call(find_namer(analysis.settings.namer), request, seconds)
        names = _checked_count(answer, len(segments))
    except _NamerError as error:
        return segments, (f"The namer {error}: titles and summaries are those of docbats.",)
    named, wrong = [], []
    for number, (segment, name) in enumerate(zip(segments, names, strict=True), start=1):
        try:
            named.append(_rename(segment, name))
        except _NamerError as error:
            named.append(segment)
            wrong.append(f"segment {number}: {error}")
    if not wrong:
        return Segments(named), ()
    count = f"{len(wrong)} of {len(segments)} segments"
    note = f"The namer's names of {count} cannot be used ({wrong[0]}): theirs are those of docbats."
    return Segments(named), (note,)


def is_naming_note(note: str) -> bool:
    """Whether a note of a result is on its namer, and so on one cut only."""
    return note.startswith("The namer")


def make_request(analysis: Analysis, segments: Sequence[Segment]) -> NamingRequest:
    """Return what a namer is told of the segments."""
    candidates = _candidates(analysis, segments)
    return NamingRequest(
        tuple(
            SegmentToName(
                text=segment.text,
                title=segment.title,
                summary=segment.summary,
                has_heading=_has_heading(segment),
                candidates=phrases,
                keywords=tuple(scored.word for scored in segment.keywords),
                headings=segment.heading_path[: -1 if _has_heading(segment) else None],
                speakers=segment.speakers,
            )
            for segment, phrases in zip(segments, candidates, strict=True)
        ),
        language=analysis.text.language.code,
    )


def find_namer(namer: Any) -> Callable[[NamingRequest], Any]:
    """Return the function that a namer is or names, as ``"module:function"``.

    ValueError if there is none; also if the module cannot be imported.
    """
    if callable(namer):
        found: Callable[[NamingRequest], Any] = namer
        return found
    module, _, name = namer.partition(":")
    try:
        value = attrgetter(name)(importlib.import_module(module))
    except Exception as error:
        msg = f"{namer} cannot be imported ({type(error).__name__}: {error})"
        raise ValueError(msg) from error
    if callable(value):
        return find_namer(value)
    msg = f"{namer} is {type(value).__name__}, not a function"
    raise ValueError(msg)


class _NamerError(Exception):
    """What a namer did wrong; completes the sentence "The namer ..."."""


def _call(namer: Callable[[NamingRequest], Any], request: NamingRequest, seconds: float) -> object:
    """Return the answer of the namer, or raise if there is none in time.

    It runs in a thread, which nothing can end: if it is too slow, its answer is not waited for.
    """
    answers: list[object] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            answers.append(namer(request))
        except BaseException as error:  # whatever it is, it ends nothing but the namer
            errors.append(error)

    thread = threading.Thread(target=work, name="docbats-namer", daemon=True)
    thread.start()
    thread.join(seconds)
    if answers:
        return answers[0]
    if errors:
        from docbats.processes import error_location

        msg = f"failed ({error_location(errors[0])})"  # a message may quote the text
        raise _NamerError(msg)
    msg = f"did not answer within {seconds:g} seconds"
    raise _NamerError(msg)


def _checked_count(answer: object, wanted: int) -> Sequence[object]:
    if not isinstance(answer, list | tuple):
        msg = f"returned {type(answer).__name__} instead of a list of docbats.SegmentName"
        raise _NamerError(msg)
    if len(answer) != wanted:
        msg = f"returned {len(answer)} names for {wanted} segments"
        raise _NamerError(msg)
    return answer


def _rename(segment: Segment, name: object) -> Segment:
    """Return a segment with another name: the one place where a namer's titles come in."""
    if not isinstance(name, SegmentName):
        msg = f"it is {type(name).__name__}, not docbats.SegmentName"
        raise _NamerError(msg)
    changes: dict[str, Any] = {}
    if name.summary is not None:
        changes["summary"] = _checked_line("summary", name.summary, MAX_SUMMARY)
    if name.title is not None:
        title = _checked_line("title", name.title, MAX_TITLE)
        if not title:
            msg = "the title is blank"
            raise _NamerError(msg)
        if not _has_heading(segment):
            changes |= {"title": title, "title_source": "given", "title_confidence": 1.0}
    return replace(segment, **changes)


def _checked_line(part: str, text: object, longest: int) -> str:
    if not isinstance(text, str):
        msg = f"the {part} is {type(text).__name__}, not a string"
        raise _NamerError(msg)
    line = text.strip()
    if len(line) > longest:
        msg = f"the {part} has {len(line)} characters of at most {longest}"
        raise _NamerError(msg)
    if any(unicodedata.category(c) in _CONTROLS or c in _BIDI_MARKS for c in line):
        msg = f"the {part} has more than one line, or control characters"
        raise _NamerError(msg)
    return line


def _has_heading(segment: Segment) -> bool:
    return segment.title_source in AUTHORS_TITLES


def _candidates(analysis: Analysis, segments: Sequence[Segment]) -> list[tuple[str, ...]]:
    """Return the phrases of each segment that may be its title, best first."""
    phrases = analysis.phrases
    starts = np.array([segment.sentences[0] for segment in segments], np.int64)
    groups = SentenceGroups.of_segments(starts, len(analysis.text))
    found = []
    for ranked in rank_phrases(phrases, groups):
        good = (phrases.in_full(row.phrase) for row in ranked if row.is_good)
        found.append(tuple(dict.fromkeys(map(phrases.spell, good))))
    return found
