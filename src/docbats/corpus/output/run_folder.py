"""The folder of a run: what the run was asked for, its parts, and nobody else in it.

What is finished is what the parts themselves say; there is no other list that could disagree. The
folder holds ``run.json``, which says what the run was asked for, the parts, and at the end
``summary.json``.
"""

from __future__ import annotations

import json
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from docbats.corpus.errors import CorpusError, ResumeError
from docbats.corpus.output.output_files import (
    lock_folder,
    make_folder,
    remove_unfinished_files,
    write_file,
)
from docbats.corpus.storage import storage_errors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = [
    "is_complete",
    "open_folder",
    "read_request",
    "remove_summary",
    "report_name",
    "write_summary",
]

_REQUEST_FILE, _SUMMARY_FILE = "run.json", "summary.json"


@contextmanager
def open_folder(folder: Path, request: Mapping[str, Any], *, resume: bool) -> Iterator[None]:
    """Hold the folder for a run that asks for `request`; ResumeError if it holds another one."""
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
        _check_request(folder, request, resume=resume)
        if not (folder / _REQUEST_FILE).exists():
            _write(folder / _REQUEST_FILE, request)
        yield


def read_request(folder: Path) -> dict[str, Any]:
    """Read what a run was asked for; CorpusError where there is none."""
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
    """Write what came out; the same for any run with the same outcome."""
    _write(folder / _SUMMARY_FILE, summary)


def remove_summary(folder: Path) -> None:
    """Make a run that is finished count as one that is not."""
    (folder / _SUMMARY_FILE).unlink(missing_ok=True)


def is_complete(folder: Path) -> bool:
    """Whether the run has come to its end."""
    return (folder / _SUMMARY_FILE).exists()


def report_name(place: int) -> str:
    """Return the name of the file of a document's page; there are a thousand in a folder.

    >>> report_name(12345)
    'reports/000012/000012345.html'
    """
    return f"reports/{place // 1000:06}/{place:09}.html"


def _check_request(folder: Path, request: Mapping[str, Any], *, resume: bool) -> None:
    if not (folder / _REQUEST_FILE).exists():
        # Some storages have no folder with nothing in it.
        if folder.exists() and any(folder.iterdir()):
            msg = f"{folder}: there are files in it, but not those of a run: name another folder"
            raise ResumeError(msg)
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
