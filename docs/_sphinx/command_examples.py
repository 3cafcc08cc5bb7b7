"""Show the examples at the end of a command's help literally: a star is not emphasis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import click
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Replace what sphinx-click makes of the examples."""
    app.connect("sphinx-click-process-epilog", _keep)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _keep(app: Sphinx, ctx: click.Context, lines: list[str]) -> None:  # noqa: ARG001
    examples = (ctx.command.epilog or "").replace("\b\n", "").strip().splitlines()
    lines[:] = (
        [".. code-block:: text", "", *(f"   {line}" for line in examples), ""] if examples else []
    )
