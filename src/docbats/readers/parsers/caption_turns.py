"""The turns of a transcript: captions joined until another one speaks, or a pause."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from docbats.blocks import Block
from docbats.text.structure.lines import ends_sentence

if TYPE_CHECKING:
    from docbats.readers.places import Cue

__all__ = ["Said", "Turns", "find_turns"]

# Seconds without a word that end a turn after a full stop, and that end it in any case. Speakers
# also stop to think amid a sentence, which only a long silence may tear apart. If larger, fewer
# turns are told apart.
_MIN_PAUSE, _MIN_SILENCE = 2.0, 5.0
_MAX_TURN = 30.0  # seconds; a longer turn is divided where a sentence ends


@dataclass(frozen=True)
class Said:
    """What one speaker says in a caption.

    Attributes
    ----------
    cue
        Where it stands in the text, and when it is said.
    speaker
        Who speaks, where the caption says so.
    is_turn
        Whether another speaker begins.
    label_size
        How many characters at its beginning are the name of the speaker.
    """

    cue: Cue
    speaker: str | None
    is_turn: bool
    label_size: int = 0


@dataclass(frozen=True)
class Turns:
    """The turns, and the text with the names of speakers blanked."""

    turns: tuple[Block, ...]
    prose: str


def find_turns(text: str, said: list[Said], spans: list[tuple[int, int]] | None) -> Turns:
    """Join what is said to turns; with `spans` given, sentences end there and nowhere else."""
    starts = None if spans is None else {start for start, _ in spans}
    turns: list[Block] = []
    prose: list[str] = []
    at = 0
    last: Cue | None = None
    for piece in said:
        cue = piece.cue
        if starts is None:
            is_start = last is None or ends_sentence(text[last.start : last.end])
        else:
            is_start = cue.start in starts
        if last is None or piece.is_turn or _divides(turns[-1], last, cue, is_start=is_start):
            goes_on = bool(turns) and not piece.is_turn
            speaker = turns[-1].speaker if goes_on else piece.speaker
            turns.append(
                Block("turn", cue.start, cue.end, speaker=speaker, seconds=(cue.begins, cue.ends))
            )
        else:
            begins, ends = turns[-1].seconds or (cue.begins, cue.ends)
            turns[-1] = replace(turns[-1], end=cue.end, seconds=(begins, max(ends, cue.ends)))
        label_end = cue.start + piece.label_size
        prose += [text[at : cue.start], " " * piece.label_size, text[label_end : cue.end]]
        at, last = cue.end, cue
    return Turns(tuple(turns), "".join([*prose, text[at:]]))


def _divides(turn: Block, last: Cue, cue: Cue, *, is_start: bool) -> bool:
    """Whether a turn ends between two captions of the same speaker."""
    pause = cue.begins - last.ends
    begins = cue.begins if turn.seconds is None else turn.seconds[0]
    is_long = last.ends - begins >= _MAX_TURN
    return pause > _MIN_SILENCE or (is_start and (is_long or pause > _MIN_PAUSE))
