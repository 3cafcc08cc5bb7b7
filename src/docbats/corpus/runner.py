"""A whole run: read, spread, survive and write."""

from __future__ import annotations

import errno
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from itertools import chain
from operator import methodcaller
from typing import TYPE_CHECKING

from docbats.corpus.assembly import Assembly
from docbats.corpus.batches import Limits, in_batches
from docbats.corpus.engine import check_call, check_sendable
from docbats.corpus.errors import CorpusError
from docbats.corpus.files import make_folder, write_whole
from docbats.corpus.folder import open_folder, remove_summary, report_path, write_summary
from docbats.corpus.ids import SeenIds
from docbats.corpus.inputs import Inputs
from docbats.corpus.job import Job, numbered
from docbats.corpus.local import LocalEngine, usual_jobs
from docbats.corpus.plan import Plan
from docbats.corpus.storage import here, is_remote, path_of, reaching
from docbats.corpus.summary import Progress, Summary, Tally
from docbats.errors import ReadError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from os import PathLike
    from pathlib import Path

    from docbats.corpus.engine import Answer, Engine, MakeEngine
    from docbats.corpus.formats import Format
    from docbats.corpus.inputs import Names, Source
    from docbats.corpus.record import Record

__all__ = ["make_local", "run"]

_BATCH = Limits(documents=32, characters=50_000)
_FULL = {errno.ENOSPC, errno.EDQUOT}


def run(
    inputs: Names,
    output: str | PathLike[str],
    plan: Plan | None = None,
    *,
    jobs: int | None = None,
    timeout: float = 60.0,
    ordered: bool = True,
    resume: bool = False,
    engine: MakeEngine | None = None,
    on_progress: Callable[[Progress], object] = lambda _: None,
) -> Summary:
    """Analyse many documents and write their results, part by part, into a folder.

    Every document has one row, with its result or with why there is none. A run that was killed can
    be resumed, and ends with the bytes that it would have written undisturbed.

    Parameters
    ----------
    inputs
        Folders, patterns or files, also of other storages, which URLs name; ``"-"`` is standard
        input.
    output
        A folder that is empty or not there yet, unless the run is resumed; or its URL.
    plan
        How to read, analyse and write.
    jobs
        How many processes; as many as there are processors by default.
    timeout
        Seconds that a document may take.
    ordered
        Whether the rows of a part are in the order of the input, or in that in which they came.
    resume
        Whether to go on with the run that the folder holds, if it holds one.
    engine
        What has the work done; processes of this machine by default, for which `jobs` and
        `timeout` are. :func:`ray_engine` gives another.
    on_progress
        Called after each document.
    """
    plan = plan or Plan()
    given = Inputs.from_names(inputs, plan.input_format)
    folder = path_of(here(output))
    make_engine = engine or make_local(jobs, timeout)
    check_sendable(plan.work)
    _check_places(given, folder)
    plan.output.check()
    if not given.is_stream:
        plan.reader.check(_first_source(given))
    fingerprint = given.fingerprint()
    request = {**plan.to_dict(), "input": fingerprint}
    tally = Tally(fingerprint["bytes"])
    with ExitStack() as stack:
        with _writing(folder):
            stack.enter_context(open_folder(folder, request, resume=resume))
        write = partial(_write_part, folder, plan.output)
        assembly = stack.enter_context(Assembly(write, ordered=ordered))
        seen = stack.enter_context(closing(SeenIds()))
        job = Job(folder, plan, assembly, tally, on_progress)
        records = numbered(plan.reader.read(given.sources()), seen)
        batches = in_batches(job.todo(records), _BATCH)
        first = next(batches, None)
        if first is not None:  # else nobody has to be started
            with make_engine(plan.work) as started:
                _drive(started, chain([first], batches), job)
        assembly.wait()
        summary = tally.summary(len(plan.output.finished(folder)))
        with _writing(folder):
            write_summary(folder, summary.to_dict())
    return summary


def make_local(jobs: int | None, timeout: float, ahead: int = _BATCH.characters) -> MakeEngine:
    """Give the local engine, after a look at what it is asked for."""
    check_call(jobs, timeout)
    return partial(LocalEngine, jobs=jobs or usual_jobs(), timeout=timeout, ahead=ahead)


def _drive(engine: Engine, batches: Iterator[list[Record]], job: Job) -> None:
    """Keep the engine busy until everything has come back."""
    is_more = True
    while is_more or engine.waiting:
        while is_more and engine.has_room and (job.has_space or not engine.waiting):
            batch = next(batches, None)
            if batch is None:
                is_more = False
            else:
                engine.submit(batch)
        if engine.waiting or is_more:
            job.take(engine.collect())


def _write_part(folder: Path, format_: Format, part: int, answers: dict[int, Answer]) -> None:
    with _writing(folder):
        remove_summary(folder)
        for place, answer in answers.items():
            if answer.page is not None:
                path = report_path(folder, place)
                make_folder(path.parent)
                write_whole(path, methodcaller("write", answer.page))
        format_.write(folder, part, [answer.row for answer in answers.values()])


def _first_source(inputs: Inputs) -> Source:
    for source in inputs.sources():
        return source
    msg = f"{', '.join(inputs.names)}: there is no file in it"
    raise ReadError(msg)


def _check_places(inputs: Inputs, folder: Path) -> None:
    for name in inputs.names:
        given = path_of(name)
        if is_remote(given) != is_remote(folder):
            continue
        if folder.resolve().is_relative_to(given.resolve()):
            msg = f"{folder} is inside of {name}, which is read: name another folder to write to"
            raise SettingsError(msg)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn errors of writing into one that says what to do."""
    try:
        with reaching(folder):
            yield
    except OSError as error:
        reason = error.strerror or str(error)
        advice = "make room" if error.errno in _FULL else "see to that"
        msg = f"{folder}: cannot be written: {reason}: {advice}, then go on with --resume"
        raise CorpusError(msg) from error
