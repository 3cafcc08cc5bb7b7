"""A setting is declared once: the command, the service and the docs show what it declares."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest
from click.testing import CliRunner
from pydantic import BaseModel, ValidationError

from docbats import PRESETS, Settings
from docbats.cli.analyze import analyze
from docbats.cli.corpus import corpus
from docbats.cli.options import option_help, setting_option
from docbats.serve.schema import DocumentRequest, Query, settings_model
from docbats.settings import (
    PRESET_HELP,
    SETTING_INFOS,
    Flag,
    Function,
    OneOf,
    RealNumber,
    SettingInfo,
    WholeNumber,
    WordSet,
    describe_attributes,
    setting,
    setting_infos,
)

if TYPE_CHECKING:
    from types import ModuleType

ROWS = Path(__file__).parent.parent / "docs" / "_sphinx" / "settings_rows.py"

IN_THE_LIBRARY_ONLY = {"class_weights", "embeddings", "embedding_unit", "vectors"}


@dataclass(frozen=True, kw_only=True)
class MadeUp:
    depth: int = setting(
        3,
        WholeNumber(1, 9),
        help="How deep to look.",
        symbol="h",
        section="eq. 99",
        aliases=("-D",),
    )
    pace: float = setting(0.5, RealNumber(0, 2), help="How fast to look.")
    color: str = setting("red", OneOf("red", "blue"), help="Where to look.")
    twice: bool = setting(False, Flag(), help="Look again.")


MADE_UP = setting_infos(MadeUp)


@pytest.fixture(scope="module")
def rows() -> ModuleType:
    """What makes the rows of the settings page, without the site around it."""
    spec = spec_from_file_location("settings_rows", ROWS)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def options(command: click.Command) -> dict[str | None, click.Option]:
    return {param.name: param for param in command.params if isinstance(param, click.Option)}


def properties(model: type[BaseModel]) -> dict[str, Any]:
    found: dict[str, Any] = model.model_json_schema()["properties"]
    return found


# The settings


def test_every_field_is_declared_with_help() -> None:
    assert list(SETTING_INFOS) == [field.name for field in fields(Settings)]
    for name, info in SETTING_INFOS.items():
        assert info.help[0].isupper(), name
        assert info.help.endswith("."), name
        assert info.value.expected, name
        assert info.default == getattr(Settings(), name), name
        assert info.symbol == "" or info.section, name


def test_every_setting_has_an_option_with_its_help() -> None:
    found = options(analyze)
    assert {name for name, info in SETTING_INFOS.items() if not info.command} == IN_THE_LIBRARY_ONLY
    assert SETTING_INFOS.keys() - found.keys() == IN_THE_LIBRARY_ONLY
    for name in SETTING_INFOS.keys() - IN_THE_LIBRARY_ONLY:
        assert found[name].help == option_help(name, SETTING_INFOS[name])


def test_the_main_settings_are_options_of_the_corpus_too() -> None:
    assert isinstance(corpus, click.Group)
    found = options(corpus.commands["run"])
    main = {name for name, info in SETTING_INFOS.items() if info.main}
    assert SETTING_INFOS.keys() & found.keys() == main


def test_every_setting_is_in_the_schema_with_its_help() -> None:
    found = properties(DocumentRequest)
    left_out = {*IN_THE_LIBRARY_ONLY, "model", "namer", "namer_timeout", "tagger"}
    assert SETTING_INFOS.keys() - found.keys() == left_out
    for name in SETTING_INFOS.keys() - left_out:
        assert found[name]["description"].startswith(SETTING_INFOS[name].help)
        assert SETTING_INFOS[name].in_the_paper in found[name]["description"]
    assert found["preset"]["enum"] == list(PRESETS) == list(PRESET_HELP)
    assert "stop_words" not in properties(Query)


def test_the_limits_of_the_schema_are_those_declared() -> None:
    found = properties(DocumentRequest)
    for name, info in SETTING_INFOS.items():
        if not info.service:
            continue
        schema = found[name]["anyOf"][0]
        match info.value:
            case WholeNumber() | RealNumber():
                assert schema["minimum"] == info.value.minimum
                most = info.service_maximum or min(info.value.maximum, 10**9)
                assert schema["maximum"] == most
            case OneOf():
                assert tuple(schema["enum"]) == info.value.choices
            case WordSet():
                assert schema["items"] == {"type": "string"}
            case _:
                assert schema["type"] == "boolean"


def test_every_setting_is_on_the_settings_page(rows: ModuleType) -> None:
    lines = "\n".join(rows.table_lines(SETTING_INFOS))
    for name, info in SETTING_INFOS.items():
        for shown in (f"``{name}``", info.help, info.value.expected, info.in_the_paper):
            assert shown in lines
    cells = rows.setting_cells("window", SETTING_INFOS["window"])
    assert cells[:3] == ("| ``window`` ``-w`` ``--window``", "``1``", "``5``")


def test_every_setting_is_in_the_docstring() -> None:
    assert Settings.__doc__ is not None
    assert describe_attributes(SETTING_INFOS) in Settings.__doc__


# A new setting


@pytest.mark.parametrize("name", MADE_UP)
def test_a_new_setting_becomes_an_option(name: str) -> None:
    @click.command()
    @setting_option(name, MADE_UP[name])
    def command(**values: object) -> None:
        click.echo(values)

    output = " ".join(CliRunner().invoke(command, ["--help"]).output.split())
    assert f"--{name}" in output
    assert MADE_UP[name].help in output
    assert CliRunner().invoke(command).output == f"{ {name: None} }\n"


def test_an_option_shows_aliases_limits_default_and_paper() -> None:
    @click.command()
    @setting_option("depth", MADE_UP["depth"])
    def command(**values: object) -> None:
        click.echo(values)

    output = " ".join(CliRunner().invoke(command, ["--help"]).output.split())
    assert "-D, --depth INTEGER How deep to look." in output
    assert "[h of eq. 99; between 1 and 9; default: 3]" in output
    assert CliRunner().invoke(command, ["-D", "4"]).output == "{'depth': 4}\n"


def test_a_new_setting_becomes_a_field_of_requests() -> None:
    model = settings_model("Request", BaseModel, MADE_UP)
    schema = properties(model)
    assert list(schema) == list(MADE_UP)
    assert schema["depth"]["description"] == "How deep to look.  [h of eq. 99]"
    assert schema["depth"]["anyOf"][0] == {"type": "integer", "minimum": 1, "maximum": 9}
    assert model(depth=9, color="blue", twice=True).model_dump() == {
        "depth": 9, "pace": None, "color": "blue", "twice": True,
    }  # fmt: skip
    for wrong in ({"depth": 10}, {"pace": -1}, {"color": "green"}, {"twice": "often"}):
        with pytest.raises(ValidationError):
            model(**wrong)


def test_a_new_setting_becomes_a_row_and_an_attribute(rows: ModuleType) -> None:
    lines = rows.table_lines(MADE_UP)
    meaning = (
        "How deep to look. It must be a whole number, between 1 and 9. In the paper: h of eq. 99."
    )
    assert f"     - {meaning}" in lines
    assert "depth\n    How deep to look.\n    It must be a whole" in describe_attributes(MADE_UP)


def test_what_no_request_can_hold_must_be_left_out_of_them() -> None:
    @dataclass(frozen=True)
    class Wrong:
        act: Any = setting(None, Function("a function"), help="What to do.")  # noqa: RUF009

    with pytest.raises(TypeError, match="declare the setting with service=False"):
        settings_model("Request", BaseModel, setting_infos(Wrong))


# What values may be


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        (SETTING_INFOS["k"], 'a whole number, at least 1, or "auto"'),
        (SETTING_INFOS["n_topics"], "a whole number, at least 1, or None"),
        (SETTING_INFOS["window"], "a whole number, at least 0"),
        (SETTING_INFOS["decay"], "a number between 0 and 1"),
        (SETTING_INFOS["tau_p"], "a number between 0 and 1000000000, or None"),
        (SETTING_INFOS["laplacian"], "one of regularized, plain, none"),
        (SETTING_INFOS["stem"], "True or False"),
        (SETTING_INFOS["stop_words"], '"auto", "english" or a set of words'),
    ],
)
def test_limits_in_words(info: SettingInfo, expected: str) -> None:
    assert info.value.expected == expected


def test_whole_numbers_are_at_most_what_numpy_can_hold() -> None:
    assert WholeNumber(0).check(sys.maxsize) == sys.maxsize
    with pytest.raises(ValueError, match=f"at most {sys.maxsize}"):
        WholeNumber(0).check(sys.maxsize + 1)
