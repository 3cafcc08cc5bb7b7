"""Questions with the character spans of a corpus that answer them.

B. Smith and A. Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma technical report,
2024. A folder in this form has the texts of the corpora as ``NAME.md`` or ``NAME.txt``, and
``questions.jsonl`` with `corpus`, `question` and `spans`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Question:
    """A question, and the spans of its corpus that answer it."""

    corpus: str
    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class RetrievalSet:
    """Texts by their names, and questions on them."""

    texts: dict[str, str]
    questions: tuple[Question, ...]


def read_retrieval_set(folder: Path) -> RetrievalSet:
    """Read a folder of corpora and questions."""
    path = folder / "questions.jsonl"
    if not path.is_file():
        msg = f"there are no questions at {path}: name a folder of corpora with questions.jsonl"
        raise InputError(msg)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    questions = tuple(
        Question(row["corpus"], row["question"], tuple((a, b) for a, b in row["spans"]))
        for row in rows
        if row["spans"]
    )
    texts = {
        name: _read_text(folder, name) for name in dict.fromkeys(each.corpus for each in questions)
    }
    return RetrievalSet(texts, questions)


def _read_text(folder: Path, name: str) -> str:
    for ending in (".md", ".txt"):
        path = folder / f"{name}{ending}"
        if path.is_file():
            # Spans count line breaks as they are in the file.
            return path.read_bytes().decode("utf-8")
    msg = f"there is no text of the corpus {name} in {folder}: expected {name}.md or {name}.txt"
    raise InputError(msg)
