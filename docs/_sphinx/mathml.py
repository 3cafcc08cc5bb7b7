"""Equations as MathML, which browsers render natively: no script, no font, no network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils.nodes import SkipNode
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

if TYPE_CHECKING:
    from docutils.nodes import math, math_block
    from sphinx.application import Sphinx

_log = logging.getLogger(__name__)
_TAG = re.compile(r"\\tag\{([^}]*)\}")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the renderer ``mathml``."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(writer: Any, node: math) -> None:
    writer.body.append(_mathml(node, node.astext(), as_block=False))
    raise SkipNode


def _block(writer: Any, node: math_block) -> None:
    r"""Show an equation, with its number next to it if it has one (``\tag{1}``)."""
    tex = node.astext()
    tag = _TAG.search(tex)
    number = "" if tag is None else f'<span class="eqno">({tag[1]})</span>'
    drawn = _mathml(node, _TAG.sub("", tex), as_block=True)
    writer.body.append(f'<div class="equation"><div>{drawn}</div>{number}</div>\n')
    raise SkipNode


def _mathml(node: math | math_block, tex: str, *, as_block: bool) -> str:
    try:
        return str(tex2mathml(tex, as_block=as_block))
    except MathError as error:
        _log.warning("%s: %s", error, tex, location=node)
        return f"<code>{tex}</code>"
