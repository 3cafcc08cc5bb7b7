"""The class of each token, by the tagger that the settings name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import MissingExtraError, SettingsError
from docbats.text.tagger import CLASSES, tag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.settings import Tagger
    from docbats.text.languages.language import Language
    from docbats.text.tokens import Tokens

__all__ = ["find_classes", "flag_classes", "usable_tagger"]

_OTHER = CLASSES.index("OTHER")

# The Penn Treebank's tags by how they begin, the longer first.
_PENN = {"NNP": "PROPN", "NN": "NOUN", "VB": "VERB", "MD": "AUX", "JJ": "ADJ"}


def usable_tagger(tagger: str | Tagger | None, language: Language) -> str | Tagger | None:
    """Return the tagger; None for that of the package if it does not know the language."""
    return None if tagger == "docbats" and not language.has_tagger else tagger


def find_classes(tokens: Tokens, tagger: str | Tagger | None) -> NDArray[np.int64]:
    """Find the class of each token as its place in `CLASSES`; without a tagger all are OTHER."""
    if tagger is None:
        return np.full(len(tokens), _OTHER, np.int64)
    if tagger == "docbats":
        return tag(tokens)
    if isinstance(tagger, str):
        tagger = _spacy_tagger(tagger.removeprefix("spacy:"))
    classes = [_class(tag) for words in _by_sentence(tokens) for tag in _tag(words, tagger)]
    return np.array(classes, np.int64)


def flag_classes(classes: NDArray[np.int64], *names: str) -> NDArray[np.bool_]:
    """Flag the tokens whose class is one of those named."""
    return np.array([name in names for name in CLASSES])[classes]


def _by_sentence(tokens: Tokens) -> Iterator[list[str]]:
    forms = np.array(tokens.forms, dtype=object)[tokens.form]
    for words in np.split(forms, np.flatnonzero(np.diff(tokens.sentence)) + 1):
        if len(words):
            yield words.tolist()


def _tag(words: list[str], tagger: Tagger) -> Sequence[str]:
    tags = tagger(words)
    is_list = isinstance(tags, Sequence) and all(isinstance(tag, str) for tag in tags)
    if not is_list or len(tags) != len(words):
        found = f"{len(tags)} tags" if is_list else f"{tags!r:.60}"
        msg = (
            f"the tagger returned {found} for a sentence of {len(words)} tokens "
            f"({' '.join(words[:8])} ...): it must return one tag, a string, for each token"
        )
        raise SettingsError(msg)
    return tags


def _class(tag: str) -> int:
    """Return the class of a tag of Universal Dependencies or of the Penn Treebank."""
    if tag in CLASSES:
        return CLASSES.index(tag)
    return next((CLASSES.index(_PENN[start]) for start in _PENN if tag.startswith(start)), _OTHER)


@cache
def _spacy_tagger(name: str) -> Tagger:
    """Wrap an installed spaCy pipeline; it keeps our tokens and one sentence at a time."""
    try:
        import spacy
    except ImportError as error:
        msg = f'tagger="spacy:{name}" needs spaCy: pip install "docbats[spacy]"'
        raise MissingExtraError(msg) from error
    try:
        pipeline: Any = spacy.load(name)
    except (OSError, ImportError, ValueError) as error:
        msg = (
            f"spaCy cannot load a pipeline named {name!r} here: install it with "
            f"`python -m spacy download {name}` (never from PyPI, where such names are not spaCy's "
            'own), or use the tagger "docbats"'
        )
        raise MissingExtraError(msg) from error

    def tag(words: list[str]) -> list[str]:
        doc = spacy.tokens.Doc(pipeline.vocab, words=words)
        for _, component in pipeline.pipeline:
            doc = component(doc)
        tags = [token.pos_ or token.tag_ for token in doc]
        if not any(tags):
            msg = f"the spaCy pipeline {name!r} finds no parts of speech: name one with a tagger"
            raise SettingsError(msg)
        return tags

    return tag
