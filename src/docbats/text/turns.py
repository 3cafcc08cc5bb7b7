"""Which lines of a text begin what somebody says, judged by all of them together.

A text is talk if enough of its lines have labels of which the names come back or the times go up,
and if what follows them is speech: people address each other, and as fast as people can talk.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from docbats.text.chat_notes import leave_out_notes
from docbats.text.labels import (
    BEFORE_LABEL,
    SPOKEN_TIME,
    has_times_of_day,
    may_be_nickname,
    read_label,
    seconds_of,
    voice_label,
)
from docbats.text.layout import ends_sentence
from docbats.text.speakers import NO_TALK, FoundTalk, FoundTurn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from docbats.text.labels import Label
    from docbats.text.languages.language import Language
    from docbats.text.layout import LineGroup, TextLine

    Seconds = Mapping[int, tuple[float, float | None]]

_MIN_SHARE = 1 / 3  # of the paragraphs begin with a speaker or a time in a transcript
# With this share, names that occur only once are speakers, too.
_MIN_SHARE_FOR_RARE_NAMES = 0.6
# Names that are surely persons, such as "Mr. Lee" and "ANNA LEE", may be farther apart.
_MIN_SURE_SHARE, _MIN_SURE, _MIN_SURE_LABELS = 0.08, 6, 0.7
_MIN_RECURRING_SHARE = 0.5  # of the labels are names that recur; in a glossary none do
_MIN_TIMES = 3
_MIN_LATER_SHARE = 0.9  # of the times are not before the one before
_ROUND = 5  # seconds, or minutes on a clock
_MIN_TIMED_SHARE = 0.15  # of the paragraphs, if names and times are in one label
_MIN_NAMED_SHARE = 0.3  # of the times have a name, if names are at this place
# Words in a second of speech: a timetable has fewer, a log file more or fewer.
_MIN_RATE, _MIN_RATE_IF_ROUND, _MAX_RATE = 0.1, 1.0, 8.0
# Of the words after names, where there are enough to tell: in talk, people say "I" and "you".
_MIN_ADDRESS_SHARE, _MIN_WORDS_FOR_ANY = 0.008, 12
_MIN_ADDRESS_SHARE_IF_RARE = 0.02  # where few paragraphs have a name
_ANSWER_WORDS = (
    "yes no yeah ok okay hi hello thanks thank sorry oh ja nein danke hallo oui non merci "
    "bonjour sí gracias hola grazie ciao sim não obrigado tak nie dzięki cześć да нет "
    "спасибо nee dank"
)
_ANSWERS = frozenset(_ANSWER_WORDS.split())
_WORD_START = re.compile(r"[^\W\d_]+")
_MIN_VERSES = 0.8  # of the lines that go on begin with a capital, in a play in verse
_MIN_LINES_GOING_ON, _MIN_GOING_ON_SHARE = 4, 0.3
_MIN_FIELDS, _MIN_ORDERED_SHARE = 3, 0.85  # of the names that follow each other in records
_MIN_NUMBERED_SHARE = 0.7  # of the lines of a court reporter have numbers that go up
_REPORTED_LINES = range(10, 31)  # lines of a page
_COURT = re.compile(
    r"(?:THE )?(?:COURT|WITNESS|CLERK|REPORTER)\b|M[RS]S?\. [A-Z]|BY M[RS]S?\."
    r"|(?:(?:DIRECT|CROSS|RE-?DIRECT|RE-?CROSS)[ -])?EXAMINATION\b"
)
# Captions roll up if this share of them repeats the last line of the one before. If larger, lines
# are read twice in transcripts where only some captions roll up.
MIN_ROLLING_SHARE = 0.3
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,80}>|<[\d:.]{5,12}>|\{\\[^{}\n]{0,80}\}|>>+")
_HEADERS = ("WEBVTT", "NOTE", "STYLE", "REGION", "Kind:", "Language:", "X-TIMESTAMP")
_TAGS = re.compile(r"(?:<[a-zA-Z][^<>\n]{0,80}>)+")
_FOOTERS = ("Transcribed by https://", "This editable transcript was computer generated")


class Labels:
    """The labels of all lines that have one."""

    def __init__(self, lines: Sequence[TextLine]) -> None:
        self.lines = lines
        self.numbers = _line_numbers(lines)
        self.by_line: dict[int, Label] = {}
        for i, line in enumerate(lines):
            label = read_label(line.text, self.numbers.get(i, 0))
            if label is not None:
                self.by_line[i] = label

    def is_bare(self, turn: FoundTurn) -> bool:
        """Whether nothing follows the label of a turn in its line."""
        return turn.length >= len(self.lines[turn.line].text)

    def text_after(self, turn: FoundTurn) -> str:
        """Return what is said in the first line of a turn."""
        below = turn.line + 1
        if self.is_bare(turn) and below < len(self.lines):
            return self.lines[below].text
        return self.lines[turn.line].text[turn.length :]


def find_timed_turns(labels: Labels, n_groups: int, language: Language) -> FoundTalk:
    """Return the turns of a text by times, or by the numbered lines of a court reporter."""
    lines = labels.lines
    if labels.numbers:
        turns = _named_turns(labels, labels.by_line, n_groups, language)
        return FoundTalk(turns, numbers=labels.numbers)
    timed = {i: label for i, label in labels.by_line.items() if label.begins is not None}
    if len(timed) < 2:
        chat = {i: label for i, label in labels.by_line.items() if label.is_day}
        is_markup = len(chat) < _MIN_TIMES or any("</" in line.text for line in lines)
        return NO_TALK if is_markup else FoundTalk(_named_turns(labels, chat, n_groups, language))
    plain = {i: label for i, label in labels.by_line.items() if label.begins is None and label.name}
    turns = _with_names_below(labels, _with_best_names(labels, timed), plain)
    if not turns:
        return NO_TALK
    is_cued = sum(turn.ends is not None for turn in turns) > len(turns) / 2
    n_named = sum(turn.name is not None for turn in turns)
    if 2 * n_named < len(turns):
        is_talk = _is_timed_talk(labels, turns, n_groups, language, is_cued=is_cued)
        for turn in turns:
            turn.is_cue = True
        plain = {}
    else:
        is_talk = _is_named_talk(labels, turns, plain, n_groups, language, is_cued=is_cued)
    if not is_talk:
        return NO_TALK
    turns = _without_footer(lines, _with_names_alone(turns, plain))
    rolled = _rolled_lines(lines, turns) if is_cued else set()
    if is_cued:
        _extend_labels(lines, turns, rolled)
    marks = _marks_in_cues(lines, turns, rolled) if is_cued else []
    is_chat = has_times_of_day(timed.values())
    if is_chat and not is_cued:
        turns, marks = leave_out_notes(lines, turns)
    has_headings = not (is_cued or is_chat)
    return FoundTalk(turns, marks, has_headings=has_headings)


def _is_named_talk(
    labels: Labels,
    turns: Sequence[FoundTurn],
    plain: Mapping[int, Label],
    n_groups: int,
    language: Language,
    *,
    is_cued: bool,
) -> bool:
    """Whether turns with names and times are talk."""
    names = Counter(turn.name for turn in turns if turn.name)
    names.update(label.name for label in plain.values() if label.name)
    n_named = sum(turn.name is not None for turn in turns)
    n_recurring = sum(names[turn.name] > 1 for turn in turns if turn.name)
    if n_recurring < max(2, _MIN_RECURRING_SHARE * n_named):
        return False
    n_labels = len(turns) + sum(names[label.name] > 1 for label in plain.values() if label.name)
    if n_labels < _MIN_TIMED_SHARE * n_groups or not (is_cued or _go_up(turns)):
        return False
    return is_cued or _is_speech(map(labels.text_after, turns), language)


def _is_timed_talk(
    labels: Labels, turns: Sequence[FoundTurn], n_groups: int, language: Language, *, is_cued: bool
) -> bool:
    """Whether turns without names are talk: what is said fits in the time between them."""
    is_rare = len(turns) < max(_MIN_TIMES, _MIN_SHARE * n_groups)
    if is_rare or not (is_cued or _go_up(turns)):
        return False
    rates = []
    for turn, after in zip(turns, [*turns[1:], None], strict=True):
        ends = turn.ends if turn.ends is not None else after.begins if after else None
        if ends is None or turn.begins is None or ends <= turn.begins:
            continue
        stop = after.first if after else len(labels.lines)
        said = [labels.lines[turn.line].text[turn.length :]]
        said += [line.text for line in labels.lines[turn.line + 1 : stop]]
        text = " ".join(said)
        n_words = len(text.split()) if language.writes_spaces else len(text) / 2
        rates.append(n_words / (ends - turn.begins))
    rates.sort()
    least = _MIN_RATE if is_cued or not _are_round(turns) else _MIN_RATE_IF_ROUND
    is_said = not rates or least <= rates[len(rates) // 2] <= _MAX_RATE
    # Nothing but captions has arrows between its times; a narrator addresses nobody.
    return is_said and (is_cued or _is_speech(map(labels.text_after, turns), language))


def _are_round(turns: Sequence[FoundTurn]) -> bool:
    """Whether times may be those of a clock, in steps of five minutes, as in a timetable."""
    times = [turn.begins for turn in turns if turn.begins is not None]
    n_round = sum(time % _ROUND == 0 for time in times)
    steps = sorted(b - a for a, b in pairwise(times))
    return n_round >= _MIN_LATER_SHARE * len(times) and steps[len(steps) // 2] >= 2 * _ROUND


def _go_up(turns: Sequence[FoundTurn]) -> bool:
    times = [turn.begins for turn in turns if turn.begins is not None]
    n_later = sum(a <= b for a, b in pairwise(times))
    return n_later >= _MIN_LATER_SHARE * (len(times) - 1)


# Names beside times


def _with_best_names(labels: Labels, timed: Mapping[int, Label]) -> list[FoundTurn]:
    """Return turns with the names that recur most: in the label, after it, above or below it."""
    seconds = seconds_of(timed)
    is_day = any(label.begins and label.begins.date for label in timed.values())
    own = {i: label.name for i, label in timed.items() if label.name} | {
        i: label.nickname
        for i, label in timed.items()
        if label.nickname and (label.is_line or is_day) and may_be_nickname(label.nickname)
    }
    anyhow = own | {i: label.nickname for i, label in timed.items() if label.nickname}
    above = _names_above(labels, timed)
    below = _names_below(labels, timed)
    counts = [(_n_recurring(names.values()), names) for names in (own, anyhow, above, below)]
    n_recurring, names = max(counts, key=lambda count: count[0])
    least = max(2, _MIN_RECURRING_SHARE * len(names), _MIN_NAMED_SHARE * len(timed))
    if n_recurring < least:
        names = {i: name for i, name in own.items() if timed[i].is_day}
    uses = Counter(names.values())
    inherits = names is above or any(label.is_line for label in timed.values())
    turns: list[FoundTurn] = []
    for i, label in timed.items():
        name = names.get(i)
        is_known = name is not None and (uses[name] > 1 or may_be_nickname(name))
        turn = FoundTurn(i, i, label.bare, None, *seconds[i], is_cue=label.ends is not None)
        if is_known and names is above:
            turn.name, turn.first = name, _line_above(labels.lines, i)
        elif is_known and names is below:
            turn.name, turn.line, turn.length = name, i + 1, len(labels.lines[i + 1].text)
        elif is_known:
            turn.name = name
            turn.length = label.length if label.name else label.nick_length
        elif label.is_line:
            continue  # a time at the end of an ordinary line
        elif inherits and turns and label.length >= len(labels.lines[i].text):
            turn.name = turns[-1].name  # who sent the message before
        turn.first = _first_of_label(labels.lines, turn.first, label)
        turns.append(_with_line_below(labels, turn))
    return turns


def _names_above(labels: Labels, timed: Mapping[int, Label]) -> dict[int, str]:
    """Return the lines over times that are alone in their lines."""
    names: dict[int, str] = {}
    for i, label in timed.items():
        if label.length < len(labels.lines[i].text) or label.name:
            continue
        over = _line_above(labels.lines, i)
        if over >= 0 and over not in timed and _may_be_name(labels.lines[over].text):
            names[i] = labels.lines[over].text.strip(BEFORE_LABEL + " :")
    return names


def _line_above(lines: Sequence[TextLine], i: int) -> int:
    """Return the line over a time, without spoken times and dashes; -1 if there is none."""
    over = i - 1
    while over >= 0 and (SPOKEN_TIME.fullmatch(lines[over].text) or lines[over].text in "—–-•"):
        over -= 1
    return over


def _names_below(labels: Labels, timed: Mapping[int, Label]) -> dict[int, str]:
    """Return the lines under times that are alone in their lines, if more is said below."""
    names: dict[int, str] = {}
    for i, label in timed.items():
        if label.length < len(labels.lines[i].text) or label.name or i + 2 >= len(labels.lines):
            continue
        text = labels.lines[i + 1].text
        if i + 1 not in timed and i + 2 not in timed and _may_be_name(text):
            names[i] = text.strip(BEFORE_LABEL + " :")
    return names


def _may_be_name(text: str) -> bool:
    return may_be_nickname(text.strip(BEFORE_LABEL + " :")) and not text[0].isdecimal()


def _n_recurring(names: Iterable[str]) -> int:
    """Return how many labels have a name that recurs."""
    return sum(n for n in Counter(names).values() if n > 1)


def _first_of_label(lines: Sequence[TextLine], line: int, label: Label) -> int:
    """Return the first line of a label: above the times of a cue is its number or identifier."""
    if line == 0 or label.ends is None or lines[line].gap or " " in lines[line - 1].text:
        return line
    above = lines[line - 1]
    return line - 1 if above.text.isdecimal() or above.gap or line == 1 else line


def _with_line_below(labels: Labels, turn: FoundTurn) -> FoundTurn:
    """Add the line under a label: the voice of a cue, or the time as words."""
    below = turn.line + 1
    if labels.is_bare(turn) and below < len(labels.lines):
        text = labels.lines[below].text
        voice = voice_label(text) if text[0] == "<" else None
        if voice is not None:
            turn.name, turn.line, turn.length = voice.name, below, voice.length
        elif SPOKEN_TIME.fullmatch(text):
            turn.line, turn.length = below, len(text)
    return turn


def _with_names_below(
    labels: Labels, turns: list[FoundTurn], plain: Mapping[int, Label]
) -> list[FoundTurn]:
    """Name the turns whose time has a line of its own, by the names that begin the next lines."""
    uses = Counter(label.name for label in plain.values())
    for turn in turns:
        below = turn.line + 1
        label = plain.get(below)
        is_used = label is not None and (uses[label.name] > 1 or _is_loud(label, turn))
        if label is not None and is_used and turn.name is None and labels.is_bare(turn):
            turn.name, turn.line, turn.length = label.name, below, label.length
    return turns


def _is_loud(label: Label, turn: FoundTurn) -> bool:
    """Whether a name that occurs once is surely one: it has a title, or is in capitals in a cue."""
    return label.is_sure or (turn.is_cue and (label.name or "").isupper())


def _with_names_alone(turns: list[FoundTurn], plain: Mapping[int, Label]) -> list[FoundTurn]:
    """Add the turns that have only a name, where times are beside some of these names."""
    known = {i for turn in turns for i in range(turn.first, turn.line + 1)}
    names = Counter(turn.name for turn in turns)
    names.update(label.name for i, label in plain.items() if i not in known)
    others = [
        FoundTurn(i, i, label.length, label.name)
        for i, label in plain.items()
        if i not in known and names[label.name] > 1
    ]
    return sorted([*turns, *others], key=lambda turn: turn.first)


# Captions


def _extend_labels(lines: Sequence[TextLine], turns: Sequence[FoundTurn], rolled: set[int]) -> None:
    """Let labels include the header of WebVTT, the lines that roll up, and tags."""
    if lines[0].text.removeprefix("\ufeff").startswith(_HEADERS):
        turns[0].first = 0
    for turn in turns:
        below = turn.line + 1
        while turn.length >= len(lines[turn.line].text) and below < len(lines):
            if below in rolled:
                turn.line, turn.length = below, len(lines[below].text)
            elif lines[below].text[0] == "<" and (tags := _TAGS.match(lines[below].text)):
                turn.line, turn.length = below, tags.end()
            else:
                break
            below += 1


def _without_footer(lines: Sequence[TextLine], turns: list[FoundTurn]) -> list[FoundTurn]:
    """Let the last line belong to nobody, if the exporter wrote it."""
    last = len(lines) - 1
    if turns[-1].line < last and lines[last].text.startswith(_FOOTERS):
        return [*turns, FoundTurn(last, last, 0, None)]
    return turns


def _marks_in_cues(
    lines: Sequence[TextLine], turns: Sequence[FoundTurn], rolled: set[int]
) -> list[tuple[int, int]]:
    """Return what is not said in captions: tags, notes, and lines that roll up."""
    marks: list[tuple[int, int]] = []
    is_note = False
    labels = {i for turn in turns for i in range(turn.first, turn.line + 1)}
    for i, line in enumerate(lines):
        if line.gap:
            is_note = line.text.startswith(_HEADERS)
        if i in rolled or (is_note and i not in labels):
            marks.append((line.start, line.end))
        elif "<" in line.text or "{" in line.text or ">>" in line.text:
            marks += [
                (line.start + tag.start(), line.start + tag.end())
                for tag in _TAG.finditer(line.text)
            ]
    return marks


def _rolled_lines(lines: Sequence[TextLine], turns: Sequence[FoundTurn]) -> set[int]:
    """Return the lines that repeat those of the caption before, if captions roll up."""
    stops = [*(turn.first for turn in turns[1:]), len(lines)]
    captions = [
        range(turn.line + (turn.length >= len(lines[turn.line].text)), stop)
        for turn, stop in zip(turns, stops, strict=True)
    ]
    pairs = [(a, b) for a, b in pairwise(captions) if a and b]
    again = sum(lines[a[-1]].text == lines[b[0]].text for a, b in pairs)
    if again < 2 or again < MIN_ROLLING_SHARE * len(pairs):
        return set()
    rolled: set[int] = set()
    shown: set[str] = set()
    for caption in captions:
        for i in caption:
            if lines[i].text not in shown:
                break
            rolled.add(i)
        shown = {lines[i].text for i in caption}
    return rolled


# Names alone


def find_named_turns(labels: Labels, groups: Sequence[LineGroup], language: Language) -> FoundTalk:
    """Return the turns of a text by names before what is said, in free groups."""
    inside = (i for group in groups if group.is_free for i in range(group.first, group.stop))
    found = {
        i: label
        for i in inside
        if (label := labels.by_line.get(i)) and (label.begins is not None or not label.is_day)
    }
    n_groups = sum(group.is_free for group in groups)
    return FoundTalk(_named_turns(labels, found, n_groups, language))


def _named_turns(
    labels: Labels, found: Mapping[int, Label], n_groups: int, language: Language
) -> list[FoundTurn]:
    """Return the turns by names, if these recur, and enough paragraphs have one."""
    has_testimony = _is_court(labels, found) or _are_letters(found)
    named = {
        i: label
        for i, label in found.items()
        if label.name and (has_testimony or not label.is_testimony)
    }
    counts = Counter(label.name for label in named.values())
    recurring = [label for label in named.values() if counts[label.name] > 1]
    n_speakers = sum(n > 1 for n in counts.values())
    n_sure = sum(label.is_sure for label in recurring)
    min_share = _MIN_SHARE if len(counts) > 1 else _MIN_SHARE_FOR_RARE_NAMES
    if n_sure >= max(_MIN_SURE, _MIN_SURE_LABELS * len(recurring)) and n_speakers > 1:
        min_share = _MIN_SURE_SHARE
    least = max(2, min_share * n_groups, _MIN_RECURRING_SHARE * len(named))
    has_one_base = len({(name or "").partition(" (")[0] for name in counts}) == 1 < len(counts)
    if len(recurring) < least or has_one_base:
        return []
    takes_rare = len(named) >= _MIN_SHARE_FOR_RARE_NAMES * n_groups
    seconds = seconds_of(found)
    turns = [
        FoundTurn(i, i, label.length, label.name, *seconds.get(i, (None, None)))
        for i, label in named.items()
        if counts[label.name] > 1 or takes_rare or (label.is_sure and min_share < _MIN_SHARE)
    ]
    if _is_verse(labels.lines, turns) or _are_records(turns):
        return []
    said = [labels.text_after(turn) for turn in turns]
    min_words = _MIN_WORDS_FOR_ANY if len(counts) > 1 else 0
    is_rare = len(recurring) < _MIN_SHARE * n_groups
    min_address = _MIN_ADDRESS_SHARE_IF_RARE if is_rare else _MIN_ADDRESS_SHARE
    if not _is_speech(said, language, min_words, min_address):
        return []
    return turns


def _is_court(labels: Labels, found: Mapping[int, Label]) -> bool:
    """Whether "Q." and "A." are those of a court, rather than of questions often asked."""
    if not any(label.is_testimony for label in found.values()):
        return False
    return bool(labels.numbers) or any(
        _COURT.match(line.text, labels.numbers.get(i, 0)) is not None
        for i, line in enumerate(labels.lines)
    )


def _are_letters(found: Mapping[int, Label]) -> bool:
    """Whether people are called A and B: no question has a "Q:"."""
    names = {label.name for label in found.values()}
    return {"A", "B"} <= names and "Q" not in names


def _line_numbers(lines: Sequence[TextLine]) -> dict[int, int]:
    """Return the lengths of the numbers of a court reporter's lines, with the blanks after them."""
    found: dict[int, int] = {}
    last = n_rows = n_pages = 0
    for i, line in enumerate(lines):
        if not line.text[0].isdecimal():
            continue
        head = line.text[:3].split(maxsplit=1)[0]
        if len(head) > 2 or not head.isdecimal():
            continue
        number = int(head)
        if number in {1, last + 1}:
            n_pages += number == 1 and last in _REPORTED_LINES
            n_rows += 1
            rest = line.text[len(head) :]
            found[i] = len(line.text) - len(rest.lstrip())
            last = number
    is_reported = n_rows >= _MIN_NUMBERED_SHARE * len(lines) and (n_pages or last >= 10)
    return found if is_reported else {}


def _are_records(turns: Sequence[FoundTurn]) -> bool:
    """Whether three or more names follow each other in the same order, as fields do.

    In a conversation, people answer each other: the next but one is often the same again.
    """
    names = [turn.name for turn in turns]
    n_names, n_pairs = len(set(names)), len(names) - 1
    if n_names < _MIN_FIELDS or len(names) < 2 * n_names:
        return False
    n_answers = sum(a in {b, c} for a, b, c in zip(names, names[1:], names[2:], strict=False))
    most: dict[str | None, int] = {}
    for (name, _), n in Counter(pairwise(names)).items():
        most[name] = max(most.get(name, 0), n)
    is_ordered = sum(most.values()) >= _MIN_ORDERED_SHARE * n_pairs
    return is_ordered and n_answers <= (1 - _MIN_ORDERED_SHARE) * n_pairs


# What is said


def _is_speech(
    said: Iterable[str],
    language: Language,
    min_words: int = _MIN_WORDS_FOR_ANY,
    min_address: float = _MIN_ADDRESS_SHARE,
) -> bool:
    """Whether people address each other, as far as there are words enough to tell."""
    address = frozenset(" ".join(language.function_word_groups[:3]).split())
    if not address:
        return True
    turns = [words for text in said if (words := text.lower().split())]
    n_words = sum(map(len, turns))
    if n_words < min_words:
        return True
    bare = (
        found[0] if (found := _WORD_START.match(word.lstrip("\"'“‘(¿¡"))) else ""
        for words in turns
        for word in words
    )
    n_address = sum(word in address for word in bare)
    n_address += sum(word[-1] in "?？؟" for words in turns for word in words)
    n_address += sum(words[0].rstrip(".,!") in _ANSWERS for words in turns)
    return n_address >= max(1, min_address * n_words)


def _is_verse(lines: Sequence[TextLine], turns: Sequence[FoundTurn]) -> bool:
    """Whether lines that go on begin with a capital, as in a play in verse."""
    starts = {turn.first for turn in turns}
    going_on = [
        lines[i].text[0]
        for i in range(turns[0].line + 1, len(lines))
        if i not in starts and not lines[i].gap and not ends_sentence(lines[i - 1].text)
    ]
    n_capitals = sum(sign.isupper() for sign in going_on)
    is_enough = len(going_on) >= max(_MIN_LINES_GOING_ON, _MIN_GOING_ON_SHARE * len(turns))
    return is_enough and n_capitals >= _MIN_VERSES * len(going_on)
