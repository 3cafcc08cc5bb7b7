"""What the tools do: from the name and arguments of a call to its answer."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter, OrderedDict
from dataclasses import dataclass, replace
from math import log
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from docbats import pipeline
from docbats.document import Document
from docbats.errors import InputError, ReadError
from docbats.mcp import answers
from docbats.mcp.answers import AnswerLimit, NumberedPart, find_part, number_parts
from docbats.render.one_line import excerpt, visible
from docbats.text.words import normal_form, stemming, tokenize

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from docbats.mcp.allowed_folders import AllowedFolders
    from docbats.mcp.answers import Answer
    from docbats.parts import Entry
    from docbats.result import Result
    from docbats.segments.own_model import OwnModel
    from docbats.text.languages.language import Language
    from docbats.text.words import Tokens

K1, B = 1.5, 0.75  # the usual parameters of BM25
_MAX_RESULTS = 4  # to keep; an assistant usually asks about one document, again and again
_MAX_WORDS = 8  # of each topic and segment
_MAX_WORD = 40  # characters of each
_MAX_TITLE = 120  # characters; headings can be long
_MAX_OPENING = 120  # characters of a segment's beginning
_MAX_EXCERPT = 300  # characters of a sentence that matches a question, or sums a segment up
_TOPICS_SHARE = 0.5  # of the length of an answer; the rest is for the segments


@dataclass(frozen=True)
class ToolCall:
    """The name of a tool and its arguments."""

    name: str
    arguments: dict[str, Any]

    @property
    def document(self) -> object:
        """What distinguishes calls about one document from others."""
        return self.arguments.get("path"), self.arguments.get("text")


class ToolCalls:
    """Answers calls one after the other; it keeps the last few results."""

    def __init__(
        self, folders: AllowedFolders, max_answer: int, model: OwnModel | None = None
    ) -> None:
        self._folders, self._model = folders, model
        self._limit = AnswerLimit(max_answer)
        self._documents = AnalyzedDocuments(folders, model)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the results: another process analyzes for itself."""
        limit = self._limit.characters
        return {"folders": self._folders, "max_answer": limit, "model": self._model}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __call__(self, call: ToolCall) -> Answer:
        """Return the answer to a call; a DocbatsError says what is wrong with it."""
        answer: Answer = getattr(self, f"_{call.name}")(**call.arguments)
        return answer

    def _list_files(self, pattern: str, first: int) -> answers.FileList:
        found = self._folders.list_files(pattern)
        if found:
            _check_first(first, len(found))
        files = [answers.FoundFile(path=path, bytes=size) for path, size in found[first - 1 :]]
        return self._limit.fit(
            lambda n: answers.FileList(
                files=files[:n], total=len(found), next=_next(first + n, len(found))
            ),
            len(files),
        )

    def _outline(self, *, depth: int | None, first: int, **document: Any) -> answers.OutlineAnswer:
        result = self._documents.analyze(**document)
        parts = [p for p in number_parts(result) if depth is None or p.level <= depth]
        _check_first(first, len(parts), "parts")
        shown = [answers.FoundPart(**_part(result, part)) for part in parts[first - 1 :]]
        return self._limit.fit(
            lambda n: answers.OutlineAnswer(
                **_sizes(result),
                levels=result.outline.depth,
                parts=shown[:n],
                next=_next(first + n, len(parts)),
            ),
            len(shown),
        )

    def _read_part(
        self, *, number: str | int | None, start: int | None, end: int | None, **document: Any
    ) -> answers.PartText:
        if (number is None) == (start is None) or (start is None and end is not None):
            msg = "pass either number, of a part, or start, and end if you like"
            raise InputError(msg)
        result = self._documents.analyze(**document)
        if start is None:
            entry = find_part(number_parts(result), str(number))
            known = {"number": str(number), "title": _title(entry.title)}
            return self._read(result, entry.start, entry.end, known)
        length = len(result.document.text)
        end = length if end is None else end
        if not 0 <= start < end <= length:
            msg = (
                f"start and end must be between 0 and {length}, and start less, got {start} and "
                f"{end}"
            )
            raise InputError(msg)
        return self._read(result, start, end, {})

    def _read(
        self, result: Result, start: int, end: int, known: dict[str, Any]
    ) -> answers.PartText:
        """Return the text from `start` on, cut after a sentence or a word if it is too long."""
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

        read = self._limit.fit(lambda n: make(start + n), end - start)
        if read.next is None:
            return read
        ends = document.spans[:, 1].tolist()
        before = bisect_right(ends, read.end) - 1
        stop = ends[before] if before >= 0 else 0
        if stop <= start:
            stop = start + max(document.text[start : read.end].rfind(" ") + 1, 0)
        return make(stop) if stop > start else read

    def _search(self, *, question: str, most: int, **document: Any) -> answers.Matches:
        """Return the undivided parts that match a question best."""
        result = self._documents.analyze(**document)
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
        return self._limit.fit(
            lambda n: answers.Matches(matches=shown[:n], total=len(found)), len(shown)
        )

    def _describe(self, *, first: int, **document: Any) -> answers.AnalysisAnswer:
        """Return the topics, and the segments from number `first` on without their texts."""
        result = self._documents.analyze(**document)
        _check_first(first, len(result.segments), "segments")
        topics = [
            answers.FoundTopic(
                label=_title(topic.label),
                weight=round(topic.weight, 3),
                words=[excerpt(word, _MAX_WORD) for word, _ in topic.words[:_MAX_WORDS]],
            )
            for topic in (result.topics if first == 1 else ())
        ]
        segments = _segments(result)[first - 1 :]

        def make(n_topics: int, n_segments: int) -> answers.AnalysisAnswer:
            return answers.AnalysisAnswer(
                **_sizes(result),
                reason=None if result.choice is None else result.choice.reason,
                topics=topics[:n_topics],
                topics_left_out=len(topics) - n_topics or None,
                segments=segments[:n_segments],
                next=_next(first + n_segments, len(result.segments)),
                notes=list(result.notes) or None,
            )

        room = self._limit.fit(lambda n: make(n, 0), len(topics), least=0, part=_TOPICS_SHARE)
        return self._limit.fit(lambda n: make(len(room.topics), n), len(segments))

    def _summarize(self, *, sentences: int, **document: Any) -> answers.SummaryAnswer:
        """Return the most informative sentences of the document; very long ones are cut."""
        result = self._documents.analyze(**document)
        max_length = self._limit.characters // 4
        shown = [
            answers.SummarySentence(start=s.start, end=s.end, text=excerpt(s.text, max_length))
            for s in result.summary(sentences)
        ]
        return self._limit.fit(
            lambda n: answers.SummaryAnswer(
                **_sizes(result), summary=shown[:n], left_out=len(shown) - n or None
            ),
            len(shown),
        )


def _heading_path(result: Result, start: int) -> list[str]:
    starts = [segment.start for segment in result.segments]
    segment = result.segments[bisect_right(starts, start) - 1]
    return [_title(heading) for heading in segment.heading_path]


def _segments(result: Result) -> list[answers.FoundSegment]:
    """Return the segments, each with the number of its part in the outline, and its parts."""
    numbers = {part.entry.sentences: part for part in reversed(number_parts(result))}
    depth = result.default_depth
    segments = []
    for segment in result.segments:
        part = numbers[segment.sentences]
        topic = None if segment.topic is None else result.topics[segment.topic].label
        segments.append(
            answers.FoundSegment(
                **_part(result, part),
                topic=None if topic is None else _title(topic),
                keywords=[excerpt(word, _MAX_WORD) for word, _ in segment.keywords[:_MAX_WORDS]],
                summary=excerpt(segment.summary, _MAX_EXCERPT) or None,
                opening=excerpt(segment.text, _MAX_OPENING),
                speakers=[excerpt(name, _MAX_WORD) for name in segment.speakers[:_MAX_WORDS]]
                or None,
                parts=_parts_below(result, part) if part.level < depth else None,
            )
        )
    return segments


def _parts_below(result: Result, part: NumberedPart) -> list[answers.FoundPart] | None:
    """Return the parts of a part, without their own; None if it is not divided."""
    below = (
        NumberedPart(f"{part.number}.{i}", child) for i, child in enumerate(part.entry.children, 1)
    )
    return [answers.FoundPart(**_part(result, child)) for child in below] or None


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


def _check_first(first: int, count: int, things: str = "") -> None:
    if not 1 <= first <= count:
        of_what = f", the number of {things}" if things else ""
        msg = f"first must be between 1 and {count}{of_what}, got {first}"
        raise InputError(msg)


def _next(following: int, count: int) -> int | None:
    return following if following <= count else None


def _title(text: str) -> str:
    return excerpt(visible(text), _MAX_TITLE)


def _encodable(text: str) -> str:
    """Replace lone surrogates by question marks, since UTF-8 cannot encode them."""
    return text.encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True)
class PartMatch:
    """A part with words of the question: its index, its score and its best sentence."""

    part: int
    score: float
    sentence: int


def search_parts(
    result: Result, parts: Sequence[tuple[int, int]], question: str
) -> list[PartMatch]:
    """Return the parts that have words of the question, best first.

    `parts` are half-open ranges of sentences, in order. Words match by their stems, in code and
    tables as well; stop words count only if the question has no other words.
    """
    language = result.analysis.text.language
    wanted = _wanted_words(question, language)
    tokens = _all_tokens(result)
    sentences = _words_by_sentence(len(result.document), tokens, wanted, language)
    edges = np.searchsorted(tokens.sentence, parts)
    lengths = (edges[:, 1] - edges[:, 0]).astype(float)
    norm = K1 * (1 - B + B * lengths / max(1.0, lengths.mean()))
    found = [sum(sentences[slice(*part)], Counter()) for part in parts]
    rarity = {word: _rarity(word, found) for word in wanted}
    matches = []
    for i, (part, counts) in enumerate(zip(parts, found, strict=True)):
        score = sum(rarity[w] * n * (K1 + 1) / (n + norm[i]) for w, n in counts.items())
        if score > 0:
            best = max(range(*part), key=lambda s: sum(rarity[word] for word in sentences[s]))
            matches.append(PartMatch(i, float(score), best))
    return sorted(matches, key=lambda match: (-match.score, match.part))


def _rarity(word: str, parts: Sequence[Counter[str]]) -> float:
    holding = sum(counts[word] > 0 for counts in parts)
    return log(1 + (len(parts) - holding + 0.5) / (holding + 0.5))


def _wanted_words(question: str, language: Language) -> frozenset[str]:
    """Return the stems of the words of a question."""
    if not question.strip():
        msg = "the question is empty: pass the words to search for"
        raise InputError(msg)
    asked = Document(question, np.array([[0, len(question)]]))
    names = [normal_form(form) for form in tokenize(asked, language).forms if form[0].isalnum()]
    kept = [name for name in names if name not in language.stop_words] or names
    return frozenset(stemming(language.stemmer)(kept))


def _all_tokens(result: Result) -> Tokens:
    """Return the tokens of the text, including those of code and tables."""
    text = result.analysis.text
    if result.document.prose is None:
        return text.tokens
    return tokenize(replace(result.document, prose=None), text.language)


def _words_by_sentence(
    n_sentences: int, tokens: Tokens, wanted: frozenset[str], language: Language
) -> list[Counter[str]]:
    """Count the wanted words in each sentence."""
    stems = stemming(language.stemmer)([normal_form(form) for form in tokens.forms])
    counts: list[Counter[str]] = [Counter() for _ in range(n_sentences)]
    is_wanted = np.array([stem in wanted for stem in stems], bool)[tokens.form]
    places = zip(tokens.sentence[is_wanted], tokens.form[is_wanted], strict=True)
    for sentence, form in places:
        counts[sentence][stems[form]] += 1
    return counts


class AnalyzedDocuments:
    """Analyzes the document of a call, once for all calls that follow each other."""

    def __init__(self, folders: AllowedFolders, model: OwnModel | None = None) -> None:
        self._folders, self._model = folders, model
        self._results: OrderedDict[Hashable, Result] = OrderedDict()
        self._lock = Lock()  # calls come from threads; one user needs one analysis at a time

    def analyze(
        self,
        path: str | None,
        text: str | None,
        lines: bool,
        k: int | Literal["auto"] = "auto",
        granularity: str = "medium",
    ) -> Result:
        """Return the result of a file or of a text."""
        if (path is None) == (text is None):
            msg = "pass either path, a file, or text, the text itself"
            raise InputError(msg)
        with self._lock:
            key = (self._identity(path, text), lines, k, granularity)
            if key not in self._results:
                sentences: Literal["auto", "lines"] = "lines" if lines else "auto"
                source = self._source(path, text, sentences)
                self._results[key] = pipeline.analyze(
                    source,
                    k,
                    sentences=sentences,
                    granularity=granularity,  # type: ignore[arg-type]
                    model=self._model,
                )
            self._results.move_to_end(key)
            while len(self._results) > _MAX_RESULTS:
                self._results.popitem(last=False)
            return self._results[key]

    def _identity(self, path: str | None, text: str | None) -> Hashable:
        """Return a key that no other document has, and that changes with the document."""
        if path is not None:
            found = self._folders.find(path)
            try:
                known: Any = found.stat()
            except OSError as error:
                msg = f"{path}: cannot be read: {error.strerror or error}"
                raise ReadError(msg) from None
            return str(found), known.st_mtime_ns, known.st_size
        return hashlib.sha256((text or "").encode("utf-8", "surrogatepass")).digest()

    def _source(
        self, path: str | None, text: str | None, sentences: Literal["auto", "lines"]
    ) -> str | Document:
        if path is not None:
            return self._folders.read(path).document(sentences)
        given = text or ""
        size = len(given.encode("utf-8", "replace"))
        most = self._folders.max_bytes
        if size > most:
            msg = f"the text has {size:,} bytes, but at most {most:,} are allowed"
            raise InputError(msg)
        return given
