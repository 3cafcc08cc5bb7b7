"""Options that several commands share, generated from the settings, and the way back."""

from __future__ import annotations

import sys
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from docbats.cli.files import complain
from docbats.errors import DocbatsError, ReadError, SettingsError
from docbats.readers.decoding import read_text
from docbats.readers.kinds import KINDS
from docbats.settings import (
    PRESETS,
    SETTING_INFOS,
    Flag,
    ModelFile,
    OneOf,
    RealNumber,
    Settings,
    WholeNumber,
    WordSet,
    describe_presets,
    resolve_settings,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from docbats.segments.own_model import OwnModel
    from docbats.settings import SettingInfo

    Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
    _NumberOrWordType = click.ParamType[int | str]
    _OffsetsType = click.ParamType[tuple[int, ...]]
else:
    # Before 8.4, click.ParamType takes no type arguments.
    _NumberOrWordType = _OffsetsType = click.ParamType


class NumberOrWord(_NumberOrWordType):
    """A whole number or a certain word, such as auto."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.name = f"NUMBER|{word}"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | str:
        """Return the word itself, or else a number."""
        if value == self.word:
            return self.word
        try:
            return int(value)
        except ValueError:
            self.fail(f"must be a whole number or {self.word}, got {value}", param, ctx)


class Offsets(_OffsetsType):
    """Whole numbers, separated by commas."""

    name = "N,N,..."

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, ...]:
        """Return the numbers."""
        parts = [part.strip() for part in str(value).split(",")]
        if not all(part.isascii() and part.isdecimal() for part in parts):
            msg = f"must be whole numbers separated by commas, such as 0,1200,3400, got {value}"
            self.fail(msg, param, ctx)
        return tuple(map(int, parts))


def setting_option(name: str, info: SettingInfo) -> Decorator:
    """Return the option for a setting, generated from its declaration.

    The settings check the limits, so that the error is the same everywhere.
    """
    long = name.replace("_", "-")
    option = f"-{long}" if len(long) == 1 else f"--{long}"
    if isinstance(info.value, Flag):
        option += f"/--no-{long}"
    short = [alias for alias in info.aliases if not alias.startswith("--")]
    other = [alias for alias in info.aliases if alias.startswith("--")]
    return click.option(
        *short, option, *other, name,
        type=_type(info), metavar=info.metavar, default=None, help=option_help(name, info),
    )  # fmt: skip


def option_help(name: str, info: SettingInfo) -> str:
    """Return the help text of a setting, with its limits and defaults."""
    return info.help_with(info.in_the_paper, _limits(info), _defaults(name, info))


def setting_options(*names: str) -> Decorator:
    """Return a decorator that adds the options for these settings to a command."""
    return together(setting_option(name, SETTING_INFOS[name]) for name in names)


def _type(info: SettingInfo) -> click.ParamType[Any] | None:
    match info.value:
        case WholeNumber(word=word):
            return click.INT if word is None else NumberOrWord(word)
        case RealNumber():
            return click.FLOAT
        case OneOf(choices=choices):
            return click.Choice(choices)
        case WordSet() | ModelFile():
            return click.Path()
        case Flag():
            return None  # click infers it from the two names of the option
    return click.STRING


def _limits(info: SettingInfo) -> str:
    match info.value:
        case WholeNumber(limits=limits) | RealNumber(limits=limits):
            return limits
        case OneOf(choices=choices) if info.metavar is not None:
            return ", ".join(choices)
        case WordSet():
            return "a text file"
        case ModelFile():
            return "a JSON file"
        case _:
            return ""  # click itself shows the values of a choice


def _defaults(name: str, info: SettingInfo) -> str:
    """Return the default, and the values of presets that differ from it."""
    if isinstance(info.value, WordSet):
        return ""  # there is no file by default
    usual = [] if info.default is None else [f"default: {_shown(info.default)}"]
    values = {preset: getattr(settings, name, info.default) for preset, settings in PRESETS.items()}
    others = [f"{preset}: {_shown(v)}" for preset, v in values.items() if v != info.default]
    return ", ".join([*usual, *others])


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def together(options: Iterable[Decorator]) -> Decorator:
    """Return one decorator that adds several options, the first at the top of the help."""
    in_order = list(options)
    return lambda command: reduce(lambda made, option: option(made), reversed(in_order), command)


file_options = together(
    [
        click.option(
            "--type", "kind", type=click.Choice(KINDS), metavar="KIND",
            help=f"Kind of the files: {', '.join(KINDS)}. Detected automatically by default.",
        ),
        click.option(
            "--encoding", help="Encoding of the files; detected automatically by default."
        ),
    ]
)  # fmt: skip
"""Options for reading files: the arguments `kind` and `encoding`."""


def main_settings_except(*others: str) -> Decorator:
    """Return options for the settings that most people change except `others`, and `preset`."""
    names = (name for name, info in SETTING_INFOS.items() if info.main and name not in others)
    preset = click.option(
        "--preset", type=click.Choice(list(PRESETS)), default="sharp", show_default=True,
        help=describe_presets(),
    )  # fmt: skip
    return together([setting_options(*names), preset])


main_settings = main_settings_except()
"""Options for the settings that most people change, and `preset`."""

method_settings = setting_options(
    *(name for name, info in SETTING_INFOS.items() if info.command and not info.main)
)
"""Options for the other settings."""


model_option = setting_options("model")
"""The option `model`, for commands without other settings."""


namer_option = setting_options("namer")
"""The option `namer`, likewise."""


def namer_or_exit(ctx: click.Context, namer: str | None) -> str | None:
    """Return where to import the namer from; None without one."""
    found: Any = settings_or_exit(ctx, "sharp", {"namer": namer}).namer
    return None if found is None else str(found)


def model_or_exit(ctx: click.Context, path: str | None) -> OwnModel | None:
    """Return the model in a file; None without a path."""
    return settings_or_exit(ctx, "sharp", {"model": path}).own_model


tokenizers_option = click.option(
    "--tokenizer", "tokenizers", multiple=True, metavar="[NAME=]TOKENIZER",
    help="Allow sizes of chunks in tokens of this file tokenizer.json, encoding of tiktoken or "
    "model of the Hugging Face hub, under this name; may be repeated, and the first is the "
    "default.  [none]",
)  # fmt: skip
"""The tokenizers that clients may name, for commands that serve."""


def tokenizers_or_exit(ctx: click.Context, options: Sequence[str]) -> dict[str, str]:
    """Return the tokenizers by the names that clients know; all of them can be loaded."""
    from docbats.chunks.sizes import make_sizes

    found = {}
    for option in options:
        name, _, tokenizer = option.partition("=")
        found[name] = tokenizer or name
        try:
            make_sizes("tokens", found[name])
        except SettingsError as error:
            raise click.UsageError(str(error), ctx) from None
        except DocbatsError as error:
            complain(error)
            ctx.exit(1)
    return found


def check_token(ctx: click.Context, token: str | None, *, no_token: bool) -> None:
    """End with a usage error if a token cannot be sent, or is given and refused at once."""
    if token is not None and not (token.isascii() and token.isprintable() and token.strip()):
        msg = "--token must consist of printable ASCII characters: choose another token"
        raise click.UsageError(msg, ctx)
    if token is not None and no_token:
        msg = "--token and --no-token cannot be used together: leave one out"
        raise click.UsageError(msg, ctx)


def settings_or_exit(ctx: click.Context, preset: str, changes: dict[str, Any]) -> Settings:
    """Return the settings that the options ask for; those not given keep the preset's values."""
    try:
        return _settings(preset, changes)
    except SettingsError as error:
        raise click.UsageError(str(error), ctx) from None
    except ReadError as error:
        complain(error)
        ctx.exit(1)


def _settings(preset: str, changes: dict[str, Any]) -> Settings:
    given = {name: value for name, value in changes.items() if value is not None}
    tagger = given.get("tagger", "docbats")
    if tagger == "none":
        given["tagger"] = None
    elif not tagger.startswith(("docbats", "spacy:")):
        msg = f"--tagger must be docbats, spacy:PIPELINE or none, got {tagger}"
        raise SettingsError(msg)
    if "namer" in given and (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)  # where its module may be; worker processes inherit it
    if "stop_words" in given:
        given["stop_words"] = frozenset(read_text(given["stop_words"]).lower().split())
    return resolve_settings(preset, **given)


_REST = "Details of the method"


class GroupedCommand(click.Command):
    """A command whose help lists its options in groups.

    `groups` maps the title of each group to the names of its parameters; the others come last.
    """

    groups: ClassVar[Mapping[str, Sequence[str]]] = {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a list of options for each group."""
        records = {
            param.name: record
            for param in self.get_params(ctx)
            if isinstance(param, click.Option)  # newer versions of click list arguments as well
            and (record := param.get_help_record(ctx)) is not None
        }
        for title, names in self.groups.items():
            listed = [records.pop(name) for name in names if name in records]
            if listed:
                with formatter.section(title):
                    formatter.write_dl(listed)
        others = [records.pop(name) for name in ("version", "help") if name in records]
        for title, rest in ((_REST, list(records.values())), ("Other", others)):
            if rest:
                with formatter.section(title):
                    formatter.write_dl(rest)
