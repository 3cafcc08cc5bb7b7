"""The rows of the settings page, made from the declarations of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats import PRESETS
from docbats.cli.analyze import analyze

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.settings import SettingInfo

HEADER = ("setting, option", *PRESETS, "meaning")


def table_lines(infos: Mapping[str, SettingInfo]) -> list[str]:
    """Return a table of the settings as lines of reStructuredText."""
    lines = [".. list-table::", "   :header-rows: 1", "   :class: settings", ""]
    lines += _row(HEADER)
    for name, info in infos.items():
        lines += _row(setting_cells(name, info))
    return lines


def setting_cells(name: str, info: SettingInfo) -> tuple[str, ...]:
    """Return the cells of a setting: its names, its value in each preset, and what it declares."""
    return (
        "| " + " ".join(f"``{shown}``" for shown in (name, *_options(name))),
        *(_value(getattr(settings, name, info.default)) for settings in PRESETS.values()),
        " ".join(info.sentences),
    )


def _row(cells: tuple[str, ...]) -> list[str]:
    first, *others = cells
    return [f"   * - {first}", *(f"     - {cell}" for cell in others)]


def _options(setting: str) -> list[str]:
    parameters = [parameter for parameter in analyze.params if parameter.name == setting]
    return [option for p in parameters for option in [*p.opts, *p.secondary_opts]]


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(f"{name} {weight:g}" for name, weight in value)
    return f"``{value!r}``"
