"""From results to answers: as little as an assistant needs, and no more than there is room for."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from docbats.errors import InputError
from docbats.mcp import answers
from docbats.mcp.numbered_parts import NumberedPart, find_part, number_parts
from docbats.mcp.part_search import search_parts
from docbats.render.one_line import excerpt, visible

if TYPE_CHECKING:
    from docbats.mcp.answer_limit import AnswerLimit
    from docbats.parts import Entry
    from docbats.result import Result

__all__ = [
    "describe_outline",
    "describe_result",
    "describe_summary",
    "find_matches",
    "read_numbered_part",
    "read_offsets",
]

_MAX_WORDS = 8  # of each topic and segment
_MAX_WORD = 40  # characters of each
_MAX_TITLE = 120  # characters; headings can be long
_MAX_OPENING = 120  # characters of a segment's beginning
_MAX_EXCERPT = 300  # characters of a sentence that matches a question, or sums a segment up
_TOPICS_SHARE = 0.5  # of the room of an answer, so that the segments have some, too


def describe_outline(
    result: Result, depth: int | None, first: int, limit: AnswerLimit
) -> answers.Outline:
    """Return the parts down to a depth, from number `first` of the list on."""
    parts = [
        part for part in number_parts(result) if depth is None or part.number.count(".") < depth
    ]
    _check_first(first, len(parts), "parts")
    shown = [answers.Part(**_part(result, part)) for part in parts[first - 1 :]]
    return limit.fit(
        lambda n: answers.Outline(
            **_sizes(result),
            levels=result.outline.depth,
            parts=shown[:n],
            next=_next(first + n, len(parts)),
        ),
        len(shown),
    )


def describe_result(result: Result, first: int, limit: AnswerLimit) -> answers.Analysis:
    """Return the topics and the segments from number `first` on, without the segments' texts."""
    _check_first(first, len(result.segments), "segments")
    topics = [
        answers.Topic(
            label=_title(topic.label),
            weight=round(topic.weight, 3),
            words=[excerpt(word, _MAX_WORD) for word, _ in topic.words[:_MAX_WORDS]],
        )
        for topic in (result.topics if first == 1 else ())
    ]
    segments = _segments(result)[first - 1 :]

    def make(n_topics: int, n_segments: int) -> answers.Analysis:
        return answers.Analysis(
            **_sizes(result),
            reason=None if result.choice is None else result.choice.reason,
            topics=topics[:n_topics],
            topics_left_out=len(topics) - n_topics or None,
            segments=segments[:n_segments],
            next=_next(first + n_segments, len(result.segments)),
            notes=list(result.notes) or None,
        )

    room = limit.fit(lambda n: make(n, 0), len(topics), least=0, part=_TOPICS_SHARE)
    return limit.fit(lambda n: make(len(room.topics), n), len(segments))


def read_numbered_part(result: Result, number: str, limit: AnswerLimit) -> answers.PartText:
    """Return the text of a part, or as much of it as there is room for."""
    entry = find_part(number_parts(result), number)
    known = {"number": number, "title": _title(entry.title)}
    return _read(result, entry.start, entry.end, known, limit)


def read_offsets(
    result: Result, start: int, end: int | None, limit: AnswerLimit
) -> answers.PartText:
    """Return the text between two offsets, or as much of it as there is room for."""
    length = len(result.document.text)
    end = length if end is None else end
    if not 0 <= start < end <= length:
        msg = f"start and end must be between 0 and {length}, and start less, got {start} and {end}"
        raise InputError(msg)
    return _read(result, start, end, {}, limit)


def find_matches(result: Result, question: str, most: int, limit: AnswerLimit) -> answers.Matches:
    """Return the parts that are not divided further and match a question best."""
    leaves = [part for part in number_parts(result) if not part.entry.children]
    found = search_parts(result, [part.entry.sentences for part in leaves], question)
    shown = [
        answers.Match(
            **_part(result, leaves[match.part]),
            score=round(match.score, 3),
            excerpt=excerpt(result.document.sentences[match.sentence], _MAX_EXCERPT),
        )
        for match in found[:most]
    ]
    return limit.fit(lambda n: answers.Matches(matches=shown[:n], total=len(found)), len(shown))


def describe_summary(result: Result, sentences: int, limit: AnswerLimit) -> answers.Summary:
    """Return the most informative sentences of the document; one that is very long is cut."""
    chosen = result.summary(sentences)
    shown = [
        answers.SummarySentence(
            start=s.start, end=s.end, text=excerpt(s.text, limit.characters // 4)
        )
        for s in chosen
    ]
    return limit.fit(
        lambda n: answers.Summary(
            **_sizes(result), summary=shown[:n], left_out=len(shown) - n or None
        ),
        len(shown),
    )


def _read(
    result: Result, start: int, end: int, known: dict[str, Any], limit: AnswerLimit
) -> answers.PartText:
    """Return the text from `start` on, cut after a sentence or a word where it is too long."""
    document = result.document
    path = _heading_path(result, start)

    def make(stop: int) -> answers.PartText:
        return answers.PartText(
            **known,
            heading_path=path or None,
            start=start,
            end=stop,
            **_place(result, start, stop),
            text=_encodable(document.text[start:stop]),
            next=stop if stop < end else None,
        )

    read = limit.fit(lambda n: make(start + n), end - start)
    if read.next is None:
        return read
    ends = document.spans[:, 1].tolist()
    before = bisect_right(ends, read.end) - 1
    stop = ends[before] if before >= 0 else 0
    if stop <= start:
        stop = start + max(document.text[start : read.end].rfind(" ") + 1, 0)
    return make(stop) if stop > start else read


def _heading_path(result: Result, start: int) -> list[str]:
    starts = [segment.start for segment in result.segments]
    segment = result.segments[bisect_right(starts, start) - 1]
    return [_title(heading) for heading in segment.heading_path]


def _segments(result: Result) -> list[answers.Segment]:
    """Return the segments, each with the number of the part of the outline that it is."""
    numbers = {part.entry.sentences: part for part in reversed(number_parts(result))}
    segments = []
    for segment in result.segments:
        part = numbers[segment.sentences]
        topic = None if segment.topic is None else result.topics[segment.topic].label
        segments.append(
            answers.Segment(
                **_part(result, part),
                topic=None if topic is None else _title(topic),
                keywords=[excerpt(word, _MAX_WORD) for word, _ in segment.keywords[:_MAX_WORDS]],
                summary=excerpt(segment.summary, _MAX_EXCERPT) or None,
                opening=excerpt(segment.text, _MAX_OPENING),
                speakers=[excerpt(name, _MAX_WORD) for name in segment.speakers[:_MAX_WORDS]]
                or None,
            )
        )
    return segments


def _part(result: Result, part: NumberedPart) -> dict[str, Any]:
    entry: Entry = part.entry
    return {
        "number": part.number,
        "title": _title(entry.title),
        "start": entry.start,
        "end": entry.end,
        **_place(result, entry.start, entry.end),
    }


def _place(result: Result, start: int, end: int) -> dict[str, Any]:
    place = result.document.place(start, end)
    if place is None:
        return {}
    return {
        name: list(pair)
        for name, pair in (("pages", place.pages), ("seconds", place.seconds))
        if pair is not None
    }


def _sizes(result: Result) -> dict[str, Any]:
    return {
        "characters": len(result.document.text),
        "sentences": len(result.document),
        "language": result.language,
    }


def _check_first(first: int, count: int, things: str) -> None:
    if not 1 <= first <= count:
        msg = f"first must be between 1 and {count}, the number of {things}, got {first}"
        raise InputError(msg)


def _next(following: int, count: int) -> int | None:
    return following if following <= count else None


def _title(text: str) -> str:
    return excerpt(visible(text), _MAX_TITLE)


def _encodable(text: str) -> str:
    """Replace lone surrogates by question marks, since UTF-8 cannot encode them."""
    return text.encode("utf-8", "replace").decode("utf-8")
