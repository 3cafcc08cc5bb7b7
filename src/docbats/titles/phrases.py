"""The phrases of a document, of which titles and labels are made."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.markup import respell, spelled
from docbats.text.tags import CLASSES
from docbats.titles.phrase_tokens import (
    LETTER,
    each_word,
    find_lone_words,
    flag_tokens,
    with_classes,
    without_classes,
    write_with_gerund,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.pipeline import PreparedText
    from docbats.text.languages.language import Language
    from docbats.text.words import Tokens, Words
    from docbats.titles.phrase_tokens import PhraseTokens

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PhraseUses:
    """The uses of phrases, one per sentence; sorted by phrase, then by position.

    Attributes
    ----------
    occurrence
        For each use, its index among the occurrences of :class:`Phrases`.
    phrase, sentence, weight
        For each use, as in :class:`Phrases`.
    number, total, capital
        For each phrase, its number of uses, their weight, and the share of its occurrences with a
        capital that is not due to the start of a sentence.
    """

    occurrence: Ints
    phrase: Ints
    sentence: Ints
    weight: Floats
    number: Ints
    total: Floats
    capital: Floats


_MIN_DOUBTFUL_SHARE = 0.3  # of a noun's uses, that continue with the same "of ...": a phrase
_MIN_COSINE = 0.4  # of the uses of two words, for them to be a phrase without parts of speech


@dataclass(frozen=True, eq=False)
class NGrams:
    """The phrases of one size.

    Attributes
    ----------
    size
        The number of their tokens.
    at, phrase, uses
        For each occurrence, where it begins among the :class:`PhraseTokens`, the number of its
        phrase, and how often that occurs.
    keys
        For each phrase, the keys of its tokens, filled up with -1.
    verb
        For each occurrence, whether it begins with a verb.
    """

    size: int
    at: Ints
    phrase: Ints
    uses: Ints
    keys: Ints
    verb: Flags


def find_ngrams(tokens: PhraseTokens, longest: int) -> list[NGrams]:
    """Find the runs of 1 to `longest` tokens that are phrases, numbered across sizes."""
    n_keys = int(tokens.key.max(initial=0)) + 1
    uses_of_key = np.bincount(tokens.key, minlength=n_keys)
    continues = np.concatenate([tokens.joined & tokens.inside, np.zeros(1, np.bool_)])
    ends_run = ~continues[1:] | np.append(tokens.doubtful[1:], True)
    at = np.flatnonzero(tokens.inside)
    run = tokens.key[at]
    grams: list[NGrams] = []
    known = 0
    for size in range(1, longest + 1):
        if size > 1:
            longer = continues[np.minimum(at + size - 1, len(tokens.key))]
            at = at[longer]
            run = np.unique(run[longer] * n_keys + tokens.key[at + size - 1], return_inverse=True)[
                1
            ]
        begin = tokens.opens[at] & tokens.closes[at + size - 1]
        begin &= ~tokens.verb[at] | ends_run[at + size - 1]
        begin &= ~_flag_chance(tokens, at, run, uses_of_key, size)
        begins = at[begin]
        uses = np.bincount(run[begin])
        phrase = (np.cumsum(uses > 0) - 1)[run[begin]]
        keys = np.full((np.count_nonzero(uses), MAX_PHRASE_WORDS), -1, np.int64)
        keys[phrase, :size] = tokens.key[begins[:, None] + np.arange(size)]
        verb = tokens.verb[begins]
        grams.append(NGrams(size, begins, phrase + known, uses[run[begin]], keys, verb))
        known += len(keys)
    return grams


def _flag_chance(tokens: PhraseTokens, at: Ints, run: Ints, uses_of_key: Ints, size: int) -> Flags:
    """Flag the runs whose words only happen to meet, as in "number of sheep"."""
    chance = np.zeros(len(at), np.bool_)
    if tokens.must_recur and size > 1:
        uses = np.bincount(run)[run]
        ends = uses_of_key[tokens.key[at]] * uses_of_key[tokens.key[at + size - 1]]
        rare: Flags = (uses < 2) | (uses < _MIN_COSINE * np.sqrt(ends))
        return rare
    for inner in range(1, size):
        chance |= tokens.doubtful[at + inner]
    if chance.any():
        uses = np.bincount(run)[run]
        chance &= (uses < 2) | (uses < _MIN_DOUBTFUL_SHARE * uses_of_key[tokens.key[at]])
    return chance


def independence(grams: list[NGrams], n_places: int) -> list[Floats]:
    """Return the share of each occurrence, size by size, that longer phrases do not explain.

    Phrases that begin with a verb explain nothing: a server that is set up is a server.
    """
    explained = [np.zeros(n_places, np.int64) for _ in grams]
    for gram in grams:
        for shorter in range(1, gram.size):
            best = explained[shorter - 1]
            for offset in range(gram.size - shorter + 1):
                places = gram.at[~gram.verb] + offset
                best[places] = np.maximum(best[places], gram.uses[~gram.verb])
    return [
        np.maximum(1 - best[gram.at] / gram.uses, 0.0)
        for gram, best in zip(grams, explained, strict=True)
    ]


MAX_PHRASE_WORDS = 4
"""The most words in a phrase; each part of a hyphenated word counts as one, the article after a
verb does not count."""

_MIN_BASE_SHARE = 0.25  # of the uses of a form with an ending, for that without it to be shown
_POSSESSIVE = re.compile("['’]s?$")


@dataclass(frozen=True, eq=False)
class Phrases:
    """The phrases of a document and where they occur.

    Phrases with the same stems are one phrase. Occurrences are sorted by phrase, and those of one
    phrase by their place in the text.

    Attributes
    ----------
    text
        The text of the document.
    names
        The names of the document's words, as in :class:`Words`.
    words
        A row for each phrase: the indices of its words in `names`, padded with -1. Numbers from
        ``len(names)`` on are prepositions and other tokens that are not words.
    tagged
        Whether parts of speech were useful.
    language
        The language of the text.
    phrase, sentence
        For each occurrence, its phrase and its sentence.
    start, end
        For each occurrence, its half-open span in the text.
    capital
        For each occurrence, whether a capital at its beginning belongs to the phrase and not to the
        sentence.
    weight
        For each occurrence, the share of its phrase's uses that are not part of the same longer
        phrase.
    verb, name, initial
        For each occurrence, whether it begins with a verb, is a name, opens its sentence (apart
        from an article).
    word, word_sentence
        For each use of a word, alone or in a phrase, its index in `names` and its sentence.
    is_mark
        For each occurrence, whether it is the name of who is cited, as in "Ball (1999)", or of who
        speaks, before a colon.
    speakers
        The words of the names of speakers, in lower case.
    may_stand_alone
        For each of `names`, whether it is mostly a noun or a name, and not a form of address.
    """

    text: str
    names: tuple[str, ...]
    words: Ints
    tagged: bool
    language: Language
    phrase: Ints
    sentence: Ints
    start: Ints
    end: Ints
    capital: Flags
    weight: Floats
    verb: Flags
    name: Flags
    initial: Flags
    is_mark: Flags
    speakers: frozenset[str]
    word: Ints
    word_sentence: Ints
    may_stand_alone: Flags
    _spelled: dict[int, str] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        """Count the phrases."""
        return len(self.words)

    @property
    def are_single_words(self) -> bool:
        """Whether each word is a phrase, since nothing is known about the words."""
        return not (self.tagged or self.language.has_untagged_phrases)

    @cached_property
    def is_vague(self) -> Flags:
        """For each of `names`, whether it says little by itself.

        If nothing is known about the words, these are words of one to three letters: most are
        articles, prepositions and the like.
        """
        if self.are_single_words:
            # Chinese and Japanese, which have no lower case, say a lot in two characters.
            flags = [len(name) < 4 and name.islower() for name in self.names]
        else:
            vague = self.language.vague_nouns | self.language.fillers
            flags = list(map(vague.__contains__, self.names))
        return np.array(flags, np.bool_)

    @cached_property
    def uses(self) -> PhraseUses:
        """The first occurrence of each phrase in each sentence."""
        is_new = np.diff(self.phrase, prepend=-1) != 0
        use = np.flatnonzero(is_new | (np.diff(self.sentence, prepend=-1) != 0))
        phrase, weight = self.phrase[use], self.weight[use]
        occurrences = np.maximum(np.bincount(self.phrase, minlength=len(self)), 1)
        return PhraseUses(
            use,
            phrase,
            self.sentence[use],
            weight,
            number=np.bincount(phrase, minlength=len(self)),
            total=np.bincount(phrase, weight, minlength=len(self)).astype(float),
            capital=np.bincount(self.phrase, self.is_capital, len(self)) / occurrences,
        )

    @cached_property
    def word_uses(self) -> tuple[Ints, Ints]:
        """Each use of a word, and its sentence; sorted by word, then by sentence."""
        order = np.lexsort((self.word_sentence, self.word))
        return self.word[order], self.word_sentence[order]

    @cached_property
    def n_words(self) -> Ints:
        """For each phrase, the number of its words, prepositions and the like included."""
        numbers: Ints = np.count_nonzero(self.words >= 0, axis=1)
        return numbers

    @cached_property
    def _last_word(self) -> Ints:
        """The last word of each phrase; -1 if it is not a word."""
        last = self.words[np.arange(len(self)), self.n_words - 1]
        return np.where(last < len(self.names), last, -1)

    @cached_property
    def is_oblique(self) -> Flags:
        """For each phrase, whether its first or last word only occurs in oblique cases.

        Where nouns have capitals, adjectives show the case, and only they count.
        """
        endings = tuple(self.language.oblique_endings)
        if not endings:
            return np.zeros(len(self), np.bool_)
        flags = np.array([*(name.endswith(endings) for name in self.names), False], np.bool_)
        first = self.words[:, 0]
        if not self.language.capitalizes_nouns:
            return flags[self._last_word] | flags[np.where(first < len(self.names), first, -1)]
        found = np.zeros(len(self), np.bool_)
        for phrase in np.flatnonzero(self.n_words > 1).tolist():
            found[phrase] = self._n_oblique(self.spell(phrase)) > 0
        return found

    def _n_oblique(self, form: str) -> int:
        """Return how many words of a written phrase are in an oblique case, as far as it shows."""
        endings = tuple(self.language.oblique_endings)
        words = form.split()
        if self.language.capitalizes_nouns:
            words = [word for word in words if word.islower() and word.isalpha()]
        return sum(word.lower().endswith(endings) for word in words) if endings else 0

    @cached_property
    def says_little(self) -> Flags:
        """For each phrase, whether it cannot be a title.

        These are single words that are vague, not nouns, or forms of address; phrases that end with
        a measure; phrases that repeat a word; roles, as "Honourable Minister"; and the names of
        those who speak, or are cited.
        """
        last = self._last_word
        measures = self.language.measure_nouns
        is_measure = np.array([*map(measures.__contains__, self.names), False], np.bool_)
        is_weak = np.append(self.is_vague | ~self.may_stand_alone, False)
        ordered = self._sorted_words
        repeats = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any(axis=1)
        found: Flags = is_measure[last] | ((self.n_words == 1) & is_weak[last]) | repeats
        nobody = self.language.role_words | self.speakers
        is_nobody = np.array([*map(nobody.__contains__, self.names), True], np.bool_)
        of_nobody = is_nobody[np.where(self.words < len(self.names), self.words, -1)].all(axis=1)
        uses = np.maximum(np.bincount(self.phrase, minlength=len(self)), 1)
        is_marked = np.bincount(self.phrase, self.is_mark, len(self)) >= _MIN_MARKED_SHARE * uses
        return found | of_nobody | is_marked

    @cached_property
    def length(self) -> Ints:
        """For each occurrence, the number of its characters, however accents are written."""
        found = self.end - self.start
        if respell(self.text) is not None:
            spans = zip(self.start.tolist(), self.end.tolist(), strict=True)
            found = np.array([len(spelled(self.text[start:end])) for start, end in spans], np.int64)
        return found

    @cached_property
    def is_capital(self) -> Flags:
        """For each occurrence, whether it has a capital that belongs to the phrase."""
        return self._is_upper & self.capital

    @cached_property
    def _is_upper(self) -> Flags:
        """For each occurrence, whether it begins with an upper-case letter for any reason."""
        letters = [self.text[start] for start in self.start.tolist()]
        is_upper = {letter: letter.isupper() for letter in set(letters)}
        return np.fromiter(map(is_upper.__getitem__, letters), np.bool_, len(letters))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be made again."""
        kept = (each.name for each in fields(self) if each.init)
        return {name: getattr(self, name) for name in kept}

    def word_set(self, phrase: int) -> frozenset[int]:
        """Return the words of a phrase, as indices in `names`."""
        words = self.words[phrase].tolist()
        return frozenset(word for word in words if 0 <= word < len(self.names))

    @cached_property
    def is_name(self) -> Flags:
        """For each phrase, whether it is mostly a name."""
        uses = np.maximum(np.bincount(self.phrase, minlength=len(self)), 1)
        found: Flags = 2 * np.bincount(self.phrase, self.name, len(self)) >= uses
        return found

    def is_verbal(self, phrase: int) -> bool:
        """Whether a phrase begins with a verb."""
        return bool(self.verb[self._edges[phrase]])

    def in_full(self, phrase: int) -> int:
        """Return the phrase that gives a name in full, as "Ada Lovelace" for "Lovelace"."""
        if self.n_words[phrase] > 1:
            return phrase
        return self._full_names.get(int(self.words[phrase, 0]), phrase)

    @cached_property
    def _full_names(self) -> dict[int, int]:
        """For the last word of a name, the commonest longer name that ends with it."""
        first = np.array(self._edges[:-1], np.int64)
        longer = np.flatnonzero((self.n_words > 1) & (self.n_words <= 3) & self.name[first])
        uses = np.bincount(self.phrase, minlength=len(self))
        last = self.words[longer, self.n_words[longer] - 1]
        is_lower = np.bincount(self.phrase, ~self._is_upper, len(self)) > 0
        has_capital = np.bincount(self.phrase, self.is_capital, len(self)) > 0
        used_alone = np.zeros(len(self.names) + 1, np.bool_)
        single = np.flatnonzero((self.n_words == 1) & has_capital & ~is_lower)
        used_alone[self.words[single, 0]] = True
        found: dict[int, int] = {}
        for place in np.argsort(-uses[longer], kind="stable").tolist():
            if last[place] < len(self.names) and used_alone[last[place]]:
                found.setdefault(int(last[place]), int(longer[place]))
        return found

    def has_phrase_of(self, words: frozenset[int]) -> bool:
        """Whether there is a phrase of these words, in any order."""
        if len(words) > MAX_PHRASE_WORDS:
            return False
        row = sorted([*words, *[-1] * (MAX_PHRASE_WORDS - len(words))])
        return bool((self._sorted_words == np.array(row)).all(axis=1).any())

    @cached_property
    def _sorted_words(self) -> Ints:
        """The words of each phrase in ascending order; -1 for other tokens."""
        return np.sort(np.where(self.words < len(self.names), self.words, -1), axis=1)

    def spell(self, phrase: int) -> str:
        """Write a phrase as the text mostly does; of equals in lower case, then the earliest."""
        if phrase not in self._spelled:
            uses: Counter[str] = Counter()
            for (span, capital, verb), count in Counter(self._occurrences(phrase)).items():
                uses[_write(span, capital, verb)] += count
            nominative = tuple(self.language.nominative_endings)
            best = max(
                uses,
                key=lambda form: (
                    -self._n_oblique(form),
                    bool(nominative) and form.endswith(nominative),
                    uses[form],
                    form.islower(),
                ),
            )
            self._spelled[phrase] = self._without_case_ending(best, uses)
        return self._spelled[phrase]

    def sentences_of(self, phrase: int) -> set[int]:
        """Return the sentences that use a phrase."""
        return set(self.sentence[self._edges[phrase] : self._edges[phrase + 1]].tolist())

    def _without_case_ending(self, best: str, uses: Counter[str]) -> str:
        """Return a form without the ending of a case if the text has that one, too."""
        for ending in sorted(self.language.case_endings, key=len):
            shorter = best.removesuffix(ending)
            if shorter != best and uses[shorter] >= _MIN_BASE_SHARE * uses[best]:
                return shorter
        return best

    def _occurrences(self, phrase: int) -> list[tuple[str, bool, bool]]:
        """Return each occurrence: its text, and its flags `capital` and `verb`."""
        these = slice(self._edges[phrase], self._edges[phrase + 1])
        of_each = (
            self.start[these].tolist(),
            self.end[these].tolist(),
            self.capital[these].tolist(),
            self.verb[these].tolist(),
        )
        return [
            (self.text[start:end], capital, verb)
            for start, end, capital, verb in zip(*of_each, strict=True)
        ]

    @cached_property
    def _edges(self) -> list[int]:
        """The index of the first occurrence of each phrase, and the number of occurrences."""
        uses = np.bincount(self.phrase, minlength=len(self))
        return [0, *np.cumsum(uses).tolist()]


def _write(span: str, capital: bool, verb: bool) -> str:
    written = _POSSESSIVE.sub("", " ".join(spelled(span).split()).strip("_"))
    if verb:
        written = write_with_gerund(written)
    if capital or written[:2].isupper():
        return written
    return written[:1].lower() + written[1:]


def phrases_of(text: PreparedText) -> Phrases:
    """Return the phrases of a prepared text."""
    return find_phrases(text.document, text.tokens, text.words, text.classes, text.language)


def find_phrases(
    document: Document,
    tokens: Tokens,
    words: Words,
    classes: Ints,
    language: Language = ENGLISH,
) -> Phrases:
    """Find the phrases of `document`; `classes` are the result of :func:`find_classes`.

    Without useful parts of speech each word is a phrase, and so are words that often occur together
    if the language has untagged phrases.
    """
    flags = flag_tokens(tokens, language)
    tagged = _are_useful(classes[flags & LETTER > 0])
    longest = MAX_PHRASE_WORDS
    if tagged:
        candidates = with_classes(document, tokens, words, classes, flags)
    elif language.has_untagged_phrases:
        candidates = without_classes(document, tokens, words, flags, language)
    else:
        candidates, longest = each_word(tokens, words), 1
    grams = find_ngrams(candidates, longest)
    phrase = np.concatenate([gram.phrase for gram in grams])
    order = np.argsort(phrase, kind="stable")
    first = np.concatenate([gram.at for gram in grams])[order]
    begin = candidates.token[first]
    last = np.concatenate([gram.at + gram.size - 1 for gram in grams])[order]
    start, end = tokens.start[begin], tokens.end[candidates.token[last]]
    name = candidates.name[first] & candidates.name[last]
    initial = begin - np.searchsorted(tokens.sentence, tokens.sentence[begin]) <= 1
    return Phrases(
        text=document.text,
        names=words.names,
        words=np.concatenate([gram.keys for gram in grams]),
        tagged=tagged,
        language=language,
        phrase=phrase[order],
        sentence=tokens.sentence[begin],
        start=start,
        end=end,
        capital=candidates.capital[first],
        weight=np.concatenate(independence(grams, len(candidates.token)))[order],
        verb=candidates.verb[first],
        name=name,
        initial=initial,
        is_mark=_are_marks(document.text, end, name, initial),
        speakers=frozenset(
            word.strip(".,()").lower()
            for speaker in {block.speaker for block in document.blocks if block.speaker}
            for word in speaker.split()
        ),
        word=words.word,
        word_sentence=tokens.sentence[words.token],
        may_stand_alone=find_lone_words(
            tokens, words, flags, language, classes if tagged else None
        ),
    )


_MIN_MARKED_SHARE = 0.3  # of the uses of a name that a citation or a colon follows
_CITATION = re.compile(r"['’s]{0,2},? (?:et al\b|\(?(?:1[89]|20)\d\d[a-z]?[);,])")
_LABEL_END = re.compile(r" ?(?::\s|\(\d+:\d\d)")


def _are_marks(text: str, ends: Ints, name: Flags, initial: Flags) -> Flags:
    """Flag the occurrences of names that only say who is cited or who speaks."""
    found: Flags = np.zeros(len(ends), np.bool_)
    for i in np.flatnonzero(name).tolist():
        end = int(ends[i])
        found[i] = _CITATION.match(text, end) is not None or (
            bool(initial[i]) and _LABEL_END.match(text, end) is not None
        )
    return found


def _are_useful(classes: Ints) -> bool:
    """Whether the classes of the words are parts of speech and not guesses.

    In English prose, 34 to 64 % of the words are not nouns, names, verbs or adjectives. Our tagger,
    which only knows English, finds less than 19 % in German, French, Spanish, Dutch, Italian,
    Turkish and Russian, and mistakes more than 60 % for names.
    """
    uses = dict(zip(CLASSES, np.bincount(classes, minlength=len(CLASSES)).tolist(), strict=True))
    size = max(1, len(classes))
    names = uses["PROPN"] / size
    grammar = (uses["OTHER"] + uses["AUX"]) / size
    return grammar < 1 and not (names > 0.5 and grammar < 0.25)
