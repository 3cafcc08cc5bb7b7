"""Where ``--html`` writes the reports."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

from docbats.atomic_write import write_bytes_atomically
from docbats.cli.files import complain
from docbats.readers.paths import STDIN, shown_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from docbats.result import Result

__all__ = ["check_target", "write_reports"]

_SUFFIXES = {".html", ".htm"}


def check_target(ctx: click.Context, html: str, files: Sequence[str], output: str | None) -> None:
    """Raise UsageError if a report would overwrite a document or another report."""
    target = Path(html)
    if html == STDIN:
        msg = "--html - would mix the report with what is printed: name a file"
        raise click.UsageError(msg, ctx)
    if len(files) > 1 and (target.suffix.lower() in _SUFFIXES or target.is_file()):
        msg = f"--html {html} names one file for {len(files)} documents: name a folder"
        raise click.UsageError(msg, ctx)
    taken = {os.path.realpath(file) for file in [*files, *([output] if output else [])]}
    if any(os.path.realpath(path) in taken for path in _paths(target, files)):
        msg = f"--html {html} would overwrite an input or what -o writes: name another place"
        raise click.UsageError(msg, ctx)


def write_reports(
    ctx: click.Context,
    html: str,
    files: Sequence[str],
    results: Iterator[tuple[str, Result]],
    *,
    show: bool = False,
) -> Iterator[tuple[str, Result]]:
    """Write the report of each result as it passes by, and `show` it in a browser."""
    places = dict(zip(map(shown_name, files), _paths(Path(html), files), strict=True))
    for name, result in results:
        path = places[name]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes_atomically(path, result.to_html(name=name).encode())
        except OSError as error:
            complain(f"{path}: cannot be written: {error.strerror or error}")
            ctx.exit(1)
        if show and not webbrowser.open(path.resolve().as_uri()):
            complain(f"no browser could be opened: the report is {path.resolve()}")
        yield name, result


def _paths(target: Path, files: Sequence[str]) -> list[Path]:
    """Return the file of each report: the target itself, or one in it where it is a folder."""
    if len(files) == 1 and not target.is_dir():
        return [target]
    names: list[str] = []
    for file in files:
        stem = "standard-input" if file == STDIN else Path(file).stem
        name, number = f"{stem}.html", 1
        while name in names:
            number += 1
            name = f"{stem}-{number}.html"
        names.append(name)
    return [target / name for name in names]
