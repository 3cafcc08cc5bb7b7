"""What the tools do: from the name and arguments of a call to its answer."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from docbats import pipeline
from docbats.chunks.options import known_chunker, with_tokenizer
from docbats.errors import InputError
from docbats.mcp import answers
from docbats.mcp.answers import AnswerLimit, NumberedPart, find_part, number_parts
from docbats.mcp.search import FolderIndex, place_values, search_parts
from docbats.render.one_line import excerpt, visible
from docbats.render.rows import chunks_to_values

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from docbats.chunks import Chunk, Chunker
    from docbats.document import Document
    from docbats.mcp.allowed_folders import AllowedFolders
    from docbats.mcp.answers import Answer
    from docbats.parts import Entry
    from docbats.result import Result
    from docbats.segments.own_model import OwnModel

_MAX_RESULTS = 4  # to keep; an assistant usually asks about one document, again and again
_MAX_WORDS = 8  # of each topic and segment
_MAX_WORD = 40  # characters of each
_MAX_TITLE = 120  # characters; headings can be long
_MAX_OPENING = 120  # characters of a segment's beginning
_MAX_EXCERPT = 300  # characters of a sentence that matches a question, or sums a segment up
_MAX_UNREADABLE = 20  # names of files
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
    """Answers calls one after the other; it keeps the last few results.

    Parameters
    ----------
    folders
        The folders whose files may be read.
    max_answer
        The largest number of characters of an answer.
    model
        A model of your own, by which documents are cut.
    tokenizers
        The tokenizers that may count the sizes of chunks, by the names that assistants know.
    search_seconds
        How long a search in all files may read files that it does not know yet.
    """

    def __init__(
        self,
        folders: AllowedFolders,
        max_answer: int,
        model: OwnModel | None = None,
        *,
        tokenizers: Mapping[str, str] | None = None,
        search_seconds: float = 30.0,
    ) -> None:
        self._folders, self._model = folders, model
        self._tokenizers, self._search_seconds = dict(tokenizers or {}), search_seconds
        self._limit = AnswerLimit(max_answer)
        self._documents = AnalyzedDocuments(folders, model)
        self._index = FolderIndex(folders)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the results: another process analyzes for itself."""
        return {
            "folders": self._folders,
            "max_answer": self._limit.characters,
            "model": self._model,
            "tokenizers": self._tokenizers,
            "search_seconds": self._search_seconds,
        }

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

    def _search(
        self, *, question: str, most: int, path: str | None, text: str | None, **document: Any
    ) -> answers.Matches:
        """Return the undivided parts of a document, or the passages of all files, that match."""
        if path is None and text is None:
            return self._search_files(question, most)
        result = self._documents.analyze(path, text, **document)
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
            lambda n: answers.Matches(
                matches=shown[:n], total=len(found), files=None, files_left=None, unreadable=None
            ),
            len(shown),
        )

    def _search_files(self, question: str, most: int) -> answers.Matches:
        if not self._folders.paths:
            msg = "no folder is allowed: pass path, a file, or text, the text itself"
            raise InputError(msg)
        found = self._index.search(question, most, self._search_seconds)
        shown = [
            answers.Match(
                path=passage.path,
                title=_title(passage.title),
                start=passage.start,
                end=passage.end,
                **passage.place,
                score=round(passage.score, 3),
                excerpt=_encodable(excerpt(passage.sentence, _MAX_EXCERPT)),
            )
            for passage in found.passages
        ]
        return self._limit.fit(
            lambda n: answers.Matches(
                matches=shown[:n],
                total=found.total,
                files=found.files,
                files_left=found.files_left or None,
                unreadable=list(found.unreadable[:_MAX_UNREADABLE]) or None,
            ),
            len(shown),
            least=0,
        )

    def _chunk(
        self, *, path: str | None, text: str | None, first: int, options: dict[str, Any]
    ) -> answers.Chunks:
        """Return the chunks of a document from number `first` on."""
        chunker = known_chunker(frozenset(with_tokenizer(options, self._tokenizers).items()))
        found = self._documents.chunk(path, text, chunker)
        if found:
            _check_first(first, len(found), "chunks")
        numbered = list(chunks_to_values(found))[first - 1 :]
        shown = [answers.FoundChunk.model_validate(_all_encodable(row)) for row in numbered]
        return self._limit.fit(
            lambda n: answers.Chunks(
                chunks=shown[:n], total=len(found), next=_next(first + n, len(found))
            ),
            len(shown),
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
    return place_values(result.document.place(start, end))


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


def _all_encodable(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a chunk with texts that UTF-8 can encode."""
    found: dict[str, Any] = json.loads(_encodable(json.dumps(values, ensure_ascii=False)))
    return found


def _encodable(text: str) -> str:
    """Replace lone surrogates by question marks, since UTF-8 cannot encode them."""
    return text.encode("utf-8", "replace").decode("utf-8")


class AnalyzedDocuments:
    """Analyzes or cuts the document of a call, once for all calls that follow each other."""

    def __init__(self, folders: AllowedFolders, model: OwnModel | None = None) -> None:
        self._folders, self._model = folders, model
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
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
        sentences: Literal["auto", "lines"] = "lines" if lines else "auto"

        def make() -> Result:
            return pipeline.analyze(
                self._source(path, text, sentences),
                k,
                sentences=sentences,
                granularity=granularity,  # type: ignore[arg-type]
                model=self._model,
            )

        key = self._identity(path, text), lines, k, granularity
        result: Result = self._remember(key, make)
        return result

    def chunk(self, path: str | None, text: str | None, chunker: Chunker) -> list[Chunk]:
        """Return the chunks of a file or of a text."""

        def make() -> list[Chunk]:
            return chunker(self._source(path, text, chunker.sentences, chunker.language))

        chunks: list[Chunk] = self._remember((self._identity(path, text), chunker), make)
        return chunks

    def _remember(self, key: Hashable, make: Callable[[], Any]) -> Any:
        with self._lock:
            if key not in self._known:
                self._known[key] = make()
            self._known.move_to_end(key)
            while len(self._known) > _MAX_RESULTS:
                self._known.popitem(last=False)
            return self._known[key]

    def _identity(self, path: str | None, text: str | None) -> Hashable:
        """Return a key that no other document has, and that changes with the document."""
        if (path is None) == (text is None):
            msg = "pass either path, a file, or text, the text itself"
            raise InputError(msg)
        if path is not None:
            return self._folders.identity(path)
        return hashlib.sha256((text or "").encode("utf-8", "surrogatepass")).digest()

    def _source(
        self,
        path: str | None,
        text: str | None,
        sentences: Literal["auto", "lines"],
        language: str = "auto",
    ) -> str | Document:
        if path is not None:
            return self._folders.read(path).document(sentences, language)
        given = text or ""
        size = len(given.encode("utf-8", "replace"))
        most = self._folders.max_bytes
        if size > most:
            msg = f"the text has {size:,} bytes, but at most {most:,} are allowed"
            raise InputError(msg)
        return given
