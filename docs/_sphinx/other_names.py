"""Link types, which are named by where they are defined, to where they are documented."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import docbats
import docbats.corpus

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


def setup(app: Sphinx) -> dict[str, Any]:
    """Look for the public name if the full one is not documented."""
    app.connect("missing-reference", _find)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _find(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: Element
) -> Element | None:
    if node.get("refdomain") != "py":
        return None
    name = node["reftarget"].rpartition(".")[2]
    for package in (docbats, docbats.corpus):
        if name in package.__all__:
            python = env.get_domain("py")
            target = f"{package.__name__}.{name}"
            page = node["refdoc"]
            return python.resolve_xref(env, page, app.builder, "obj", target, node, content)
    return None
