"""A run that writes a folder: read, have analyzed, write, and survive whatever happens."""

from __future__ import annotations

import errno
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from itertools import chain
from operator import methodcaller
from typing import TYPE_CHECKING

from docbats.corpus.corpus_options import CorpusOptions
from docbats.corpus.engines.engine import check_picklable
from docbats.corpus.engines.local_engine import DEFAULT_MAX_MEMORY, local_engine
from docbats.corpus.errors import CorpusError
from docbats.corpus.grouping import GroupLimits, group_into_batches
from docbats.corpus.input.numbering import SeenIds, number_documents
from docbats.corpus.input.source_files import InputFiles
from docbats.corpus.output.output_files import make_folder, write_file
from docbats.corpus.output.part_assembler import PartAssembler
from docbats.corpus.output.part_checksums import write_checksums
from docbats.corpus.output.run_folder import (
    open_folder,
    remove_summary,
    report_name,
    write_summary,
)
from docbats.corpus.pending_documents import PendingDocuments
from docbats.corpus.run_summary import DocumentCounter, Progress, Summary
from docbats.corpus.storage import is_remote, storage_errors, strip_file_scheme, to_path
from docbats.errors import ReadError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from os import PathLike
    from pathlib import Path

    from docbats.corpus.engines.engine import AnalyzedDocument, Engine, MakeEngine
    from docbats.corpus.input.input_document import InputDocument
    from docbats.corpus.input.source_files import InputNames, SourceFile
    from docbats.corpus.output.formats import Format

__all__ = ["run"]

_BATCH_LIMITS = GroupLimits(documents=32, characters=50_000)
_DISK_IS_FULL = {errno.ENOSPC, errno.EDQUOT}


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

    Every document has one row, with its result or with why there is none. A run that was killed can
    be resumed, and ends with the bytes that it would have written undisturbed.

    Parameters
    ----------
    inputs
        Folders, patterns or files, also of other storages, which URLs name; ``"-"`` is standard
        input.
    output
        A folder that is empty or not there yet, unless the run is resumed; or its URL.
    options
        How to read, analyze and write.
    jobs
        How many processes; as many as there are processors by default.
    timeout
        Seconds that a document may take.
    max_memory
        Megabytes that a process may take for a document; None for as many as there are.
    ordered
        Whether the rows of a part are in the order of the input, or in that in which they came.
    resume
        Whether to continue the run that the folder holds, if it holds one.
    engine
        What has documents analyzed; processes of this machine by default, for which `jobs`,
        `timeout` and `max_memory` are. :func:`ray_engine` returns another.
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
        options.reader.check(_first_source(files))
    fingerprint = files.fingerprint()
    request = {**options.to_dict(), "input": fingerprint}
    counter = DocumentCounter(fingerprint["bytes"])
    with ExitStack() as stack:
        with _write_errors(folder):
            stack.enter_context(open_folder(folder, request, resume=resume))
        write = partial(_write_part, folder, options.output)
        assembler = stack.enter_context(PartAssembler(write, ordered=ordered))
        seen = stack.enter_context(closing(SeenIds()))
        pending = PendingDocuments(folder, options, assembler, counter, on_progress)
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
            pending.add_outcomes(engine.collect())


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
        if is_remote(path) != is_remote(folder):
            continue
        if folder.resolve().is_relative_to(path.resolve()):
            msg = f"{folder} is inside of {name}, which is read: name another folder to write to"
            raise SettingsError(msg)


@contextmanager
def _write_errors(folder: Path) -> Iterator[None]:
    """Turn errors of writing into one that says what to do."""
    try:
        with storage_errors(folder):
            yield
    except OSError as error:
        reason = error.strerror or str(error)
        advice = "make room" if error.errno in _DISK_IS_FULL else "correct that"
        msg = f"{folder}: cannot be written: {reason}: {advice}, then continue with --resume"
        raise CorpusError(msg) from error
