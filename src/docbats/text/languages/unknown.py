"""Any language that docbats does not know."""

from __future__ import annotations

from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.languages.language import Language

LANGUAGE = Language(
    code=None,
    name="unknown",
    list_endings="etc ecc usw usf enz itd itp др пр т.д т.п",
    clause_words=ENGLISH.clause_words,
    stop_words=ENGLISH.stop_words,
    backward_words=ENGLISH.backward_words,
    section_words=ENGLISH.section_words,
    reference_titles=ENGLISH.reference_titles,
    contents_titles=ENGLISH.contents_titles,
    caption_words=ENGLISH.caption_words,
    vague_nouns=ENGLISH.vague_nouns,
    measure_nouns=ENGLISH.measure_nouns,
    vague_adjectives=ENGLISH.vague_adjectives,
    phrase_prepositions=ENGLISH.phrase_prepositions,
    phrase_articles=ENGLISH.phrase_articles,
    has_untagged_phrases=False,
)
