"""What docbats knows of a language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docbats.text.words import SegmenterLibrary

_CLOSING_MARKS = frozenset(".?!:;\"”'’)]…»“›。！？｡：；」』）》")


class _WordSet:
    """A field of `Language`: given as a string, read as the set of its words.

    The string is split when the set is first asked for, because language detection loads all
    languages but reads only two of their fields. A language without a `shared` list has that of
    English, whose words and names occur in texts of every language.
    """

    def __init__(self, *, shared: bool = False) -> None:
        self._is_shared = shared

    def __set_name__(self, owner: type[Language], name: str) -> None:
        self._name = name

    def __get__(self, language: Language | None, owner: type[Language]) -> frozenset[str]:
        if language is None:
            return frozenset()  # the default of the field
        words: str | frozenset[str] = vars(language)[self._name]
        if isinstance(words, str):
            words = vars(language)[self._name] = frozenset(words.split())
        if self._is_shared and not words:
            from docbats.text.languages.english import LANGUAGE as ENGLISH

            return words if language is ENGLISH else self.__get__(ENGLISH, owner)
        return words

    def __set__(self, language: Language, words: str | frozenset[str]) -> None:
        vars(language)[self._name] = words


@dataclass(frozen=True, eq=False)
class Language:
    """What docbats knows of a language.

    Word lists are strings of words in lower case, with white space between them, and are read as
    sets. All but `code` and `name` may be left out.

    Attributes
    ----------
    code
        By ISO 639-1; None for a language that docbats does not know.
    name
        In English.
    common_words, special_letters
        The most common words and the letters beyond a to z, by which the language is detected. A
        language with its own script needs none.

    has_punkt_model
        Whether nupunkt finds its sentences; if not, rules do, by the next five.
    abbreviations
        Words after which a full stop does not end a sentence, without that stop.
    list_endings
        Abbreviations that often end a sentence, as "etc": a capital after them decides.
    has_ordinal_stops
        Whether a full stop after a number can make it an ordinal, as in "3. Oktober".
    quote_continuation
        A regular expression for what follows a quotation if its sentence goes on, in a language
        whose full stops are ideographic.
    closing_marks
        Marks that end a sentence; a line without one may be a heading.
    clause_words
        Words with which a clause begins, before which a sentence that is too long is split.

    segmenter
        The library that finds the words of a language that puts no space between them.
    grammar_characters
        Characters that only grammar uses: without the segmenter, words are pairs of characters
        without one of these.
    elisions
        Words that lose their vowel before another word, as the "l" of "l'eau": they are tokens.
    stop_words
        Words that carry grammar rather than subject matter.
    stemmer
        The algorithm of Snowball that finds stems; None where words do not change.
    has_tagger
        Whether the tagger of the package knows the language.

    function_word_groups
        Groups of words that tell whom a text speaks of and in which tense: these stop words change
        with the subject, too.
    fillers
        Words that say nothing where a sentence begins with them, such as "yeah" and "well": they
        are not quoted in titles.
    quotation_marks
        What opens and what closes a quotation.
    continuing_words, shifting_words
        Words with which a sentence begins that continues what was said, or turns to something else.
    backward_words
        Words with which a sentence begins that cannot be understood without the one before it; if
        there are none, `continuing_words` are used.

    pointing_words
        Words that point back near the start of a sentence, such as "this" and "she".
    hesitations
        What is said while searching for words, or listening, such as "um" and "yeah": it belongs
        to no topic.
    courtesies
        A regular expression, in lower case, for thanks, greetings and the giving of turns: a
        sentence with one sums nothing up.

    section_words, appendix_words
        Words before the number of a heading, as in "Chapter 4", or before a letter, as in
        "Appendix A"; an underscore is a space. In a language without spaces, words after the
        number.
    number_words
        Words that number headings, as in "Chapter Four".
    reference_titles, contents_titles
        Headings of lists of references and of tables of contents, in lower case, with commas
        between them.
    caption_words
        Words before the number of a picture or table, as in "Fig. 3".

    vague_nouns
        Nouns that say little by themselves.
    role_words
        Words for those who speak at a meeting, and forms of address: a phrase of nothing else says
        little.
    measure_nouns
        Nouns that say little even after other words, such as units.
    vague_adjectives
        Adjectives that say nothing about the subject: no phrase begins with one.
    phrase_prepositions, phrase_articles
        Words that join two nouns to a phrase, as in "Bank of England", and articles that may follow
        them. Only used where parts of speech are known.
    phrase_links
        Words that may occur inside a phrase where parts of speech are not known.
    has_untagged_phrases
        Whether words that often occur together are a phrase where parts of speech are not known.
        If not, each word is a phrase.
    capitalizes_nouns
        Whether a capital inside a sentence is the mark of a noun.
    oblique_endings
        Endings of cases that read badly in a title: such a form is shown only where the text has no
        other. Where nouns have capitals, of adjectives only.
    nominative_endings
        Endings of the nominative: of several forms, one with such an ending is shown.
    case_endings
        Endings that make another case or number of a noun: where the text has the form without
        one, too, that is shown.
    modifier_endings
        Endings of adjectives and participles: such a word is no title alone, nor the end of one.
    honorifics
        Words before the name of a person, without a full stop.
    articles, noun_markers
        Articles, and all words that a noun usually follows. Only used where parts of speech are not
        known: a word that never follows one of these, but often precedes an article, counts as a
        verb, and runs of other words as phrases.
    verb_endings
        Endings of verbs: a word with one that never follows a noun marker counts as a verb, too.
    conjunction, separator
        What joins the last two things of a list, and all others.
    conjunction_before
        How the next word begins, as a regular expression, if another conjunction is used before
        it, and that one.
    """

    code: str | None
    name: str
    stop_words: _WordSet = _WordSet()
    common_words: _WordSet = _WordSet()
    special_letters: str = ""

    has_punkt_model: bool = False
    abbreviations: _WordSet = _WordSet()
    list_endings: _WordSet = _WordSet()
    has_ordinal_stops: bool = False
    quote_continuation: str | None = None
    closing_marks: frozenset[str] = _CLOSING_MARKS
    clause_words: _WordSet = _WordSet(shared=True)

    segmenter: SegmenterLibrary | None = None
    grammar_characters: frozenset[str] = frozenset()
    elisions: _WordSet = _WordSet()
    stemmer: str | None = None
    has_tagger: bool = False

    function_word_groups: tuple[str, ...] = ()
    fillers: _WordSet = _WordSet()
    quotation_marks: tuple[str, str] = ("“", "”")
    continuing_words: _WordSet = _WordSet()
    shifting_words: _WordSet = _WordSet()
    backward_words: _WordSet = _WordSet()
    pointing_words: _WordSet = _WordSet()
    hesitations: _WordSet = _WordSet()
    courtesies: str | None = None

    section_words: _WordSet = _WordSet()
    appendix_words: _WordSet = _WordSet()
    number_words: _WordSet = _WordSet()
    reference_titles: str = ""
    contents_titles: str = ""
    caption_words: _WordSet = _WordSet()

    vague_nouns: _WordSet = _WordSet()
    role_words: _WordSet = _WordSet(shared=True)
    measure_nouns: _WordSet = _WordSet(shared=True)
    vague_adjectives: _WordSet = _WordSet(shared=True)
    phrase_prepositions: _WordSet = _WordSet(shared=True)
    phrase_articles: _WordSet = _WordSet(shared=True)
    phrase_links: _WordSet = _WordSet()
    has_untagged_phrases: bool = True
    capitalizes_nouns: bool = False
    oblique_endings: _WordSet = _WordSet()
    nominative_endings: _WordSet = _WordSet()
    case_endings: _WordSet = _WordSet()
    modifier_endings: _WordSet = _WordSet()
    honorifics: _WordSet = _WordSet()
    articles: _WordSet = _WordSet()
    noun_markers: _WordSet = _WordSet()
    verb_endings: _WordSet = _WordSet()
    conjunction: str = ", "
    conjunction_before: tuple[str, str] | None = None
    separator: str = ", "

    @cached_property
    def foreign_words(self) -> frozenset[str]:
        """The commonest words of English, of which texts of other languages have quotations."""
        from docbats.text.languages.english import LANGUAGE as ENGLISH

        is_mixed = self.writes_spaces and self is not ENGLISH
        return ENGLISH.common_words if is_mixed else frozenset()

    @property
    def writes_spaces(self) -> bool:
        """Whether there are spaces between words."""
        return self.segmenter is None

    def is_courtesy(self, sentence: str) -> bool:
        """Whether a sentence thanks, greets or gives somebody the floor."""
        return self._courtesy is not None and self._courtesy.search(sentence) is not None

    @cached_property
    def _courtesy(self) -> re.Pattern[str] | None:
        if self.courtesies is None:
            return None
        edge = r"\b" if self.writes_spaces else ""
        return re.compile(f"{edge}(?:{self.courtesies}){edge}", re.IGNORECASE)

    def conjunction_to(self, following: str) -> str:
        """Return what joins something to this, the last thing of a list."""
        if self.conjunction_before is not None:
            pattern, other = self.conjunction_before
            if re.match(pattern, following, re.IGNORECASE):
                return other
        return self.conjunction

    @cached_property
    def elided_forms(self) -> frozenset[str]:
        """The elisions with their apostrophes, which are not words either."""
        return frozenset(f"{word}'" for word in self.elisions)
