"""Teaches schemathesis to send lines and files, and what it cannot know of our answers."""

from __future__ import annotations

from typing import Any

import schemathesis

from docbats.serve.responses import FILES, LINES


def send_as_it_is(_: Any, value: Any) -> bytes:
    """Send whatever was made up as it is."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


for media in (LINES[0], *FILES):
    schemathesis.serializer(media)(send_as_it_is)


@schemathesis.hook
def filter_case(_: Any, case: Any) -> bool:
    """Leave out bodies of lines that are not text: sent, they would be lines as all others."""
    return case.media_type != LINES[0] or isinstance(case.body, str | bytes)


@schemathesis.check
def what_agrees_with_the_schema_is_not_called_invalid(_: Any, response: Any, case: Any) -> None:
    """Only requests that break the schema are answered with a list of wrong fields."""
    if case.meta.generation.mode.is_positive and response.status_code == 422:
        assert "errors" not in response.json(), response.text
