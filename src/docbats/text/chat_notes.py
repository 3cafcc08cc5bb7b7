"""What the program wrote into a chat: who joined, what was edited, when the log was opened."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.text.layout import TextLine
    from docbats.text.speakers import FoundTurn

_MIN_NAMED_SHARE = 0.5  # of the turns in a chat; then a time without a name is not a message
_SIGN_OF_NOTE = re.compile(r"[ \t]*(?:-!-|-->|<--|--(?=\s)|=!=|===|\*\*\*(?!\*))[ \t]")
_NOTE = re.compile(
    r"(?:\S+ (?:[\[(]\S+[\])] )?"
    r"(?:(?:has )?(?:joined|left|quit)(?: (?:irc|[#&]\S+|the server)\b.*| ?[\[(:].*)?\.?$"
    r"|is now known as \S+$|sets mode[: ].*$|(?:has )?changed (?:the )?topic\b.*$)"
    r"|Nick change: .*|Topic (?:changed )?(?:for|on|by) .*"
    r"|(?i:(?:joined|left) (?:[#&]\S+|the server)\.?|pinned a message\b.*"
    r"|set the channel (?:topic|purpose|description)\b.*|was added to #\S+.*"
    r"|\d+ (?:replies|reply)|last reply .{1,40}|view thread|(?::[a-z0-9_+-]+:[ ]?\d*[ ]?)+"
    r"|\{(?:reactions|attachments|embed|stickers)\}"
    r"|(?:image|video|audio|sticker|gif|document|contact card) omitted|<media omitted>"
    r"|(?:this message was|you) deleted(?: this message)?\.?|missed (?:voice|video) call.*))$"
)
_LOG_NOTE = re.compile(
    r"--- (?:Log (?:opened|closed)|Day changed) .*|\*{4} (?:BEGIN|ENDING) LOGGING AT .*"
)
_EDITED = re.compile(
    r"[ \t\u200e\u200f]*[(\[<](?:(?:This message was )?edited|bearbeitet|modifié|editado"
    r"|modificato|bewerkt|edytowan[eay]|изменено)[)\]>][ \t]*$",
    re.IGNORECASE,
)
_SPEAKING_COLON = re.compile(r"[^\s:][^:]{0,60}:\s")
_UNSEEN = "\u200e\u200f \t"


def leave_out_notes(
    lines: Sequence[TextLine], turns: list[FoundTurn]
) -> tuple[list[FoundTurn], list[tuple[int, int]]]:
    """Return the turns of a chat without notes, and the marks inside those that are left.

    A note belongs to the label of the next turn; the last ones are marks.
    """
    n_named = sum(turn.name is not None for turn in turns)
    has_names = n_named >= _MIN_NAMED_SHARE * len(turns)
    kept: list[FoundTurn] = []
    marks: list[tuple[int, int]] = []
    first: int | None = None
    if all(_LOG_NOTE.fullmatch(line.text) for line in lines[: turns[0].first]):
        first = 0
    for turn, stop in zip(turns, [*(turn.first for turn in turns[1:]), len(lines)], strict=True):
        if _is_note(lines, turn, stop, has_names=has_names):
            first = turn.first if first is None else first
            continue
        if first is not None:
            turn.first, first = first, None
        kept.append(turn)
        marks += _marks(lines, turn, stop)
    if first is not None:
        marks.append((lines[first].start, lines[-1].end))
    return kept, marks


def _is_note(lines: Sequence[TextLine], turn: FoundTurn, stop: int, *, has_names: bool) -> bool:
    """Whether nobody says anything in a turn, but the program does."""
    said = lines[turn.line].text[turn.length :].strip(_UNSEEN)
    below = [lines[i].text.strip(_UNSEEN) for i in range(turn.line + 1, stop)]
    is_below = all(_is_note_line(text) for text in below)
    if not said:
        return bool(below) and is_below
    if turn.name is None and is_below:
        text, end = lines[turn.line].text, turn.length
        # A dash between the time and what is said may have been taken for a separator.
        if any(_SIGN_OF_NOTE.match(text, i) for i in (end, end - 1)) or _is_note_line(said):
            return True
        return has_names and _SPEAKING_COLON.match(said) is None
    return is_below and _is_note_line(said)


def _is_note_line(text: str) -> bool:
    return _NOTE.fullmatch(text) is not None or _LOG_NOTE.fullmatch(text) is not None


def _marks(lines: Sequence[TextLine], turn: FoundTurn, stop: int) -> list[tuple[int, int]]:
    """Return the notes among what is said, and those at the ends of its lines."""
    marks = []
    for i in range(turn.line, stop):
        text = lines[i].text
        if i > turn.line and _is_note_line(text.strip(_UNSEEN)):
            marks.append((lines[i].start, lines[i].end))
        elif edited := _EDITED.search(text):
            marks.append((lines[i].start + edited.start(), lines[i].start + edited.end()))
    return marks
