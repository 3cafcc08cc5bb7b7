"""The folder of a run: its parts, their checksums, and the lock on it."""

from __future__ import annotations

import hashlib
import json
import re
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from docbats.corpus.errors import CorpusError, ResumeError
from docbats.corpus.formats import part_name
from docbats.corpus.storage import (
    lock_folder,
    make_folder,
    remove_unfinished_files,
    storage_errors,
    write_file,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from docbats.corpus.engines import AnalyzedDocument

_LINE = re.compile(r"([0-9a-f]{64})  ([^\r\n]+)")
_CHUNK_SIZE = 1 << 20


def write_checksums(folder: Path, part: int, names: Iterable[str]) -> None:
    """Write the checksums of files, named relative to the folder."""
    lines = [f"{_checksum(folder / name)}  {name}\n" for name in names]
    path = _path(folder, part)
    make_folder(path.parent)
    write_file(path, lambda file: file.write("".join(lines).encode()))


def has_checksums(folder: Path, part: int) -> bool:
    """Whether a part was finished."""
    return _path(folder, part).exists()


def find_damage(folder: Path, part: int, names: Iterable[str]) -> str | None:
    """Return the name of a file that is missing or has changed; None if there is none.

    The files are those with checksums, which must include `names`.
    """
    path = _path(folder, part)
    own = f"{path.parent.name}/{path.name}"
    try:
        lines = path.read_text("ascii").splitlines()
    except (OSError, ValueError):
        return own
    found = [_LINE.fullmatch(line) for line in lines]
    written = {line[2]: line[1] for line in found if line is not None}
    if len(written) != len(lines) or not written.keys() >= set(names):
        return own
    for name, checksum in written.items():
        try:
            is_same = _checksum(folder / name) == checksum
        except OSError:
            is_same = False
        if not is_same:
            return name
    return None


def _path(folder: Path, part: int) -> Path:
    return folder / "checksums" / part_name(part, "sha256")


def _checksum(path: Path) -> str:
    total = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_SIZE):
            total.update(chunk)
    return total.hexdigest()


@dataclass
class _Part:
    expected: int = 0
    is_closed: bool = False
    documents: dict[int, AnalyzedDocument] = field(default_factory=dict)


class PartAssembler:
    """Gathers rows into parts, and writes each once it is closed and complete.

    Parts are written one at a time in another thread; an error is raised with the next part, or at
    the end. `held` is the number of bytes that wait for the rest of their parts.

    `write` takes the number of a part, and its analyzed documents by their places: if `ordered`, in
    the order of the input, else in the order in which they were added.
    """

    def __init__(
        self, write: Callable[[int, dict[int, AnalyzedDocument]], None], *, ordered: bool
    ) -> None:
        self._write, self._ordered = write, ordered
        self._parts: dict[int, _Part] = {}
        self._part_of: dict[int, int] = {}
        self._thread = ThreadPoolExecutor(1, "docbats-writer")
        self._writing: Future[None] | None = None
        self.held = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._thread.shutdown(wait=True)

    def expect(self, part: int, place: int) -> None:
        """Expect the document at a place in a part."""
        self._parts.setdefault(part, _Part()).expected += 1
        self._part_of[place] = part

    def close(self, part: int) -> None:
        """Expect no more documents in a part."""
        if part in self._parts:
            self._parts[part].is_closed = True
            self._write_if_complete(part)

    def add(self, place: int, document: AnalyzedDocument) -> None:
        """Add a document that was expected."""
        part = self._part_of.pop(place)
        self._parts[part].documents[place] = document
        self.held += _size(document)
        self._write_if_complete(part)

    def wait(self) -> None:
        """Wait until everything that is complete is written."""
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.result()

    def _write_if_complete(self, number: int) -> None:
        part = self._parts[number]
        if not part.is_closed or len(part.documents) < part.expected:
            return
        del self._parts[number]
        self.wait()
        self.held -= sum(map(_size, part.documents.values()))
        documents = dict(sorted(part.documents.items())) if self._ordered else part.documents
        self._writing = self._thread.submit(self._write, number, documents)


def _size(document: AnalyzedDocument) -> int:
    return len(document.row) + len(document.page or b"")


_REQUEST_FILE, _SUMMARY_FILE = "run.json", "summary.json"


@contextmanager
def open_folder(folder: Path, request: Mapping[str, Any], *, resume: bool) -> Iterator[None]:
    """Lock the folder for the run of `request`; ResumeError if it has another run's output."""
    with ExitStack() as stack:
        try:
            make_folder(folder)
            is_ours = stack.enter_context(lock_folder(folder))
        except OSError as error:
            msg = f"{folder}: cannot be used as a folder: {error.strerror or error}"
            raise CorpusError(msg) from None
        if not is_ours:
            msg = f"{folder}: another run is writing there: wait for its end"
            raise ResumeError(msg)
        remove_unfinished_files(folder)
        _begin_or_resume(folder, request, resume=resume)
        yield


def read_request(folder: Path) -> dict[str, Any]:
    """Read the request of a run; CorpusError if there is none."""
    try:
        with storage_errors(folder):
            text = (folder / _REQUEST_FILE).read_text(encoding="utf-8")
        request: dict[str, Any] = json.loads(text)
        request["format"]
    except FileNotFoundError:
        msg = f"{folder}: not the output of a run: there is no {_REQUEST_FILE} in it"
        raise CorpusError(msg) from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        msg = (
            f"{folder / _REQUEST_FILE}: damaged ({reason}), so that nobody knows what the run was "
            "asked for: restore it from a copy, or name another folder to begin anew"
        )
        raise CorpusError(msg) from None
    return request


def write_summary(folder: Path, summary: Mapping[str, Any]) -> None:
    """Write the outcome of a finished run."""
    _write(folder / _SUMMARY_FILE, summary)


def remove_summary(folder: Path) -> None:
    """Mark a run as not finished."""
    (folder / _SUMMARY_FILE).unlink(missing_ok=True)


def is_complete(folder: Path) -> bool:
    """Whether the run is finished."""
    return (folder / _SUMMARY_FILE).exists()


def report_name(place: int) -> str:
    """Return the name of the file with a document's page; a folder has a thousand.

    >>> report_name(12345)
    'reports/000012/000012345.html'
    """
    return f"reports/{place // 1000:06}/{place:09}.html"


def _begin_or_resume(folder: Path, request: Mapping[str, Any], *, resume: bool) -> None:
    if not (folder / _REQUEST_FILE).exists():
        # Some storages have no folder with nothing in it.
        if folder.exists() and any(folder.iterdir()):
            msg = f"{folder}: there are files in it, but not those of a run: name another folder"
            raise ResumeError(msg)
        _write(folder / _REQUEST_FILE, request)
        return
    if not resume:
        msg = f"{folder}: holds a run already: continue it with --resume, or name another folder"
        raise ResumeError(msg)
    before, now = _flatten(read_request(folder)), _flatten(json.loads(json.dumps(request)))
    differing = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    if differing:
        shown = "; ".join(_difference(name, before, now) for name in differing[:5])
        msg = (
            f"{folder}: was begun with something else: {shown}. Ask for the same again, or name "
            "another folder to begin anew"
        )
        raise ResumeError(msg)


def _flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Name each value by the path to it.

    >>> _flatten({"input": {"files": 3}, "k": 2})
    {'input files': 3, 'k': 2}
    """
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            flat |= _flatten(value, f"{prefix}{name} ")
        else:
            flat[prefix + name] = value
    return flat


def _difference(name: str, before: dict[str, Any], now: dict[str, Any]) -> str:
    was, is_ = (json.dumps(values.get(name), ensure_ascii=False) for values in (before, now))
    if name == "input sha256":
        return "other names or sizes of files"
    return f"{name} was {was[:80]} and is {is_[:80]} now"


def _write(path: Path, values: Mapping[str, Any]) -> None:
    data = (json.dumps(values, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace")
    write_file(path, lambda file: file.write(data))
