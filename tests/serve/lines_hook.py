"""Teaches schemathesis to send lines."""

from __future__ import annotations

from typing import Any

import schemathesis


def send_lines(_: Any, value: Any) -> bytes:
    """Send whatever was made up as it is."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


schemathesis.serializer("application/jsonl")(send_lines)
