"""Talk written by us in the forms of many exporters, with who says what, and when.

Three conversations are written out in the ways in which people have them: as captions, copied from
a page or an app, as data, as the record of a parliament or a court. The texts in ``look-alikes``
look like talk and are none.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class Said(NamedTuple):
    """What one speaker says in one go; the times are in seconds."""

    speaker: str | None
    begins: float | None
    text: str


@dataclass(frozen=True)
class Sample:
    """A transcript: its shape, the version of it, its text, and what is to be found in it."""

    shape: str
    version: str
    text: str
    said: tuple[Said, ...]

    @property
    def name(self) -> str:
        """The shape and the version."""
        return f"{self.shape}: {self.version}"


def _conversation(lines: str) -> list[Said]:
    """Return what is said, at two and a half words a second, with a pause after each turn."""
    said, seconds = [], 0.0
    for line in lines.strip().split("\n"):
        speaker, _, text = line.partition("|")
        said.append(Said(speaker, seconds, text))
        n_words = max(len(text.split()), len(text) // 12)
        seconds = round(seconds + n_words / 2.5 + 1.4, 3)
    return said


def _conversations() -> dict[str, list[Said]]:
    """Return the conversations by their names: a line has a speaker and what is said."""
    file = resources.files("docbats_lab").joinpath("data", "conversations.txt")
    parts = (part.partition("\n") for part in file.read_text(encoding="utf-8").split("== ")[1:])
    return {name: _conversation(lines) for name, _, lines in parts}


_CONVERSATIONS = _conversations()
MEETING, PODCAST, HEARING, CHAT, GERMAN, HEBREW, CHINESE, TRIAL = _CONVERSATIONS.values()
_SPOKEN = {"meeting": MEETING, "podcast": PODCAST, "German": GERMAN}


def _clock(seconds: float, form: str = "m:ss") -> str:
    """Return a time in a form such as ``h:mm:ss.fff``."""
    whole, part = divmod(round(seconds * 1000), 1000)
    hours, minutes, second = whole // 3600, whole // 60 % 60, whole % 60
    if form.startswith("hh"):
        start = f"{hours:02}:{minutes:02}:{second:02}"
    elif form.startswith("h:") or hours:
        start = f"{hours}:{minutes:02}:{second:02}"
    elif form.startswith("mm"):
        start = f"{minutes:02}:{second:02}"
    else:
        start = f"{minutes}:{second:02}"
    return start + (f"{form[-4]}{part:03}" if form.endswith("fff") else "")


def _floor(said: Sequence[Said], *, by: int = 1, offset: float = 0) -> tuple[Said, ...]:
    """Return what is said with times as exact as they are written."""
    return tuple(each._replace(begins=((each.begins or 0) + offset) // by * by) for each in said)


def _without(said: Sequence[Said], *, times: bool = False, names: bool = False) -> tuple[Said, ...]:
    return tuple(
        Said(None if names else each.speaker, None if times else each.begins, each.text)
        for each in said
    )


def _unpunctuated(said: Sequence[Said]) -> list[Said]:
    """Return speech as automatic captions write it: in lower case and without marks."""
    found = []
    for each in said:
        kept = (sign for sign in each.text.lower() if sign.isalnum() or sign in " '-")
        found.append(Said(None, each.begins, " ".join("".join(kept).split())))
    return found


class _Cue(NamedTuple):
    begins: float
    ends: float
    speaker: str | None
    text: str
    is_first: bool  # of its speaker's turn


def _cues(said: Sequence[Said], n_words: int = 8) -> list[_Cue]:
    """Return captions of a few words each."""
    cues = []
    for each in said:
        words = each.text.split()
        pieces = [words[i : i + n_words] for i in range(0, len(words), n_words)]
        begins = each.begins or 0.0
        for number, piece in enumerate(pieces):
            ends = round(begins + len(piece) / 2.5, 3)
            cues.append(_Cue(begins, ends, each.speaker, " ".join(piece), number == 0))
            begins = ends
    return cues


def _of_cues(cues: Sequence[_Cue]) -> tuple[Said, ...]:
    return tuple(Said(None, cue.begins, cue.text) for cue in cues)


# Captions


def _webvtt() -> Iterator[Sample]:
    for name, said in _SPOKEN.items():
        rows = ["WEBVTT\n"]
        for number, cue in enumerate(_cues(said), start=1):
            times = f"{_clock(cue.begins, 'hh.fff')} --> {_clock(cue.ends, 'hh.fff')}"
            rows.append(f"{number}\n{times}\n<v {cue.speaker}>{cue.text}</v>\n")
        yield Sample("WebVTT", f"voices, {name}", "\n".join(rows), tuple(said))
    rows = ["WEBVTT - a meeting\n\nNOTE\nmade by hand\n"]
    for cue in _cues(MEETING):
        times = (
            f"{_clock(cue.begins, 'mm.fff')} --> {_clock(cue.ends, 'mm.fff')} align:start line:0"
        )
        rows.append(f"{times}\n{cue.speaker}: {cue.text}\n")
    yield Sample("WebVTT", "names, with settings", "\n".join(rows), tuple(MEETING))
    cues = _cues(_unpunctuated(PODCAST))
    yield Sample("WebVTT", "rolls up", _rolled_up(cues), _of_cues(cues))


def _rolled_up(cues: Sequence[_Cue]) -> str:
    """Return automatic captions as YouTube has them: each shows the line before, too."""
    rows = ["WEBVTT\nKind: captions\nLanguage: en\n"]
    for before, cue in pairwise([None, *cues]):
        if cue is None:
            continue
        times = f"{_clock(cue.begins, 'hh.fff')} --> {_clock(cue.ends, 'hh.fff')}"
        above = [] if before is None else [before.text]
        rows.append("\n".join([f"{times} align:start position:0%", *above, cue.text, ""]))
    return "\n".join(rows)


def _srt() -> Iterator[Sample]:
    def written(cues: Sequence[_Cue], line: Callable[[_Cue], str], *, by_comma: str = ",") -> str:
        form = f"hh{by_comma}fff"
        rows = (
            f"{i}\n{_clock(cue.begins, form)} --> {_clock(cue.ends, form)}\n{line(cue)}\n"
            for i, cue in enumerate(cues, start=1)
        )
        return "\n".join(rows)

    cues = _cues(MEETING)
    named = written(cues, lambda cue: f"{cue.speaker}: {cue.text}" if cue.is_first else cue.text)
    yield Sample("SRT", "names at turns", named, tuple(MEETING))
    cues = _cues(_without(PODCAST, names=True))
    yield Sample("SRT", "no names", written(cues, lambda cue: cue.text), _of_cues(cues))
    tagged = written(cues, lambda cue: f'<font color="white"><i>{cue.text}</i></font>')
    yield Sample("SRT", "tags", tagged, _of_cues(cues))
    cues = _cues(_unpunctuated(GERMAN))
    yield Sample("SRT", "no full stops", written(cues, lambda cue: cue.text), _of_cues(cues))


# Copied transcripts


def _youtube() -> Iterator[Sample]:
    for name, said in _SPOKEN.items():
        cues = _cues(_unpunctuated(said))
        found = _floor(_of_cues(cues))
        own = "\n".join(f"{_clock(cue.begins)}\n{cue.text}" for cue in cues)
        yield Sample("YouTube", f"times on lines of their own, {name}", own, found)
        same = "\n".join(f"{_clock(cue.begins)} {cue.text}" for cue in cues)
        yield Sample("YouTube", f"times before the text, {name}", same, found)
    cues = _cues(_unpunctuated(PODCAST))
    late = [cue._replace(begins=cue.begins + 3580, ends=cue.ends + 3580) for cue in cues]
    text = "\n".join(f"{_clock(cue.begins)}\n{cue.text}" for cue in late)
    yield Sample("YouTube", "past an hour", text, _floor(_of_cues(late)))
    spoken = []
    for cue in cues:
        minutes, seconds = divmod(int(cue.begins), 60)
        words = [f"{minutes} minutes"] * (minutes > 0) + [f"{seconds} seconds"]
        spoken.append(f"{_clock(cue.begins)}\n{', '.join(words)}\n{cue.text}")
    yield Sample("YouTube", "times in words, too", "\n".join(spoken), _floor(_of_cues(cues)))
    cues = _cues(_without(MEETING, names=True))
    text = "\n".join(f"{_clock(cue.begins)}\n{cue.text}" for cue in cues)
    yield Sample("YouTube", "with full stops", text, _floor(_of_cues(cues)))


def _whisper() -> Iterator[Sample]:
    for name, said in _SPOKEN.items():
        cues = _cues(_without(said, names=True), 12)
        for form in ("mm.fff", "hh.fff"):
            text = "\n".join(
                f"[{_clock(cue.begins, form)} --> {_clock(cue.ends, form)}]  {cue.text}"
                for cue in cues
            )
            yield Sample("Whisper", f"text, {form}, {name}", text, _of_cues(cues))
        table = "start\tend\ttext\n" + "".join(
            f"{round(cue.begins * 1000)}\t{round(cue.ends * 1000)}\t{cue.text}\n" for cue in cues
        )
        yield Sample("Whisper", f"TSV, {name}", table, _of_cues(cues))
        segments = [
            {"id": i, "seek": 0, "start": cue.begins, "end": cue.ends, "text": f" {cue.text}"}
            for i, cue in enumerate(cues)
        ]
        whole = {"text": " ".join(cue.text for cue in cues), "segments": segments, "language": "en"}
        yield Sample("Whisper", f"JSON, {name}", json.dumps(whole), _of_cues(cues))
        plain = "\n".join(cue.text for cue in cues)
        yield Sample("Whisper", f"text alone, {name}", plain, _without(_of_cues(cues), times=True))
    cues = _cues(MEETING, 12)
    spoken = [
        {"start": cue.begins, "end": cue.ends, "text": cue.text, "speaker": cue.speaker}
        for cue in cues
    ]
    yield Sample("Whisper", "WhisperX", json.dumps({"segments": spoken}), tuple(MEETING))
    rows = [
        {
            "offsets": {"from": round(cue.begins * 1000), "to": round(cue.ends * 1000)},
            "text": cue.text,
        }
        for cue in cues
    ]
    text = json.dumps({"systeminfo": "AVX = 1", "transcription": rows})
    yield Sample("Whisper", "whisper.cpp", text, _of_cues(cues))


def _podcast_json() -> Iterator[Sample]:
    for name, said in _SPOKEN.items():
        segments = [
            {"speaker": cue.speaker, "startTime": cue.begins, "endTime": cue.ends, "body": cue.text}
            for cue in _cues(said)
        ]
        text = json.dumps({"version": "1.0.0", "segments": segments}, indent=1, ensure_ascii=False)
        yield Sample("Podcasting 2.0", name, text, tuple(said))


def _above(
    shape: str, version: str, label: Callable[[Said], str], *, gap: str = "\n\n", by: int = 1
) -> Iterator[Sample]:
    """Yield samples with a label over what is said."""
    for name, said in _SPOKEN.items():
        text = gap.join(f"{label(each)}\n{each.text}" for each in said)
        yield Sample(shape, f"{version}, {name}", text, _floor(said, by=by))


def _before(
    shape: str, version: str, label: Callable[[Said], str], *, gap: str = "\n\n", times: bool = True
) -> Iterator[Sample]:
    """Yield samples with a label before what is said."""
    for name, said in _SPOKEN.items():
        text = gap.join(f"{label(each)} {each.text}" for each in said)
        found = _floor(said) if times else _without(said, times=True)
        yield Sample(shape, f"{version}, {name}", text, found)


def _otter() -> Iterator[Sample]:
    yield from _above("Otter", "copied", lambda s: f"{s.speaker}  {_clock(s.begins or 0)}  ")
    yield from _above(
        "Otter", "packed", lambda s: f"{s.speaker}  {_clock(s.begins or 0)}", gap="\n"
    )
    said = [
        each._replace(speaker=f"Speaker {1 + (each.speaker != MEETING[0].speaker)}")
        for each in MEETING
    ]
    text = "\n\n".join(f"{each.speaker}  {_clock(each.begins or 0)}\n{each.text}" for each in said)
    yield Sample("Otter", "unknown speakers", text, _floor(said))


def _zoom() -> Iterator[Sample]:
    for name, said in _SPOKEN.items():
        rows = ["WEBVTT\r\n"]
        for number, cue in enumerate(_cues(said, 14), start=1):
            times = f"{_clock(cue.begins, 'hh.fff')} --> {_clock(cue.ends, 'hh.fff')}"
            rows.append(f"{number}\r\n{times}\r\n{cue.speaker}: {cue.text}\r\n")
        yield Sample("Zoom", f"VTT, {name}", "\r\n".join(rows), tuple(said))
    start = 9 * 3600 + 60
    for version, label in (
        ("chat, 2023", "{time}\t From {name} to Everyone:\n\t"),
        ("chat, 2021", "{time}\t From  {name} : "),
        ("chat, saved in the cloud", "{time}\t{name}:\t"),
    ):
        rows = [
            label.format(time=_clock(start + (each.begins or 0), "hh"), name=each.speaker)
            + each.text
            for each in MEETING
        ]
        yield Sample("Zoom", version, "\n".join(rows), _floor(MEETING, offset=start))


def _teams() -> Iterator[Sample]:
    yield from _above("Teams", "DOCX", lambda s: f"{s.speaker}   {_clock(s.begins or 0)}")
    for name, said in _SPOKEN.items():
        rows = []
        for each, after in pairwise([*said, said[-1]]):
            first, last = (_short_clock(s.begins or 0) for s in (each, after))
            rows.append(f"{first} --> {last}\n{each.speaker}\n{each.text}")
        yield Sample("Teams", f"DOCX of 2021, {name}", "\n\n".join(rows), tuple(said))
        rows = []
        for each in said:
            minutes, seconds = divmod(int(each.begins or 0), 60)
            words = f"{minutes} minutes {seconds} seconds" if minutes else f"{seconds} seconds"
            rows.append(f"{each.speaker}\n{words}\n{_clock(each.begins or 0)}\n{each.text}")
        yield Sample("Teams", f"copied from the page, {name}", "\n".join(rows), _floor(said))
    rows = ["WEBVTT\n"]
    for number, cue in enumerate(_cues(MEETING)):
        times = f"{_clock(cue.begins, 'hh.fff')} --> {_clock(cue.ends, 'hh.fff')}"
        key = f"4f0c1d9a-7d0e-4f7e-9d3b-2b1c6a5e8f{number:02}/{number}-0"
        rows.append(f"{key}\n{times}\n<v {cue.speaker}>{cue.text}</v>\n")
    yield Sample("Teams", "VTT", "\n".join(rows), tuple(MEETING))
    text = "\n\n".join(
        f"{_last_first(each.speaker or '')}   {_clock(each.begins or 0)}\n{each.text}"
        for each in MEETING
    )
    said = [each._replace(speaker=_last_first(each.speaker or "")) for each in MEETING]
    yield Sample("Teams", "DOCX, last names first", text, _floor(said))


def _short_clock(seconds: float) -> str:
    whole, part = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600}:{whole // 60 % 60}:{whole % 60}.{part:03}"


def _last_first(name: str) -> str:
    first, _, last = name.partition(" ")
    return f"{last}, {first}"


def _meet() -> Iterator[Sample]:
    for name, said in _SPOKEN.items():
        rows = [f"{name.title()} - Transcript", "Attendees", "Transcript"]
        found, mark = [Said(None, None, " ".join(rows))], 0
        for each in said:
            is_marked = (each.begins or 0) >= mark
            if is_marked:
                rows.append(_clock(mark, "hh"))
            found.append(each._replace(begins=float(mark) if is_marked else None))
            mark += 30 * is_marked
            rows.append(f"{each.speaker}: {each.text}")
        rows.append("This editable transcript was computer generated and might contain errors.")
        found.append(Said(None, None, rows[-1]))
        yield Sample("Google Meet", name, "\n\n".join(rows), tuple(found))


def _tools() -> Iterator[Sample]:
    """Yield the forms of Rev, Descript, Happy Scribe, Riverside and others."""
    yield from _above(
        "other tools", "Rev", lambda s: f"{s.speaker} ({_clock(s.begins or 0, 'mm')}):"
    )
    yield from _above(
        "other tools",
        "Happy Scribe",
        lambda s: f"[{_clock(s.begins or 0, 'hh.fff')}] - {s.speaker}",
    )
    yield from _before(
        "other tools", "Descript", lambda s: f"[{_clock(s.begins or 0, 'hh')}] {s.speaker}:"
    )
    yield from _before(
        "other tools", "times in brackets", lambda s: f"{s.speaker} ({_clock(s.begins or 0)}) -"
    )
    yield from _above(
        "other tools",
        "time after the colon",
        lambda s: f"{s.speaker}: ({_clock(s.begins or 0, 'mm')})",
    )


# Chats

_DAY = datetime(2024, 3, 25, 9, 15, 32, tzinfo=UTC)
_STEP = 41  # minutes between two messages, so that some are on the next days
_SYSTEM = "Messages and calls are end-to-end encrypted. No one outside of this chat can read them."


def _sent(said: Sequence[Said], *, step: int = _STEP) -> list[tuple[datetime, Said]]:
    return [(_DAY + timedelta(minutes=step * i), each) for i, each in enumerate(said)]


def _seen(sent: Sequence[tuple[datetime, Said]], *, by: int = 1) -> tuple[Said, ...]:
    """Return what is said with the seconds since the midnight before."""
    midnight = _DAY.replace(hour=0, minute=0, second=0)
    return tuple(
        each._replace(begins=float((moment - midnight).total_seconds() // by * by))
        for moment, each in sent
    )


def _half(moment: datetime, *, seconds: bool = False) -> str:
    """Return a time of twelve hours."""
    hour = (moment.hour - 1) % 12 + 1
    end = f":{moment.second:02}" if seconds else ""
    return f"{hour}:{moment.minute:02}{end} {'AM' if moment.hour < 12 else 'PM'}"


def _among(rows: Sequence[str], notes: Sequence[str]) -> list[str]:
    """Return rows with what the program notes before each fourth one, and at the end."""
    found = []
    left = list(notes)
    for i, row in enumerate(rows):
        if i % 4 == 3 and len(left) > 1:
            found.append(left.pop(0))
        found.append(row)
    return [*found, *left]


def _whatsapp() -> Iterator[Sample]:
    sent = _sent(CHAT)
    for version, form, by in (
        ("iOS, Europe", "[{d:%d/%m/%Y, %H:%M:%S}] {name}: {text}", 1),
        ("iOS, Germany", "[{d:%d.%m.%y, %H:%M:%S}] {name}: {text}", 1),
        ("iOS, United States", "\u200e[{d.month}/{d.day}/{d:%y}, {half_s}] {name}: {text}", 1),
        ("iOS, year first", "[{d:%Y-%m-%d, %H:%M:%S}] {name}: {text}", 1),
        ("Android, Europe", "{d:%d/%m/%Y, %H:%M} - {name}: {text}", 60),
        ("Android, Germany", "{d:%d.%m.%y, %H:%M} - {name}: {text}", 60),
        ("Android, United States", "{d.month}/{d.day}/{d:%y}, {half} - {name}: {text}", 60),
    ):
        rows = [
            form.format(
                d=moment,
                name=each.speaker,
                text=each.text,
                half=_half(moment),
                half_s=_half(moment, seconds=True).replace(" ", "\u202f"),
            )
            for moment, each in sent
        ]
        yield Sample("WhatsApp", version, "\n".join(rows), _seen(sent, by=by))
    rows = [f"{_DAY:%d/%m/%Y, %H:%M} - {_SYSTEM}"]
    rows += [f"{moment:%d/%m/%Y, %H:%M} - {each.speaker}: {each.text}" for moment, each in sent]
    yield Sample("WhatsApp", "with the system's line", "\n".join(rows), _seen(sent, by=60))
    notes = ("Marta left", "Jonas changed the subject to “Market”", "Ida was added")
    rows = [f"[{moment:%d/%m/%Y, %H:%M:%S}] {each.speaker}: {each.text}" for moment, each in sent]
    rows[1] += " \u200e<This message was edited>"
    rows = _among(
        rows,
        [
            f"[{d:%d/%m/%Y, %H:%M:%S}] \u200e{note}"
            for (d, _), note in zip(sent[3::4], notes, strict=False)
        ],
    )
    yield Sample("WhatsApp", "with notes", "\n".join(rows), _seen(sent))


def _slack() -> Iterator[Sample]:
    sent = _sent(MEETING, step=7)
    found = _seen(sent, by=60)
    for version, form in (
        ("copied", "{name}  {half}\n{text}"),
        ("copied, times below", "{name}\n  {half}\n{text}"),
        ("copied, in brackets", "{name} [{half}]\n{text}"),
    ):
        rows = [form.format(name=s.speaker, half=_half(d), text=s.text) for d, s in sent]
        yield Sample("Slack", version, "\n".join(rows), found)
    followed: list[str] = []
    merged: list[Said] = []
    for i, (moment, each) in enumerate(sent):
        speaker = merged[-1].speaker if i % 3 == 2 else each.speaker
        label = (
            f"{moment.hour}:{moment.minute:02}" if i % 3 == 2 else f"{speaker}\n  {_half(moment)}"
        )
        followed.append(f"{label}\n{each.text}")
        merged.append(Said(speaker, found[i].begins, each.text))
    rows = [f"{s.speaker}  {_half(d)}\n{s.text} (edited)" for d, s in sent]
    rows = _among(rows, [f"Carl Berg  {_half(sent[3][0])}\njoined #ferry.", "2 replies\n:+1: 3"])
    yield Sample("Slack", "copied, edited", "\n".join(rows), _seen(sent, by=60))
    yield Sample("Slack", "copied, with messages that follow", "\n".join(followed), tuple(merged))
    messages = [
        {
            "type": "message",
            "user": f"U0{len(each.speaker or '')}",
            "ts": f"{moment.timestamp():.6f}",
            "text": each.text,
            "user_profile": {"real_name": each.speaker, "display_name": ""},
        }
        for moment, each in sent
    ]
    yield Sample("Slack", "JSON", json.dumps(messages, indent=2), _seen(sent))


_IRC_LOGS = (
    (
        "irssi, with joins and quits",
        "{d:%H:%M} < {name}> {text}",
        (
            "{d:%H:%M} -!- carl [~carl@example.org] has joined #ferry",
            "{d:%H:%M} -!- carl is now known as carl_",
            "{d:%H:%M} -!- mode/#ferry [+o annalee] by ChanServ",
            "--- Day changed Tue Mar 26 2024",
            "{d:%H:%M} -!- carl_ [~carl@example.org] has quit [Ping timeout: 240 seconds]",
            "--- Log closed Tue Mar 26 2024",
        ),
        60,
    ),
    (
        "WeeChat, with joins and quits",
        "{d:%Y-%m-%d %H:%M:%S}\t{name}\t{text}",
        (
            "{d:%Y-%m-%d %H:%M:%S}\t-->\tcarl (~carl@example.org) has joined #ferry",
            "{d:%Y-%m-%d %H:%M:%S}\t--\tcarl is now known as carl_",
            "{d:%Y-%m-%d %H:%M:%S}\t<--\tcarl_ (~carl@example.org) has quit (Quit: leaving)",
        ),
        1,
    ),
    (
        "ZNC, with joins and quits",
        "[{d:%H:%M:%S}] <{name}> {text}",
        (
            "[{d:%H:%M:%S}] *** Joins: carl (~carl@example.org)",
            "[{d:%H:%M:%S}] *** carl is now known as carl_",
            "[{d:%H:%M:%S}] *** Quits: carl_ (~carl@example.org) (Quit: leaving)",
        ),
        1,
    ),
    (
        "eggdrop",
        "[{d:%H:%M:%S}] <{name}> {text}",
        (
            "[{d:%H:%M:%S}] carl (~carl@example.org) joined #ferry.",
            "[{d:%H:%M:%S}] Nick change: carl -> carl_",
            "[{d:%H:%M:%S}] carl_ (~carl@example.org) left irc: Quit: leaving",
        ),
        1,
    ),
)


def _irc() -> Iterator[Sample]:
    nicks = {"Anna Lee": "annalee", "Ben Okafor": "ben_o", "Mirela van Dyke": "mirela|away"}
    said = [each._replace(speaker=nicks[each.speaker or ""]) for each in MEETING]
    sent = _sent(said, step=3)
    for version, form, by in (
        ("irssi", "{d:%H:%M} < {name}> {text}", 60),
        ("brackets", "[{d:%H:%M:%S}] <{name}> {text}", 1),
        ("operators", "{d:%H:%M} <@{name}> {text}", 60),
        ("ZNC, with dates", "[{d:%Y-%m-%d %H:%M:%S}] <{name}> {text}", 1),
        ("WeeChat", "{d:%Y-%m-%d %H:%M:%S}\t{name}\t{text}", 1),
    ):
        rows = [form.format(d=moment, name=each.speaker, text=each.text) for moment, each in sent]
        yield Sample("IRC", version, "\n".join(rows), _seen(sent, by=by))
    for version, form, notes, by in _IRC_LOGS:
        rows = [form.format(d=moment, name=each.speaker, text=each.text) for moment, each in sent]
        noted = [
            note.format(d=sent[min(4 * i + 3, len(sent) - 1)][0]) for i, note in enumerate(notes)
        ]
        yield Sample("IRC", version, "\n".join(_among(rows, noted)), _seen(sent, by=by))


def _discord() -> Iterator[Sample]:
    sent = _sent(MEETING, step=5)
    for version, form in (
        ("copied", "{name} — Today at {half}\n{text}"),
        ("copied, three lines", "{name}\n — \n{d:%m/%d/%Y} {half}\n{text}"),
        ("exporter, text", "[{d:%d-%b-%y} {half}] {name}\n{text}\n"),
        ("copied, with dates", "{name} — {d:%m/%d/%Y} {half}\n{text}"),
    ):
        rows = [form.format(name=s.speaker, d=d, half=_half(d), text=s.text) for d, s in sent]
        yield Sample("Discord", version, "\n".join(rows), _seen(sent, by=60))
    messages = [
        {
            "id": str(i),
            "type": "Default",
            "timestamp": moment.isoformat(),
            "content": each.text,
            "author": {"id": "7", "name": "x", "nickname": each.speaker},
        }
        for i, (moment, each) in enumerate(sent)
    ]
    text = json.dumps({"guild": {"name": "Ferry"}, "messages": messages}, indent=2)
    yield Sample("Discord", "exporter, JSON", text, _seen(sent))


def _telegram() -> Iterator[Sample]:
    sent = _sent(CHAT)
    for version, form, by in (
        ("copied", "{name}, [{d:%d.%m.%y %H:%M}]\n{text}\n", 60),
        ("copied, with seconds", "{name}, [{d:%d.%m.%Y %H:%M:%S}]\n{text}\n", 1),
        ("copied, macOS", "{name}, [{d:%b} {d.day}, {d.year} at {half}]:\n{text}\n", 60),
    ):
        rows = [
            form.format(name=each.speaker, d=moment, half=_half(moment), text=each.text)
            for moment, each in sent
        ]
        yield Sample("Telegram", version, "\n".join(rows), _seen(sent, by=by))
    messages = [
        {
            "id": i,
            "type": "message",
            "date": f"{d:%Y-%m-%dT%H:%M:%S}",
            "from": s.speaker,
            "text": s.text,
        }
        for i, (d, s) in enumerate(sent)
    ]
    text = json.dumps({"name": "Market", "type": "private_group", "messages": messages})
    yield Sample("Telegram", "JSON", text, _seen(sent))


# Names alone


def _interview() -> Iterator[Sample]:
    for gap, version in (("\n", "a line each"), ("\n\n", "a paragraph each")):
        yield from _before(
            "interview", f"Name:, {version}", lambda s: f"{s.speaker}:", gap=gap, times=False
        )
        yield from _before(
            "interview",
            f"**Name:**, {version}",
            lambda s: f"**{s.speaker}:**",
            gap=gap,
            times=False,
        )
    roles = {
        "Sam O'Neil": "SAM O'NEIL (HOST)",
        "Dr. Ewa Kowalska-Nowak": "DR. EWA KOWALSKA-NOWAK (GUEST)",
    }
    said = [each._replace(speaker=roles[each.speaker or ""]) for each in PODCAST]
    text = "\n\n".join(f"{each.speaker}: {each.text}" for each in said)
    yield Sample("interview", "NAME (ROLE):", text, _without(said, times=True))
    initials = {"Sam O'Neil": "SO", "Dr. Ewa Kowalska-Nowak": "EKN"}
    said = [each._replace(speaker=initials[each.speaker or ""]) for each in PODCAST]
    text = "\n\n".join(f"{each.speaker}: {each.text}" for each in said)
    yield Sample("interview", "initials", text, _without(said, times=True))
    for name, said in (("Hebrew", HEBREW), ("Chinese", CHINESE)):
        colon = "：" if name == "Chinese" else ": "
        text = "\n\n".join(f"{each.speaker}{colon}{each.text}" for each in said)
        yield Sample("interview", name, text, _without(said, times=True))
    right_to_left = "\n".join(
        f"[0{i}:10] \u2067{s.speaker}\u2069: {s.text}" for i, s in enumerate(HEBREW)
    )
    found = tuple(s._replace(begins=60.0 * i + 10) for i, s in enumerate(HEBREW))
    yield Sample("interview", "Hebrew, with times", right_to_left, found)


def _parliament() -> Iterator[Sample]:
    text = "\n\n".join(f"{each.speaker}: {each.text}" for each in HEARING)
    yield Sample("parliament", "titles and roles", text, _without(HEARING, times=True))
    headed = f"HARBOUR FEES BILL\n\nSecond reading\n\n{text}"
    found = (Said(None, None, "HARBOUR FEES BILL Second reading"), *_without(HEARING, times=True))
    yield Sample("parliament", "under headings", headed, found)
    dashed = {
        "The Acting Chair (Mr. Surname)": "MR. SPEAKER",
        "Right Hon. First M. Surname": "HON. F.M. SURNAME",
        "Hon. A. B. Reyes-Tolle (Riverside, Independent)": "HON. RO A. B. REYES-TOLLE",
        "Mrs. Hollis-Grant": "HON. LEADER OF THE OPPOSITION",
    }
    said = [each._replace(speaker=dashed[each.speaker or ""]) for each in HEARING]
    text = "\n\n".join(f"{each.speaker}.- {each.text}" for each in said)
    yield Sample("parliament", "NAME.-", text, _without(said, times=True))
    record = {
        "The Acting Chair (Mr. Surname)": "The PRESIDING OFFICER",
        "Right Hon. First M. Surname": "Mr. SURNAME",
        "Hon. A. B. Reyes-Tolle (Riverside, Independent)": "Ms. REYES of Ohio",
        "Mrs. Hollis-Grant": "Mrs. HOLLIS",
    }
    said = [each._replace(speaker=record[each.speaker or ""]) for each in HEARING]
    text = "\n\n".join(f"    {each.speaker}. {each.text}" for each in said)
    yield Sample("parliament", "Mr. NAME.", text, _without(said, times=True))
    timed = {
        "The Acting Chair (Mr. Surname)": "The DEPUTY SPEAKER",
        "Right Hon. First M. Surname": "Mr SURNAME (Riverside—Minister for Ports)",
        "Hon. A. B. Reyes-Tolle (Riverside, Independent)": "Ms REYES (Hillside)",
        "Mrs. Hollis-Grant": "Mrs HOLLIS (Lakes—Leader of the House)",
    }
    said = [each._replace(speaker=timed[each.speaker or ""]) for each in HEARING]
    text = "\n\n".join(f"{each.speaker}: {each.text}" for each in said)
    yield Sample("parliament", "seats and offices", text, _without(said, times=True))


def _court() -> Iterator[Sample]:
    said = _without(TRIAL, times=True)
    yield Sample("court", "numbered lines", _reported(said, 25), said)
    yield Sample("court", "numbered lines of a narrow page", _reported(said, 20, width=40), said)
    text = "\n\n".join(
        f"     {each.speaker}.  {each.text}"
        if each.speaker in {"Q", "A"}
        else f"{each.speaker}:  {each.text}"
        for each in said
    )
    yield Sample("court", "without numbers", text, said)
    justices = {
        "Anna Lee": "CHIEF JUSTICE LEE",
        "Ben Okafor": "MR. OKAFOR",
        "Mirela van Dyke": "JUSTICE VAN DYKE",
    }
    bench = [each._replace(speaker=justices[each.speaker or ""]) for each in MEETING]
    text = "\n\n".join(f"{each.speaker}: {each.text}" for each in bench)
    yield Sample("court", "justices", text, _without(bench, times=True))


def _reported(said: Sequence[Said], n_lines: int, width: int = 58) -> str:
    """Return the pages of a court reporter, with a number before each line."""
    lines: list[str] = []
    for each in said:
        is_answer = each.speaker in {"Q", "A"}
        label = f"     {each.speaker}.  " if is_answer else f"          {each.speaker}:  "
        words, line = each.text.split(), label
        for word in words:
            if len(line) + len(word) > width:
                lines.append(line.rstrip())
                line = ""
            line += f"{word} "
        lines.append(line.rstrip())
    return "\n".join(f"{i % n_lines + 1:>2}  {line}" for i, line in enumerate(lines))


def _markdown() -> Iterator[Sample]:
    versions: dict[str, Callable[[Said], str]] = {
        "**Name** [time]:": lambda s: f"**{s.speaker}** [{_clock(s.begins or 0, 'hh')}]:",
        "[time] **Name:**": lambda s: f"[{_clock(s.begins or 0, 'hh')}] **{s.speaker}:**",
        "**Name (time):**": lambda s: f"**{s.speaker} ({_clock(s.begins or 0)}):**",
        "**Name:** [time]": lambda s: f"**{s.speaker}:** [{_clock(s.begins or 0)}]",
        "**[time] Name:**": lambda s: f"**[{_clock(s.begins or 0, 'hh')}] {s.speaker}:**",
    }
    for version, label in versions.items():
        rows = [f"{label(each)} {each.text}" for each in PODCAST]
        middle = len(rows) // 2
        text = "\n\n".join(["# Bats at night", *rows[:middle], "## Counting", *rows[middle:]])
        found = list(_floor(PODCAST))
        found.insert(middle, Said(None, None, "Counting"))
        yield Sample("Markdown", version, text, (Said(None, None, "Bats at night"), *found))


def samples() -> list[Sample]:
    """Return all samples, sorted by their shapes."""
    makers: tuple[Callable[[], Iterator[Sample]], ...] = (
        _webvtt, _srt, _youtube, _whisper, _podcast_json, _otter, _zoom, _teams, _meet, _tools,
        _whatsapp, _slack, _irc, _discord, _telegram, _interview, _parliament, _court, _markdown,
    )  # fmt: skip
    return [sample for make in makers for sample in make()]


def look_alikes() -> dict[str, str]:
    """Return the texts that look like talk and are none, by their names."""
    folder = resources.files("docbats_lab").joinpath("data", "look-alikes")
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".txt"): file.read_text(encoding="utf-8") for file in files}
