"""A run that streams: a live feed of documents in, and rows out as soon as they are ready.

Nothing is read beyond what can be worked on, so that whoever writes too fast has to wait, and so
does everybody if nobody reads what comes out.
"""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING

from docbats.corpus.corpus_options import CorpusOptions
from docbats.corpus.engines.engine import check_picklable
from docbats.corpus.engines.local_engine import DEFAULT_MAX_MEMORY, local_engine
from docbats.corpus.errors import Failure
from docbats.corpus.input.numbering import number_documents
from docbats.corpus.input.source_files import InputFiles
from docbats.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.corpus.analyze_document import DocumentAnalyzer
    from docbats.corpus.engines.engine import AnalyzedDocument, Engine, MakeEngine, Outcome
    from docbats.corpus.input.input_document import InputDocument
    from docbats.corpus.input.source_files import InputNames

__all__ = ["stream"]

_MAX_PENDING = 64  # documents that were read and not yet yielded; with more, more memory is held
_POLL_SECONDS = 0.02  # between two looks at the input while documents are being analyzed

_DocumentQueue = queue.Queue["InputDocument | Exception | None"]


def stream(
    inputs: InputNames = "-",
    options: CorpusOptions | None = None,
    *,
    jobs: int | None = None,
    timeout: float = 60.0,
    max_memory: int | None = DEFAULT_MAX_MEMORY,
    ordered: bool = True,
    engine: MakeEngine | None = None,
) -> Iterator[AnalyzedDocument]:
    """Analyze documents as they come; the row of each is a line of JSON.

    In order, a document that takes long holds up those behind it, by `timeout` seconds at most. Ids
    may come again: a feed can bring a newer version of a document.
    """
    options = options or CorpusOptions()
    if options.format != "jsonl" or options.reports:
        msg = "a stream is of JSON lines: for anything else name a folder by -o"
        raise SettingsError(msg)
    files = InputFiles.from_names(inputs, options.input_format)
    make_engine = engine or local_engine(jobs, timeout, max_load=0, max_memory=max_memory)
    check_picklable(options.analyzer)
    incoming: _DocumentQueue = queue.Queue(1)
    documents = number_documents(options.reader.read(files.sources()))
    # Reading waits for whoever writes; as a daemon it does not keep us from ending meanwhile.
    threading.Thread(target=_read, args=(documents, incoming), daemon=True).start()
    with make_engine(options.analyzer) as started:
        yield from _Stream(started, options.analyzer, incoming, ordered=ordered).rows()


def _read(documents: Iterator[InputDocument], incoming: _DocumentQueue) -> None:
    """Put documents into the queue; at the end None, or the error that ended the reading."""
    try:
        for document in documents:
            incoming.put(document)
    except Exception as error:
        incoming.put(error)
    else:
        incoming.put(None)


class _Stream:
    """Documents between the input and the output."""

    def __init__(
        self, engine: Engine, analyzer: DocumentAnalyzer, incoming: _DocumentQueue, *, ordered: bool
    ) -> None:
        self._engine, self._analyzer = engine, analyzer
        self._incoming, self._ordered = incoming, ordered
        self._documents: dict[int, InputDocument] = {}
        self._ready: dict[int, AnalyzedDocument] = {}
        self._next = 0
        self._is_more = True

    def rows(self) -> Iterator[AnalyzedDocument]:
        while self._is_more or self._documents:
            while self._can_take and self._take():
                pass
            yield from self._yield_ready()
            if self._engine.waiting or not self._engine.has_room:
                self._receive(self._engine.collect(_POLL_SECONDS if self._can_take else None))
                yield from self._yield_ready()

    @property
    def _can_take(self) -> bool:
        pending = len(self._documents) + len(self._ready)
        return self._is_more and self._engine.has_room and pending < _MAX_PENDING

    def _take(self) -> bool:
        """Take a document in, waiting for it only if there is nothing else to do.

        False if there is none now, or if it has failed and its row can go out at once.
        """
        try:
            document = self._incoming.get(block=not self._documents and not self._ready)
        except queue.Empty:
            return False
        if isinstance(document, Exception):
            raise document
        if document is None:
            self._is_more = False
            return False
        self._documents[document.place] = document
        if document.failure is None:
            self._engine.submit([document])
            return True
        self._finish(document.place, document.failure)
        return False

    def _receive(self, outcomes: list[Outcome]) -> None:
        for outcome in outcomes:
            self._finish(outcome.place, outcome.result)

    def _finish(self, place: int, result: AnalyzedDocument | Failure) -> None:
        document = self._documents.pop(place)
        if isinstance(result, Failure):
            result = self._analyzer.failed(document, result)
        self._ready[place] = result

    def _yield_ready(self) -> Iterator[AnalyzedDocument]:
        """Yield what may go out: in the order of the input, or all that is there."""
        if not self._ordered:
            while self._ready:
                yield self._ready.pop(next(iter(self._ready)))
        while self._next in self._ready:
            self._next += 1
            yield self._ready.pop(self._next - 1)
