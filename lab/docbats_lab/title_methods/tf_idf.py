"""The words of a section by tf-idf, its document's sections being the documents."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from docbats_lab.title_methods.title_method import TitleMethod

if TYPE_CHECKING:
    from docbats_lab.title_methods.title_method import SectionedText


def _rank(text: SectionedText) -> list[list[str]]:
    counts = [
        Counter(word for words in section.sentence_words for word in words)
        for section in text.prepared_sections
    ]
    spread = Counter(word for count in counts for word in count)
    idf = {word: math.log(1 + len(counts) / n) for word, n in spread.items()}
    return [_best(count, idf) for count in counts]


def _best(count: Counter[str], idf: dict[str, float]) -> list[str]:
    return sorted(count, key=lambda word: -round(count[word] * idf[word], 9))[:3]


METHOD = TitleMethod("tf-idf", "K. Spärck Jones 1972", _rank, n_phrases=(1, 2, 3))
