"""Everything about speed that is measured, in one run: docbats from raw text, and its peers.

Peers that take sentences or a matrix get them ready-made, which favors them.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import tempfile
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threadpoolctl import threadpool_limits

from docbats import BATS, PRESETS
from docbats.errors import MissingExtraError
from docbats.pipeline import prepare as tokenize
from docbats.runtime import find_versions
from docbats.segments.costs import FLAT
from docbats.segments.cues import find_first_words, load_cues
from docbats.segments.cuts import average_linkage_starts
from docbats.segments.evidence import find_evidence
from docbats.text.languages.english import STOP_WORDS as ENGLISH
from docbats_lab.baselines import minilm
from docbats_lab.method_registry import SEGMENTERS, TOPIC_METHODS
from docbats_lab.methods import prepare
from docbats_lab.speed.timing import (
    growth_exponent,
    measure_in_process,
    time_commands,
    time_interleaved,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Work = Callable[[], object]
    OnProgress = Callable[[str], None]


K = 10
OURS = {"sharp": "docbats, sharp", "paper": "docbats, paper"}
_AUTO = "docbats, sharp, k found"
_SEGMENTS_ONLY = "docbats, segments of sharp alone"
_CUES = "docbats, cues of sharp alone"

# The longest document that each peer is timed on: beyond, it takes minutes, or more memory than we
# have. The others are timed on all documents.
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
    """Return the works to time on these sentences, without those that are not installed."""
    text = " ".join(sentences)
    sharp, paper = BATS(PRESETS["sharp"]), BATS(PRESETS["paper"])
    works: dict[str, Work] = {
        OURS["sharp"]: lambda: sharp(text, k=K).describe(),
        OURS["paper"]: lambda: paper(text, k=K).describe(),
        _AUTO: lambda: sharp(text).describe(),
        _SEGMENTS_ONLY: lambda: [segment.start for segment in sharp(text, k=K).segments],
        _CUES: _cues(sentences),
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


def _cues(sentences: Sequence[str]) -> Work:
    """Return what `sharp` does for the cues of openings, once it knows the words."""
    settings = PRESETS["sharp"]
    text = tokenize(sentences, settings)
    sizes = find_evidence(text, {}, FLAT, stem=settings.stem).sizes
    cues = load_cues("en")
    assert cues is not None

    def find_odds() -> object:
        uses = cues.vocabulary.find(find_first_words(text.tokens, sizes))
        return cues.lists.cue_odds(uses, len(sizes), len(sizes) - 1)

    return find_odds


def _texttiling(sentences: Sequence[str]) -> Work:
    """Return nltk's own program; for the tables its slowest step is done with arrays."""
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
    except ImportError:
        return works

    embeddings = minilm.chonkie_embeddings(minilm.encode_uncached, "character")
    semantic = SemanticChunker(embeddings, chunk_size=1024)
    return {**works, "chonkie SemanticChunker, MiniLM": lambda: semantic(text)}


def _chunkers(text: str) -> dict[str, Work]:
    try:
        from chonkie import SentenceChunker
    except ImportError:
        return {}
    chunker = SentenceChunker(chunk_size=1024)
    return {"chonkie SentenceChunker": lambda: chunker(text)}


SIZES = (50, 75, 140, 400, 1000, 10_000, 100_000)
TYPICAL = 75  # sentences of a document of Choi's
_MIN_GROWTH_SIZE = 1000  # sentences from which the growth is fitted
_SEGMENTS = (10, 20, 50, 100)
_COLD_RUNS = 15
LIBRARIES = ("docbats", "numpy", "scipy", "nltk", "gensim", "scikit-learn", "chonkie")


def measure(
    documents: Mapping[int, Sequence[str]],
    lecture: Sequence[str],
    *,
    command: str,
    seconds: float = 3.0,
    max_memory_sentences: int = 100_000,
    on_progress: OnProgress = lambda _: None,
) -> dict[str, Any]:
    """Return all measurements as JSON-ready values.

    Parameters
    ----------
    documents
        By the number of their sentences.
    lecture
        A document of several hundred sentences, to be cut into more and more segments.
    command
        The command that repeats the measurement.
    seconds
        The least time to spend on each document.
    max_memory_sentences
        The size of the largest document to measure memory for: the longest, repeated.
    on_progress
        Called with the name of each step.
    """
    report: dict[str, Any] = {
        "command": command,
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "versions": find_versions(*LIBRARIES),
        "k": K,
    }
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # peers warn that they did not converge
        report["sizes"] = time_sizes(documents, seconds, on_progress)
        on_progress("more and more segments")
        report["segments"] = _time_segments(lecture, seconds)
    report["growth"] = {
        preset: growth_exponent({
            size: report["sizes"][str(size)]["ms"][name]
            for size in documents
            if size >= _MIN_GROWTH_SIZE
        })
        for preset, name in OURS.items()
    }  # fmt: skip
    typical = documents[min(documents, key=lambda size: abs(size - TYPICAL))]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "typical.txt")
        source.write_text(" ".join(typical), encoding="utf-8")
        on_progress("cold start")
        report["cold_start"] = _time_cold(source)
        on_progress("threads")
        report["threads_ms"] = _time_threads(source)
        on_progress("processes")
        report["processes"] = _time_processes(" ".join(typical))
        on_progress("memory")
        longest = documents[max(documents)]
        sizes = sorted(
            {size for size in (*documents, max_memory_sentences) if size >= _MIN_GROWTH_SIZE}
        )
        report["memory"] = {
            str(size): _measure_memory(join_to(longest, size), Path(folder, "long.txt"))
            for size in sizes
        }
    return report


def time_sizes(
    documents: Mapping[int, Sequence[str]], seconds: float, on_progress: OnProgress = lambda _: None
) -> dict[str, Any]:
    """Time docbats and its peers on each document, with ratios to docbats, and its stages."""
    found = {}
    for size, sentences in documents.items():
        on_progress(f"{size:,} sentences")
        taken = time_interleaved(workloads(sentences), seconds)
        ours = {preset: taken[name] for preset, name in OURS.items()}
        found[str(size)] = {
            "sentences": len(sentences),
            "characters": sum(map(len, sentences)) + len(sentences) - 1,
            "ms": {name: _ms(once) for name, once in taken.items()},
            "ratio": {
                preset: {name: round(once / own, 3) for name, once in taken.items()}
                for preset, own in ours.items()
            },
            "stages_ms": {preset: _stages(sentences, preset, seconds) for preset in PRESETS},
        }
    return found


def join_to(sentences: Iterable[str], size: int) -> list[str]:
    """Return `size` sentences, repeated from the beginning if there are fewer."""
    kept = list(sentences)
    return (kept * (size // len(kept) + 1))[:size]


def _stages(sentences: Sequence[str], preset: str, seconds: float) -> dict[str, float]:
    """Return the median milliseconds of each stage."""
    bats, text = BATS(PRESETS[preset]), " ".join(sentences)
    runs: list[Mapping[str, float]] = []
    started = time.perf_counter()
    while len(runs) < 3 or (len(runs) < 50 and time.perf_counter() - started < seconds / 3):
        runs.append(bats(text, k=K).describe().seconds)
    return {stage: _ms(statistics.median(run[stage] for run in runs)) for stage in runs[0]}


def _time_segments(lecture: Sequence[str], seconds: float) -> dict[str, Any]:
    """Time the presets with more and more segments, as the paper's table 6 does."""
    text = " ".join(lecture)
    works = {
        f"{preset} k={k}": lambda preset=preset, k=k: BATS(PRESETS[preset])(text, k=k).describe()
        for preset in PRESETS
        for k in _SEGMENTS
    }
    taken = time_interleaved(works, seconds)
    return {
        "sentences": len(lecture),
        "ms": {name: _ms(once) for name, once in taken.items()},
        "growth": {
            preset: round(
                taken[f"{preset} k={_SEGMENTS[-1]}"] / taken[f"{preset} k={_SEGMENTS[0]}"], 3
            )
            for preset in PRESETS
        },
    }


def _time_cold(source: Path) -> dict[str, Any]:
    """Time the command from a shell, and the import of the libraries that it needs."""
    python = sys.executable
    commands = {
        "docbats FILE": [python, "-m", "docbats", str(source)],
        "import numpy, scipy.sparse.linalg": [python, "-c", "import numpy, scipy.sparse.linalg"],
    }
    taken = time_commands(commands, _COLD_RUNS)
    ours, floor = taken.values()
    return {"ms": {name: _ms(t) for name, t in taken.items()}, "ratio": round(ours / floor, 2)}


def _time_threads(source: Path) -> dict[str, float]:
    """Time a short document with one and two BLAS threads."""
    return {
        f"{threads} threads": _ms(
            statistics.median(
                measure_in_process(source, threads=threads, preset="sharp", k=K, runs=60)["seconds"]
            )
        )
        for threads in (1, 2)
    }


def _time_processes(text: str, documents: int = 400) -> dict[str, Any]:
    """Return the documents per second of one and of two processes."""
    rates = {}
    for processes in (1, 2):
        with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
            list(pool.map(_analyze_many, [text] * processes, [20] * processes))  # to warm up
            share = documents // processes
            started = time.perf_counter()
            list(pool.map(_analyze_many, [text] * processes, [share] * processes))
            rates[processes] = documents / (time.perf_counter() - started)
    return {
        "documents_a_second": {str(n): round(rate, 1) for n, rate in rates.items()},
        "ratio": round(rates[2] / rates[1], 2),
    }


def _analyze_many(text: str, times: int) -> None:
    bats = BATS(PRESETS["sharp"])
    for _ in range(times):
        bats(text, k=K).describe()


def _measure_memory(sentences: Sequence[str], source: Path) -> dict[str, Any]:
    source.write_text(" ".join(sentences), encoding="utf-8")
    runs = {preset: measure_in_process(source, preset=preset, k=K) for preset in PRESETS}
    return {
        preset: {
            "seconds": round(run["seconds"][0], 2),
            "peak_megabytes": round(run["peak_bytes"] / 1e6),
        }
        for preset, run in runs.items()
    }


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 3)
