"""Which tokens a phrase may begin with, contain or end with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from docbats.text.tags import CLASSES
from docbats.text.words import WordCache

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.text.languages.language import Language
    from docbats.text.words import Tokens, Words

    Flags = NDArray[np.bool_]
    Ints = NDArray[np.int64]
    TokenFlags = NDArray[np.uint16]


def is_first(tokens: Tokens) -> Flags:
    """Flag the first token of each sentence."""
    first = np.ones(len(tokens), np.bool_)
    np.not_equal(tokens.sentence[1:], tokens.sentence[:-1], out=first[1:])
    return first


def previous(flags: Flags) -> Flags:
    """Return the flag of the token before each token."""
    shifted: Flags = np.zeros_like(flags)
    shifted[1:] = flags[:-1]
    return shifted


def following(flags: Flags) -> Flags:
    """Return the flag of the token after each token."""
    shifted: Flags = np.zeros_like(flags)
    shifted[:-1] = flags[1:]
    return shifted


LETTER, CAPITAL, VAGUE_ADJECTIVE, HYPHEN, DOT, PREPOSITION, ARTICLE = (1 << bit for bit in range(7))
HONORIFIC, MARKER = 1 << 7, 1 << 8
DETERMINER, PARTICLE, TO, GERUND, INFLECTED = (1 << bit for bit in range(9, 14))  # English only
BARE_ARTICLE, JOINING = 1 << 14, 1 << 15

_HYPHENS = frozenset("-\u2010\u2011&")
# Forms in -ing that join clauses, as in "judging from what he said".
_JOINING_FORMS = frozenset(
    [
        *("according", "assuming", "being", "compared", "concerning", "considering", "depending"),
        *("excluding", "following", "granting", "including", "judging", "meaning", "owing"),
        *("regarding", "speaking", "starting", "supposing"),
    ]
)
_DETERMINERS = frozenset(
    ["a", "an", "the", "my", "your", "his", "her", "its", "our", "their", "this", "these", "that"]
)
_PARTICLES = frozenset(
    ["up", "out", "off", "down", "on", "over", "back", "with", "for", "to", "into", "about", "from"]
)


def flag_tokens(tokens: Tokens, language: Language) -> NDArray[np.uint16]:
    """Return the flags of each token, added up."""
    flags = _flag_cache(language)(tokens.forms)
    return np.frombuffer(b"".join(flags), "<u2")[tokens.form]


@cache
def _flag_cache(language: Language) -> WordCache[bytes]:
    vague_adjectives = language.vague_adjectives
    prepositions, articles = language.phrase_prepositions, language.phrase_articles
    honorifics, bare_articles = language.honorifics, language.articles
    noun_markers = language.noun_markers

    def flag_forms(forms: list[str]) -> Iterator[bytes]:
        for form in forms:
            lower = form.lower().replace("’", "'")
            flags = LETTER * form[0].isalpha() | CAPITAL * form[0].isupper()
            flags |= VAGUE_ADJECTIVE * (lower in vague_adjectives)
            flags |= HYPHEN * (form in _HYPHENS) | DOT * (form == ".")
            flags |= PREPOSITION * (form in prepositions) | ARTICLE * (form in articles)
            flags |= HONORIFIC * (lower in honorifics)
            flags |= MARKER * (lower in noun_markers)
            flags |= BARE_ARTICLE * (lower in bare_articles)
            flags |= DETERMINER * (lower in _DETERMINERS) | PARTICLE * (lower in _PARTICLES)
            flags |= TO * (lower == "to") | GERUND * (lower.endswith("ing") and len(lower) > 4)
            flags |= JOINING * (lower in _JOINING_FORMS)
            flags |= INFLECTED * lower.endswith(("ed", "s"))
            yield flags.to_bytes(2, "little")

    return WordCache(flag_forms)


_VERB = CLASSES.index("VERB")
_VOWELS = "aeiou"
_DOUBLING = re.compile(  # verbs of more than one syllable whose last consonant is doubled
    "(?:ab|ad|be|com|con|de|dis|e|for|in|o|oc|per|pre|re|sub|trans|un)"
    "(?:cur|fer|fit|get|gin|hor|mit|pel|plan|rol|run|set|tend|vet|zip)"
)
_OWN_DETERMINER = re.compile(r" (?:my|your|his|her|its|our|their|this|that) ", re.IGNORECASE)
_THESE = re.compile(r" (?:these|those) ", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Verbs:
    """Flags of tokens: verbs that may begin a title, their particles, and articles after them.

    Attributes
    ----------
    verb
        An infinitive after "to", a form in -ing, or an imperative.
    particle
        "up" or "with" after such a verb.
    determiner
        An article or the like between these and a noun, which phrases leave out.
    """

    verb: Flags
    particle: Flags
    determiner: Flags


def find_verbs(
    tokens: Tokens, classes: NDArray[np.int64], flags: NDArray[np.uint16], is_hyphen: Flags
) -> Verbs:
    """Find the verbs that a title may begin with."""
    first = is_first(tokens)
    is_verb = (classes == _VERB) & ~previous(is_hyphen) & ~following(is_hyphen)
    is_verb &= flags & JOINING == 0
    is_imperative = first & (flags & (GERUND | INFLECTED) == 0)
    verb = is_verb & ((flags & GERUND > 0) | (previous(flags & TO > 0) & ~first) | is_imperative)
    after = previous(verb) & ~first
    particle = (flags & PARTICLE > 0) & after
    after |= previous(particle) & ~first
    return Verbs(verb, particle, (flags & DETERMINER > 0) & after)


def write_with_gerund(phrase: str) -> str:
    """Write a phrase that begins with a verb as in a title.

    >>> write_with_gerund("set up your mail server")
    'setting up the mail server'
    """
    verb, blank, rest = phrase.partition(" ")
    rest = _OWN_DETERMINER.sub(" the ", _THESE.sub(" ", f" {rest}"), count=1)
    return gerund(verb) + blank + rest.strip()


def gerund(verb: str) -> str:
    """Return the form in -ing of a verb in its base form; one in -ing stays.

    >>> [gerund(verb) for verb in ("set", "use", "tie", "install", "see", "commit", "fix")]
    ['setting', 'using', 'tying', 'installing', 'seeing', 'committing', 'fixing']
    """
    lower = verb.lower()
    if lower.endswith("ing") and len(lower) > 4:
        return verb
    if lower.endswith("ie"):
        return verb[:-2] + "ying"
    if lower.endswith("e") and len(lower) > 2 and not lower.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return verb + (verb[-1] if _doubles(lower) else "") + "ing"


def _doubles(verb: str) -> bool:
    """Whether the last consonant is doubled: a single one after a single stressed vowel."""
    if len(verb) < 3 or verb[-1] in _VOWELS + "wxy" or verb[-2] not in _VOWELS:
        return False
    if verb[-3] in _VOWELS and verb[-3:-1] != "ui":
        return False
    groups = len(re.findall(f"[{_VOWELS}y]+", verb))
    return groups == 1 or _DOUBLING.fullmatch(verb) is not None


_MAX_ADDRESSED_SHARE = 0.3  # of a word's uses that follow "Mr"; with more it is a form of address
_MIN_GOVERNING_SHARE = 0.25  # of the uses of a verb that an article follows
_MIN_MARKED_SHARE = 0.1  # of the uses of a noun that looks like a verb, after an article


def find_lone_words(
    tokens: Tokens,
    words: Words,
    flags: NDArray[np.uint16],
    language: Language,
    classes: Ints | None,
) -> Flags:
    """Flag the words that can be a phrase alone, by the classes of tokens if they are known.

    If they are not, apparent verbs cannot.
    """
    n = len(words.names)
    uses = np.bincount(words.word, minlength=n)
    honorific = flags & HONORIFIC > 0
    before = previous(honorific) | (previous(flags & DOT > 0) & previous(previous(honorific)))
    addressed = np.bincount(words.word, before[words.token], n)
    alone: Flags = addressed <= _MAX_ADDRESSED_SHARE * uses
    if classes is not None:
        kind = classes[words.token]
        is_noun = (kind == CLASSES.index("NOUN")) | (kind == CLASSES.index("PROPN"))
        return alone & (2 * np.bincount(words.word, is_noun, n) >= uses)
    alone &= ~_end_with(words.names, language.modifier_endings)
    return alone & ~find_untagged_verbs(tokens, words, flags, language)


def _end_with(names: Sequence[str], endings: Collection[str]) -> Flags:
    """Flag the words with one of these endings."""
    suffixes = tuple(endings)
    return np.array([bool(suffixes) and name.endswith(suffixes) for name in names], np.bool_)


def find_untagged_verbs(
    tokens: Tokens, words: Words, flags: NDArray[np.uint16], language: Language
) -> Flags:
    """Flag the words that are verbs, judging by endings and articles.

    A verb never follows an article or the like; it has the ending of a verb, or an article often
    follows it, as in "montre la grille".
    """
    n = len(words.names)
    if not language.verb_endings:
        return np.zeros(n, np.bool_)
    first = is_first(tokens)
    marked = np.bincount(words.word, (previous(flags & MARKER > 0) & ~first)[words.token], n)
    before = following((flags & BARE_ARTICLE > 0) & ~first)
    governs = np.bincount(words.word, before[words.token], n)
    uses = np.bincount(words.word, minlength=n)
    verbal = _end_with(words.names, language.verb_endings)
    found: Flags = (verbal & (marked < _MIN_MARKED_SHARE * uses)) | (
        (marked == 0) & (governs >= _MIN_GOVERNING_SHARE * uses)
    )
    return found


_MAX_ABBREVIATION = 4  # characters
_LINE_BREAKS = "\t\n\r\v\f\x85\u2028\u2029"


@dataclass(frozen=True, eq=False)
class PhraseTokens:
    """The role that each token may have in a phrase; marks inside words are left out.

    Attributes
    ----------
    token
        The index of each token that is not left out.
    key
        Identifies phrases: the word, or for a token that is not a word a number after those.
    inside, opens, closes
        Whether a phrase may contain the token, begin with it, end with it.
    joined
        Whether a phrase may go on from the token before.
    doubtful
        Whether a phrase that continues with it must recur: a preposition that is not between names,
        and whatever follows a plural, which may be a verb.
    capital
        Whether a capital belongs to the word rather than to the sentence.
    name
        Whether it is part of a name.
    verb
        Whether it is a verb that a phrase may begin with, as in "setting up a server": such a
        phrase ends with the whole run.
    must_recur
        Whether any words may make a phrase, so that only frequent combinations count.
    """

    token: Ints
    key: Ints
    inside: Flags
    opens: Flags
    closes: Flags
    joined: Flags
    doubtful: Flags
    capital: Flags
    name: Flags
    verb: Flags
    must_recur: bool = False


def each_word(tokens: Tokens, words: Words) -> PhraseTokens:
    """Make each word a phrase."""
    every = np.ones(len(words.token), np.bool_)
    capital = ~is_first(tokens)[words.token]
    return PhraseTokens(
        token=words.token,
        key=words.word,
        inside=every,
        opens=every,
        closes=every,
        joined=~every,
        doubtful=~every,
        capital=capital,
        name=~every,
        verb=~every,
    )


def with_classes(
    document: Document, tokens: Tokens, words: Words, classes: Ints, flags: TokenFlags
) -> PhraseTokens:
    """Decide by the class of each token which role it may have in a phrase."""
    is_hyphen, is_dot = _marks_inside(tokens, flags)
    verbs = find_verbs(tokens, classes, flags, is_hyphen)
    token = np.flatnonzero(~(is_hyphen | is_dot | verbs.determiner))
    flag, first = flags[token], is_first(tokens)[token]
    part = previous(is_hyphen)[token]  # of a hyphenated word, but not its first part
    more = following(is_hyphen)[token]
    noun, name, adjective, verb = (
        classes[token] == CLASSES.index(kind) for kind in ("NOUN", "PROPN", "ADJ", "VERB")
    )
    key, word = _keys(tokens, words, token)
    joined = ~first
    joined[_after_line_breaks(document.text, tokens.start[token])] = False
    # To the tagger, "New" of "New Deal" is an adjective and "United" is a verb.
    capital = flag & CAPITAL > 0
    name |= (
        capital & ~first & word & (adjective | verb) & following(capital & (noun | name) & joined)
    )

    ordinal = (flag & CAPITAL > 0) & ~first & (name | adjective)  # as in the Second World War
    word &= ~_is_abbreviated(tokens, flags)[token]
    inside = word & (noun | name | adjective | (verb & part))
    inside |= ~word & (flag & LETTER > 0) & (following(is_dot)[token] | more | ordinal)
    opens = inside & ~part & ((flag & VAGUE_ADJECTIVE == 0) | more | name)
    closes = inside & word & (noun | name) & ~more
    # A lower-case noun and a name after it only happen to meet: "in those years Adams wrote".
    joined &= ~(name & previous(noun & ~name & (flag & CAPITAL == 0)))
    # Names are kept whole: neither "York University" nor "Bank of New" is one.
    opens &= ~(name & joined & previous(name))
    closes &= ~(name & following(name & joined))

    of = (flag & PREPOSITION > 0) & previous(closes)
    the = (flag & ARTICLE > 0) & previous(of & previous(name)) & following(name & opens)
    between_names = previous(name) & following(name | the)
    plural = noun & ~capital & (flag & INFLECTED > 0)
    after_plural = previous(plural & inside) & joined & noun & ~name  # "most sheds rot"
    particle = verbs.particle[token] & following(opens & joined)
    begins = verbs.verb[token] & word & following((opens | particle) & joined)
    return PhraseTokens(
        token=token,
        key=key,
        inside=inside | (of & following(opens | the)) | the | begins | particle,
        opens=opens | begins,
        closes=closes & ~begins & ~particle,
        joined=joined & ~begins,
        doubtful=(of & ~between_names & ~particle) | after_plural,
        capital=~first | name,
        name=name,
        verb=begins,
    )


def without_classes(
    document: Document, tokens: Tokens, words: Words, flags: TokenFlags, language: Language
) -> PhraseTokens:
    """Let any words make a phrase, with links of the language between them.

    If nouns are capitalized, a phrase ends with one.
    """
    is_hyphen, _ = _marks_inside(tokens, flags)
    token = np.flatnonzero(~is_hyphen)
    first = is_first(tokens)[token]
    part, more = previous(is_hyphen)[token], following(is_hyphen)[token]
    key, word = _keys(tokens, words, token)
    word &= ~_is_abbreviated(tokens, flags)[token]
    is_foreign = [form.lower() in language.foreign_words for form in tokens.forms]
    word &= ~np.array(is_foreign, np.bool_)[tokens.form[token]]
    has_articles = bool(language.articles)
    if has_articles and len(words.names):
        verb = find_untagged_verbs(tokens, words, flags, language)
        word &= ~verb[np.minimum(key, len(words.names) - 1)]
    is_link = np.array(
        [form.lower().replace("’", "'") in language.phrase_links for form in tokens.forms]
    )
    link = is_link[tokens.form[token]] & ~word
    link &= previous(word | link) & following(word | link)
    noun = word
    if language.modifier_endings and len(words.names):
        modifier = _end_with(words.names, language.modifier_endings)
        noun = word & ~modifier[np.minimum(key, len(words.names) - 1)]
    if language.capitalizes_nouns:
        noun = word & _find_nouns(key, word & ~first, flags[token] & CAPITAL > 0)[key]
    joined = ~first
    joined[_after_line_breaks(document.text, tokens.start[token])] = False
    inner = joined & previous(word) & following(link)  # as "nacional" of "plan nacional de"
    return PhraseTokens(
        token=token,
        key=key,
        inside=word | link | part | more,
        opens=word & ~part & ~(inner & has_articles),
        closes=noun & ~more,
        joined=joined,
        doubtful=np.zeros(len(token), np.bool_),
        capital=~first | (noun if language.capitalizes_nouns else False),
        name=np.zeros(len(token), np.bool_),
        verb=np.zeros(len(token), np.bool_),
        must_recur=not has_articles,
    )


def _keys(tokens: Tokens, words: Words, token: Ints) -> tuple[Ints, Flags]:
    """Return the key of each token, see `PhraseTokens`, and whether it is a word."""
    word_of_token = np.full(len(tokens), -1, np.int64)
    word_of_token[words.token] = words.word
    key = word_of_token[token]
    is_word = key >= 0
    return np.where(is_word, key, len(words.names) + tokens.form[token]), is_word


def _find_nouns(key: Ints, inside: Flags, capital: Flags) -> Flags:
    """Flag the words that mostly have a capital inside a sentence."""
    size = int(key.max(initial=0)) + 1
    uses, with_capital = (
        np.bincount(key[inside], minlength=size),
        np.bincount(key[inside & capital]),
    )
    with_capital = np.pad(with_capital, (0, size - len(with_capital)))
    return 2 * with_capital >= uses


def _is_abbreviated(tokens: Tokens, flags: TokenFlags) -> Flags:
    """Flag short tokens, except initials, with a full stop that does not end a sentence."""
    size = tokens.size
    first = is_first(tokens)
    touches = ~first
    touches[1:] &= tokens.start[1:] == tokens.end[:-1]
    dot = (flags & DOT > 0) & touches & ~following(first)
    dot[-1:] = False
    is_short = (flags & LETTER > 0) & (size > 1) & (size <= _MAX_ABBREVIATION)
    return is_short & following(dot)


def _marks_inside(tokens: Tokens, flags: TokenFlags) -> tuple[Flags, Flags]:
    """Find hyphens between letters and the full stops of initials, as in "J. S. Bach"."""
    touches = ~is_first(tokens)
    touches[1:] &= tokens.start[1:] == tokens.end[:-1]
    is_letter = flags & LETTER > 0
    hyphen = (flags & HYPHEN > 0) & touches & following(touches)
    hyphen &= previous(is_letter) & following(is_letter)
    initial = (flags & CAPITAL > 0) & (tokens.size == 1)
    dot = (flags & DOT > 0) & touches & previous(initial)
    return hyphen, dot


def _after_line_breaks(text: str, starts: Ints) -> Ints:
    """Return the tokens that are first in their lines."""
    # Most texts have one or two of these characters, and searching for one at a time is fast.
    present = [character for character in _LINE_BREAKS if character in text]
    breaks = [match.start() for character in present for match in re.finditer(character, text)]
    places = np.searchsorted(starts, np.array(breaks, np.int64))
    return places[places < len(starts)]
