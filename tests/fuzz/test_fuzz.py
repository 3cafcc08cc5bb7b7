"""A little of the fuzzing with each run of the tests; ``make fuzz`` does more of it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fuzz.invariants import check_result
from tests.fuzz.targets import TARGETS, seeds

from docbats import DocbatsError, Document, analyze

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
TEXTS = st.text(
    st.characters() | st.sampled_from("ab .\n'’-#*|<>&é中\u0301\u200d\ud800"), max_size=300
)
NAMES = st.sampled_from([None, "a.md", "a.html", "a.srt", "a.vtt", "a.eml", "a.rtf", "a.ipynb"])


QUICK_TARGETS = ["library", "chunks", "readers", "views", "files", "tables", "bodies"]


@pytest.mark.parametrize("name", QUICK_TARGETS)
@pytest.mark.parametrize("call", range(20))
def test_calls_of_the_harness_hold(name: str, call: int) -> None:
    TARGETS[name](Random(f"test/{name}/{call}"))


@QUICK
@given(TEXTS, st.sampled_from(["auto", 1, 2]), st.sampled_from(["sharp", "paper"]))
def test_any_text_gives_a_result_or_an_error_of_ours(text: str, k: Any, preset: str) -> None:
    try:
        result = analyze(text, k, preset)
    except DocbatsError:
        return
    check_result(result, k)


@QUICK
@given(st.binary(max_size=300) | TEXTS.map(lambda text: text.encode("utf-8", "replace")), NAMES)
def test_any_bytes_are_read_or_refused(data: bytes, name: str | None) -> None:
    try:
        read = Document.read(data, name=name)
    except DocbatsError:
        return
    assert len(read)


@pytest.mark.parametrize("number", range(len(seeds())))
def test_interesting_inputs_are_read_or_refused(number: int) -> None:
    try:
        result = analyze(Document.read(seeds()[number]))
    except DocbatsError:
        return
    check_result(result, None)


@pytest.mark.integrations("mcp", "docbats[mcp]")
@pytest.mark.parametrize("call", range(200))
def test_frames_are_read_or_answered(call: int) -> None:
    TARGETS["frames"](Random(f"test/frames/{call}"))
