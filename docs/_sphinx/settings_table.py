"""``.. settings-table::``: a table of every setting, from its declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils.statemachine import StringList
from settings_rows import table_lines
from sphinx.util.docutils import SphinxDirective

from docbats.settings import SETTING_INFOS

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
        return self.parse_text_to_nodes("\n".join(StringList(table_lines(SETTING_INFOS), __file__)))
