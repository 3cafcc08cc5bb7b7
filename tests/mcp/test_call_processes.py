"""Calls in processes of their own: slow ones are ended, and others go on."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from docbats import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.integrations("mcp", "docbats[mcp]")


class Calls:
    """Stands for the tools: waits, takes memory, dies, or refuses."""

    def __call__(self, call: Any) -> Any:
        match call.arguments["text"]:
            case "slow":
                time.sleep(600)
            case "large":
                bytearray(10**12)
            case "dead":
                import os

                os._exit(3)
            case "wrong":
                msg = "k must be smaller"
                raise InputError(msg)
        return call.arguments["text"]


@pytest.fixture
def processes() -> Iterator[Any]:
    from docbats.mcp.server import CallProcesses

    made = CallProcesses(Calls(), timeout=2, max_memory=1000)  # type: ignore[arg-type]
    yield made
    made.close()


def call(text: str) -> Any:
    from docbats.mcp.tools import ToolCall

    return ToolCall("outline", {"text": text})


def test_calls_are_answered_and_errors_are_those_of_the_call(processes: Any) -> None:
    assert processes(call("tea")) == "tea"
    with pytest.raises(InputError, match="k must be smaller"):
        processes(call("wrong"))


@pytest.mark.parametrize(
    ("text", "message"),
    [("slow", "longer than 2 seconds"), ("large", "1,000 megabytes"), ("dead", "died")],
)
def test_a_call_that_asks_too_much_ends_and_the_next_is_answered(
    processes: Any, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        processes(call(text))
    assert processes(call("tea")) == "tea"


def test_other_calls_go_on(processes: Any) -> None:
    for text in ("tea", "bats", "moths"):
        processes(call(text))
    slow = threading.Thread(target=pytest.raises, args=(InputError, processes, call("slow")))
    slow.start()
    assert [processes(call(text)) for text in ("tea", "bats")] == ["tea", "bats"]
    assert slow.is_alive()
    slow.join()
