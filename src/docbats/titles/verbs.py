"""Verbs with which a title may begin, as in "setting up a mail server", and their gerunds.

English only: the tagger of the package knows no other language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats.text.tagger import CLASSES
from docbats.titles.neighbours import following, is_first, previous
from docbats.titles.token_flags import DETERMINER, GERUND, INFLECTED, JOINING, PARTICLE, TO

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from docbats.text.tokens import Tokens

    Flags = NDArray[np.bool_]

__all__ = ["Verbs", "find_verbs", "gerund", "write_with_gerund"]

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
    """Flags of tokens: verbs that may begin a title, what belongs to them, and articles between.

    Attributes
    ----------
    verb
        An infinitive after "to", a form in -ing, or an imperative.
    particle
        "up" or "with" after such a verb.
    determiner
        An article or the like between these and a noun; phrases are found without it.
    """

    verb: Flags
    particle: Flags
    determiner: Flags


def find_verbs(
    tokens: Tokens, classes: NDArray[np.int64], flags: NDArray[np.uint16], is_hyphen: Flags
) -> Verbs:
    """Find the verbs of the text with which a title may begin."""
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
    """Write a phrase that begins with a verb as a title has it.

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
    """Whether the last consonant is doubled: one consonant after one vowel that is stressed."""
    if len(verb) < 3 or verb[-1] in _VOWELS + "wxy" or verb[-2] not in _VOWELS:
        return False
    if verb[-3] in _VOWELS and verb[-3:-1] != "ui":
        return False
    groups = len(re.findall(f"[{_VOWELS}y]+", verb))
    return groups == 1 or _DOUBLING.fullmatch(verb) is not None
