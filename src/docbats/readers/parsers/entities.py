"""Character references such as ``&eacute;`` and ``&#233;``."""

from __future__ import annotations

import html
import re

__all__ = ["unescape"]

# Python converts no number of thousands of digits; with eight or more there is no such character.
_LEADING_ZEROS = re.compile(r"(?<=&#)0++(?=[0-9])")
_NO_CHARACTER = re.compile(r"&#[1-9][0-9]{7,}+;?")


def unescape(text: str) -> str:
    r"""Replace character references, those to no character by U+FFFD, as browsers do.

    >>> unescape("&eacute;&#233;"), unescape("&#" + "9" * 5000 + ";") == "\ufffd"
    ('éé', True)
    """
    if "&#" in text:
        text = _NO_CHARACTER.sub("\ufffd", _LEADING_ZEROS.sub("", text))
    return html.unescape(text)
