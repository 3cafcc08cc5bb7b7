"""Short titles for segments and labels for topics, from the document's own phrases."""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.text.words import Words
    from docbats.titles.phrases import Phrases

    Flags = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["label_topics", "title_segments"]

_LIMIT = 50  # characters of a title
_CANDIDATES = 12  # phrases of a segment that are looked at
_SECOND = 0.5  # of the best phrase's score makes another worth adding
_COMMON = 0.1  # bits of surprise that a phrase gets which is no commoner here than elsewhere
_ONCE = 0.75  # sentences taken off, so that a phrase used once yields to one used twice
_OPENING = 2  # sentences at the beginning of a segment whose phrases count double
_FAINT = 0.05  # what is left of the score of a word that says little by itself
_TOP_WORDS = 10  # words of a topic that its label may use
_LABEL_WORDS = 3  # words that make a label long enough
_DECIMALS = 9  # to which scores must differ for one to rank above the other

# Nouns that say little by themselves.
_VAGUE = """
age amount answer answers bottom case cases difference end ends evening example examples fact facts
form forms group groups half idea ideas level levels line man men middle morning name night number
numbers order part parts people person place places point points problem problems question
questions reason reasons rest result results season sense set sets side sides term terms today
tomorrow top type types use woman women word words yesterday

chapter fig figure figures isbn note notes page pages pp references section table vol

april august december february january july june march may november october september
friday monday saturday sunday thursday tuesday wednesday
"""

# Nouns that say little even after other words.
_MEASURES = """
second seconds minute minutes hour hours day days week weeks weekend month months year years decade
decades century centuries time times
metre metres meter meters kilometre kilometres kilometer kilometers mile miles foot feet inch inches
gram grams kilogram kilograms tonne tonnes pound pounds litre litres degree degrees
cent cents percent dollar dollars euro euros million billion dozen dozens hundreds thousands
"""
_IS_MEASURE = frozenset(_MEASURES.split())
_IS_VAGUE = frozenset(_VAGUE.split()) | _IS_MEASURE


def title_segments(document: Document, phrases: Phrases, starts: Ints) -> tuple[str, ...]:
    """Give each segment a title of its own, no two alike in their stems.

    A phrase stands out by the number of the segment's sentences that use it, times the bits of
    surprise that they are so many, times log2(1 + its number of words), for long phrases are rare;
    and twice as much if the segment opens with it. The best phrase makes the title, and the next
    joins it if it is half as good, shares no word with it and leaves the title short. Segments
    choose in the order of their best scores, so that a phrase goes where it fits best. Where no
    phrase is left the first words make the title.
    """
    ranked = _rank(phrases, starts)
    edges = [*starts.tolist(), len(document)]
    titles = [""] * len(starts)
    taken: set[frozenset[int]] = set()
    for i in sorted(range(len(starts)), key=lambda i: -max(ranked[i].values(), default=0.0)):
        title = _compose(phrases, ranked[i], taken)
        titles[i] = title or _first_words(document, edges[i], edges[i + 1])
    return _distinct(titles)


def _rank(phrases: Phrases, starts: Ints) -> list[dict[int, float]]:
    """Score the phrases that stand out in each segment, best first, the earliest of equals."""
    k = len(starts)
    once = np.diff(phrases.phrase, prepend=-1) | np.diff(phrases.sentence, prepend=-1)
    phrase, sentence, weight, place = (
        array[once != 0]
        for array in (phrases.phrase, phrases.sentence, phrases.weight, phrases.start)
    )
    segment = np.searchsorted(starts, sentence, side="right") - 1
    # Occurrences are sorted by phrase and place, so those of a phrase in a segment lie together.
    first = np.flatnonzero(np.diff(phrase * k + segment, prepend=-1))
    uses = np.add.reduceat(weight, first) if len(first) else weight
    expected = np.bincount(phrase, weight)[phrase] * np.bincount(segment)[segment] / len(segment)
    first, uses = first[uses > _ONCE], uses[uses > _ONCE]
    surprise = np.maximum(np.log2(uses / expected[first]), _COMMON)
    score = (uses - _ONCE) * surprise * _importance(phrases)[phrase[first]]
    score *= np.where(sentence[first] < starts[segment[first]] + _OPENING, 2, 1)
    score = score.round(_DECIMALS)
    order = np.lexsort((place[first], -score, segment[first]))
    first, score = first[order], score[order]
    edges = np.searchsorted(segment[first], np.arange(k + 1)).tolist()
    tops = (slice(low, min(high, low + _CANDIDATES)) for low, high in pairwise(edges))
    return [
        dict(zip(phrase[first[top]].tolist(), score[top].tolist(), strict=True)) for top in tops
    ]


def _importance(phrases: Phrases) -> Floats:
    """Weigh phrases by their number of words, and mark down those that say little."""
    n_words = np.count_nonzero(phrases.words >= 0, axis=1)
    last = phrases.words[np.arange(len(phrases)), n_words - 1]
    is_measure = _flag(map(_IS_MEASURE.__contains__, phrases.names))
    faint = is_measure[last] | (_says_little(phrases)[last] & (n_words == 1))
    weight: Floats = np.log2(1 + n_words) * np.where(faint, _FAINT, 1.0)
    return weight


def _says_little(phrases: Phrases) -> Flags:
    """Flag the words that say little by themselves.

    In a language that we do not know these are words of one to three letters: most are articles,
    prepositions and the like.
    """
    language = phrases.language
    if language.code not in {None, "en"}:
        return _flag(map(language.vague.__contains__, phrases.names))
    if phrases.tagged:
        return _flag(map(_IS_VAGUE.__contains__, phrases.names))
    # Chinese and Japanese, which have no small letters, say a lot in two characters.
    return _flag(len(name) < 4 and name.islower() for name in phrases.names)


def _flag(values: Iterable[bool]) -> Flags:
    return np.fromiter(values, np.bool_)


def _compose(phrases: Phrases, scores: dict[int, float], taken: set[frozenset[int]]) -> str:
    """Make a title of the best phrase or two that no other segment has, and note its stems."""
    is_known = phrases.tagged or phrases.language.code not in {None, "en"}
    glue = phrases.language.and_ if is_known else phrases.language.comma
    ranked = list(scores.items())
    for i, (best, score) in enumerate(ranked):
        pairs = (
            (best, other)
            for other, other_score in ranked[i + 1 :]
            if other_score >= _SECOND * score and not _overlap(phrases, best, other)
        )
        for parts in chain(pairs, [(best,)]):
            words = frozenset[int]().union(*(_stems(phrases, part) for part in parts))
            title = glue.join(map(phrases.spell, parts))
            if words not in taken and len(title) <= _LIMIT:
                taken.add(words)
                return _capitalise(title)
    return ""


def _overlap(phrases: Phrases, one: int, other: int) -> bool:
    """Tell whether two phrases share a word, or a character in a script without small letters.

    The words of Chinese and Japanese are pairs of characters, each beginning inside the last.
    """
    if phrases.tagged or phrases.names[phrases.words[one, 0]].islower():
        return not _stems(phrases, one).isdisjoint(_stems(phrases, other))
    return not set(phrases.spell(one)).isdisjoint(phrases.spell(other))


def _stems(phrases: Phrases, phrase: int) -> frozenset[int]:
    words = phrases.words[phrase].tolist()
    return frozenset(word for word in words if 0 <= word < len(phrases.names))


def _first_words(document: Document, first: int, end: int) -> str:
    """Cut the segment's first sentence that has any characters at a word."""
    spans = document.spans[first:end].tolist()
    texts = (" ".join(document.text[start:stop].split()) for start, stop in spans)
    text = next(filter(None, texts), "…")
    if len(text) <= _LIMIT:
        return _capitalise(text)
    cut = text[:_LIMIT]
    return _capitalise(cut[: cut.rfind(" ")] if " " in cut else cut[:-1]) + "…"


def _distinct(titles: list[str]) -> tuple[str, ...]:
    """Add a number to each title that came before."""
    seen: dict[str, str] = {}
    times: Counter[str] = Counter()
    for title in titles:
        way = title
        while way.casefold() in seen:
            times[title] += 1
            way = f"{title} ({times[title] + 1})"
        seen[way.casefold()] = way
    return tuple(seen.values())


def _capitalise(title: str) -> str:
    return title[:1].upper() + title[1:]


def label_topics(
    phrases: Phrases, words: Words, topics: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """Give each topic a label of its words, which come best first; no two labels are alike.

    A word that the text uses more than once in a phrase of the topic's best words stands in the
    commonest such phrase. Words that say little by themselves and those that are mostly no nouns
    go last.
    """
    place = dict(zip(phrases.names, range(len(phrases.names)), strict=True))
    tops = [[place[word] for word in topic[:_TOP_WORDS]] for topic in topics]
    phrase_with = _phrases_within(phrases, tops)
    is_single = np.flatnonzero(phrases.words[:, 1] < 0)
    alone = dict(zip(phrases.words[is_single, 0].tolist(), is_single.tolist(), strict=True))
    uses_alone = np.bincount(phrases.phrase, minlength=len(phrases))[is_single]
    uses = np.bincount(words.word, minlength=len(words.names))
    is_weak = _says_little(phrases)
    is_weak |= 2 * np.bincount(phrases.words[is_single, 0], uses_alone, len(uses)) < uses
    weak = set(np.flatnonzero(is_weak).tolist()) - phrase_with.keys()
    return _distinct(
        [_label(phrases, sorted(top, key=weak.__contains__), phrase_with, alone) for top in tops]
    )


def _phrases_within(phrases: Phrases, topics: list[list[int]]) -> dict[int, int]:
    """Find for each word the commonest phrase that has it and other words of its topic only."""
    n = len(phrases.names)
    topic_of = np.full(n + 1, -1)
    for number, words in enumerate(topics):
        topic_of[words] = number
    topic = topic_of[np.minimum(phrases.words, n)]
    is_link = (phrases.words < 0) | (phrases.words >= n)
    fits = (topic[:, :1] >= 0) & ((topic == topic[:, :1]) | is_link)
    uses = np.bincount(phrases.phrase, phrases.weight, len(phrases)).round(_DECIMALS)
    within = np.flatnonzero((phrases.words[:, 1] >= 0) & fits.all(axis=1) & (uses > 1))
    found: dict[int, int] = {}
    for phrase in within[np.argsort(-uses[within], kind="stable")].tolist():
        for word in _stems(phrases, phrase):
            found.setdefault(word, phrase)
    return found


def _label(
    phrases: Phrases, words: list[int], phrase_with: dict[int, int], alone: dict[int, int]
) -> str:
    """Join the best words or their phrases until the label says enough."""
    label, used = "", frozenset[int]()
    for word in words:
        phrase = phrase_with.get(word, alone.get(word))
        if phrase is not None and _stems(phrases, phrase) & used:
            phrase = alone.get(word)
        text = phrases.names[word] if phrase is None else phrases.spell(phrase)
        longer = f"{label}{phrases.language.comma}{text}" if label else text
        if word in used or (label and len(longer) > _LIMIT):
            continue
        label, used = longer, used | ({word} if phrase is None else _stems(phrases, phrase))
        if len(used) >= _LABEL_WORDS:
            break
    return _capitalise(label) or "…"
