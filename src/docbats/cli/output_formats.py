"""The formats in which ``docbats analyze`` prints its results."""

from __future__ import annotations

import io
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from docbats.render.segments_csv import to_csv
from docbats.result import json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from docbats.result import Result

__all__ = ["FORMATS", "View", "check_for_format", "format_of_file", "render_results"]

FORMATS = ("text", "json", "jsonl", "chunks", "csv", "md", "vtt", "youtube")
_PIPE_WIDTH = 80  # columns where there is no terminal


@dataclass(frozen=True)
class View:
    """What is shown of each result, and whether it goes to a terminal."""

    format: str
    top_words: int
    outline: bool
    summaries: bool
    depth: int | None
    on_terminal: bool


def format_of_file(ctx: click.Context, output: str | None) -> str:
    """Return the format that the name of a file asks for; a report is not written so."""
    ending = PurePath(output or "").suffix.lower().removeprefix(".")
    if ending in {"html", "htm"}:
        msg = f"a report is written by --html: use --html {output} instead of -o {output}"
        raise click.UsageError(msg, ctx)
    return ending if ending in FORMATS else "text"


def check_for_format(format_: str) -> Callable[[Result], object] | None:
    """Return a function that raises an error for a result that the format cannot show, if any."""
    if format_ not in {"vtt", "youtube"}:
        return None
    from docbats.render import chapters

    return chapters.to_vtt if format_ == "vtt" else chapters.to_youtube


def render_results(
    results: Iterator[tuple[str, Result]], view: View, *, several: bool
) -> Iterator[str]:
    """Render the results one by one, except for a JSON array and a table, which need them all.

    Where there is no result there is nothing to write, not even the header of a table.
    """
    first = next(results, None)
    if first is None:
        return
    results = chain([first], results)
    if view.format == "csv":
        yield to_csv(results)
    elif view.format == "json":
        values = [_to_dict(name, result, view) for name, result in results]
        yield json_text(values if several else values[0], indent=2) + "\n"
    else:
        separator = "" if view.format in {"jsonl", "chunks"} else "\n"
        for number, (name, result) in enumerate(results):
            yield (separator if number else "") + _render_one(name, result, view)


def _render_one(name: str, result: Result, view: View) -> str:
    match view.format:
        case "jsonl":
            return json_text(_to_dict(name, result, view)) + "\n"
        case "chunks":
            from docbats.render.chunk_lines import to_chunk_lines

            return to_chunk_lines(name, result)
        case "md":
            return result.to_markdown(title=name, **_shown(view))
        case "vtt" | "youtube":
            from docbats.render.chapters import to_vtt, to_youtube

            return to_vtt(result) if view.format == "vtt" else to_youtube(result)
        case _:
            return _to_text(name, result, view)


def _to_dict(name: str, result: Result, view: View) -> dict[str, Any]:
    return {"source": name, **result.to_dict(**_shown(view))}


def _shown(view: View) -> dict[str, Any]:
    return {"top_words": view.top_words, "outline": view.outline, "depth": view.depth}


def _to_text(name: str, result: Result, view: View) -> str:
    from rich.console import Console

    from docbats.render.terminal import to_rich

    width = Console().width if view.on_terminal else _PIPE_WIDTH
    buffer = io.StringIO()
    console = Console(file=buffer, width=width, force_terminal=view.on_terminal, highlight=False)
    console.print(to_rich(result, name, **_shown(view), summaries=view.summaries))
    return "".join(line.rstrip() + "\n" for line in buffer.getvalue().splitlines())
