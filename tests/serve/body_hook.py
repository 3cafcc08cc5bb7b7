"""Teaches schemathesis to send lines and files."""

from __future__ import annotations

from typing import Any

import schemathesis

from docbats.serve.responses import FILES, LINES


def send_as_it_is(_: Any, value: Any) -> bytes:
    """Send whatever was made up as it is."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


for media in (LINES[0], *FILES):
    schemathesis.serializer(media)(send_as_it_is)
