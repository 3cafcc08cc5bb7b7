"""What is timed: docbats from raw text, and its peers.

Peers that take sentences or a matrix are given them ready, which favors them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats import BATS, PRESETS
from docbats.errors import MissingExtraError
from docbats.segments.cuts import average_linkage_starts
from docbats.text.languages.english import STOP_WORDS as ENGLISH
from docbats_lab.baselines import minilm
from docbats_lab.method_registry import SEGMENTERS, TOPIC_METHODS
from docbats_lab.preparation import prepare

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    Work = Callable[[], object]

K = 10
OURS = {"sharp": "docbats, sharp", "paper": "docbats, paper"}
_AUTO = "docbats, sharp, k found"

# The longest document that each peer is timed on: beyond, it takes minutes, or more memory than we
# have. Those not named are timed on all documents.
MAX_SENTENCES = {
    "nltk TextTiling": 1000,
    "C99 (k)": 1000,
    "gensim LSA": 10_000,
    "scikit-learn LDA": 10_000,
    "scikit-learn NMF": 10_000,
    "SeaNMF": 1000,
    "BERTSeg": 400,
    "chonkie SemanticChunker, MiniLM": 140,
}


def workloads(sentences: Sequence[str]) -> dict[str, Work]:
    """Return what is timed on these sentences, by name, without what is not installed."""
    text = " ".join(sentences)
    sharp, paper = BATS(PRESETS["sharp"]), BATS(PRESETS["paper"])
    works: dict[str, Work] = {
        OURS["sharp"]: lambda: sharp(text, k=K),
        OURS["paper"]: lambda: paper(text, k=K),
        _AUTO: lambda: sharp(text),
        "nltk TextTiling": _texttiling(sentences),
        "C99 (k)": _segmenter("C99 (k)", sentences),
        "gensim LSA": _topics("LSA", sentences),
        "scikit-learn LDA": _topics("LDA", sentences),
        "scikit-learn NMF": _topics("NMF", sentences),
        "SeaNMF": _topics("SeaNMF", sentences),
        **_neural(sentences, text),
        **_chunkers(text),
    }
    limits = {name: MAX_SENTENCES.get(name, len(sentences)) for name in works}
    return {name: work for name, work in works.items() if len(sentences) <= limits[name]}


def _texttiling(sentences: Sequence[str]) -> Work:
    """Return nltk's own program; in the tables its slowest step is done with arrays."""
    from nltk.tokenize import TextTilingTokenizer

    tokenizer = TextTilingTokenizer(stopwords=ENGLISH)
    paragraphs = "\n\n".join(" ".join(sentence.split()) for sentence in sentences)
    return lambda: tokenizer.tokenize(paragraphs)


def _segmenter(name: str, sentences: Sequence[str]) -> Work:
    prepared = prepare(sentences)
    return lambda: SEGMENTERS[name].cut(prepared, K, 0)


def _topics(name: str, sentences: Sequence[str]) -> Work:
    prepared = prepare(sentences)
    return lambda: TOPIC_METHODS[name].find(prepared, K, 0)


def _neural(sentences: Sequence[str], text: str) -> dict[str, Work]:
    try:
        minilm.encode_uncached(["Is it installed?"])
    except MissingExtraError:
        return {}
    works: dict[str, Work] = {
        "BERTSeg": lambda: average_linkage_starts(minilm.encode_uncached(sentences), K)
    }
    try:
        from chonkie import SemanticChunker
        from chonkie.embeddings import BaseEmbeddings
    except ImportError:
        return works

    class MiniLM(BaseEmbeddings):
        """The same vectors as those of BERTSeg."""

        def embed(self, text: str) -> np.ndarray:
            return self.embed_batch([text])[0]

        def embed_batch(self, texts: list[str]) -> list[np.ndarray]:
            return list(minilm.encode_uncached(texts))

        @property
        def dimension(self) -> int:
            return 384

        def get_tokenizer(self) -> str:
            return "character"

        @classmethod
        def is_available(cls) -> bool:
            return True

    semantic = SemanticChunker(MiniLM(), chunk_size=1024)
    return {**works, "chonkie SemanticChunker, MiniLM": lambda: semantic(text)}


def _chunkers(text: str) -> dict[str, Work]:
    try:
        from chonkie import SentenceChunker
    except ImportError:
        return {}
    chunker = SentenceChunker(chunk_size=1024)
    return {"chonkie SentenceChunker": lambda: chunker(text)}
