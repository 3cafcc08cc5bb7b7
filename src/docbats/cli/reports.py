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

__all__ = ["check_target", "report_paths", "write_reports"]

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
    if any(os.path.realpath(path) in taken for path in report_paths(target, files).values()):
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
    places = {shown_name(file): path for file, path in report_paths(Path(html), files).items()}
    for name, result in results:
        path = places.pop(name, None)
        if path is None:  # the same file again
            yield name, result
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes_atomically(path, result.to_html(name=name).encode())
        except OSError as error:
            complain(f"{path}: cannot be written: {error.strerror or error}")
            ctx.exit(1)
        if show and not webbrowser.open(path.resolve().as_uri()):
            complain(f"no browser could be opened: the report is {path.resolve()}")
        yield name, result


def report_paths(target: Path, files: Sequence[str]) -> dict[str, Path]:
    """Return the file of each report: the target itself, or one in it where it is a folder.

    A file that is given twice has one report.
    """
    if len(files) == 1 and not target.is_dir():
        return {files[0]: target}
    names: dict[str, str] = {}
    taken: set[str] = set()
    numbers: dict[str, int] = {}  # the last one given to a name, by its stem
    for file in dict.fromkeys(files):
        stem = "standard-input" if file == STDIN else Path(file).stem
        number = numbers.get(stem, 0) + 1
        while (name := f"{stem}.html" if number == 1 else f"{stem}-{number}.html") in taken:
            number += 1
        numbers[stem] = number
        taken.add(name)
        names[file] = name
    return {file: target / name for file, name in names.items()}
