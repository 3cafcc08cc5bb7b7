"""Talk in data files: the JSON of transcribers, podcasts and chats, and the TSV of Whisper."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from typing import TYPE_CHECKING, Any

from docbats.errors import ReadError
from docbats.readers.captions import Caption, CaptionLine, join_captions
from docbats.readers.html import unescape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from docbats.readers.content import FileContent, FileText

_TSV_HEADER = "start\tend\ttext"
_SLACK_LINK = re.compile(r"<(?:[@#!][^<>|]{1,200}\|([^<>]{1,500})|[^<>|]{1,2000}\|([^<>]{1,500}))>")
_SLACK_MARK = re.compile(r"<([@#!]?)([^<>|]{1,2000})>")
_SLACK_NAMES = ("user_profile.display_name", "user_profile.real_name", "username", "user")
_DAY = 86400
_DISCORD_NOTES = frozenset(
    {
        "RecipientAdd",
        "RecipientRemove",
        "Call",
        "ChannelNameChange",
        "ChannelIconChange",
        "ChannelPinnedMessage",
        "GuildMemberJoin",
        "ThreadCreated",
    }
)


@dataclass(frozen=True)
class _Form:
    """How one kind of JSON writes what is said.

    The keys of values inside others are joined by full stops; the first of several that has a value
    counts. Times of chats are points in time.
    """

    items: str  # the key of the list of what is said; empty if the list is all there is
    text: str
    begins: str
    ends: str = ""
    speaker: tuple[str, ...] = ("speaker",)
    seconds: Callable[[Any], float] = float
    is_chat: bool = False


def _thousandths(value: Any) -> float:
    return float(value) / 1000


def _point_in_time(value: Any) -> float:
    """Return the seconds since 1970 of a number, or of an ISO date as its clock showed."""
    try:
        return float(value)
    except ValueError:
        return datetime.fromisoformat(str(value)).replace(tzinfo=UTC).timestamp()


_FORMS = (
    _Form("segments", "text", "start", "end"),  # Whisper, WhisperX
    _Form("segments", "body", "startTime", "endTime"),  # Podcasting 2.0
    _Form("transcription", "text", "offsets.from", "offsets.to", seconds=_thousandths),
    _Form("utterances", "text", "start", "end", seconds=_thousandths),
    _Form("messages", "content", "timestamp", speaker=("author.nickname", "author.name"),
          seconds=_point_in_time, is_chat=True),  # Discord
    _Form("messages", "text", "date", speaker=("from",),
          seconds=_point_in_time, is_chat=True),  # Telegram
    _Form("messages", "text", "ts", speaker=_SLACK_NAMES, seconds=_point_in_time, is_chat=True),
    _Form("", "text", "ts", speaker=_SLACK_NAMES, seconds=_point_in_time, is_chat=True),  # Slack
    _Form("", "text", "start", "end"),
)  # fmt: skip


def has_messages(content: FileContent) -> bool:
    """Whether a text is the data of a transcript or a chat."""
    return may_have_messages(content.text) and _find(content.text) is not None


def may_have_messages(text: str) -> bool:
    """Whether a text has the signs of it, which is quick to tell."""
    opening = text[:1000].lstrip("\ufeff \t\r\n")
    if opening.startswith(_TSV_HEADER):
        return True
    keys = ('"start', '"ts"', '"timestamp', '"date"', '"offsets"')
    return opening[:1] in {"{", "["} and any(key in text for key in keys)


def read_messages(content: FileContent) -> FileText:
    """Join what is said to one running text, divided into the turns of its speakers."""
    found = _find(content.text)
    if found is None:
        msg = (
            "not the JSON or TSV of a transcript or a chat: check that it has a list of segments "
            "or messages with texts and times"
        )
        raise ReadError(msg)
    return join_captions(found)


def _find(text: str) -> list[Caption] | None:
    """Return what is said and when; None if the text is something else."""
    text = text.lstrip("\ufeff \t\r\n")
    if text.startswith(_TSV_HEADER):
        return list(_rows(text)) or None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    for form in _FORMS:
        items = data if not form.items else data.get(form.items) if isinstance(data, dict) else None
        if isinstance(items, list) and (found := _captions(form, items)):
            return found
    return None


def _rows(text: str) -> Iterator[Caption]:
    """Yield the rows of a table of Whisper, whose times are thousandths of a second."""
    for row in text.splitlines()[1:]:
        begins, _, rest = row.partition("\t")
        ends, _, said = rest.partition("\t")
        if begins.isdecimal() and ends.isdecimal() and said.strip():
            line = CaptionLine(" ".join(said.split()))
            yield Caption(int(begins) / 1000, max(int(begins), int(ends)) / 1000, (line,))


def _captions(form: _Form, items: list[Any]) -> list[Caption]:
    """Return the items that have a text and a time; none if these are few."""
    read = [found for item in items if isinstance(item, dict) and (found := _read(form, item))]
    if not read or 2 * len(read) < len(items):
        return []
    if form.is_chat:
        read.sort(key=lambda found: found[0])
        midnight = read[0][0] // _DAY * _DAY
        times = [round(begins - midnight, 3) for begins, *_ in read]
        spans = zip(times, [*times[1:], times[-1]], strict=True)
        return [
            Caption(begins, ends, (CaptionLine(text, speaker, is_turn=True),))
            for (begins, ends), (_, _, speaker, text) in zip(spans, read, strict=True)
        ]
    return [
        Caption(begins, max(begins, ends), (CaptionLine(text, speaker),))
        for begins, ends, speaker, text in read
    ]


def _read(form: _Form, item: Mapping[str, Any]) -> tuple[float, float, str | None, str] | None:
    """Return begin, end, speaker and text of an item; None if it has no text or time."""
    if form.is_chat and _is_note(item):
        return None
    text = _plain(_value(item, form.text), is_slack=form.begins == "ts")
    begins, ends = _value(item, form.begins), _value(item, form.ends)
    try:
        first = form.seconds(begins)
        last = first if ends is None else form.seconds(ends)
    except (TypeError, ValueError, OverflowError):
        return None
    if not text or not isfinite(first) or not isfinite(last):
        return None
    names = (_value(item, key) for key in form.speaker)
    speaker = next((" ".join(str(name).split()) for name in names if name not in (None, "")), None)
    return max(0.0, first), max(0.0, last), speaker, text


def _is_note(item: Mapping[str, Any]) -> bool:
    """Whether the program wrote an item of a chat: somebody joined, a message was pinned."""
    subtype = str(item.get("subtype") or "")
    return (
        item.get("type") == "service"  # Telegram
        or bool(item.get("action"))
        or subtype.startswith(("channel_", "group_", "pinned_", "bot_add", "bot_remove"))  # Slack
        or str(item.get("type")) in _DISCORD_NOTES
    )


def _value(item: Mapping[str, Any], path: str) -> Any:
    value: Any = item
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _plain(text: Any, *, is_slack: bool) -> str:
    """Return a text on one line; that of Telegram may be a list of pieces."""
    if isinstance(text, list):
        pieces = (piece.get("text", "") if isinstance(piece, dict) else piece for piece in text)
        text = "".join(map(str, pieces))
    if not isinstance(text, str):
        return ""
    if is_slack:
        text = _SLACK_MARK.sub(r"\1\2", _SLACK_LINK.sub(r"\1\2", text))
        text = unescape(text)
    return " ".join(text.split())
