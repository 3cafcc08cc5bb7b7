from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docbats import Document, ReadError
from docbats.readers.read_file import read_file

WHISPER = {
    "text": " Bats hunt moths. Tea cools.",
    "segments": [
        {"start": 0.0, "end": 2.5, "text": " Bats hunt"},
        {"start": 2.5, "end": 4.0, "text": " moths."},
        {"start": 9.0, "end": 11.0, "text": " Tea cools."},
    ],
}


def turns(data: Any) -> list[tuple[str, str | None, tuple[float, float] | None]]:
    read = read_file(json.dumps(data).encode())
    assert read.kind == "messages"
    return [(read.text[b.start : b.end], b.speaker, b.seconds) for b in read.blocks]


def test_segments_are_joined_to_one_text() -> None:
    assert turns(WHISPER) == [("Bats hunt moths.", None, (0, 4)), ("Tea cools.", None, (9, 11))]


@pytest.mark.parametrize("source", ["string", "bytes"])
def test_data_is_recognized_as_a_string_and_as_a_file(source: str) -> None:
    text = json.dumps(WHISPER)
    document = Document.of(text if source == "string" else text.encode())
    assert list(document.sentences) == ["Bats hunt moths.", "Tea cools."]


def test_names_are_written_before_turns_and_are_no_prose() -> None:
    segments = [
        {"speaker": name, "startTime": i, "endTime": i + 1, "body": text}
        for i, (name, text) in enumerate([("Anna", "Bats"), ("Anna", "hunt."), ("Bob", "Tea.")])
    ]
    found = turns({"version": "1.0.0", "segments": segments})
    assert found == [("Anna: Bats hunt.", "Anna", (0, 2)), ("Bob: Tea.", "Bob", (2, 3))]
    read = read_file(json.dumps({"segments": segments}).encode())
    assert (read.prose or "").split() == ["Bats", "hunt.", "Tea."]


def test_messages_of_a_chat_are_turns_in_the_order_of_their_times() -> None:
    messages = [
        {"ts": "1711358192.5", "text": "Tea &amp; <https://x.example|cake>?", "user": "U2"},
        {"ts": "1711358132.0", "text": "Bats!", "user": "U1", "user_profile": {"real_name": "Ann"}},
        {"ts": "1711358100.0", "text": "", "user": "U1"},
    ]
    assert turns(messages) == [
        ("Ann: Bats!", "Ann", (33332, 33392.5)),
        ("U2: Tea & cake?", "U2", (33392.5, 33392.5)),
    ]


def test_pieces_of_telegram_are_joined_and_its_own_lines_left_out() -> None:
    messages = [
        {"type": "service", "date": "2024-03-25T09:00:00", "action": "invite", "text": "x"},
        {"type": "message", "date": "2024-03-25T09:15:32", "from": "Ann",
         "text": ["See ", {"type": "link", "text": "bats.example"}, "."]},
    ]  # fmt: skip
    assert turns({"messages": messages}) == [
        ("Ann: See bats.example.", "Ann", (33332, 33332)),
    ]


def test_what_slack_and_discord_note_themselves_is_left_out() -> None:
    slack = [
        {"type": "message", "subtype": "channel_join", "user": "U1", "ts": "1711358100.0",
         "text": "<@U1> has joined the channel"},
        {"type": "message", "ts": "1711358132.0", "text": "Bats!", "user": "U1"},
        {"type": "message", "subtype": "thread_broadcast", "ts": "1711358133.0", "text": "Tea!",
         "user": "U2"},
    ]  # fmt: skip
    assert [text for text, *_ in turns(slack)] == ["U1: Bats!", "U2: Tea!"]
    discord = [
        {"type": kind, "timestamp": "2024-03-25T09:15:32+00:00", "content": text,
         "author": {"name": "ann"}}
        for kind, text in (("GuildMemberJoin", "Joined the server."), ("Default", "Bats!"),
                           ("ChannelPinnedMessage", "Pinned a message."), ("Reply", "Tea!"))
    ]  # fmt: skip
    assert [text for text, *_ in turns({"messages": discord})] == ["ann: Bats!", "ann: Tea!"]


def test_rows_of_whisper_have_thousandths() -> None:
    read = read_file(b"start\tend\ttext\n0\t1500\tBats hunt.\n1500\t3000\tTea cools.\nx\ty\tz\n")
    assert (read.kind, read.text) == ("messages", "Bats hunt. Tea cools.")
    assert read.blocks[0].seconds == (0, 3)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2]}', "[]", "{}", '[{"text": "Bats"}]', '{"segments": "start"}', "{start",
        '{"messages": [{"text": 3, "date": "2024-03-25"}]}', '{"segments": [{"start": "x"}]}',
        '{"segments": [1, 2, {"start": 0, "end": 1, "text": "Bats"}]}', "start\tend\ttext\n",
        '{"segments": [{"start": NaN, "end": 1, "text": "Bats"}]}', "[" * 10_000,
        '{"messages": [{"text": "x", "date": "never"}]}',
    ],
)  # fmt: skip
def test_other_data_is_plain_text(text: str) -> None:
    assert read_file(text.encode()).kind == "text"
    assert Document.of(text).text == text


def test_other_data_is_refused_if_it_is_to_be_messages() -> None:
    with pytest.raises(ReadError, match="not the JSON or TSV of a transcript"):
        read_file(b'{"a": 1}', kind="messages")


VALUES = st.none() | st.floats() | st.integers() | st.text(max_size=5) | st.booleans()
ITEMS = st.dictionaries(st.sampled_from(["start", "end", "text", "ts", "date", "user"]), VALUES)


@given(st.lists(ITEMS, max_size=5))
def test_any_values_are_read_or_plain_text(items: list[dict[str, Any]]) -> None:
    for data in ({"segments": items}, {"messages": items}, items):
        text = json.dumps(data)
        assert Document.of(text).text.strip()
