"""How talk is read: who says what and when, in the forms of many exporters and in real records."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.document import Document
from docbats.runtime import find_versions
from docbats_lab.report.tables import format_number, named_table
from docbats_lab.results import read_facts, write_facts
from docbats_lab.talk_samples import look_alikes, samples

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from docbats.blocks import Block
    from docbats_lab.experiments.request import Request
    from docbats_lab.talk_samples import Sample

_MAX_SECONDS_OFF = 1.0  # a label has whole seconds, and a time inside a caption is estimated
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_COMMAND = "docbats lab run talk"


@dataclass(frozen=True)
class TalkScore:
    """How many turns there are, and of how many the words, the speaker and the time are right."""

    n_turns: int
    n_words_right: int
    n_speakers_right: int
    n_times_right: int
    n_right: int

    def to_dict(self) -> dict[str, int]:
        """Return the counts as JSON-ready values."""
        return {
            "turns": self.n_turns,
            "words": self.n_words_right,
            "speakers": self.n_speakers_right,
            "times": self.n_times_right,
            "right": self.n_right,
        }


def score_sample(sample: Sample, *, as_file: bool = False) -> TalkScore:
    """Compare what is read in a sample, pasted or as a file, with what was written into it.

    The words of a turn are right if they are all there, in their place, and nothing else is before
    the words of the next one, such as a name or a time. Without a name or a time to find, none may
    be found.
    """
    document = Document.of(sample.text.encode() if as_file else sample.text)
    prose = document.text if document.prose is None else document.prose
    found = [(word[0].lower(), word.start()) for word in _WORD.finditer(prose)]
    counts = [0, 0, 0, 0]
    at = 0
    for said in sample.said:
        wanted = [word.lower() for word in _WORD.findall(said.text)]
        first = at
        if [word for word, _ in found[first : first + len(wanted)]] != wanted:
            first = _find(found, wanted, at)
            has_words = False
        else:
            has_words = True
        if first < 0:
            continue
        at = first + len(wanted)
        start = found[first][1]
        block = _block_at(document.blocks, start)
        has_speaker = (block.speaker if block else None) == said.speaker
        has_time = said.begins is None or _is_said_at(document, prose, start, said.begins)
        counts[0] += has_words
        counts[1] += has_speaker
        counts[2] += has_time
        counts[3] += has_words and has_speaker and has_time
    if at < len(found) and counts[3]:  # words after the last turn
        counts[0] -= 1
        counts[3] -= 1
    return TalkScore(len(sample.said), *counts)


def _find(found: Sequence[tuple[str, int]], wanted: Sequence[str], start: int) -> int:
    """Return where the words of a turn begin after a place; -1 if nowhere."""
    for i in range(start, len(found) - len(wanted) + 1):
        if all(found[i + k][0] == word for k, word in enumerate(wanted)):
            return i
    return -1


def _block_at(blocks: Sequence[Block], offset: int) -> Block | None:
    return next((block for block in blocks if block.start <= offset < block.end), None)


def _is_said_at(document: Document, prose: str, start: int, seconds: float) -> bool:
    before = bisect_right(document.spans[:, 0], start) - 1
    sentence = int(document.spans[before, 0])
    is_first = not prose[sentence:start].strip()  # then its time is that of the sentence
    place = document.place(sentence if is_first else start, start + 1)
    if place is None or place.seconds is None:
        return False
    return abs(place.seconds[0] - seconds) <= _MAX_SECONDS_OFF


def is_taken_for_talk(text: str) -> bool:
    """Whether a text has turns of speakers or times."""
    return any(block.kind == "turn" for block in Document.of(text).blocks)


def run(request: Request) -> None:
    """Read all samples, and the texts that look like talk and are none."""
    shapes: dict[str, dict[str, Any]] = {}
    for sample in samples():
        for as_file in (False, True):
            score = score_sample(sample, as_file=as_file).to_dict()
            start: dict[str, Any] = {"samples": 0, "wrong": [], **dict.fromkeys(score, 0)}
            row = shapes.setdefault(sample.shape, start)
            row["samples"] += not as_file
            for name, value in score.items():
                row[name] += value
            if score["right"] < score["turns"]:
                way = ", as a file" if as_file else ""
                right = f"{score['right']} of {score['turns']}"
                row["wrong"].append(f"{sample.version}{way}: {right}")
    texts = look_alikes()
    facts = {
        "command": _COMMAND,
        "versions": find_versions("docbats"),
        "shapes": shapes,
        "look_alikes": {name: is_taken_for_talk(text) for name, text in texts.items()},
    }
    write_facts(request.output / "talk", facts)


_INTRODUCTION = """\
Transcripts and chats come in the form of the program that made them. We wrote conversations out in
the forms of many programs, in several versions of each, and compare what docbats finds with what
was written, once where the text is pasted and once where it is a file. A *turn* is what one speaker
says in one go, or a caption where there are no names. It is *right* if all its words are found and
nothing else is among them, such as a name or a time, if the speaker is as written, whole, and if
the time is within a second. In chats, times are those of the day, counted from the midnight before
the first message.

The samples are ours, and the rules were tried on them: they show that a form is known, not how
docbats does on forms that it does not know.
"""


def page(results: Path, _: Path) -> Iterator[str]:
    """Yield the page."""
    facts = read_facts(results)
    yield _INTRODUCTION
    shapes: Mapping[str, Any] = facts["shapes"]
    total = {key: sum(row[key] for row in shapes.values()) for key in _COUNTS}
    yield named_table(_HEADS, {**shapes, "**all**": total}, _cells)
    wrong = [f"- {shape}: {text}" for shape, row in shapes.items() for text in row["wrong"]]
    if wrong:
        yield "\nNot all right:\n\n" + "\n".join(wrong) + "\n"
    others: Mapping[str, bool] = facts["look_alikes"]
    n_taken = sum(others.values())
    names = ", ".join(name.replace("-", " ") for name in others)
    yield (
        f"\n## What is not talk\n\nOf {len(others)} texts that look like it, {n_taken} "
        f"{'is' if n_taken == 1 else 'are'} taken for talk: {names}.\n"
    )


_HEADS = ("shape", "samples", "turns", "words", "speakers", "times", "right")
_COUNTS = ("samples", "turns", "words", "speakers", "times", "right")


def _cells(row: Mapping[str, Any]) -> Iterator[str]:
    yield str(row["samples"])
    yield str(row["turns"])
    for name in ("words", "speakers", "times", "right"):
        yield format_number(row[name] / row["turns"])
