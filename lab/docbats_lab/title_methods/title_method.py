"""The interface of the laboratory's titles: sections of a document in, ranked phrases out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from docbats.prepare import PreparedText, prepare
from docbats.settings import Settings
from docbats.text.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, eq=False)
class SectionedText:
    """A text without headings, where its sections begin, and the code of its language."""

    text: str
    starts: tuple[int, ...]
    language: str

    @property
    def known_language(self) -> str:
        """The code of the language, or ``auto`` for one that docbats does not know."""
        return self.language if self.language in LANGUAGES else "auto"

    @cached_property
    def sections(self) -> tuple[str, ...]:
        """The text of each section."""
        ends = (*self.starts[1:], len(self.text))
        return tuple(self.text[a:b].strip() for a, b in zip(self.starts, ends, strict=True))

    @cached_property
    def prepared_sections(self) -> tuple[PreparedText, ...]:
        """Each section with its sentences, words and parts of speech."""
        settings = Settings(language=self.known_language)
        return tuple(prepare(section, settings) for section in self.sections)


@dataclass(frozen=True)
class TitleMethod:
    """A way to title the sections of a document.

    Attributes
    ----------
    name
        As shown in the tables.
    citation
        The paper that it comes from.
    rank
        From the sections to the best phrases of each, best first.
    n_phrases
        Of how many phrases a title is made: each number is one variant.
    extra
        What must be installed for it, imported inside `rank`.
    """

    name: str
    citation: str
    rank: Callable[[SectionedText], Sequence[Sequence[str]]]
    n_phrases: tuple[int, ...] = (1, 2)
    extra: str = ""

    def titles(self, text: SectionedText) -> dict[str, list[str]]:
        """Return the titles of the sections, for each variant."""
        ranked = self.rank(text)
        return {
            self.name if n == self.n_phrases[0] else f"{self.name}, {n} phrases": [
                ", ".join(phrases[:n]) for phrases in ranked
            ]
            for n in self.n_phrases
        }
