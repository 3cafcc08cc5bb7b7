"""The turns of a transcript as blocks: who speaks, and when.

`docbats.text.turns` finds them, and is loaded where a few lines look like the labels of turns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from docbats.blocks import Block
from docbats.text.layout import LineGroup, TextLine, ends_sentence, scan_lines, split_at

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from docbats.text.languages.language import Language
    from docbats.text.turns import Labels

# Words before a colon, a number before a time or a date, a name in angle brackets and so on: what
# every label of a turn has, and some other lines.
_SIGN = re.compile(
    r"[\W_]{0,8}(?:\d[^:\n]{0,24}:\d|[^\W\d_][^:：\n]{0,160}(?:[:：](?:\s|\d|\W?\W?$|[*_：])|：)"
    r"|[^\W\d_][^:\n]{1,80}\.[-–—]|(?:<|[QA](?:\.|\s\s))|M[rs]s?\. [A-Z]|The [A-Z]{4})|\d{1,2}\s{2}"
)
_MIN_SIGNS = 3
# Stretches with times but no names are joined until a sentence ends after this many seconds, and
# for at most twice as long.
_MAX_STRETCH = 30.0


@dataclass(slots=True)
class FoundTurn:
    """The label of a turn: its lines, and what it tells.

    Attributes
    ----------
    first, line
        The first line of the label, and the last one.
    length
        How many characters of that line belong to it.
    name
        The speaker, if known.
    begins, ends
        When the turn begins and ends, in seconds, if known.
    is_cue
        Whether the next one may go on with the sentence.
    """

    first: int
    line: int
    length: int
    name: str | None
    begins: float | None = None
    ends: float | None = None
    is_cue: bool = False


@dataclass(frozen=True)
class FoundTalk:
    """The turns of a text.

    Attributes
    ----------
    turns
        In the order of the text; none if it is not talk.
    marks
        What is not words in what is said, such as tags.
    numbers
        The lengths of the numbers before lines, by line: those of a court reporter.
    has_headings
        Whether headings may be between turns, unlike in a chat and in captions.
    """

    turns: Sequence[FoundTurn]
    marks: Sequence[tuple[int, int]] = ()
    numbers: Mapping[int, int] = field(default_factory=dict)
    has_headings: bool = True


NO_TALK = FoundTalk(())


def read_labels(lines: Sequence[TextLine]) -> Labels | None:
    """Return the labels of all lines that have one; None if few look like it."""
    if sum(_SIGN.match(line.text) is not None for line in lines) < _MIN_SIGNS:
        return None
    from docbats.text.turns import Labels

    return Labels(lines)


def find_timed_talk(labels: Labels | None, n_groups: int, language: Language) -> FoundTalk:
    """Return the turns of a text by their times, or by the numbered lines of a court reporter.

    Such labels are evidence enough to look at nothing else first.
    """
    if labels is None:
        return NO_TALK
    from docbats.text.turns import find_timed_turns

    return find_timed_turns(labels, n_groups, language)


def find_named_talk(
    labels: Labels | None, groups: Sequence[LineGroup], language: Language
) -> FoundTalk:
    r"""Return the turns of a text by the names before them, in groups still free.

    >>> from docbats.text.languages import load_language
    >>> labels = read_labels(scan_lines("ANNA: Where are they?\nBOB: Here.\nANNA: I see."))
    >>> talk = find_named_talk(labels, [LineGroup(0, 3)], load_language("en"))
    >>> [turn.name for turn in talk.turns]
    ['ANNA', 'BOB', 'ANNA']
    """
    if labels is None:
        return NO_TALK
    from docbats.text.turns import find_named_turns

    return find_named_turns(labels, groups, language)


def find_talk_in_blocks(
    text: str, blocks: Sequence[Block], language: Language
) -> tuple[list[Block], list[LineGroup]] | None:
    """Return blocks of a file with the turns among its paragraphs, and these; None without any."""
    lines, groups = _lines_of_blocks(text, blocks)
    labels = read_labels(lines)
    talk = find_timed_talk(labels, len(groups), language)
    if not talk.turns:
        talk = find_named_talk(labels, groups, language)
    if not talk.turns:
        return None
    owner = {lines[group.first].start: block for group, block in zip(groups, blocks, strict=True)}
    groups = mark_turns(lines, groups, talk)
    continue_turns(groups)
    found = []
    for group in groups:
        start, end = lines[group.first].start, lines[group.stop - 1].end
        if group.kind == "turn":
            found.append(Block("turn", start, end, speaker=group.speaker, seconds=group.seconds))
        else:
            block = owner[start]
            found.append(replace(block, end=min(block.end, end)))
    return found, [group for group in groups if group.kind == "turn"]


def _lines_of_blocks(text: str, blocks: Sequence[Block]) -> tuple[list[TextLine], list[LineGroup]]:
    """Return the lines of paragraphs, and one without a word for each other block."""
    lines: list[TextLine] = []
    groups: list[LineGroup] = []
    for block in blocks:
        first, at = len(lines), block.start
        if block.kind == "paragraph":
            lines += (
                line._replace(start=at + line.start, end=at + line.end)
                for line in scan_lines(text[at : block.end])
            )
        if len(lines) == first:
            lines.append(TextLine(at, block.end, 0, 1, "."))
        lines[first] = lines[first]._replace(gap=1)
        groups.append(LineGroup(first, len(lines), block.kind))
    return lines, groups


def mark_turns(
    lines: Sequence[TextLine], groups: list[LineGroup], talk: FoundTalk
) -> list[LineGroup]:
    """Split off and mark the turns of a transcript; names and times are marks.

    What follows a turn without a label belongs to the same speaker: :func:`continue_turns`.
    """
    if not talk.turns:
        return groups
    _set_ends(talk.turns)
    marked = _split_turns(lines, groups, talk)
    for group in marked:
        if group.kind == "turn" and group.seconds:
            start, end = lines[group.first].start, lines[group.stop - 1].end
            said = max(start, min(end, group.marks[0][1]))  # nothing is said in the label
            begins, ends = group.seconds
            group.cues = [(start, said, begins, begins), (said, end, begins, ends)]
    marked = _join_cues(lines, marked, {turn.first for turn in talk.turns if turn.is_cue})
    _mark_inside(lines, marked, talk.marks)
    _mark_numbers(lines, marked, talk.numbers)
    return marked


def _split_turns(
    lines: Sequence[TextLine], groups: list[LineGroup], talk: FoundTalk
) -> list[LineGroup]:
    """Split groups where turns begin; a label and what is said below it belong together."""
    by_line = {turn.first: turn for turn in talk.turns}
    marked: list[LineGroup] = []
    for group in split_at(groups, set(by_line)):
        last = marked[-1] if marked else None
        if last is not None and group.first < last.stop:
            group.first = last.stop  # the label before went on in this group
            if group.first >= group.stop:
                continue
        turn = by_line.get(group.first) if group.is_free else None
        if turn is not None:
            group.kind, group.speaker = "turn", turn.name
            if turn.begins is not None:
                group.seconds = turn.begins, turn.begins if turn.ends is None else turn.ends
            group.marks.append((lines[turn.first].start, lines[turn.line].start + turn.length))
            group.stop = max(group.stop, turn.line + 1)
        elif last is not None and group.is_free and _takes_next(lines, last, talk, by_line):
            last.stop = group.stop
            continue
        marked.append(group)
    return marked


def _mark_numbers(
    lines: Sequence[TextLine], groups: list[LineGroup], numbers: Mapping[int, int]
) -> None:
    """Mark the numbers of lines; sentences go on behind them."""
    for group in groups if numbers else ():
        for i in range(group.first, group.stop):
            end = lines[i].start + numbers.get(i, 0)
            group.marks.append((lines[i].start, end))
            if i > group.first:
                group.joints.append((lines[i - 1].end, end))


def _takes_next(
    lines: Sequence[TextLine], group: LineGroup, talk: FoundTalk, turns: Mapping[int, FoundTurn]
) -> bool:
    """Whether what follows belongs to a turn: it is only a label, or a page has numbered lines."""
    turn = turns.get(group.first)
    if group.kind != "turn" or turn is None:
        return False
    is_bare = group.stop <= turn.line + 1 and turn.length >= len(lines[turn.line].text)
    return is_bare or bool(talk.numbers)


def _mark_inside(
    lines: Sequence[TextLine], groups: list[LineGroup], marks: Sequence[tuple[int, int]]
) -> None:
    """Put the marks into the groups that they are in."""
    at = 0
    for group in groups:
        end = lines[group.stop - 1].end
        while at < len(marks) and marks[at][0] < end:
            if marks[at][0] >= lines[group.first].start:
                group.marks.append(marks[at])
            at += 1


def continue_turns(groups: list[LineGroup]) -> None:
    """Let paragraphs after a turn belong to the same speaker, until a heading or another turn."""
    last: LineGroup | None = None
    for group in groups:
        if group.kind in {"turn", "heading"}:
            last = group
        elif group.is_free and last is not None and last.kind == "turn":
            group.kind, group.speaker, group.seconds = "turn", last.speaker, last.seconds


def _set_ends(turns: Sequence[FoundTurn]) -> None:
    """Let each turn with a time last until the next one."""
    ends: float | None = None
    for turn in reversed(turns):
        if turn.begins is not None:
            if turn.ends is None:
                turn.ends = max(turn.begins, turn.begins if ends is None else ends)
            ends = turn.begins


def _join_cues(
    lines: Sequence[TextLine], groups: list[LineGroup], cues: set[int]
) -> list[LineGroup]:
    """Join cues, and stretches without names: their edges may lie amid sentences."""
    joined: list[LineGroup] = []
    for group in groups:
        last = joined[-1] if joined else None
        if last is not None and _goes_on(lines, last, group) and group.first in cues:
            label = group.marks[0]
            last.joints.append((lines[last.stop - 1].end, label[1]))
            last.stop = group.stop
            last.marks += group.marks
            last.cues += group.cues
            last.seconds = _both(last.seconds, group.seconds)
        else:
            joined.append(group)
    return joined


def _goes_on(lines: Sequence[TextLine], last: LineGroup, group: LineGroup) -> bool:
    """Whether a cue goes on with what the same speaker says, within half a minute or so."""
    if last.kind != "turn" or group.kind != "turn" or last.speaker != group.speaker:
        return False
    if last.seconds is None or group.seconds is None:
        return False
    passed = group.seconds[0] - last.seconds[0]
    is_open = not ends_sentence(lines[group.first - 1].text)
    return 0 <= passed < _MAX_STRETCH * (2 if is_open else 1)


def _both(
    first: tuple[float, float] | None, second: tuple[float, float] | None
) -> tuple[float, float] | None:
    if first is None or second is None:
        return first or second
    return first[0], max(first[1], second[1])
