"""Transcripts with speakers and times, and a recording."""

from __future__ import annotations

import io
import wave

MARIT, PIET = "Marit Olsen", "Piet"
HARBOUR = (
    "The quay needs a new crane before the spring tides.",
    "Divers measured the silt under the quay and the crane.",
    "A ferry at the quay waits for the tide and the crane.",
    "The harbour pilot knows the silt, the tide and the ferry.",
)
ORCHARD = (
    "The apples froze in the orchard when the bees were asleep.",
    "We press the apples into cider and feed the goats.",
    "Bees like the pears of the orchard more than the apples.",
    "The goats ate the pears, the ladder and half of the cider.",
)


def talk_vtt(names: tuple[str, ...] = (MARIT, PIET), *, rounds: int = 4, seconds: float = 4) -> str:
    """Return captions in which the speakers take turns, each with a sentence a cue."""
    rows, at = ["WEBVTT\n"], 0.0
    for part in (HARBOUR, ORCHARD):
        for i in range(rounds):
            name = names[i % len(names)]
            for sentence in part[: 2 if i % len(names) else 4]:
                rows.append(f"{_stamp(at)} --> {_stamp(at + seconds)}\n<v {name}>{sentence}</v>\n")
                at += seconds
    return "\n".join(rows)


def chat(names: tuple[str, ...], lines: int) -> str:
    """Return a chat with a time and a name in each line."""
    said = [*HARBOUR, *ORCHARD]
    return "".join(
        f"[{8 + i // 3600:02}:{i // 60 % 60:02}:{i % 60:02}] {names[i * 7 % len(names)]}: "
        f"{said[4 * (2 * i // lines) + i % 4]}\n"
        for i in range(lines)
    )


def recording(seconds: float) -> bytes:
    """Return a WAV file of silence."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(8000)
        file.writeframes(b"\x80" * int(seconds * 8000))
    return buffer.getvalue()


def _stamp(seconds: float) -> str:
    return f"{int(seconds) // 3600:02}:{int(seconds) // 60 % 60:02}:{seconds % 60:06.3f}"
