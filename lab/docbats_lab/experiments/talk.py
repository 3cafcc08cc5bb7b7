"""How talk is read, in the forms of many exporters, and cut, with and without its speakers."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.document import Document
from docbats.runtime import find_versions
from docbats_lab.datasets import DATASETS
from docbats_lab.experiments.request import map_with_progress
from docbats_lab.experiments.talk_cuts import WITH, WITHOUT, cut_facts, cut_talk, load_talks
from docbats_lab.report.tables import format_number, markdown_table, named_table
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
_DATASETS = ("structured", "sections")


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
    """Read all samples, and the texts that look like talk; cut talk, if the datasets are there."""
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
    facts: dict[str, Any] = {
        "command": _COMMAND,
        "versions": find_versions("docbats", "numpy", "scipy"),
        "shapes": shapes,
        "look_alikes": {name: is_taken_for_talk(text) for name, text in texts.items()},
    }
    if all((request.data / name).is_dir() for name in _DATASETS):
        talks = load_talks(request.data, request.limit)
        cuts = map_with_progress(request, "talk: cut", cut_talk, talks)
        facts["checksums"] = {name: DATASETS[name].checksum for name in _DATASETS}
        facts["seed"] = request.seed
        facts["cuts"] = cut_facts([found for found in cuts if found], request.seed)
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
    if "cuts" in facts:
        yield from _cuts(facts["cuts"])


_HEADS = ("shape", "samples", "turns", "words", "speakers", "times", "right")
_COUNTS = ("samples", "turns", "words", "speakers", "times", "right")


def _cells(row: Mapping[str, Any]) -> Iterator[str]:
    yield str(row["samples"])
    yield str(row["turns"])
    for name in ("words", "speakers", "times", "right"):
        yield format_number(row[name] / row["turns"])


_CUTS = """
## Where talk is cut

Documents are transcripts without headings, and a true part is a section of the record or a topic
that people marked. *Without* is the text in its paragraphs, *with* the same text in its turns,
which know their speakers. In the last column of the first table are the turns whose speaker is
found where the documents are written as plain text, with `Name:` before what is said.

What docbats makes of speakers is one feature of a place between turns: how much the speakers
change there, from 0 to 1. Who speaks in the 10, 20 and 40 turns before is compared with who speaks
in as many after, by their shares of the words. It says where parts begin, not how many there are:
the number of parts is chosen by the words alone.
"""
_SCORES = """
Pk / WD / F1 within two sentences, at the true number of parts and at the number found, and with
minus without in Pk with 95 % intervals of a paired bootstrap over documents; a star marks those
without zero. In the mean, every source counts the same. The cues of openings were learned from
these sources, too, so that Pk and WD are a little lower than on others, with speakers and without.
"""
_WEIGHTS = """
### The weight

The log odds that a full change of speakers adds were chosen among five: those of the largest gain
in Pk, at both numbers together, that harm no source. That is {weight:g}. Pk with minus without, at
the true number and at the number found:
"""
_LEFT_OUT = """
Each source with the weight that the others would have:
"""
_TRIED = """
### Tried and left out

These figures come from scripts that were not kept: how Pk changes with the true number of parts,
in the mean of the six sources with speakers and in ICSI, on 247 of their documents, in the first
two rows on 135. The feature in use gave -.029 and -.004.
"""
_TRIED_ROWS = (
    ("speakers as words of the likelihood, once a turn", "-.011 to -.023", "+.010 to +.049"),
    ("the same, weighed by the root of the number of turns", "-.017 to -.028", "-.004 to +.021"),
    ("shares of turns rather than of words", "-.024", "-.002"),
    ("the share of common speakers, not the product of shares", "-.013", "+.012"),
    ("shares of turns, by a logistic regression without the source", "-.014", "+.006"),
    ("the same, and the length of the turn before", "-.014", "+.011"),
    ("the same, and speakers who are new in this turn or the next", "-.009", "+.019"),
    ("shares of turns, and that the one begins who leads", "-.012", "+.003"),
    ("shares of turns, the turn before, the one who leads, a question", "-.013", "+.012"),
    ("all of these, three turns before, whether the speaker goes on", "-.007", "+.016"),
)
_NOT_USED = """
The one who leads is who speaks in most tenths of the text. If speakers also have a say in the
number of parts, 1.3 to 2.3 times as many are found as there are, and Pk at the number found rises
by .02 to .12. The area under the curve of places is .816 without speakers; the one who leads, a
question, and a speaker who is new change it by -.003 to +.004 each. In a parliament the chair
speaks between all others, in a meeting the most talkative one leads, and in a court nobody does. A
logistic regression of places gives the feature in use a weight of 1.8, and of 1.7 to 2.0 without
one of the sources; at that weight it gains less. If the feature counts less near the ends of the
text, where few turns are compared, the seven sources gain .014 to .018 rather than .026; if not at
all next to the first and the last turn, .024, and wasm-meetings nothing at the number found.

No source has pauses: in AVLectures and in the court each turn begins when the last one ends, and
the others have no times. So pauses have no weight. They decide where turns and sentences of
captions end, and a part may begin there.
"""


def _cuts(facts: Mapping[str, Any]) -> Iterator[str]:
    sources: Mapping[str, Any] = facts["sources"]
    yield _CUTS
    yield named_table(
        ("source", "documents", "turns with a speaker", "with times", "found in plain text"),
        sources,
        lambda row: [
            f"{row['documents']}",
            f"{row['turns with speakers']:,}",
            f"{row['turns with times']:,}",
            format_number(row["recognized"]),
        ],
    )
    yield _SCORES
    means = {
        way: [
            sum(values) / len(sources)
            for values in zip(*(row["scores"][way] for row in sources.values()), strict=True)
        ]
        for way in (WITHOUT, WITH)
    }
    mean = {"scores": means, "difference": facts["difference"]}
    yield named_table(
        (
            "source",
            *(f"{number}, {way}" for number in _NUMBERS for way in ("without", "with", "Pk")),
        ),
        {**sources, "**mean**": mean},
        _score_cells,
    )
    weight = facts["weight"]
    yield _WEIGHTS.format(weight=weight)
    left_out = facts["left out"]
    named = list(left_out["sources"])
    yield markdown_table(
        ("weight", *named, "mean"),
        [
            [
                f"{float(tried):g}",
                *(_both(row["sources"][name]) for name in named),
                _both(row["difference"]),
            ]
            for tried, row in facts["weights"].items()
        ],
    )
    yield _LEFT_OUT
    weights = {name: f"{weight:g}" for name, weight in left_out["weights"].items()}
    yield markdown_table(
        ("source", "weight", *_NUMBERS),
        [
            [name, weight, *(_interval(difference[number]["pk"]) for number in _NUMBERS)]
            for name, weight, difference in (
                *((name, weights[name], left_out["sources"][name]) for name in named),
                ("**mean**", "", left_out["difference"]),
            )
        ],
    )
    yield _TRIED
    yield markdown_table(("what was tried", "Pk", "Pk of ICSI"), _TRIED_ROWS)
    yield _NOT_USED


_NUMBERS = ("true k", "found k")


def _score_cells(row: Mapping[str, Any]) -> Iterator[str]:
    for first, number in ((0, "true k"), (4, "found k")):
        for way in (WITHOUT, WITH):
            pk, wd, _, f1 = row["scores"][way][first : first + 4]
            yield " / ".join(map(format_number, (pk, wd, f1)))
        yield _interval(row["difference"][number]["pk"])


def _both(difference: Mapping[str, Any]) -> str:
    return " / ".join(f"{difference[number]['pk'][0]:+.3f}" for number in _NUMBERS)


def _interval(values: Sequence[float]) -> str:
    mean, low, high = values
    return f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]{' *' if low > 0 or high < 0 else ''}"
