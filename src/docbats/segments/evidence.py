"""Evidence for boundaries: words, how sentences begin, and the author's breaks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from docbats.blocks import MIN_TOP_HEADINGS, top_level
from docbats.text.tags import CLASSES
from docbats.text.words import WordCache, stemming

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from docbats.blocks import Block
    from docbats.document import Document
    from docbats.pipeline import PreparedText
    from docbats.segments.costs import CutModel
    from docbats.text.languages.language import Language
    from docbats.text.words import Tokens, Words

    Bools = NDArray[np.bool_]
    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


NO_HEADING = -1
_MIN_BLOCKS = 3  # with fewer, breaks say nothing
_LONG_BLOCK = 40  # sentences; a longer one may be cut inside, unless structure is strict,
_LONG_BLOCK_SHARE = 0.5  # if it is more than half of the text
_CONTINUES_LAST = frozenset({"list_item", "code", "table"})  # belong to the block before them


@dataclass(frozen=True, eq=False)
class Breaks:
    """The break before each sentence; arrays with an entry for each sentence.

    Attributes
    ----------
    block
        The number of its block, in ascending order.
    may_start
        Whether a segment may begin with it.
    depth
        For a heading, how far it is below the top level, which is 0; -1 for all others.
    is_certain
        Whether the file says that it is a heading.
    """

    block: Ints
    may_start: Bools
    depth: Ints
    is_certain: Bools

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.block)

    @cached_property
    def opens_block(self) -> Bools:
        """Whether each sentence is the first of its block."""
        return np.diff(self.block, prepend=-1) > 0

    @property
    def opens_free_block(self) -> Bools:
        """Whether each sentence is the first of a block with which a part may begin unheaded."""
        return np.asarray(self.opens_block & self.may_start & (self.depth == NO_HEADING))

    @cached_property
    def section_starts(self) -> Ints:
        """The sentences at which the author's top-level sections begin, including 0.

        Only 0 if headings do not divide the text.
        """
        return self._starts_of_levels(1)

    @cached_property
    def subsection_starts(self) -> Ints:
        """The same with the sections of the next level in use."""
        return self._starts_of_levels(2)

    def _starts_of_levels(self, n_levels: int) -> Ints:
        for headings in (self.is_certain, ~self.is_certain):
            allowed = headings & self.may_start & (self.depth != NO_HEADING)
            if np.count_nonzero(self.depth[allowed] == 0) >= MIN_TOP_HEADINGS:
                deepest = np.unique(self.depth[allowed])[:n_levels][-1]
                return np.union1d([0], np.flatnonzero(allowed & (self.depth <= deepest)))
        return np.zeros(1, np.int64)

    def between(self, first: int, end: int) -> Breaks:
        """Return the breaks before some sentences."""
        part = slice(first, end)
        return Breaks(
            self.block[part] - self.block[first],
            self.may_start[part],
            self.depth[part],
            self.is_certain[part],
        )


def find_breaks(document: Document, *, strict: bool = False) -> Breaks | None:
    """Return the breaks of a document; None if it has hardly any blocks.

    A segment may begin with the first sentence of a block, but not between a heading and its text,
    inside a list, code, a table or a quotation, or with what belongs to the block before. Very long
    blocks, and turns without a speaker, may be cut inside, too, unless `strict`.
    """
    blocks = document.blocks
    if not blocks:
        return None
    starts = np.array([block.start for block in blocks], np.int64)
    block = np.maximum(np.searchsorted(starts, document.spans[:, 0], side="right") - 1, 0)
    block = np.cumsum(np.diff(block, prepend=block[0]) > 0)  # without blocks that have no sentence
    number = np.searchsorted(starts, document.spans[:, 0], side="right") - 1
    first = np.flatnonzero(np.diff(block, prepend=-1))
    of_sentence = [blocks[max(0, i)] for i in number[first].tolist()]
    if len(first) < _MIN_BLOCKS:
        return None
    may_start = np.zeros(len(document), np.bool_)
    may_start[first] = _may_start(of_sentence)
    if not strict:
        # Turns without a speaker are captions, and may be cut anywhere.
        is_loose = np.array([found.kind == "turn" and not found.speaker for found in of_sentence])
        may_start |= is_loose[block]
        sizes = np.bincount(block)
        is_long = sizes > max(_LONG_BLOCK, _LONG_BLOCK_SHARE * len(document))
        may_start |= is_long[block] & ~np.isin(np.arange(len(document)), first)
    depth = np.full(len(document), NO_HEADING)
    is_certain = np.zeros(len(document), np.bool_)
    for certain in (False, True):
        headings = [
            i
            for i, found in enumerate(of_sentence)
            if found.kind == "heading" and found.is_certain == certain
        ]
        if not headings:
            continue
        titles = [(of_sentence[i].level or 1, of_sentence[i].heading) for i in headings]
        top = top_level(titles)
        above = {title for level, title in titles if level < top}
        has_title = len(above) == 1 and titles[0][0] < top
        for i, (level, _) in zip(headings, titles, strict=True):
            # The title of the whole begins no part, unless the first part is right under it.
            has_text = i + 1 < len(first) and of_sentence[i + 1].kind != "heading"
            if not (has_title and level < top and has_text):
                depth[first[i]] = max(0, level - top)
            is_certain[first[i]] = certain
    return Breaks(block, may_start, depth, is_certain)


def _may_start(blocks: Sequence[Block]) -> list[bool]:
    """Whether a segment may begin with each block."""
    allowed = [True]
    is_front = True  # the headings of a title page
    for before, block in pairwise(blocks):
        is_inside = block.kind == before.kind and block.kind in {"quote", "contents", "references"}
        is_front = is_front and before.kind == "heading"
        is_empty = block.kind == "heading" and (block.level or 1) <= (before.level or 1)
        follows_heading = before.kind == "heading" and (is_front or not is_empty)
        allowed.append(not (is_inside or follows_heading or block.kind in _CONTINUES_LAST))
    return allowed[: len(blocks)]


_SHORT_BLOCK = 12  # words, as in a heading, a list item or a caption
_RECENT_BLOCKS = 5  # before a block, whose words do not count as new
_COLONS = ":："
_QUESTIONS = "?？؟"
_ENDS = ".!?…。！？।؟"
_CLOSERS = "\"'”’»)]}*_」』）"

BREAK_FEATURES = {
    "after a colon": -0.81,
    "after a question": -1.23,
    "after a short block": -0.58,
    "before a short block": -0.97,
    "before a block without an end mark": -0.79,
    "before a lower-case letter": -1.09,
    "before a digit": -1.54,
    "before a word that goes on": -0.6,
    "share of new words": 2.23,
}
"""The features of a break, and how much each adds to the log odds."""


def break_features(document: Document, evidence: Evidence, breaks: Breaks) -> Floats:
    """Return the features of the break before each sentence; zeros if no block begins there."""
    text = document.text if document.prose is None else document.prose
    first = np.flatnonzero(breaks.opens_block)
    features = np.zeros((len(breaks), len(BREAK_FEATURES)))
    begin = document.spans[first, 0].tolist()
    end = document.spans[np.append(first[1:], len(breaks)) - 1, 1].tolist()
    words = np.add.reduceat(evidence.sizes, first)
    is_short = words < _SHORT_BLOCK
    last = [
        text[max(a, b - 10) : b].rstrip().rstrip(_CLOSERS)[-1:]
        for a, b in zip(begin, end, strict=True)
    ]
    opening = [text[a : a + 20].lstrip()[:1] for a in begin]
    before = {
        "after a colon": _is_in(last, _COLONS),
        "after a question": _is_in(last, _QUESTIONS),
        "after a short block": is_short,
    }
    here = {
        "before a short block": is_short,
        "before a block without an end mark": ~_is_in(last, _ENDS + _COLONS),
        "before a lower-case letter": np.array([letter.islower() for letter in opening]),
        "before a digit": np.array([letter.isdigit() for letter in opening]),
        "before a word that goes on": evidence.continues[first],
        "share of new words": _new_share(evidence, breaks),
    }
    columns = [*(np.append(0, values[:-1]) for values in before.values()), *here.values()]
    features[first] = np.column_stack(columns)
    features[0] = 0
    return features


def _is_in(letters: list[str], wanted: str) -> NDArray[np.bool_]:
    return np.array([bool(letter) and letter in wanted for letter in letters], np.bool_)


def _new_share(evidence: Evidence, breaks: Breaks) -> Floats:
    """Return the share of the words of each block that the blocks before it do not have."""
    n_blocks = int(breaks.block[-1]) + 1
    block = breaks.block[evidence.sentence]
    same_root = np.diff(evidence.root, prepend=-1) == 0
    gap = np.where(same_root, np.diff(block, prepend=0), _RECENT_BLOCKS + 1)
    # A repeated word is as new as its first use in the block.
    again = same_root & (gap == 0)
    is_new = gap > _RECENT_BLOCKS
    run = np.cumsum(~again) - 1
    is_new = is_new[~again][run] if len(run) else is_new
    new = np.bincount(block[is_new], evidence.count[is_new], n_blocks)
    total = np.bincount(block, evidence.count, n_blocks)
    return np.where(total > 0, new / np.maximum(total, 1), 1.0)


_TURNS = (10, 20, 40)  # before and after a turn, whose speakers are compared
_TURNS_AT_A_TIME = 1_000  # more take more memory where each has a speaker of its own

SPEAKER_WEIGHT = 3.0
"""How much a full change of speakers adds to the log odds that a part begins with a turn.

Fitted by ``docbats lab run talk``. If larger, the cut follows the speakers rather than the words.
"""


def speaker_changes(document: Document, sizes: Ints) -> Floats | None:
    """Return how much the speakers change before each sentence, from 0 to 1; None without two.

    It is 0 where the same person goes on. Elsewhere it is 1 minus the likeness of who speaks in the
    turns before and after it: the sum over speakers of the root of the product of their shares of
    the words, averaged over a few numbers of turns. A paragraph of nobody counts as a turn. Where
    nobody is named, it is the mean of the other places. `sizes` are the words of each sentence.
    """
    numbers: dict[str, int] = {}
    of_block = [
        numbers.setdefault(block.speaker, len(numbers)) if block.speaker else -1
        for block in document.blocks
    ]
    if len(numbers) < 2:
        return None
    starts = np.array([block.start for block in document.blocks], np.int64)
    block = np.maximum(np.searchsorted(starts, document.spans[:, 0], side="right") - 1, 0)
    speaker = np.array(of_block, np.int64)[block]
    is_first = np.diff(speaker, prepend=-2) != 0
    is_first |= (speaker < 0) & (np.diff(block, prepend=-1) > 0)
    first = np.flatnonzero(is_first)
    speaker, words = speaker[first], np.add.reduceat(sizes, first)
    words[speaker < 0] = 0
    n, reach, changes = len(first), max(_TURNS), np.zeros(len(first))
    for low in range(0, n, _TURNS_AT_A_TIME):
        high = min(low + _TURNS_AT_A_TIME, n)
        near = slice(max(0, low - reach), min(n, high + reach))
        found = _changes(speaker[near], words[near])
        changes[low:high] = found[low - near.start : high - near.start]
    changes[0] = np.nan
    is_known = np.isfinite(changes)
    changes[~is_known] = changes[is_known].mean() if is_known.any() else 0.0
    changes[0] = 0.0
    of_sentence = np.zeros(len(document))
    of_sentence[first] = changes
    return of_sentence


def _changes(speaker: Ints, words: Ints) -> Floats:
    """Return how much the speakers change before each turn; not a number where nobody is named."""
    n, column = len(speaker), np.unique(speaker, return_inverse=True)[1]
    upto = np.zeros((n + 1, int(column.max()) + 1))
    upto[np.arange(n) + 1, column] = words
    np.cumsum(upto, axis=0, out=upto)
    turn, alike, n_known = np.arange(n), np.zeros(n), np.zeros(n)
    for span in _TURNS:
        before = upto[turn] - upto[np.maximum(turn - span, 0)]
        after = upto[np.minimum(turn + span, n)] - upto[turn]
        total = before.sum(axis=1) * after.sum(axis=1)
        alike += np.sqrt(before * after).sum(axis=1) / np.sqrt(np.maximum(total, 1))
        n_known += total > 0
    return np.where(n_known > 0, 1 - alike / np.maximum(n_known, 1), np.nan)


_SPANS = (2, 5, 12, 30)  # sentences before and after a place, which are compared
_HEADED = 5  # sentences, in which the words of a heading recur

OPENING_FEATURES = {
    "a word that goes on": -1.23,
    "likeness of 2 sentences": -0.89,
    "likeness of 5 sentences": -0.54,
    "likeness of 12 sentences": -0.25,
    "likeness of 30 sentences": -0.12,
}
"""The features of a sentence, and how much each adds to the log odds."""


def opening_features(evidence: Evidence) -> Floats:
    """Return the features of each sentence; zeros for the first, which has to open the text."""
    places = _Occurrences(evidence)
    columns = [evidence.continues, *(places.likeness(span) for span in _SPANS)]
    features = np.column_stack(columns).astype(float)
    features[:1] = 0
    return features


def heads_what_follows(evidence: Evidence) -> Bools:
    """Flag the headings whose words recur right after them more than right before them."""
    places = _Occurrences(evidence)
    after = places.following - evidence.sentence <= _HEADED
    before = evidence.sentence - places.preceding <= _HEADED
    balance = np.bincount(evidence.sentence, after.astype(float) - before, minlength=len(evidence))
    return np.asarray(evidence.is_heading & (balance > 0))


class _Occurrences:
    """Each use of a root, and the sentences of the previous and the next use, or far away."""

    def __init__(self, evidence: Evidence) -> None:
        self._m = m = len(evidence)
        sentence, far = evidence.sentence, 4 * m + 4 * max(_SPANS)
        is_same = np.diff(evidence.root) == 0
        self.sentence = sentence
        self.preceding = np.full(len(sentence), -far)
        self.preceding[1:][is_same] = sentence[:-1][is_same]
        self.following = np.full(len(sentence), far)
        self.following[:-1][is_same] = sentence[1:][is_same]
        uses = np.bincount(evidence.root, minlength=len(evidence.weight))
        rarity = np.log((m + 1) / (uses + 0.5)) * evidence.weight
        self._square = (rarity**2)[evidence.root]

    def likeness(self, span: int) -> Floats:
        """Return the standardized cosine of the sets of roots before and after each sentence start.

        A root is in both sets if two consecutive uses of it are on either side, near enough: the
        places between such a pair are a range, and a running sum adds up all ranges.
        """
        at, following = self.sentence, self.following
        both = self._sum(np.maximum(at + 1, following - span + 1), np.minimum(following, at + span))
        before = self._sum(at + 1, np.minimum(at + span, following))
        after = self._sum(np.maximum(at - span, self.preceding) + 1, at)
        cosine = both / np.sqrt(np.maximum(before * after, 1e-12))
        inner = cosine[1:]
        scatter = inner.std() if len(inner) else 0.0
        if scatter < 1e-9:
            return np.zeros(self._m)
        return np.asarray((cosine - inner.mean()) / scatter)

    def _sum(self, first: Ints, last: Ints) -> Floats:
        """Add the weight of each use to the places from `first` to `last`."""
        m = self._m
        kept = last >= first
        weight = self._square[kept]
        steps = np.bincount(np.clip(first[kept], 0, m), weight, minlength=m + 1)
        steps -= np.bincount(np.clip(last[kept] + 1, 0, m), weight, minlength=m + 1)
        return np.asarray(np.cumsum(steps)[:m], float)


_MAX_HEADING_WORDS = 12
_MAX_HEADING_SHARE = 0.7  # of the words of a mean sentence

# The flags of a token, in one byte: its group of function words, from 1 on, and three marks.
_GROUP, _WORD, _CONTINUES, _CLOSES = 15, 16, 32, 64


@dataclass(frozen=True, eq=False)
class Evidence:
    """The words of a document, as evidence for a cut.

    Attributes
    ----------
    root, sentence, count
        How often each root occurs in each sentence: one entry for each pair, sorted by root, then
        by sentence. Only roots that occur in two sentences or more are included.
    weight
        The weight of each root.
    sizes
        Words in each sentence, at least 1.
    continues
        For each sentence, whether its first word continues the sentence before.
    is_heading
        For each sentence, whether it looks like a heading.
    cue_odds
        For each sentence, what cues add to the log odds that a segment begins with it; None in a
        language whose cues are not known.
    """

    root: Ints
    sentence: Ints
    count: Ints
    weight: Floats
    sizes: Ints
    continues: Bools
    is_heading: Bools
    cue_odds: Floats | None = None

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.sizes)

    @cached_property
    def n_tokens(self) -> int:
        """All occurrences, unweighted."""
        return int(self.count.sum())

    def between(self, first: int, end: int) -> Evidence:
        """Return the evidence of some sentences, with only the roots that two of them share."""
        used = (self.sentence >= first) & (self.sentence < end)
        used &= (np.bincount(self.root[used], minlength=len(self.weight)) > 1)[self.root]
        kept, root = np.unique(self.root[used], return_inverse=True)
        return Evidence(
            root=root,
            sentence=self.sentence[used] - first,
            count=self.count[used],
            weight=self.weight[kept],
            sizes=self.sizes[first:end],
            continues=self.continues[first:end],
            is_heading=self.is_heading[first:end],
            cue_odds=None if self.cue_odds is None else self.cue_odds[first:end],
        )

    def once_per_block(self, block: Ints) -> Evidence:
        """Return the evidence with each root counted once a block, and only roots of two blocks.

        `block` is the block of each sentence. That one block repeats a word says little about where
        its subject begins and ends.
        """
        pair = self.root * (int(block[-1]) + 1) + block[self.sentence]
        first = np.flatnonzero(np.diff(pair, prepend=-1))
        kept = np.bincount(self.root[first], minlength=len(self.weight)) > 1
        used = first[kept[self.root[first]]]
        return replace(
            self,
            root=(np.cumsum(kept) - 1)[self.root[used]],
            sentence=self.sentence[used],
            count=np.ones(len(used), np.int64),
            weight=self.weight[kept],
        )


def find_evidence(
    text: PreparedText, class_weights: Mapping[str, float], model: CutModel, *, stem: bool
) -> Evidence:
    """Collect the evidence; `class_weights` are the weights of words by their class."""
    m, tokens, words, language = len(text.document), text.tokens, text.words, text.language
    root, n_roots = _roots(words, model.root_letters if stem else None, language.stemmer)
    flags = np.frombuffer(b"".join(_flag_cache(language)(tokens.forms)), np.uint8)
    function_words = np.flatnonzero((flags & _GROUP)[tokens.form])
    group = (flags & _GROUP)[tokens.form[function_words]].astype(np.int64) - 1
    roots = np.concatenate([root, n_roots + group])
    sentences = np.concatenate([tokens.sentence[words.token], tokens.sentence[function_words]])
    use_weight = np.ones(len(words.token))
    if class_weights:
        by_class = np.array([class_weights.get(name, 1.0) for name in CLASSES])
        use_weight = by_class[text.classes[words.token]]
    weights = np.full(len(function_words), model.function_word_weight)
    use_weight = np.concatenate([use_weight, weights])
    n = n_roots + len(language.function_word_groups)
    uses = np.bincount(roots, minlength=n)
    weight = np.bincount(roots, use_weight, minlength=n) / np.maximum(uses, 1)
    cell, count = np.unique(roots * m + sentences, return_counts=True)
    root, sentence = np.divmod(cell, m)
    kept = np.bincount(root, minlength=n) > (0 if model.rare_roots else 1)
    used = kept[root]
    is_word = (flags & _WORD > 0)[tokens.form]
    sizes = np.maximum(np.bincount(tokens.sentence[is_word], minlength=m), 1)
    return Evidence(
        root=(np.cumsum(kept) - 1)[root[used]],
        sentence=sentence[used],
        count=count[used],
        weight=weight[kept],
        sizes=sizes,
        continues=_first_word_flags(tokens, flags, is_word, m) & _CONTINUES > 0,
        is_heading=_headings(tokens, flags, sizes),
    )


def _roots(words: Words, letters: int | None, stemmer: str | None) -> tuple[Ints, int]:
    """Return the root of each word, by number, and how many there are; coarser than stems."""
    if letters is None:
        return words.word, len(words.names)
    roots = [stem[: letters or None] for stem in stemming(stemmer)(words.names)]
    numbers = {root: number for number, root in enumerate(dict.fromkeys(roots))}
    return np.array([numbers[root] for root in roots], np.int64)[words.word], len(numbers)


@cache
def _flag_cache(language: Language) -> WordCache[bytes]:
    """Return the function that flags the forms of tokens."""
    group_of = {
        word: group
        for group, words in enumerate(language.function_word_groups, 1)
        for word in words.split()
    }

    closing_marks = language.closing_marks
    continuing_words = language.continuing_words

    def flag(forms: list[str]) -> Iterator[bytes]:
        for form in forms:
            word = form.lower().replace("’", "'")
            before_apostrophe = word.partition("'")[0]  # "he's" is a "he"
            flags = group_of.get(before_apostrophe, 0)
            flags |= _WORD if form[0].isalnum() else 0
            flags |= _CLOSES if form in closing_marks else 0
            flags |= _CONTINUES if before_apostrophe in continuing_words else 0
            yield bytes([flags])

    return WordCache(flag)


def _first_word_flags(
    tokens: Tokens, flags: NDArray[np.uint8], is_word: Bools, n_sentences: int
) -> NDArray[np.uint8]:
    """Return the flags of the first word of each sentence; 0 if it has none."""
    sentence = tokens.sentence[is_word]
    first = np.flatnonzero(np.diff(sentence, prepend=-1))
    found = np.zeros(n_sentences, np.uint8)
    found[sentence[first]] = flags[tokens.form[is_word][first]]
    return found


def _headings(tokens: Tokens, flags: NDArray[np.uint8], sizes: Ints) -> Bools:
    """Flag the short sentences without an end mark that follow one with an end mark.

    In a text mostly without end marks, nothing is a heading.
    """
    ended = np.zeros(len(sizes), bool)
    last = np.flatnonzero(np.diff(tokens.sentence, append=-1))
    ended[tokens.sentence[last]] = flags[tokens.form[last]] & _CLOSES > 0
    if 2 * np.count_nonzero(ended) < len(ended):
        return np.zeros(len(sizes), bool)
    longest = min(_MAX_HEADING_WORDS, _MAX_HEADING_SHARE * sizes.mean())
    headings: Bools = np.less_equal(sizes, longest) & ~ended
    headings[1:] &= ended[:-1]
    headings[[0, -1]] = False
    return headings
