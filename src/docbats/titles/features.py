"""What is known of each phrase in each segment that uses it: the features of the ranker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.titles.phrases import Phrases

    Flags = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["FEATURES", "Candidates", "SentenceGroups", "find_candidates"]

FEATURES = (
    "uses",
    "rate",
    "share",
    "surprise",
    "opening",
    "spread",
    "subject",
    "once",
    "one",
    "capital",
    "length",
    "word_uses",
    "word_delay",
    "last_word_delay",
)
"""The names of the features, in the order of their columns."""

_TINY = 1e-9  # in place of a divisor of zero
_MIN_SURPRISE, _MAX_SURPRISE = -1.0, 5.0  # bits
_MIN_GROUP_SHARE = 0.5  # of the groups that use what is the subject of the whole document,
_MIN_SUBJECT_SURPRISE = 1.0  # unless this one uses it so much more, in bits
_N_OPENING_SENTENCES = 2  # whose phrases may occur only there
_MIN_LENGTH = 6  # sentences of a group from which on phrases are to occur twice, or in its opening


@dataclass(frozen=True, eq=False)
class SentenceGroups:
    """The sentences of a document in groups: segments, or those of one topic each.

    Attributes
    ----------
    group, place
        For each sentence, the number of its group, and how many of it come before.
    size
        Of each group.
    """

    group: Ints
    place: Ints
    size: Ints

    @classmethod
    def of_segments(cls, starts: Ints, n_sentences: int) -> SentenceGroups:
        """Group sentences by the first of each segment."""
        size = np.diff(np.append(starts, n_sentences))
        group = np.repeat(np.arange(len(starts)), size)
        return cls(group, np.arange(n_sentences) - starts[group], size)

    @classmethod
    def of_labels(cls, group: Ints, k: int) -> SentenceGroups:
        """Group sentences by the number of the group of each; there may be empty ones."""
        order = np.argsort(group, kind="stable")
        size = np.bincount(group, minlength=k)
        place = np.empty(len(group), np.int64)
        place[order] = np.arange(len(group)) - np.repeat(np.cumsum(size) - size, size)
        return cls(group, place, size)


@dataclass(frozen=True, eq=False)
class Candidates:
    """A row for each phrase in each group of sentences that uses it.

    Attributes
    ----------
    phrase, group
        Which they are.
    use
        Where the group first uses the phrase, as a place among the uses of `Phrases`.
    features
        A column for each of `FEATURES`; see :func:`find_candidates`.
    is_everywhere
        Whether most groups use it: then it is the subject of the whole document.
    is_own
        Whether the group uses it more than once, and at least as often as all others do.
    is_chance
        Whether the document has it only once, and not where a group says what it is about: then
        its words may only happen to meet.
    """

    phrase: Ints
    group: Ints
    use: Ints
    features: Floats
    is_everywhere: Flags
    is_own: Flags
    is_chance: Flags


def find_candidates(phrases: Phrases, groups: SentenceGroups) -> Candidates:
    """Find the phrases of each group of sentences, and what is known of them there.

    A use is a sentence that has the phrase, by the weight that no longer phrase explains; L is the
    number of the group's sentences. The features are

    - of the phrase: ``uses``, log(1 + uses) / log(1 + L); ``rate``, the root of the share of the
      group's sentences that have it; ``share`` of its uses, and one more, that fall here;
      ``surprise``, in bits, that they are so many; ``opening``, whether the first sentence has it;
      ``spread`` from its first to its last sentence, as a share of L; ``subject``, the share of its
      uses, and one more, that open their sentence; ``once``, whether the document uses it only
      once;
    - of its form: whether it is ``one`` word, the share of its uses with a ``capital``, and its
      ``length`` in twenties of characters, at most two;
    - of its words: ``word_uses``, the mean of log(1 + the uses of a word) / log(1 + L);
      ``word_delay``, the mean of log(1 + the number of its first sentence), and ``last_word_delay``
      of the word that comes last.
    """
    k = len(groups.size)
    once = (np.diff(phrases.phrase, prepend=-1) != 0) | (np.diff(phrases.sentence, prepend=-1) != 0)
    use = np.flatnonzero(once)
    cell = phrases.phrase[use] * k + groups.group[phrases.sentence[use]]
    if (np.diff(cell) < 0).any():  # groups that are no segments: put the uses of each together
        order = np.argsort(cell, kind="stable")
        use, cell = use[order], cell[order]
    phrase, sentence, weight = phrases.phrase[use], phrases.sentence[use], phrases.weight[use]
    first = np.flatnonzero(np.diff(cell, prepend=-1) != 0)
    if not len(first):
        empty, none = np.zeros(0, np.int64), np.zeros(0, np.bool_)
        return Candidates(empty, empty, empty, np.zeros((0, len(FEATURES))), none, none, none)
    last = np.append(first[1:], len(phrase)) - 1
    P, S = np.divmod(cell[first], k)
    length = groups.size[S].astype(float)
    place = groups.place[sentence]
    uses = np.add.reduceat(weight, first)
    n_used = (last - first + 1).astype(float)
    total, n_total = np.bincount(phrase, weight)[P], np.bincount(phrase)[P]
    expected = total * length / len(groups.group)
    surprise = np.log2(np.maximum(uses, 0.1) / np.maximum(expected, _TINY))
    delay = place[first]
    n_groups = np.bincount(P)[P]
    occurrences = np.maximum(np.bincount(phrases.phrase, minlength=len(phrases)), 1)
    capital = np.bincount(phrases.phrase, phrases.is_capital, len(phrases)) / occurrences
    characters = (phrases.end - phrases.start)[use[first]]
    features = {
        "uses": np.log1p(uses) / np.log1p(length),
        "rate": np.sqrt(n_used / length),
        "share": uses / (1 + total),
        "surprise": np.clip(surprise, _MIN_SURPRISE, _MAX_SURPRISE),
        "opening": delay == 0,
        "spread": (place[last] - place[first]) / length,
        "subject": np.add.reduceat(phrases.initial[use].astype(float), first) / (1 + n_used),
        "once": n_total == 1,
        "one": phrases.n_words[P] == 1,
        "capital": capital[P],
        "length": np.minimum(characters / 20, 2),
        **_word_features(phrases, groups, P, S, length),
    }
    everywhere = (n_groups >= 3) & (n_groups >= _MIN_GROUP_SHARE * k)
    return Candidates(
        phrase=P,
        group=S,
        use=use[first],
        features=np.column_stack([features[name] for name in FEATURES]).astype(np.float64),
        is_everywhere=everywhere & (surprise < _MIN_SUBJECT_SURPRISE),
        is_own=(n_used >= 2) & (2 * n_used >= n_total),
        is_chance=(n_total == 1) & (delay >= _N_OPENING_SENTENCES) & (length >= _MIN_LENGTH),
    )


def _word_features(
    phrases: Phrases, groups: SentenceGroups, phrase: Ints, group: Ints, length: Floats
) -> dict[str, Floats]:
    """Return what is known of the words of each phrase in its group."""
    k, n = len(groups.size), len(phrases.names)
    of_word = groups.group[phrases.word_sentence]
    cells, place, count = np.unique(
        phrases.word * k + of_word, return_index=True, return_counts=True
    )
    words = phrases.words[phrase]
    is_word = (words >= 0) & (words < n)
    word = np.where(is_word, words, 0)
    cell = np.minimum(np.searchsorted(cells, word * k + group[:, None]), len(cells) - 1)
    n_words = np.maximum(is_word.sum(axis=1), 1)
    uses = np.where(is_word, np.log1p(count)[cell], 0.0)
    delay = np.log1p(groups.place[phrases.word_sentence[place]])
    delay = np.where(is_word, delay[cell], 0.0)
    return {
        "word_uses": uses.sum(axis=1) / n_words / np.log1p(length),
        "word_delay": delay.sum(axis=1) / n_words,
        "last_word_delay": delay.max(axis=1),
    }
