"""``.. settings-table::``: every setting, by the dataclass, its docstring and the command."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from docutils.statemachine import StringList
from numpydoc.docscrape import ClassDoc
from sphinx.util.docutils import SphinxDirective

from docbats import PRESETS, Settings
from docbats.cli.analyze import analyze

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("settings-table", SettingsTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class SettingsTable(SphinxDirective):
    """A table of all settings."""

    def run(self) -> list[Node]:
        """Write the table as reStructuredText and have it parsed."""
        lines = [".. list-table::", "   :header-rows: 1", "   :class: settings", ""]
        lines += _row(["setting, option"], ["sharp"], ["paper"], ["meaning"])
        for names, meaning in _meanings():
            lines += _row(
                [_named(name) for name in names],
                [_value("sharp", name) for name in names],
                [_value("paper", name) for name in names],
                meaning,
            )
        return self.parse_text_to_nodes("\n".join(StringList(lines, __file__)))


def _meanings() -> list[tuple[list[str], list[str]]]:
    """Give the settings that the docstring explains together, and what it says."""
    told = [(entry.name.split(", "), entry.desc) for entry in ClassDoc(Settings)["Attributes"]]
    missing = {field.name for field in fields(Settings)} - {n for names, _ in told for n in names}
    if missing:
        msg = f"the docstring of Settings does not explain {', '.join(sorted(missing))}"
        raise ValueError(msg)
    return told


def _row(settings: list[str], sharp: list[str], paper: list[str], meaning: list[str]) -> list[str]:
    """Give a row, in which each setting has a line of its own."""
    cells = [[f"| {line}" for line in lines] for lines in (settings, sharp, paper)]
    marks = ("   * - ", "     - ", "     - ", "     - ")
    return [
        (mark if number == 0 else "       ") + line
        for mark, cell in zip(marks, [*cells, meaning], strict=True)
        for number, line in enumerate(cell)
    ]


def _named(setting: str) -> str:
    options = [
        option
        for parameter in analyze.params
        if parameter.name == setting
        for option in [*parameter.opts, *parameter.secondary_opts]
    ]
    return f"``{setting}``" + "".join(f" ``{option}``" for option in options)


def _value(preset: str, setting: str) -> str:
    value = getattr(PRESETS[preset], setting)
    if setting == "class_weights":
        return ", ".join(f"{name} {weight:g}" for name, weight in value)
    return f"``{value!r}``"
