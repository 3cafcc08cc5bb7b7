"""One document, analysed and rendered: what a worker process does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from docbats.errors import InputError
from docbats.pipeline import BATS
from docbats.render.html import render_article, render_page
from docbats.render.segments_csv import to_csv
from docbats.result import json_text
from docbats.serve.opening import Source
from docbats.serve.problems import Kind, Problem
from docbats.settings import PRESETS, Settings

if TYPE_CHECKING:
    from docbats.document import Document
    from docbats.result import Result
    from docbats.serve.formats import Format

__all__ = ["WARM_UP", "Job", "answer"]


@dataclass(frozen=True)
class Job:
    """A document, and what to do with it."""

    source: Source
    settings: Settings
    format: Format = "json"
    top_words: int = 10
    outline: bool = False
    max_sentences: int = 50_000


WARM_UP = Job(
    Source("Bats hunt moths. Moths hear bats. Tea is hot. Hot tea cools."), PRESETS["sharp"]
)

_TOO_MUCH_MEMORY = (
    "The analysis needs more memory than it may take: send the document in parts, ask for fewer "
    "segments or topics, or start docbats serve with a larger --max-memory."
)


def answer(job: Job) -> bytes | Problem:
    """Analyse the document and render the result, or say why that cannot be done.

    >>> answer(Job(Source(" "), PRESETS["sharp"])).detail
    'the document is empty: give a text with at least one sentence.'
    """
    try:
        opened = job.source.open(job.settings)
        _check_size(opened.document, job)
        result = BATS(job.settings)(opened.document)
        result = replace(result, notes=(*opened.notes, *result.notes))
        return _render(result, job).encode("utf-8", "backslashreplace")
    except Problem as problem:
        return problem
    except MemoryError:
        return Problem(Kind.TOO_MUCH_MEMORY, _TOO_MUCH_MEMORY)
    except InputError as error:
        return Problem(Kind.CANNOT_BE_ANALYSED, f"{error}.")


def _check_size(document: Document, job: Job) -> None:
    """Refuse too many sentences, and pieces where the largest size is so small as to make them."""
    settings = job.settings
    if len(document) > job.max_sentences:
        found = f"It has {len(document):,} sentences"
        raise _too_many(found, job.max_sentences)
    if settings.max_size is None or settings.size_unit == "sentences":
        return
    text = document.text
    size = len(text) if settings.size_unit == "characters" else len(text.split())
    pieces = size // (settings.max_size - settings.overlap)
    if pieces > job.max_sentences:
        found = f"With max_size={settings.max_size} it has {pieces:,} pieces"
        raise _too_many(found, job.max_sentences)


def _too_many(found: str, allowed: int) -> Problem:
    msg = f"{found}, and {allowed:,} are allowed: send it in parts, or start docbats serve with a "
    return Problem(Kind.TOO_MANY_SENTENCES, f"{msg}larger --max-sentences.")


def _render(result: Result, job: Job) -> str:
    name = job.source.name
    match job.format:
        case "json":
            return json_text(_values(result, job)) + "\n"
        case "md":
            return result.to_markdown(title=name, top_words=job.top_words, outline=job.outline)
        case "csv":
            return to_csv([(name, result)])
        case "html":
            return render_page(result, name)
        case "fragment":
            return render_article(result, name)


def _values(result: Result, job: Job) -> dict[str, Any]:
    values = result.to_dict(top_words=job.top_words, outline=job.outline)
    return {"source": job.source.name, **values} if job.source.name else values
