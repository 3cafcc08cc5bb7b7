"""One document, analysed and rendered: what a worker process does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.document import Document
from docbats.errors import InputError
from docbats.pipeline import BATS
from docbats.render.html import render_page, render_view
from docbats.render.table import to_csv
from docbats.result import json_text
from docbats.serve.problems import Kind, Problem
from docbats.settings import PRESETS, Settings

if TYPE_CHECKING:
    from docbats.result import Result
    from docbats.serve.formats import Format

__all__ = ["WARM_UP", "Job", "answer"]


@dataclass(frozen=True)
class Job:
    """A document, and what to do with it."""

    text: str
    settings: Settings
    format: Format = "json"
    name: str = ""
    top_words: int = 10
    outline: bool = False
    max_sentences: int = 50_000


WARM_UP = Job("Bats hunt moths. Moths hear bats. Tea is hot. Hot tea cools.", PRESETS["sharp"])

_TOO_MUCH_MEMORY = (
    "The analysis needs more memory than it may take: send the document in parts, ask for fewer "
    "segments or topics, or start docbats serve with a larger --max-memory."
)


def answer(job: Job) -> bytes | Problem:
    """Analyse the document and render the result, or say why that cannot be done.

    >>> answer(Job(" ", PRESETS["sharp"])).detail
    'the document is empty: give a text with at least one sentence.'
    """
    try:
        _check_pieces(job)
        document = Document.from_text(job.text, job.settings.sentences)
        if len(document) > job.max_sentences:
            found = f"It has {len(document):,} sentences"
            raise _too_many(found, job.max_sentences)
        result = BATS(job.settings)(document)
        return _render(result, job).encode("utf-8", "backslashreplace")
    except Problem as problem:
        return problem
    except MemoryError:
        return Problem(Kind.TOO_MUCH_MEMORY, _TOO_MUCH_MEMORY)
    except InputError as error:
        return Problem(Kind.CANNOT_BE_ANALYSED, f"{error}.")


def _check_pieces(job: Job) -> None:
    """Refuse a largest size so small that the text would fall into more pieces than allowed."""
    settings = job.settings
    if settings.max_size is None or settings.size_unit == "sentences":
        return
    size = len(job.text) if settings.size_unit == "characters" else len(job.text.split())
    pieces = size // (settings.max_size - settings.overlap)
    if pieces > job.max_sentences:
        found = f"With max_size={settings.max_size} it has {pieces:,} pieces"
        raise _too_many(found, job.max_sentences)


def _too_many(found: str, allowed: int) -> Problem:
    msg = f"{found}, and {allowed:,} are allowed: send it in parts, or start docbats serve with a "
    return Problem(Kind.TOO_MANY_SENTENCES, f"{msg}larger --max-sentences.")


def _render(result: Result, job: Job) -> str:
    match job.format:
        case "json":
            return json_text(_values(result, job)) + "\n"
        case "md":
            return result.to_markdown(title=job.name, top_words=job.top_words, outline=job.outline)
        case "csv":
            return to_csv([(job.name, result)])
        case "html":
            return render_page(result, job.name)
        case "fragment":
            return render_view(result, job.name)


def _values(result: Result, job: Job) -> dict[str, Any]:
    values = result.to_dict(top_words=job.top_words, outline=job.outline)
    return {"source": job.name, **values} if job.name else values
