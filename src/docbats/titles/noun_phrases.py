"""Find the noun phrases of a document.

A phrase is a run of adjectives, nouns and names that ends in a noun or a name. A phrase inside a
longer one is found too, but each of its uses counts only as far as the longer one does not explain
it: "York" is nothing by itself where the text always says "New York".

Where no tagger knows the language, words that often stand together make a phrase.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.tagger import CLASSES
from docbats.titles.lone_words import find_lone_words
from docbats.titles.ngrams import find_ngrams, independence
from docbats.titles.phrase_tokens import each_word, with_classes, without_classes
from docbats.titles.phrases import MAX_PHRASE_WORDS, Phrases
from docbats.titles.token_flags import LETTER, flag_tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from docbats.document import Document
    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens
    from docbats.text.words import Words

    Ints = NDArray[np.int64]

__all__ = ["find_phrases"]


def find_phrases(
    document: Document,
    tokens: Tokens,
    words: Words,
    classes: Ints,
    language: Language = ENGLISH,
) -> Phrases:
    """Find the phrases of `document`; `classes` are those of :func:`find_classes`.

    Without useful parts of speech each word is a phrase, and so are words that often stand
    together if the language has untagged phrases.
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
    return Phrases(
        text=document.text,
        names=words.names,
        words=np.concatenate([gram.keys for gram in grams]),
        tagged=tagged,
        language=language,
        phrase=phrase[order],
        sentence=tokens.sentence[begin],
        start=tokens.start[begin],
        end=tokens.end[candidates.token[last]],
        capital=candidates.capital[first],
        weight=np.concatenate(independence(grams, len(candidates.token)))[order],
        verb=candidates.verb[first],
        name=candidates.name[first] & candidates.name[last],
        initial=begin - np.searchsorted(tokens.sentence, tokens.sentence[begin]) <= 1,
        word=words.word,
        word_sentence=tokens.sentence[words.token],
        may_stand_alone=find_lone_words(
            tokens, words, flags, language, classes if tagged else None
        ),
    )


def _are_useful(classes: Ints) -> bool:
    """Whether the classes of the words are parts of speech and not guesses.

    Of the words of English prose 34 to 64 % are no nouns, names, verbs or adjectives. The tagger of
    docbats, which knows English only, finds less than 19 % in German, French, Spanish, Dutch,
    Italian, Turkish and Russian, and takes more than 60 % for names.
    """
    uses = dict(zip(CLASSES, np.bincount(classes, minlength=len(CLASSES)).tolist(), strict=True))
    size = max(1, len(classes))
    names = uses["PROPN"] / size
    grammar = (uses["OTHER"] + uses["AUX"]) / size
    return grammar < 1 and not (names > 0.5 and grammar < 0.25)
