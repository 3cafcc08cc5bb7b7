"""The job of a worker process: analyze one document and render the result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from docbats.errors import InputError
from docbats.pipeline import BATS
from docbats.render.html import render_article, render_page
from docbats.render.segments_csv import to_csv
from docbats.result import json_text
from docbats.serve.problems import Kind, Problem
from docbats.serve.upload import Upload
from docbats.settings import PRESETS, Settings

if TYPE_CHECKING:
    from docbats.document import Document
    from docbats.result import Result
    from docbats.serve.response_formats import Format

__all__ = ["WARM_UP_JOB", "AnalysisJob", "run_job"]


@dataclass(frozen=True)
class AnalysisJob:
    """A document as it was sent, and what to do with it."""

    upload: Upload
    settings: Settings
    format: Format = "json"
    top_words: int = 10
    outline: bool = False
    depth: int | None = None
    boundaries: tuple[int, ...] | None = None
    max_sentences: int = 50_000
    max_characters: int = 5_000_000


WARM_UP_JOB = AnalysisJob(
    Upload("Bats hunt moths. Moths hear bats. Tea is hot. Hot tea cools."), PRESETS["sharp"]
)

_TOO_MUCH_MEMORY = (
    "The analysis needs more memory than it is allowed: send the document in parts, ask for fewer "
    "segments or topics, or start docbats serve with a larger --max-memory."
)


def run_job(job: AnalysisJob) -> bytes | Problem:
    """Analyze the document and return the rendered result, or the problem with it.

    >>> run_job(AnalysisJob(Upload(" "), PRESETS["sharp"])).kind.label
    'cannot-be-analyzed'
    """
    try:
        opened = job.upload.open(job.settings, job.max_characters)
        _check_size(opened.document, job)
        result = BATS(job.settings)(opened.document, boundaries=job.boundaries)
        result = replace(result, notes=(*opened.notes, *result.notes))
        return _render(result, job).encode("utf-8", "backslashreplace")
    except Problem as problem:
        return problem
    except MemoryError:
        return Problem(Kind.TOO_MUCH_MEMORY, _TOO_MUCH_MEMORY)
    except InputError as error:
        return Problem(Kind.CANNOT_BE_ANALYZED, f"{error}.")


def _check_size(document: Document, job: AnalysisJob) -> None:
    """Raise a problem for too many sentences, or a `max_size` that would split into too many."""
    settings = job.settings
    if len(document) > job.max_sentences:
        size = f"The document has {len(document):,} sentences"
        raise _too_many_sentences(size, job.max_sentences)
    if settings.max_size is None or settings.size_unit == "sentences":
        return
    text = document.text
    length = len(text) if settings.size_unit == "characters" else len(text.split())
    pieces = length // (settings.max_size - settings.overlap)
    if pieces > job.max_sentences:
        size = f"With max_size={settings.max_size} the document has {pieces:,} pieces"
        raise _too_many_sentences(size, job.max_sentences)


def _too_many_sentences(size: str, allowed: int) -> Problem:
    msg = (
        f"{size}, but at most {allowed:,} are allowed: send it in parts, or start docbats serve "
        "with a larger --max-sentences."
    )
    return Problem(Kind.TOO_MANY_SENTENCES, msg)


def _render(result: Result, job: AnalysisJob) -> str:
    name = job.upload.name
    match job.format:
        case "json":
            return json_text(_json_values(result, job)) + "\n"
        case "md":
            return result.to_markdown(title=name, **_shown(job))
        case "csv":
            return to_csv([(name, result)])
        case "html":
            return render_page(result, name)
        case "fragment":
            return render_article(result, name)


def _json_values(result: Result, job: AnalysisJob) -> dict[str, Any]:
    values = result.to_dict(**_shown(job))
    return {"source": job.upload.name, **values} if job.upload.name else values


def _shown(job: AnalysisJob) -> dict[str, Any]:
    return {"top_words": job.top_words, "outline": job.outline, "depth": job.depth}
