"""RAKE: runs of words between stop words and marks, ranked by the company of their words.

S. Rose et al., "Automatic keyword extraction from individual documents", in Text Mining, 2010: a
word is worth its degree over its uses, its degree being the words of all phrases that have it, and
a phrase the sum of its words. Phrases of more than four words are left out, as most programs do.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from docbats.text.words import normal_form
from docbats_lab.title_methods.title_method import TitleMethod

if TYPE_CHECKING:
    from docbats.prepare import PreparedText
    from docbats_lab.title_methods.title_method import SectionedText

_MAX_WORDS = 4


def _phrases(text: PreparedText) -> list[list[str]]:
    forms = [normal_form(form) for form in text.tokens.forms]
    stops = text.language.stop_words
    ends = [form in stops or not any(map(str.isalnum, form)) for form in forms]
    phrases: list[list[str]] = [[]]
    before = -1
    for form, sentence in zip(
        text.tokens.form.tolist(), text.tokens.sentence.tolist(), strict=True
    ):
        if ends[form] or sentence != before:
            phrases.append([])
        if not ends[form]:
            phrases[-1].append(forms[form])
        before = sentence
    return [phrase for phrase in phrases if 0 < len(phrase) <= _MAX_WORDS]


def _best(text: PreparedText) -> list[str]:
    phrases = _phrases(text)
    uses: Counter[str] = Counter()
    degree: Counter[str] = Counter()
    for phrase in phrases:
        for word in phrase:
            uses[word] += 1
            degree[word] += len(phrase)
    distinct = dict.fromkeys(map(tuple, phrases))
    best = sorted(distinct, key=lambda phrase: -sum(degree[w] / uses[w] for w in phrase))
    glue = " " if text.language.writes_spaces else ""
    return [glue.join(phrase) for phrase in best[:2]]


def _rank(text: SectionedText) -> list[list[str]]:
    return [_best(section) for section in text.prepared_sections]


METHOD = TitleMethod("RAKE", "Rose et al. 2010", _rank)
