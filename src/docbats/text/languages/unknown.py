"""Any language that docbats does not know."""

from __future__ import annotations

from docbats.text.languages.english import LANGUAGE as ENGLISH
from docbats.text.languages.language import Language

# Of languages that only headings are known of.
_SECTION_WORDS = """
    kapitola část článek oddíl hlava kapitel del avsnitt luku osa bölüm kısım madde розділ частина
    стаття κεφάλαιο μέρος άρθρο 장 절 조 부 편
"""

LANGUAGE = Language(
    code=None,
    name="unknown",
    list_endings="etc ecc usw usf enz itd itp др пр т.д т.п",
    stop_words=ENGLISH.stop_words,
    backward_words=ENGLISH.backward_words,
    section_words=ENGLISH.section_words.union(_SECTION_WORDS.split()),
    appendix_words=ENGLISH.appendix_words.union(["příloha", "bilaga", "додаток"]),
    number_words=ENGLISH.number_words,
    reference_titles=f"{ENGLISH.reference_titles}, källor, referenser, kaynakça, 참고문헌",
    contents_titles=f"{ENGLISH.contents_titles}, obsah, innehåll, içindekiler, зміст, 목차, 차례",
    caption_words=ENGLISH.caption_words,
    vague_nouns=ENGLISH.vague_nouns,
    has_untagged_phrases=False,
)
