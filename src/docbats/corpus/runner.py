"""A run over many documents, into a folder or as a stream, that survives whatever happens."""

from __future__ import annotations

import errno
import queue
import threading
import time
from collections import Counter, deque
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docbats.corpus.documents import SeenIds, number_documents, replace_surrogates
from docbats.corpus.engines import (
    DEFAULT_MAX_MEMORY,
    GroupLimits,
    assign_parts,
    check_picklable,
    group_into_batches,
    local_engine,
)
from docbats.corpus.errors import CorpusError, Failure, ResumeError
from docbats.corpus.options import CorpusOptions
from docbats.corpus.run_folder import (
    PartAssembler,
    find_damage,
    has_checksums,
    open_folder,
    remove_summary,
    report_name,
    write_checksums,
    write_summary,
)
from docbats.corpus.source_files import InputFiles
from docbats.corpus.storage import (
    is_remote,
    make_folder,
    storage_errors,
    strip_file_scheme,
    to_path,
    write_file,
)
from docbats.errors import ReadError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from os import PathLike

    from docbats.corpus.documents import InputDocument
    from docbats.corpus.engines import AnalyzedDocument, Engine, MakeEngine
    from docbats.corpus.formats import Format
    from docbats.corpus.rows import DocumentAnalyzer, RowSummary
    from docbats.corpus.source_files import InputNames, SourceFile

_FEWER = "it has fewer documents"
_MAX_EXAMPLES = 5  # of documents that failed
_MAX_PART_CHARACTERS = 8_000_000  # a change would move the ends of parts: old runs could not resume
_MAX_HELD_BYTES = 64_000_000  # of rows that wait for the rest of their parts
_BATCH_LIMITS = GroupLimits(documents=32, characters=50_000)
_DISK_IS_FULL = {errno.ENOSPC, errno.EDQUOT}
_MAX_PENDING = 64  # documents of a stream that are in memory
_POLL_SECONDS = 0.02  # between two looks at the input while documents are being analyzed


@dataclass(frozen=True)
class Progress:
    """The progress of a run.

    Attributes
    ----------
    documents
        Number of documents that have a row.
    failed
        Number of those that failed.
    resumed
        Number of those that had a row before this run.
    read, total
        Bytes of the input that are done, and their total; `total` is None if it is unknown.
    skipped
        Bytes of the input that were done before this run.
    seconds
        Time since the run began.
    """

    documents: int
    failed: int
    resumed: int
    read: int
    total: int | None
    skipped: int
    seconds: float

    @property
    def rate(self) -> float:
        """Documents per second in this run."""
        return (self.documents - self.resumed) / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Time that the rest will take at this rate; None if it is unknown.

        >>> Progress(20, 0, 0, read=200, total=1000, skipped=0, seconds=5.0).seconds_left
        20.0
        """
        done = self.read - self.skipped
        if self.total is None or done <= 0:
            return None
        return self.seconds * max(0, self.total - self.read) / done


@dataclass(frozen=True)
class Summary:
    """The outcome of a run.

    Attributes
    ----------
    documents
        Number of documents that have a row.
    failures
        Number of documents that failed, by kind of failure.
    resumed
        Number of rows from before this run.
    parts
        Number of parts.
    seconds
        Time that this run took.
    examples
        The first documents of the input that failed, and why.
    repaired
        Files of finished parts that were damaged and have been written again.
    """

    documents: int
    failures: Mapping[str, int]
    resumed: int
    parts: int
    seconds: float
    examples: tuple[tuple[str, Failure], ...] = field(default=(), repr=False)
    repaired: tuple[str, ...] = ()

    @property
    def failed(self) -> int:
        """The number of documents that failed."""
        return sum(self.failures.values())

    @property
    def rate(self) -> float:
        """Documents per second in this run."""
        return (self.documents - self.resumed) / self.seconds if self.seconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the values that are the same for any run with this outcome, ready for JSON."""
        return {
            "documents": self.documents,
            "failed": self.failed,
            "failures": dict(self.failures),
            "parts": self.parts,
        }


class DocumentCounter:
    """Counts documents as they are done."""

    def __init__(self, total: int | None, on_progress: Callable[[Progress], object]) -> None:
        self._total, self._began = total, time.monotonic()
        self._on_progress = on_progress
        self._documents = self._resumed = self._read = self._skipped = 0
        self._failures: Counter[str] = Counter()
        self._examples: dict[int, tuple[str, Failure]] = {}

    def add(
        self, document: InputDocument, failure: Failure | None, *, resumed: bool = False
    ) -> None:
        """Count a document, and report the progress."""
        self._documents += 1
        self._resumed += resumed
        self._read = max(self._read, document.bytes_read)
        if resumed:
            self._skipped = self._read
        if failure is not None:
            self._failures[failure.kind] += 1
            self._examples[document.place] = (document.id, failure)
            if len(self._examples) > _MAX_EXAMPLES:
                del self._examples[max(self._examples)]
        progress = Progress(
            documents=self._documents,
            failed=self._failures.total(),
            resumed=self._resumed,
            read=self._read,
            total=self._total,
            skipped=self._skipped,
            seconds=time.monotonic() - self._began,
        )
        self._on_progress(progress)

    def summary(self, parts: int, repaired: tuple[str, ...] = ()) -> Summary:
        """Return the outcome."""
        return Summary(
            documents=self._documents,
            failures=dict(sorted(self._failures.items())),
            resumed=self._resumed,
            parts=parts,
            seconds=time.monotonic() - self._began,
            examples=tuple(self._examples[place] for place in sorted(self._examples)),
            repaired=repaired,
        )


class PendingDocuments:
    """Documents between the input, the engine and the parts: each gets exactly one row.

    `damaged` names the files of finished parts that are damaged, so that their documents are
    analyzed again.
    """

    def __init__(
        self,
        folder: Path,
        options: CorpusOptions,
        assembler: PartAssembler,
        counter: DocumentCounter,
    ) -> None:
        self._folder, self._format, self._analyzer = folder, options.output, options.analyzer
        self._limits = GroupLimits(options.part_size, _MAX_PART_CHARACTERS)
        self._assembler, self._counter = assembler, counter
        self._finished_parts = self._format.finished(folder)
        self.damaged: list[str] = []
        self._documents: dict[int, InputDocument] = {}

    @property
    def has_room(self) -> bool:
        """Whether more rows may be held."""
        return self._assembler.held < _MAX_HELD_BYTES

    def to_analyze(self, documents: Iterable[InputDocument]) -> Iterator[InputDocument]:
        """Yield the documents to analyze: not those that have failed or are in a finished part.

        ResumeError if a document does not match its row in a finished part.
        """
        part = -1
        rows: deque[RowSummary] | None = None  # that are left of a finished part
        for item in assign_parts(documents, self._limits):
            if item.part != part:
                self._end_part(part, rows)
                part = item.part
                rows = self._read_part(part)
            document = item.document
            if rows is not None:
                row = self._check_row(rows.popleft() if rows else None, document)
                self._counter.add(document, row.failure, resumed=True)
                continue
            self._assembler.expect(part, document.place)
            self._documents[document.place] = document
            if document.failure is None:
                yield document
            else:
                self.add(document.place, document.failure)
        self._end_part(part, rows)
        if any(number > part for number in self._finished_parts):
            raise self._input_changed(_FEWER)

    def add(self, place: int, result: AnalyzedDocument | Failure) -> None:
        """Add the result of a document."""
        document = self._documents.pop(place)
        if isinstance(result, Failure):
            result = self._analyzer.failed(document, result)
        self._assembler.add(place, result)
        self._counter.add(document, result.failure)

    def _read_part(self, part: int) -> deque[RowSummary] | None:
        """Read a finished part; one that is damaged counts as not finished, and is noted."""
        if part not in self._finished_parts or not has_checksums(self._folder, part):
            return None
        damage = find_damage(self._folder, part, self._format.file_names(part))
        if damage is not None:
            self.damaged.append(damage)
            return None
        try:
            return deque(self._format.read(self._folder, part))
        except (ValueError, OSError):
            return None

    def _end_part(self, part: int, rows: deque[RowSummary] | None) -> None:
        if rows:
            raise self._input_changed(_FEWER)
        self._assembler.close(part)

    def _check_row(self, row: RowSummary | None, document: InputDocument) -> RowSummary:
        """Return the row; ResumeError if it is another document's."""
        if (
            row is None
            or row.place != document.place
            or replace_surrogates(row.id) != replace_surrogates(document.id)
            or row.checksum != document.checksum
        ):
            how = f"document {document.place} ({document.id}) is another one"
            raise self._input_changed(how)
        return row

    def _input_changed(self, how: str) -> ResumeError:
        msg = (
            f"the input has changed since {self._folder} was begun: {how}. Give it as it was, or "
            "name another folder to begin anew"
        )
        return ResumeError(msg)


def run(
    inputs: InputNames,
    output: str | PathLike[str],
    options: CorpusOptions | None = None,
    *,
    jobs: int | None = None,
    timeout: float = 60.0,
    max_memory: int | None = DEFAULT_MAX_MEMORY,
    ordered: bool = True,
    resume: bool = False,
    engine: MakeEngine | None = None,
    on_progress: Callable[[Progress], object] = lambda _: None,
) -> Summary:
    """Analyze many documents and write their results, part by part, into a folder.

    Every document has one row, with its result or the reason why there is none. A run that was
    killed can be resumed, and ends with the bytes that it would have written undisturbed.

    Parameters
    ----------
    inputs
        Folders, patterns or files, or their URLs; ``"-"`` is standard input.
    output
        A folder or its URL; it must be empty or not exist, unless the run is resumed.
    options
        How to read, analyze and write.
    jobs
        Number of processes; the number of processors by default.
    timeout
        Seconds that a document may take.
    max_memory
        Megabytes that a process may use; None for no limit.
    ordered
        Whether the rows of a part are in the order of the input, or in the order they were done.
    resume
        Whether to continue the run in the folder, if there is one.
    engine
        Where documents are analyzed. The default is processes of this machine, which `jobs`,
        `timeout` and `max_memory` apply to; :func:`ray_engine` returns another.
    on_progress
        Called after each document.
    """
    options = options or CorpusOptions()
    files = InputFiles.from_names(inputs, options.input_format)
    folder = to_path(strip_file_scheme(output))
    make_engine = engine or local_engine(jobs, timeout, max_memory=max_memory)
    check_picklable(options.analyzer)
    _check_folder_outside_input(files, folder)
    options.output.check()
    if not files.is_stream:
        options.reader.check(chain([_first_source(files)], islice(files.sources(), 1, None)))
    fingerprint = files.fingerprint()
    request = {**options.to_dict(), "input": fingerprint}
    counter = DocumentCounter(fingerprint["bytes"], on_progress)
    with ExitStack() as stack:
        with _write_errors(folder):
            stack.enter_context(open_folder(folder, request, resume=resume))
        write = partial(_write_part, folder, options.output)
        assembler = stack.enter_context(PartAssembler(write, ordered=ordered))
        seen = stack.enter_context(closing(SeenIds()))
        pending = PendingDocuments(folder, options, assembler, counter)
        documents = number_documents(options.reader.read(files.sources()), seen)
        batches = group_into_batches(pending.to_analyze(documents), _BATCH_LIMITS)
        first = next(batches, None)
        if first is not None:  # else no process has to be started
            with make_engine(options.analyzer) as started:
                _analyze_batches(started, chain([first], batches), pending)
        assembler.wait()
        parts = len(options.output.finished(folder))
        summary = counter.summary(parts, repaired=tuple(pending.damaged))
        with _write_errors(folder):
            write_summary(folder, summary.to_dict())
    return summary


def _analyze_batches(
    engine: Engine, batches: Iterator[list[InputDocument]], pending: PendingDocuments
) -> None:
    """Keep the engine busy until everything has come back."""
    is_more = True
    while is_more or engine.waiting:
        while is_more and engine.has_room and (pending.has_room or not engine.waiting):
            batch = next(batches, None)
            if batch is None:
                is_more = False
            else:
                engine.submit(batch)
        if engine.waiting or is_more:
            for outcome in engine.collect():
                pending.add(outcome.place, outcome.result)


def _write_part(
    folder: Path, format_: Format, part: int, analyzed: dict[int, AnalyzedDocument]
) -> None:
    names = list(format_.file_names(part))
    with _write_errors(folder):
        remove_summary(folder)
        for place, document in analyzed.items():
            if document.page is not None:
                path = folder / report_name(place)
                make_folder(path.parent)
                write_file(path, methodcaller("write", document.page))
                names.append(report_name(place))
        format_.write(folder, part, [document.row for document in analyzed.values()])
        write_checksums(folder, part, names)


def _first_source(files: InputFiles) -> SourceFile:
    for source in files.sources():
        return source
    msg = f"{', '.join(files.names)}: there is no file in it"
    raise ReadError(msg)


def _check_folder_outside_input(files: InputFiles, folder: Path) -> None:
    for name in files.names:
        path = to_path(name)
        is_same_storage = is_remote(path) == is_remote(folder)
        if is_same_storage and folder.resolve().is_relative_to(path.resolve()):
            msg = f"{folder} is inside of {name}, which is read: name another folder to write to"
            raise SettingsError(msg)


@contextmanager
def _write_errors(folder: Path) -> Iterator[None]:
    """Turn errors on writing into one that says what to do."""
    try:
        with storage_errors(folder):
            yield
    except OSError as error:
        reason = error.strerror or str(error)
        advice = "make room" if error.errno in _DISK_IS_FULL else "correct that"
        msg = f"{folder}: cannot be written: {reason}: {advice}, then continue with --resume"
        raise CorpusError(msg) from error


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
    """Analyze documents as they arrive, and yield each with its row, a line of JSON.

    If `ordered`, a slow document holds up those behind it, by `timeout` seconds at most. Ids may
    repeat: a feed can have a newer version of a document.
    """
    options = options or CorpusOptions()
    if options.format != "jsonl" or options.reports:
        msg = "a stream is of JSON lines: for anything else name a folder by -o"
        raise SettingsError(msg)
    files = InputFiles.from_names(inputs, options.input_format)
    make_engine = engine or local_engine(jobs, timeout, max_load=0, max_memory=max_memory)
    check_picklable(options.analyzer)
    incoming: _DocumentQueue = queue.Queue(1)
    options.reader.check(source for source in files.sources() if Path(source.path).is_file())
    documents = number_documents(options.reader.read(files.sources()))
    # Reading waits for the writer; a daemon does not keep us from ending in the meantime.
    threading.Thread(target=_read, args=(documents, incoming), daemon=True).start()
    with make_engine(options.analyzer) as started:
        yield from _Stream(started, options.analyzer, incoming, ordered=ordered).rows()


def _read(documents: Iterator[InputDocument], incoming: _DocumentQueue) -> None:
    """Put documents into the queue, then None or the error that ended the reading."""
    try:
        for document in documents:
            incoming.put(document)
        incoming.put(None)
    except Exception as error:
        incoming.put(error)


class _Stream:
    """The documents of a stream between the input and the output."""

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
                for outcome in self._engine.collect(_POLL_SECONDS if self._can_take else None):
                    self._finish(outcome.place, outcome.result)
                yield from self._yield_ready()

    @property
    def _can_take(self) -> bool:
        pending = len(self._documents) + len(self._ready)
        return self._is_more and self._engine.has_room and pending < _MAX_PENDING

    def _take(self) -> bool:
        """Take a document, waiting for it only if there is nothing else to do.

        False if there is none now, or if it has failed and its row can be yielded at once.
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

    def _finish(self, place: int, result: AnalyzedDocument | Failure) -> None:
        document = self._documents.pop(place)
        if isinstance(result, Failure):
            result = self._analyzer.failed(document, result)
        self._ready[place] = result

    def _yield_ready(self) -> Iterator[AnalyzedDocument]:
        """Yield the rows that are ready: the next of the input, or all without an order."""
        if not self._ordered:
            while self._ready:
                yield self._ready.pop(next(iter(self._ready)))
        while self._next in self._ready:
            self._next += 1
            yield self._ready.pop(self._next - 1)
