"""Why a document has so many segments, in words that people can use."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.parts import Segment
    from docbats.segments.choose_k import Choice

__all__ = ["explain_choice"]

_PLAIN = 0.7  # strength of a boundary that most people would draw
_WEAK = 0.4  # of one that most would not
_MAX_NAMED = 3  # breaks in one sentence
_SURE = 0.5  # confidence
_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
)  # fmt: skip
_ORDINALS = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    "tenth",
)  # fmt: skip


def explain_choice(choice: Choice, segments: Sequence[Segment]) -> Choice:
    """Return the choice with its reason: what speaks for k, the runner-up, and how sure it is."""
    return replace(choice, reason=_reason(choice, segments))


def _reason(choice: Choice, segments: Sequence[Segment]) -> str:
    k = choice.k
    limited = "" if len(segments) == k else f"; the limits on sizes make it {len(segments)}"
    if choice.follows_headings and choice.n_sections not in {None, k}:
        return f"The {choice.n_sections} sections of the text are gathered into {k} parts{limited}."
    if choice.follows_headings:
        return f"The headings of the text divide it into {k} parts{limited}."
    if limited:
        return f"The words speak for {_counted(k)}{limited}."
    if len(choice.gains) == 1:
        return "The text is too short to be cut."
    if k == 1:
        return "The text stays in one piece: no break in it is plain enough to be worth a boundary."
    return f"{_counted(k).capitalize()}: {_breaks(choice, segments)}{_other_numbers(choice)}."


def _breaks(choice: Choice, segments: Sequence[Segment]) -> str:
    """Name the plain breaks, or state that all or none are."""
    if choice.has_plain_breaks:
        return "each has a subject of its own"
    if choice.confidence is None:  # by a cost of the user's own
        return "no other number costs less, with the penalty of its boundaries"
    strengths = {i: s.strength for i, s in enumerate(segments) if s.strength is not None}
    if not strengths:  # by the paper's cut
        return "no other number explains the words better for the boundaries it takes"
    return _plain_breaks(strengths, segments)


def _plain_breaks(strengths: dict[int, float], segments: Sequence[Segment]) -> str:
    plain = [i for i, strength in strengths.items() if strength >= _PLAIN]
    if len(plain) == len(strengths):
        return {1: "the break is", 2: "both breaks are"}.get(
            len(plain), "all breaks are"
        ) + " plain"
    if plain:
        best = sorted(sorted(plain, key=lambda i: -strengths[i])[:_MAX_NAMED])
        names = [f"“{' '.join(segments[i].title.split())}”" for i in best]
        noun, verb = ("break", "is") if len(names) == 1 else ("breaks", "are")
        return f"the {noun} before {_listed(names)} {verb} plain"
    if max(strengths.values()) < _WEAK:
        return "no break is plain, and people usually divide a text into about so many"
    return "the breaks are gradual, and these are the clearest"


def _other_numbers(choice: Choice) -> str:
    """Describe how close the runner-up is."""
    other, k = choice.runner_up, choice.k
    if other is None:
        return ""
    if choice.confidence is None:
        return f"; {_number(other)} would be the next best"
    is_sure = choice.confidence >= _SURE
    if other == k + 1:
        return f"; {_one_more(other)} would be {'weak' if is_sure else 'nearly as good'}"
    return f"; {_number(other)} would {'be the next best' if is_sure else 'do nearly as well'}"


def _counted(k: int) -> str:
    return f"{_number(k)} {'part' if k == 1 else 'parts'}"


def _number(n: int) -> str:
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


def _one_more(n: int) -> str:
    return f"a{'n' * (n == 8)} {_ORDINALS[n]}" if n < len(_ORDINALS) else "one more"


def _listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
