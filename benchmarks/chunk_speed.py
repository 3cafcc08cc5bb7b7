"""How fast chunks are made, beside other splitters: ``python -m benchmarks.chunk_speed``.

The text is that of our examples under headings, over and over. Semantic splitters are timed on a
short piece of it, since most of their time goes into vectors, which they compute for each sentence:
all-MiniLM-L6-v2 on one thread, without a cache. chonkie's is timed with vectors for nothing as
well: the least that it takes with any encoder. Writes benchmarks/results/chunk-speed.json. Times
depend on the machine; the ratios are what to compare. Needs
docbats[chonkie,langchain,llama-index,neural].
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np

from docbats import chunk
from docbats.runtime import find_versions, single_blas_thread
from docbats_lab.baselines.minilm import encode_uncached
from docbats_lab.retrieval import splitters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

BENCHMARKS = Path(__file__).parent
OUTPUT = BENCHMARKS / "results" / "chunk-speed.json"
SIZE = 1000  # characters
SHORT = 20_000  # characters for semantic splitters
SEMANTIC: dict[str, Callable[[str, int], Any]] = {
    "chonkie semantic": splitters.chonkie_at_threshold,
    "LlamaIndex semantic": splitters.llama_semantic,
    "Kamradt": splitters.kamradt,
    "cluster": splitters.cluster,
}


def make_text(length: int) -> str:
    """Return a text of this many characters."""
    parts = sorted((BENCHMARKS.parent / "examples").glob("*.txt"))
    one = "\n".join(f"# Part {i}\n\n{path.read_text()}\n" for i, path in enumerate(parts))
    return (one * (length // len(one) + 1))[: length - 2] + "\n\n"


def by_langchain(text: str) -> Any:
    """Split by LangChain's recursive splitter."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return RecursiveCharacterTextSplitter(chunk_size=SIZE, chunk_overlap=0).split_text(text)


def by_chonkie(text: str) -> Any:
    """Split by chonkie's recursive chunker."""
    from chonkie import RecursiveChunker

    return RecursiveChunker(chunk_size=SIZE).chunk(text)


def by_meaning(split: Callable[[str, int], Any], encode: Callable[..., Any]) -> Any:
    """Return a semantic splitter whose vectors come from `encode`."""

    def timed(text: str) -> Any:
        with mock.patch.object(splitters, "encode", encode):
            return split(text, SIZE // 4)

    return timed


def free_vectors(sentences: Sequence[str]) -> NDArray[np.float64]:
    """Return a vector for each sentence without a look at it."""
    return np.random.default_rng(0).normal(size=(len(sentences), 384)) / 20


def seconds_per_megabyte(split: Callable[[str], Any], text: str, rounds: int) -> float:
    """Return the least processor time of some rounds, by the size of the text."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        split(text)
        times.append(time.process_time() - start)
    return min(times) * 1e6 / len(text)


def main() -> None:
    """Measure, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[1, 10, 100])
    megabytes = parser.parse_args().megabytes
    with single_blas_thread():
        ours = {
            str(n): seconds_per_megabyte(
                lambda text: chunk(text, SIZE), make_text(n * 10**6), 3 if n < 100 else 1
            )
            for n in megabytes
        }
        text = make_text(10**6)
        others = {
            "LangChain recursive": seconds_per_megabyte(by_langchain, text, 3),
            "chonkie recursive": seconds_per_megabyte(by_chonkie, text, 3),
            "chonkie semantic, vectors for nothing": seconds_per_megabyte(
                by_meaning(splitters.chonkie_at_threshold, free_vectors), text, 1
            ),
        }
        for name, split in SEMANTIC.items():
            others[name] = seconds_per_megabyte(
                by_meaning(split, encode_uncached), make_text(SHORT), 1
            )
    one = ours[str(megabytes[0])]
    report = {
        "command": "python -m benchmarks.chunk_speed --megabytes " + " ".join(map(str, megabytes)),
        "versions": find_versions("docbats", "langchain-text-splitters", "chonkie", "numpy"),
        "seconds per megabyte of docbats by megabytes": {k: round(v, 3) for k, v in ours.items()},
        "times as long per megabyte": {k: round(v / one, 2) for k, v in others.items()},
    }
    OUTPUT.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
