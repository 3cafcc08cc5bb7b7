"""Ways to title the sections of a document, ours and those of others.

To add one, add it to `TITLE_METHODS`.
"""

from __future__ import annotations

from docbats_lab.title_methods import (
    docbats_titles,
    first_words,
    keybert,
    rake,
    text_rank,
    tf_idf,
    yake,
)

__all__ = ["PEERS", "TITLE_METHODS"]

PEERS = {
    method.name: method
    for method in (
        yake.METHOD,
        rake.METHOD,
        text_rank.TEXT_RANK,
        text_rank.POSITION_RANK,
        keybert.METHOD,
        tf_idf.METHOD,
        first_words.METHOD,
    )
}

TITLE_METHODS = {docbats_titles.METHOD.name: docbats_titles.METHOD, **PEERS}
