"""Speed and memory beside peers; its results are one file beside the folder of the others."""

from __future__ import annotations

import json
import sys
from itertools import chain, islice
from typing import TYPE_CHECKING

from docbats_lab.experiments.request import load_documents
from docbats_lab.speed.measure import SIZES, measure

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from docbats_lab.experiments.request import Request

FILE = "../speed.json"  # from the folder of the results
_MAX_CHOI = 140  # sentences of Choi's longest documents
_LECTURE = 400  # sentences of a usual lecture
_JOINED = ("wiki", "lectures", "news", "choi")  # the others have lost their full stops
_MILLION = 1_000_000


def run(request: Request) -> None:
    """Time documents of Choi's, a lecture, and longer ones made by joining documents.

    With a limit, only so many sizes are timed, and briefly.
    """
    sizes = SIZES[: request.limit]
    lecture = _nearest(request.data, "lectures", _LECTURE)
    report = measure(
        _documents(request.data, sizes, lecture),
        lecture,
        command="docbats lab run speed",
        seconds=0.2 if request.limit else 3.0,
        max_memory_sentences=max(sizes) if request.limit else _MILLION,
        on_progress=(lambda step: print(f"speed: {step}", file=sys.stderr))
        if request.show_progress
        else lambda _: None,
    )
    path = request.output / FILE
    request.output.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _documents(
    data: Path, sizes: Sequence[int], lecture: Sequence[str]
) -> dict[int, Sequence[str]]:
    documents: dict[int, Sequence[str]] = {}
    for size in sizes:
        if size <= _MAX_CHOI:
            documents[size] = _nearest(data, "choi", size)
        elif size == _LECTURE:
            documents[size] = lecture
        else:
            joined = (load_documents(data, name) for name in _JOINED)
            sentences = (s for document in chain.from_iterable(joined) for s in document.sentences)
            documents[size] = list(islice(sentences, size))
    return documents


def _nearest(data: Path, dataset: str, size: int) -> tuple[str, ...]:
    """Return the sentences of the document whose length is nearest to `size`."""
    documents = load_documents(data, dataset)
    best = min(documents, key=lambda document: abs(len(document.sentences) - size))
    return best.sentences
