"""Plain sentences on what about a result one might not expect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.limits import TOPICS
from docbats.text.segmenters import is_missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.prepare import PreparedText
    from docbats.settings import Settings

__all__ = ["notes_on_language", "notes_on_topics"]

_UNKNOWN_LANGUAGE = (
    "The text is in none of the languages that docbats knows: short words that are everywhere were "
    "taken for stop words, and stems and parts of speech are missing. If it is in one of them, set "
    "language."
)
_NO_SEGMENTER = (
    "Pairs of characters stand for the words of {language}; to find the words themselves, "
    'pip install "docbats[{extra}]".'
)


def notes_on_language(text: PreparedText, settings: Settings) -> Iterator[str]:
    """Yield what the language of the text takes away from the result."""
    language = text.language
    if settings.language == "auto" and language.code is None:
        yield _UNKNOWN_LANGUAGE
    elif settings.language == "auto" and text.document.language.is_doubtful:
        yield f"It is not clear which language the text is in; it was taken for {language.name}."
    if language.segmenter is not None and is_missing(language.segmenter):
        yield _NO_SEGMENTER.format(language=language.name, extra=language.segmenter.extra)


def notes_on_topics(kept_words: int, k: int, settings: Settings) -> Iterator[str]:
    """Yield why there are fewer topics than were asked for."""
    n_topics = settings.n_topics or k
    is_asked_for = settings.n_topics is not None or settings.k != "auto"
    if kept_words == 0:
        yield "No word was kept, so there is no topic."
    elif kept_words < n_topics and is_asked_for:
        if kept_words == 1:
            yield "Only one word was kept, so there is one topic."
        else:
            yield f"Only {kept_words} words were kept, so there are {kept_words} topics."
    elif settings.n_topics is None and k > TOPICS.value:
        yield f"There are {TOPICS.value:,} topics, the most that are looked for; {TOPICS.advice}."
