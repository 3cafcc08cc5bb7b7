"""English."""

from __future__ import annotations

from docbats.text.languages.language import Language, words
from docbats.text.stopwords import ENGLISH

__all__ = ["LANGUAGE"]

LANGUAGE = Language(
    code="en",
    name="English",
    stemmer="english",
    stop_words=ENGLISH,
    # Whom a text speaks of and in which tense: these stop words change with the subject, too.
    function_word_groups=(
        "i me my mine myself",
        "we us our ours ourselves",
        "you your yours yourself",
        "he him his himself",
        "she her hers herself",
        "they them their theirs themselves",
        "is are am be being been has have",
        "was were had did",
        "will shall would could should may might can must",
    ),
    continuing_words=words(
        "he she it they him her them his hers its their theirs this these those that such but and "
        "or yet however therefore thus moreover also nor indeed furthermore instead hence "
        "consequently similarly likewise because which who otherwise nevertheless nonetheless "
        "then if for so though although"
    ),
    shifting_words=words("now let let's today next suppose consider okay finally"),
    and_=" and ",
    has_tagger=True,
)
