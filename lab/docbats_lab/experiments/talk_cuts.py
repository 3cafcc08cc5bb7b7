"""Where talk is cut, with and without its speakers: meetings, parliaments, courts, lectures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.document import Document
from docbats.pipeline import prepare
from docbats.segments.choose_k import choose_k
from docbats.segments.dirichlet import StructuredCost, likelihood_cost
from docbats.segments.evidence import SPEAKER_WEIGHT
from docbats.segments.search import best_starts
from docbats.settings import Settings
from docbats_lab.documents import PROSE, read_structured
from docbats_lab.experiments.request import evenly_spaced
from docbats_lab.layouts import SectionFiles, read_section_line
from docbats_lab.metrics.segmentation import (
    boundary_f1,
    count_words,
    segment_lengths,
    window_errors,
)
from docbats_lab.score_summary import bootstrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from docbats_lab.documents import StructuredDocument

    Blocks = tuple[Mapping[str, Any], ...]

MEETINGS = ("ethereum-pm", "w3ctag", "wasm-meetings")
NAMED = ("icsi", *MEETINGS, "pacific-hansard", "scotus-oral")
"""Sources of talk between people whose names are known."""
SOURCES = (*NAMED, "avlectures")
"""The same, and lectures in captions, hardly any of which have a second speaker."""

WEIGHTS = (1.0, 2.0, 3.0, 4.5, 6.0)
"""Of a change of speakers, in log odds."""
_MIN_TURNS = 0.3  # of the paragraphs have a speaker or a time; other records are notes
WITHOUT, WITH = "without", "with"
_SCORES = ("pk", "wd", "f1", "f1_2")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Talk:
    """A transcript without headings, and the first paragraph of each part."""

    source: str
    blocks: Blocks
    starts: tuple[int, ...]

    def document(self, *, turns: bool) -> Document:
        """Return it with its turns, or as paragraphs that nobody in particular says."""
        if turns:
            return Document.from_blocks(self.blocks, "en")
        plain = [
            {
                "kind": "paragraph" if block["kind"] == "turn" else block["kind"],
                "text": block["text"],
            }
            for block in self.blocks
        ]
        return Document.from_blocks(plain, "en")

    @property
    def as_text(self) -> str:
        """The names before what is said, as in a plain text."""
        return "\n\n".join(
            f"{block['speaker']}: {block['text']}" if block.get("speaker") else block["text"]
            for block in self.blocks
        )


def load_talks(data: Path, limit: int | None) -> list[Talk]:
    """Read the talk of all sources, at most `limit` documents of each, evenly spaced."""
    found: dict[str, Sequence[StructuredDocument]] = dict(read_structured(data))
    lines = SectionFiles().lines(data / "sections")
    talks = []
    for source in SOURCES:
        documents = found.get(source) or [read_section_line(source, x) for x in lines[source]]
        read = [talk for talk in map(as_talk, documents) if talk is not None]
        talks += evenly_spaced(read, limit)
    return talks


def as_talk(document: StructuredDocument) -> Talk | None:
    """Return a document without headings; None if it has one part, or is mostly not turns."""
    blocks: list[Mapping[str, Any]] = []
    starts: list[int] = []
    is_marked = any(block["type"] == "boundary" for block in document.blocks)
    speaker, is_new = None, True
    for block in document.blocks:
        kind = block["type"]
        if kind == "boundary" or (
            not is_marked and kind == "heading" and block["level"] == document.top_level
        ):
            is_new = True
        if kind == "heading":
            speaker = None
        text = _SPACES.sub(" ", block.get("text") or "").strip()
        if kind not in PROSE or not text:
            continue
        if kind == "turn":
            speaker = (block.get("speaker") or "").rstrip(".") or None
        if is_new:
            starts.append(len(blocks))
            is_new = False
        blocks.append(_block(block, text, speaker))
    n_turns = sum(block["kind"] == "turn" for block in blocks)
    if len(starts) < 2 or n_turns < _MIN_TURNS * len(blocks):
        return None
    return Talk(document.source, tuple(blocks), tuple(starts))


def _block(block: Mapping[str, Any], text: str, speaker: str | None) -> dict[str, Any]:
    """Return a block; paragraphs after a turn go on with it."""
    goes_on = block["type"] == "paragraph" and speaker is not None
    kind = "turn" if goes_on else block["type"]
    found: dict[str, Any] = {"kind": kind, "text": text}
    if kind == "turn" and speaker:
        found["speaker"] = speaker
    if kind == "turn" and block.get("start") is not None:
        found["seconds"] = (block["start"], max(block["start"], block["end"] or 0))
    return found


def cut_talk(talk: Talk) -> dict[str, Any] | None:
    """Score the cuts without speakers, with them, and by other weights of them.

    None if docbats does not see paragraphs, or cuts sentences in another way without speakers.
    """
    costs = {
        name: _cost(talk.document(turns=turns)) for name, turns in ((WITHOUT, False), (WITH, True))
    }
    (document, plain), (same, cost) = costs[WITHOUT], costs[WITH]
    if cost is None or plain is None or document.sentences != same.sentences:
        return None
    opens = np.searchsorted(
        document.spans[:, 0], [document.blocks[i].start for i in talk.starts]
    ).tolist()
    true = sorted({0, *(start for start in opens if 0 < start < len(document))})
    words = [count_words(sentence) for sentence in document.sentences]
    tried: dict[str, StructuredCost] = {WITHOUT: plain, WITH: cost}
    if cost.speakers is not None:
        changes = cost.speakers / SPEAKER_WEIGHT
        tried |= {str(weight): cost.with_speakers(weight * changes) for weight in WEIGHTS}
    scores: dict[str, list[float]] = {}
    for name, each in tried.items():
        numbers = (len(true), choose_k(each, len(words)).k)
        scores[name] = [
            score
            for k in numbers
            for score in _score(words, true, best_starts(each, len(words), k) or [0])
        ]
    return {
        "source": talk.source,
        "scores": {str(weight): scores[WITH] for weight in WEIGHTS} | scores,
        "speakers": sum(bool(block.get("speaker")) for block in talk.blocks),
        "times": sum("seconds" in block for block in talk.blocks),
        "recognized": _recognized(talk),
    }


def _cost(document: Document) -> tuple[Document, StructuredCost | None]:
    settings = Settings(language="en")
    text = prepare(document, settings)
    cost = likelihood_cost(text, settings)
    return text.document, cost if isinstance(cost, StructuredCost) else None


def _score(words: Sequence[int], true: Sequence[int], found: Sequence[int]) -> list[float]:
    """Return Pk, WD, and F1 of boundaries, exact and within two sentences."""
    lengths, ours = segment_lengths(true, len(words)), segment_lengths(found, len(words))
    pk, wd = window_errors(words, true, found)
    return [pk, wd, boundary_f1(lengths, ours, 0), boundary_f1(lengths, ours, 2)]


def _recognized(talk: Talk) -> float | None:
    """Return the share of turns whose speaker is found where names are in the text."""
    wanted = [(block["speaker"], block["text"]) for block in talk.blocks if block.get("speaker")]
    if not wanted:
        return None
    document = Document.of(talk.as_text, language="en")
    blocks = [block for block in document.blocks if block.kind == "turn"]
    found = {
        (block.speaker, _SPACES.sub(" ", document.without_marks(block.start, block.end)).strip())
        for block in blocks
    }
    return sum(turn in found for turn in wanted) / len(wanted)


def cut_facts(found: Sequence[Mapping[str, Any]], seed: int) -> dict[str, Any]:
    """Return the scores of each source, and the differences that speakers make."""
    sources: dict[str, list[Mapping[str, Any]]] = {}
    for row in found:
        sources.setdefault(row["source"], []).append(row)
    named = {name: sources[name] for name in NAMED}
    left_out = {
        name: _best_weight(rows for n, rows in named.items() if n != name) for name in named
    }
    return {
        "weight": SPEAKER_WEIGHT,
        "sources": {name: _source_facts(rows, seed) for name, rows in sources.items()},
        "difference": _differences([(rows, WITH) for rows in sources.values()], seed, _SCORES),
        "weights": {
            str(weight): _facts_by_source(named, dict.fromkeys(named, weight), seed)
            for weight in WEIGHTS
        },
        "left out": {"weights": left_out, **_facts_by_source(named, left_out, seed)},
    }


def _facts_by_source(
    named: Mapping[str, Sequence[Mapping[str, Any]]], weights: Mapping[str, float], seed: int
) -> dict[str, Any]:
    """Return what speakers gain by these weights, in the mean and in each source."""
    pairs = {name: (rows, str(weights[name])) for name, rows in named.items()}
    return {
        "difference": _differences([*pairs.values()], seed),
        "sources": {name: _differences([pair], seed) for name, pair in pairs.items()},
    }


def _source_facts(rows: Sequence[Mapping[str, Any]], seed: int) -> dict[str, Any]:
    recognized = [row["recognized"] for row in rows if row["recognized"] is not None]
    return {
        "documents": len(rows),
        "turns with speakers": sum(row["speakers"] for row in rows),
        "turns with times": sum(row["times"] for row in rows),
        "recognized": round(float(np.mean(recognized)), 4) if recognized else None,
        "scores": {
            way: np.mean([row["scores"][way] for row in rows], axis=0).round(4).tolist()
            for way in (WITHOUT, WITH)
        },
        "difference": _differences([(rows, WITH)], seed, _SCORES),
    }


def _differences(
    sources: Sequence[tuple[Sequence[Mapping[str, Any]], str]],
    seed: int,
    scores: Sequence[str] = ("pk",),
) -> dict[str, dict[str, list[float]]]:
    """Return what the way of each source gains over the cut without speakers, with its bounds."""
    gaps = [
        np.array([np.subtract(row["scores"][way], row["scores"][WITHOUT]) for row in rows])
        for rows, way in sources
    ]
    return {
        number: {
            name: bootstrap([gap[:, first + i] for gap in gaps], seed)
            for i, name in enumerate(_SCORES)
            if name in scores
        }
        for number, first in (("true k", 0), ("found k", len(_SCORES)))
    }


def _best_weight(sources: Iterable[Sequence[Mapping[str, Any]]]) -> float:
    """Return the weight of the least Pk, at both numbers together, that harms no source."""
    found = list(sources)

    def pk(weight: float, rows: Sequence[Mapping[str, Any]]) -> float:
        gaps = [np.subtract(row["scores"][str(weight)], row["scores"][WITHOUT]) for row in rows]
        return float(np.array(gaps)[:, [0, len(_SCORES)]].mean())

    by_weight = {weight: [pk(weight, rows) for rows in found] for weight in WEIGHTS}
    harmless = [weight for weight, gaps in by_weight.items() if max(gaps) <= 0] or WEIGHTS[:1]
    return min(harmless, key=lambda weight: sum(by_weight[weight]))
