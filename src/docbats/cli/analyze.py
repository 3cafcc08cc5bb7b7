"""``docbats analyze``: one or more files into topics and segments."""

from __future__ import annotations

import io
import os
import shutil
import sys
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, get_args

import click

from docbats._version import __version__
from docbats.errors import DocbatsError, MissingExtraError, ReadError, SettingsError
from docbats.pipeline import BATS
from docbats.readers.plain import STDIN, read_text, shown_name
from docbats.render.plain import visible
from docbats.render.table import to_csv
from docbats.result import Result, json_text
from docbats.settings import PRESETS, Laplacian, Sentences, Settings, resolve_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["analyze"]

FORMATS = ("text", "json", "jsonl", "csv", "md")
_PIPED, _WIDEST = 80, 100  # columns
_SLOW = 500_000  # characters from which a file takes long enough to show that work goes on

_EXAMPLES = """
\b
Examples:
  docbats report.txt -k 6
  docbats *.txt -k 5 --format jsonl -o outlines.jsonl
  pdftotext talk.pdf - | docbats - -k 8
  docbats transcript.txt -k 10 --sentences lines --format csv

\b
Exit codes: 0 all went well; 1 a file could not be analysed; 2 wrong use.
"""


@click.command(
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option("-k", type=int, help="Number of segments and of topics.")
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True,
    help="What to print: for people (text, md), or for programs (json: an array if there are "
    "several files, jsonl: one line a file, csv: one row a segment).",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file.")
@click.option(
    "--top-words", type=click.IntRange(min=1), default=10, show_default=True,
    help="How many words to show of each topic (and, up to 10, of each segment).",
)  # fmt: skip
@click.option("--encoding", help="Encoding of the files, if not UTF-8.")
@click.option(
    "--sentences", type=click.Choice(get_args(Sentences)),
    help="Find sentences by punctuation (auto, the default), or take each line as one (lines).",
)  # fmt: skip
@click.option(
    "--preset", type=click.Choice(list(PRESETS)), default="paper", show_default=True,
    help="Settings to start from; paper is BATS as published.",
)  # fmt: skip
@click.option("--award", "--lambda", type=float, help="λ of eq. 1: award to nouns and verbs. [1]")
@click.option("-w", "--window", type=int, help="w of eq. 2: sentences bonded on each side. [5]")
@click.option(
    "-d", "--decay", type=float, help="d of eq. 2: weight of each further sentence. [0.7]"
)
@click.option("--tau-p", type=float, help="τ_p of eq. 3, for words. [average degree]")
@click.option("--tau-o", type=float, help="τ_o of eq. 3, for sentences. [average degree]")
@click.option(
    "--laplacian", type=click.Choice(get_args(Laplacian)),
    help="Eq. 3 (regularized, the default), with both τ zero (plain), or left out (none).",
)  # fmt: skip
@click.option("--min-sentences", type=int, help="Keep words that occur in this many sentences. [2]")
@click.option("--stem/--no-stem", default=None, help="Count words of one stem as one. [stem]")
@click.option(
    "--tagger", metavar="NAME",
    help="Who finds nouns and verbs: docbats (the default), spacy:PIPELINE, or none.",
)  # fmt: skip
@click.option(
    "--stop-words", type=click.Path(),
    help="File with stop words, instead of the English ones.",
)  # fmt: skip
@click.option("--restarts", type=int, help="Restarts of KMeans. [10]")
@click.option("--seed", type=int, help="Seed of KMeans and of the SVD. [0]")
@click.version_option(__version__, prog_name="docbats", message="%(prog)s %(version)s")
@click.pass_context
def analyze(
    ctx: click.Context,
    /,
    *,
    files: tuple[str, ...],
    format_: str,
    output: str | None,
    top_words: int,
    encoding: str | None,
    preset: str,
    **changes: Any,
) -> None:
    """Find the topics and the segments of each FILE (- is standard input)."""
    try:
        settings = _settings(preset, changes)
    except SettingsError as error:
        raise click.UsageError(str(error), ctx) from None
    except ReadError as error:
        _complain(error)
        ctx.exit(1)
    inputs = [*files, *filter(None, [changes["stop_words"]])]
    if output is not None and any(_same_file(output, file) for file in inputs):
        msg = f"-o {output} would overwrite an input: name another file"
        raise click.UsageError(msg, ctx)
    failures: list[str] = []
    results = _results(files, encoding, settings, failures)
    in_colour = output is None and _is_terminal(sys.stdout)
    try:
        _write(_rendered(results, format_, top_words, len(files) > 1, in_colour), output)
    except BrokenPipeError:
        raise  # whoever reads has seen enough, and click ends quietly
    except OSError as error:
        _complain(f"{output or 'standard output'}: cannot be written: {error.strerror or error}")
        ctx.exit(1)
    ctx.exit(1 if failures else 0)


def _settings(preset: str, changes: dict[str, Any]) -> Settings:
    """Turn the options that were given into settings; the others keep the preset's values."""
    given = {name: value for name, value in changes.items() if value is not None}
    if given.get("tagger") == "none":
        given["tagger"] = None
    elif not str(given.get("tagger", "docbats")).startswith(("docbats", "spacy:")):
        msg = f"--tagger {given['tagger']} makes no sense: give docbats, spacy:PIPELINE or none"
        raise SettingsError(msg)
    if "stop_words" in given:
        given["stop_words"] = frozenset(read_text(given["stop_words"]).lower().split())
    if "k" not in given:
        msg = "Missing option '-k': say how many segments and topics you want, for example -k 5."
        raise SettingsError(msg)
    return resolve_settings(preset, **given)


def _results(
    files: tuple[str, ...], encoding: str | None, settings: Settings, failures: list[str]
) -> Iterator[tuple[str, Result]]:
    """Analyse file after file; one that cannot be analysed is reported and passed over."""
    bats = BATS(settings)
    for file in files:
        name = shown_name(file)
        try:
            text = read_text(file, encoding)
            with _busy(name, len(text)):
                result = bats(text)
        except MissingExtraError as error:  # no other file would fare better
            failures.append(file)
            _complain(error)
            return
        except DocbatsError as error:
            failures.append(file)
            message = str(error)
            _complain(message if message.startswith(f"{name}: ") else f"{name}: {message}")
        else:
            yield name, result


def _rendered(
    results: Iterator[tuple[str, Result]], format_: str, top_words: int, several: bool, tty: bool
) -> Iterator[str]:
    """Render the results one by one, except for a JSON array and a table, which need them all.

    Where there is no result there is nothing to write, not even the heads of a table.
    """
    first = next(results, None)
    if first is None:
        return
    results = chain([first], results)
    if format_ == "csv":
        yield to_csv(results)
    elif format_ == "json":
        values = [_named_dict(name, result, top_words) for name, result in results]
        yield json_text(values if several else values[0], indent=2) + "\n"
    else:
        for number, (name, result) in enumerate(results):
            if format_ == "jsonl":
                yield json_text(_named_dict(name, result, top_words)) + "\n"
            elif format_ == "md":
                yield "\n" * (number > 0) + result.to_markdown(title=name, top_words=top_words)
            else:
                yield "\n" * (number > 0) + _terminal_text(name, result, top_words, tty)


def _named_dict(name: str, result: Result, top_words: int) -> dict[str, Any]:
    return {"source": name, **result.to_dict(top_words=top_words)}


def _terminal_text(name: str, result: Result, top_words: int, tty: bool) -> str:
    from rich.console import Console

    from docbats.render.terminal import to_rich

    width = min(Console().width, _WIDEST) if tty else _PIPED
    buffer = io.StringIO()
    console = Console(file=buffer, width=width, force_terminal=tty, highlight=False)
    console.print(to_rich(result, name, top_words))
    return "".join(line.rstrip() + "\n" for line in buffer.getvalue().splitlines())


def _write(pieces: Iterable[str], output: str | None) -> None:
    """Write to standard output as the pieces come, or to a file that appears when all is done."""
    if output is None:
        for piece in pieces:
            click.echo(piece.encode("utf-8", "backslashreplace"), nl=False)
        return
    target = Path(output)
    if target.exists() and not target.is_file():  # a pipe or a device, which must stay one
        _write_file(pieces, target)
        return
    target = target.resolve()
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        _write_file(pieces, unfinished)
        if target.exists():
            shutil.copymode(target, unfinished)
        if unfinished.stat().st_size:
            unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _write_file(pieces: Iterable[str], path: Path) -> None:
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        file.writelines(pieces)


def _busy(name: str, size: int) -> AbstractContextManager[object]:
    """Show that work goes on, where it may take seconds and somebody is looking."""
    if size < _SLOW or not _is_terminal(sys.stderr):
        return nullcontext()
    from rich.console import Console
    from rich.text import Text

    return Console(stderr=True).status(Text(f"Analysing {visible(name)} ({size:,} characters)"))


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()  # None where the shell closed it


def _same_file(output: str, file: str) -> bool:
    return file != STDIN and Path(output).resolve() == Path(file).resolve()


def _complain(message: object) -> None:
    click.echo(f"docbats: {visible(str(message))}", err=True)
