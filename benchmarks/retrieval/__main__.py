"""How often the right chunk is found: docbats beside fixed-size, recursive and sentence splitting.

The questions are in questions.json, each with the passage of one of our four examples that answers
it. All chunks of all four documents are ranked for each question, by BM25 and by the cosine of
tf-idf. A chunk is right if it holds the whole passage. For each setting of docbats the others get
the size at which they make as many chunks, so that the mean size is the same. Writes
benchmarks/results/retrieval.json and the tables of docs/retrieval.md. Needs docbats[langchain] and
docbats[scikit-learn].
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.retrieval.scores import read_questions, score_splitters
from benchmarks.retrieval.tables import make_tables, write_tables
from docbats.versions import find_versions

BENCHMARKS = Path(__file__).parent.parent
EXAMPLES = BENCHMARKS.parent / "examples"
OUTPUT = BENCHMARKS / "results" / "retrieval.json"

SETTINGS: dict[str, dict[str, Any]] = {
    "at most 60 words": {"max_size": 60, "size_unit": "words"},
    "at most 120 words": {"max_size": 120, "size_unit": "words"},
    "at most 240 words": {"max_size": 240, "size_unit": "words"},
    "no limit": {},
}
LIBRARIES = ("docbats", "numpy", "langchain-text-splitters", "scikit-learn")


def main() -> None:
    """Measure, and write the results and the tables."""
    texts = {path.stem: path.read_text() for path in sorted(EXAMPLES.glob("*.txt"))}
    questions = read_questions(texts)
    results = {name: score_splitters(texts, questions, each) for name, each in SETTINGS.items()}
    report = {
        "command": "python -m benchmarks.retrieval",
        "versions": find_versions(*LIBRARIES),
        "questions": len(questions),
        "documents": {name: len(text) for name, text in texts.items()},
        "right": "a chunk that holds the whole passage",
        "intervals": "95 %: Wilson's for shares, by resampling the questions for differences",
        "results": results,
    }
    OUTPUT.write_text(json.dumps(report, indent=1) + "\n")
    tables = make_tables(results)
    for text in tables.values():
        print(text, end="\n\n")
    write_tables(tables)


if __name__ == "__main__":
    main()
