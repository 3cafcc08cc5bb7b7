"""Things that go wrong on purpose; imported by its own name, also in other processes."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from docbats import Settings
from docbats.corpus import CorpusOptions, ray_engine, run
from docbats.corpus.engines import AnalyzedDocument, Outcome
from docbats.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.corpus.documents import InputDocument
    from docbats.corpus.engines import AnalyzeDocument


def tagger(tokens: list[str]) -> list[str]:
    """Tag everything as a noun, but trip over some words."""
    if "Zcrash" in tokens:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "Zhang" in tokens:
        time.sleep(1000)
    if "Zraise" in tokens:
        msg = "a word that nobody expected"
        raise RuntimeError(msg)
    return ["NN"] * len(tokens)


class HereEngine:
    """Does the work here and at once: the smallest engine."""

    def __init__(self, analyze: AnalyzeDocument) -> None:
        self._analyze = analyze
        self._done: list[Outcome] = []

    @property
    def has_room(self) -> bool:
        return not self._done

    @property
    def waiting(self) -> int:
        return len(self._done)

    def submit(self, batch: Sequence[InputDocument]) -> None:
        self._done += [Outcome(document.place, self._analyze(document)) for document in batch]

    def collect(self, timeout: float | None = None) -> list[Outcome]:  # noqa: ARG002
        done, self._done = self._done, []
        return done

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass


class LateEngine(HereEngine):
    """Gives the first document back only when nothing else is left to do."""

    def __init__(self, analyze: AnalyzeDocument) -> None:
        super().__init__(analyze)
        self._late: list[Outcome] = []
        self.submitted_meanwhile = 0

    @property
    def waiting(self) -> int:
        return len(self._done) + len(self._late)

    def submit(self, batch: Sequence[InputDocument]) -> None:
        super().submit(batch)
        if batch[0].place == 0:
            self._late = [self._done.pop(0)]
        else:
            self.submitted_meanwhile += bool(self._late)

    def collect(self, timeout: float | None = None) -> list[Outcome]:
        if self._done:
            return super().collect(timeout)
        late, self._late = self._late, []
        return late


class EchoEngine(HereEngine):
    """Has no work done: a row is what the document says."""

    def __init__(self, analyze: AnalyzeDocument) -> None:  # noqa: ARG002
        super().__init__(lambda document: AnalyzedDocument(str(document.content).encode()))


def run_on_ray(inputs: str, output: str, address: str, resume: bool = False) -> None:
    """Run with the tagger that trips, on a cluster."""
    options = CorpusOptions(settings=Settings(tagger=tagger), part_size=4)
    run(inputs, output, options, engine=ray_engine(address, timeout=3), resume=resume)


def run_and_die(inputs: str, output: str, options: CorpusOptions, moment: int) -> None:
    """Resume a run, and be killed at the n-th time that a file of the output is touched."""
    touched = 0

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal touched
        if event in {"open", "os.rename", "os.mkdir"} and str(arguments[0]).startswith(output):
            touched += 1
            if touched == moment:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    run(inputs, output, options, resume=True, engine=HereEngine)


def work(document: InputDocument) -> AnalyzedDocument:
    """Do what the text says, and give it back."""
    text = str(document.content)
    if text == "crash":
        os._exit(3)
    if text == "crash once":
        with suppress(FileExistsError):
            Path(os.environ["DOCBATS_TEST_MARK"]).touch(exist_ok=False)
            os._exit(3)
    if text == "hang":
        time.sleep(1000)
    if text.startswith("sleep"):
        time.sleep(30)
    return AnalyzedDocument(text.encode())


def lacking_work(document: InputDocument) -> AnalyzedDocument:  # noqa: ARG001
    """Need something that is not there."""
    msg = 'it needs spaCy: pip install "docbats[spacy]"'
    raise MissingExtraError(msg)


def dying_work(document: InputDocument) -> AnalyzedDocument:  # noqa: ARG001
    """Not even begin."""
    os._exit(3)
