"""Links from a page to files outside the site: code, results, folders of the repository.

On a code host they work as they are. In the site, a file becomes a download, and a folder, or a
page outside the site, is named without a link, unless ``DOCBATS_SOURCE_URL`` says where the
repository is, such as ``https://forge.example/docbats/blob/main``.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(((?:\.\./)+[^)#\s]*)(#[^)\s]*)?\)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Rewrite the links as pages are read."""
    app.connect("source-read", _change)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _change(app: Sphinx, page: str, source: list[str]) -> None:
    docs = Path(app.srcdir)
    folder = (docs / page).parent
    address = os.environ.get("DOCBATS_SOURCE_URL")

    def changed(link: re.Match[str]) -> str:
        text, target, anchor = link.groups(default="")
        path = (folder / target).resolve()
        if path.is_relative_to(docs):
            return link[0]
        if address:
            return f"[{text}]({address}/{path.relative_to(docs.parent)}{anchor})"
        return text if path.is_dir() or path.suffix == ".md" else link[0]

    source[0] = _LINK.sub(changed, source[0])
