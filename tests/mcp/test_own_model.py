"""A server of tools that was started with a model of your own."""

from __future__ import annotations

import pickle

import pytest
from tests.fitting.texts import make_parts, with_paragraphs

from docbats.segments.own_model import OwnModel

pytestmark = pytest.mark.integrations("mcp", "docbats[mcp]")

TEXT = "\n\n".join(map(with_paragraphs, make_parts(seed=99, n_parts=14)))


def test_calls_are_answered_by_the_model() -> None:
    from docbats.mcp.allowed_folders import AllowedFolders
    from docbats.mcp.answers import AnalysisAnswer
    from docbats.mcp.tools import ToolCall, ToolCalls

    folders = AllowedFolders.from_names((), 10**6)
    call = ToolCall(
        "describe",
        {"first": 1, "path": None, "text": TEXT, "lines": False, "k": "auto",
         "granularity": "medium"},
    )  # fmt: skip
    found = {}
    for parts in (1.0, 4.0):
        calls = ToolCalls(folders, 20_000, OwnModel(parts=parts))
        answer = calls(call)
        assert isinstance(answer, AnalysisAnswer)
        found[parts] = len(answer.segments)
        assert pickle.loads(pickle.dumps(calls))(call) == answer
    assert found[1.0] < 11 < found[4.0]
