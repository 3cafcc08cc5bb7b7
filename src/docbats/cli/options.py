"""Options that several commands share, and the settings that they make."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, get_args

import click

from docbats.cli.files import complain
from docbats.errors import ReadError, SettingsError
from docbats.readers.decoding import read_text
from docbats.readers.kinds import KINDS
from docbats.settings import PRESETS, Sentences, Settings, Unit, resolve_settings
from docbats.text.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable

    Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
    _NumberOrWord = click.ParamType[int | str]
else:
    _NumberOrWord = click.ParamType  # older than 8.4, click has no types to give it

__all__ = [
    "NumberOrAuto",
    "file_options",
    "language_option",
    "main_settings",
    "sentences_option",
    "settings_or_exit",
]


class NumberOrAuto(_NumberOrWord):
    """A whole number, or the word auto."""

    name = "NUMBER|auto"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | str:
        """Read what was given."""
        if value == "auto":
            return "auto"
        return int(click.INT.convert(value, param, ctx))


def _all(*options: Decorator) -> Decorator:
    """Make one decorator of several, the first at the top of the help."""
    return lambda command: reduce(lambda made, option: option(made), reversed(options), command)


sentences_option = click.option(
    "--sentences", type=click.Choice(get_args(Sentences)),
    help="Find sentences by punctuation (auto, the default), or take each line as one (lines).",
)  # fmt: skip

language_option = click.option(
    "--language", type=click.Choice(["auto", *LANGUAGES]), metavar="CODE",
    help=f"Language of the text: {', '.join(LANGUAGES)}; by default found out (auto).",
)  # fmt: skip

file_options = _all(
    click.option(
        "--type", "kind", type=click.Choice(KINDS), help="Kind of the files; by default found out."
    ),
    click.option("--encoding", help="Encoding of the files; by default found out."),
)
"""How files are read: the arguments `kind` and `encoding`."""

main_settings = _all(
    click.option(
        "-k", type=NumberOrAuto(),
        help="Number of segments, and of topics; by default the text decides (auto).",
    ),
    click.option("--n-topics", type=int, help="Number of topics, if not that of the segments."),
    click.option("--min-size", type=int, help="Least size of a segment, wherever the text allows."),
    click.option(
        "--max-size", type=int, help="Largest size of a segment; longer sentences are split."
    ),
    click.option(
        "--size-unit", type=click.Choice(get_args(Unit)), help="What sizes count. [sentences]"
    ),
    click.option(
        "--overlap", type=int, help="How much of the text before it a segment shows again."
    ),
    sentences_option,
    language_option,
    click.option(
        "--preset", type=click.Choice(list(PRESETS)), default="sharp", show_default=True,
        help="Settings to start from: the better ones (sharp), or BATS as published (paper).",
    ),
    click.option(
        "--tagger", metavar="NAME",
        help="Who finds nouns and verbs: docbats (the default; English), spacy:PIPELINE, or none.",
    ),
    click.option(
        "--stop-words", type=click.Path(),
        help="File with stop words, instead of those of the language.",
    ),
)  # fmt: skip
"""The settings that most people change: `preset`, and others by their names."""


def settings_or_exit(ctx: click.Context, preset: str, changes: dict[str, Any]) -> Settings:
    """Turn the options that were given into settings; the others keep the preset's values."""
    try:
        return _settings(preset, changes)
    except SettingsError as error:
        raise click.UsageError(str(error), ctx) from None
    except ReadError as error:
        complain(error)
        ctx.exit(1)


def _settings(preset: str, changes: dict[str, Any]) -> Settings:
    given = {name: value for name, value in changes.items() if value is not None}
    if given.get("tagger") == "none":
        given["tagger"] = None
    elif not str(given.get("tagger", "docbats")).startswith(("docbats", "spacy:")):
        msg = f"--tagger {given['tagger']} makes no sense: give docbats, spacy:PIPELINE or none"
        raise SettingsError(msg)
    if "stop_words" in given:
        given["stop_words"] = frozenset(read_text(given["stop_words"]).lower().split())
    return resolve_settings(preset, **given)
