"""How the words of the topics are written in the text: what the script marks them by."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from docbats.result import Result

__all__ = ["TopicForms", "find_topic_forms"]

_MAX_TOP_FORMS = 10  # words of a topic that are marked more strongly


@dataclass(frozen=True)
class TopicForms:
    """The written forms of one topic's words.

    Attributes
    ----------
    words
        The forms of each word, best word first; lower-cased.
    uses
        How often they occur in the text.
    """

    words: list[list[str]]
    uses: int

    def to_list(self) -> list[object]:
        """Return the forms for the script: commas between words, spaces between their forms."""
        return [",".join(" ".join(forms) for forms in self.words), _MAX_TOP_FORMS, self.uses]


def find_topic_forms(result: Result) -> list[TopicForms]:
    """Return the forms of the words of each topic, best word first.

    A form that stands for two words, here a name and there another word, counts as that which it
    stands for more often.
    """
    words, tokens = result.analysis.text.words, result.analysis.text.tokens
    pairs = Counter(zip(words.word.tolist(), tokens.form[words.token].tolist(), strict=True))
    uses = np.bincount(words.word, minlength=len(words.names)).tolist()
    index = {name: i for i, name in enumerate(words.names)}
    shown: dict[str, tuple[int, int]] = {}
    for (word, form), number in sorted(pairs.items()):
        written = _written(tokens.forms[form])
        if written and number > shown.get(written, (0, 0))[1]:
            shown[written] = (word, number)
    forms: dict[int, list[str]] = {}
    for written, (word, _) in shown.items():
        forms.setdefault(word, []).append(written)
    found = []
    for topic in result.topics:
        places = [index[scored.word] for scored in topic.words]
        found.append(TopicForms([forms.get(i, []) for i in places], sum(uses[i] for i in places)))
    return found


def _written(form: str) -> str:
    """Return a form as the script looks it up; nothing for one that its table cannot hold."""
    lower = form.lower().replace("\u2019", "'")
    return "" if any(c.isspace() or c == "," for c in lower) else lower
