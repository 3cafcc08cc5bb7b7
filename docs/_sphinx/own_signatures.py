"""Show the signature of ``__init__`` for classes whose parent is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sphinx.util.inspect import signature, stringify_signature

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Run before numpydoc, which would use the signature of the mocked parent."""
    app.connect("autodoc-process-signature", _find, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _find(
    app: Sphinx,  # noqa: ARG001
    what: str,
    name: str,
    thing: Any,
    *rest: object,  # noqa: ARG001
) -> tuple[str, str] | None:
    if what != "class" or not name.startswith("docbats.integrations."):
        return None
    ours = (each for each in thing.__mro__ if each.__module__.startswith("docbats."))
    init = next(vars(each)["__init__"] for each in ours if "__init__" in vars(each))
    own = signature(init, bound_method=True)
    return stringify_signature(own, show_return_annotation=False, unqualified_typehints=True), ""
