from __future__ import annotations

import pytest

from docbats.titles.phrase_tokens import gerund, write_with_gerund


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        *(("install", "installing"), ("make", "making"), ("die", "dying"), ("see", "seeing")),
        *(("run", "running"), ("stop", "stopping"), ("fix", "fixing"), ("show", "showing")),
        *(
            ("commit", "committing"),
            ("begin", "beginning"),
            ("open", "opening"),
            ("play", "playing"),
        ),
        *(("read", "reading"), ("quit", "quitting"), ("agree", "agreeing"), ("dye", "dyeing")),
        *(("building", "building"), ("sing", "singing"), ("be", "being"), ("visit", "visiting")),
    ],
)
def test_gerunds(verb: str, form: str) -> None:
    assert gerund(verb) == form


@pytest.mark.parametrize(
    ("phrase", "title"),
    [
        ("set up a mail server", "setting up a mail server"),
        ("choose your tools", "choosing the tools"),
        ("compare these two files", "comparing two files"),
        ("working with bees", "working with bees"),
        ("rest", "resting"),
    ],
)
def test_phrases_with_verbs(phrase: str, title: str) -> None:
    assert write_with_gerund(phrase) == title
