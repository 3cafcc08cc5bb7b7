"""Which tokens are nouns or verbs, by the tagger that the settings name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import MissingExtraError, SettingsError
from docbats.text.tagger import flag_nouns_and_verbs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from docbats.settings import Tagger
    from docbats.text.tokens import Tokens

__all__ = ["find_nouns_and_verbs"]


def find_nouns_and_verbs(tokens: Tokens, tagger: str | Tagger | None) -> NDArray[np.bool_]:
    """Flag the tokens that are nouns (proper nouns too) or verbs, as `Settings.tagger` says."""
    if tagger is None:
        return np.zeros(len(tokens), np.bool_)
    if tagger == "docbats":
        return flag_nouns_and_verbs(tokens)
    if isinstance(tagger, str):
        tagger = _spacy_tagger(tagger.removeprefix("spacy:"))
    flags = [_is_noun_or_verb(tag) for words in _by_sentence(tokens) for tag in _tag(words, tagger)]
    return np.array(flags, np.bool_)


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


def _is_noun_or_verb(tag: str) -> bool:
    return tag in {"NOUN", "PROPN", "VERB"} or tag.startswith(("NN", "VB"))


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
