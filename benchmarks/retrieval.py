"""How often the right chunk is found: docbats beside fixed-size, recursive and sentence splitting.

The questions are in retrieval-questions.json, each with the passage of one of our four examples
that answers it. All chunks of all four documents are ranked for each question, by BM25 and by the
cosine of tf-idf. A chunk is right if it holds the whole passage. For each setting of docbats the
others get the size at which they make as many chunks, so that the mean size is the same. Writes
benchmarks/results/retrieval.json and the tables of docs/retrieval.md. Needs docbats[langchain] and
docbats[scikit-learn].
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats import BATS, Document, Settings
from docbats.versions import find_versions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Splitter = Callable[[str, int], list[tuple[int, int]]]

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
QUESTIONS = HERE / "retrieval-questions.json"
OUTPUT = HERE / "results" / "retrieval.json"
PAGE = HERE.parent / "docs" / "retrieval.md"

SETTINGS: dict[str, dict[str, Any]] = {
    "at most 60 words": {"max_size": 60, "size_unit": "words"},
    "at most 120 words": {"max_size": 120, "size_unit": "words"},
    "at most 240 words": {"max_size": 240, "size_unit": "words"},
    "no limit": {},
}
DEPTHS = (1, 3)
RESAMPLES = 10_000
_WORD = re.compile(r"\w+")
_MARKS = "<!-- {}: {} by benchmarks/retrieval.py -->"


@dataclass(frozen=True)
class Chunk:
    """A stretch of one document."""

    document: str
    start: int
    end: int
    text: str

    def holds(self, document: str, start: int, end: int) -> bool:
        """Tell whether all of a passage is in it."""
        return self.document == document and self.start <= start and end <= self.end


@dataclass(frozen=True)
class Question:
    """A question, and where it is answered."""

    text: str
    document: str
    start: int
    end: int


def split_fixed(text: str, size: int) -> list[tuple[int, int]]:
    """Cut after every `size` characters, wherever that is."""
    return [(start, min(start + size, len(text))) for start in range(0, len(text), size)]


def split_recursive(text: str, size: int) -> list[tuple[int, int]]:
    """Cut as LangChain's splitter does: between paragraphs, lines, words, letters."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        chunk_size=size, chunk_overlap=0, add_start_index=True
    )
    return [
        (made.metadata["start_index"], made.metadata["start_index"] + len(made.page_content))
        for made in splitter.create_documents([text])
    ]


def split_sentences(text: str, size: int) -> list[tuple[int, int]]:
    """Fill chunks with whole sentences up to `size` characters; a longer one is alone."""
    chunks: list[tuple[int, int]] = []
    for start, end in _sentences(text):
        if chunks and end - chunks[-1][0] <= size:
            chunks[-1] = (chunks[-1][0], end)
        else:
            chunks.append((start, end))
    return chunks


@cache
def _sentences(text: str) -> list[tuple[int, int]]:
    return [(start, end) for start, end in Document.from_text(text).spans.tolist()]


OTHERS: dict[str, Splitter] = {
    "fixed": split_fixed,
    "recursive": split_recursive,
    "sentences": split_sentences,
}


def same_count(splitter: Splitter, texts: dict[str, str], count: int) -> int:
    """Find the size at which a splitter makes `count` chunks, or as near to that as it can."""
    mean = sum(map(len, texts.values())) / count
    sizes = range(round(0.8 * mean), round(2 * mean))
    return min(sizes, key=lambda n: abs(sum(len(splitter(t, n)) for t in texts.values()) - count))


def chunks_of(texts: dict[str, str], spans: dict[str, list[tuple[int, int]]]) -> list[Chunk]:
    """Name the stretches of all documents."""
    return [
        Chunk(name, start, end, texts[name][start:end])
        for name, found in spans.items()
        for start, end in found
    ]


def words(text: str) -> list[str]:
    """Take words in lower case, as they are."""
    return _WORD.findall(text.lower())


def bm25(chunks: Sequence[Chunk], question: str) -> NDArray[np.float64]:
    """Score chunks by Okapi BM25 with the usual k1 = 1.5 and b = 0.75."""
    counts = [Counter(words(chunk.text)) for chunk in chunks]
    lengths = np.array([count.total() for count in counts], float)
    scores = np.zeros(len(chunks))
    for word in set(words(question)):
        frequency = np.array([count[word] for count in counts], float)
        holding = (frequency > 0).sum()
        rarity = math.log(1 + (len(chunks) - holding + 0.5) / (holding + 0.5))
        norm = 1.5 * (0.25 + 0.75 * lengths / lengths.mean())
        scores += rarity * frequency * 2.5 / (frequency + norm)
    return scores


def tfidf(chunks: Sequence[Chunk], questions: Sequence[Question]) -> NDArray[np.float64]:
    """Score chunks by the cosine of tf-idf, as scikit-learn has it by default."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(tokenizer=words, token_pattern=None, lowercase=False)
    rows = vectorizer.fit_transform([chunk.text for chunk in chunks])
    cosines: NDArray[np.float64] = (
        vectorizer.transform([question.text for question in questions]) @ rows.T
    ).toarray()
    return cosines


def find(
    chunks: Sequence[Chunk], questions: Sequence[Question], scores: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Tell for each question and depth whether a right chunk came, and how much text came."""
    found = np.zeros((len(questions), len(DEPTHS)), bool)
    characters = np.zeros((len(questions), len(DEPTHS)))
    for i, question in enumerate(questions):
        best = np.argsort(-scores[i], kind="stable")
        for j, depth in enumerate(DEPTHS):
            top = [chunks[place] for place in best[:depth]]
            found[i, j] = any(c.holds(question.document, question.start, question.end) for c in top)
            characters[i, j] = sum(len(chunk.text) for chunk in top)
    return found, characters


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Give the 95 % interval of a share."""
    z = 1.96
    middle = (hits + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return round(middle - half, 4), round(middle + half, 4)


def difference(ours: NDArray[np.bool_], other: NDArray[np.bool_]) -> dict[str, Any]:
    """Compare the same questions: the mean difference with a 95 % interval by resampling them."""
    gaps = ours.astype(float) - other
    places = np.random.default_rng(0).integers(0, len(gaps), (RESAMPLES, len(gaps)))
    low, high = np.percentile(gaps[places].mean(axis=1), [2.5, 97.5])
    return {
        "difference": round(float(gaps.mean()), 4),
        "interval": [round(float(low), 4), round(float(high), 4)],
        "only docbats": int((gaps > 0).sum()),
        "only the other": int((gaps < 0).sum()),
    }


def measure(
    texts: dict[str, str], questions: Sequence[Question], settings: dict[str, Any]
) -> dict[str, Any]:
    """Score all splitters at the sizes that docbats has with these settings."""
    bats = BATS(Settings(**settings))
    spans = {
        name: [(segment.start, segment.end) for segment in bats(text).segments]
        for name, text in texts.items()
    }
    splits: dict[str, tuple[int | None, list[Chunk]]] = {"docbats": (None, chunks_of(texts, spans))}
    count = len(splits["docbats"][1])
    for name, splitter in OTHERS.items():
        equal = same_count(splitter, texts, count)
        made = {document: splitter(text, equal) for document, text in texts.items()}
        splits[name] = (equal, chunks_of(texts, made))
    rows: dict[str, Any] = {}
    hits: dict[str, dict[str, NDArray[np.bool_]]] = {}
    for name, (size, chunks) in splits.items():
        lengths = np.array([len(chunk.text) for chunk in chunks])
        whole = [any(c.holds(q.document, q.start, q.end) for c in chunks) for q in questions]
        rows[name] = {
            "size": size,
            "chunks": len(chunks),
            "mean characters": round(float(lengths.mean()), 1),
            "sd characters": round(float(lengths.std()), 1),
            "passages cut": len(questions) - sum(whole),
        }
        rankings = {
            "bm25": np.array([bm25(chunks, question.text) for question in questions]),
            "tfidf": tfidf(chunks, questions),
        }
        hits[name] = {}
        for ranking, scores in rankings.items():
            found, characters = find(chunks, questions, scores)
            hits[name][ranking] = found
            for j, depth in enumerate(DEPTHS):
                n = int(found[:, j].sum())
                row = {
                    "found": n,
                    "share": round(n / len(questions), 4),
                    "interval": wilson(n, len(questions)),
                    "mean characters": round(float(characters[:, j].mean()), 1),
                }
                if name != "docbats":
                    ours = hits["docbats"][ranking][:, j]
                    row["docbats less this"] = difference(ours, found[:, j])
                rows[name].setdefault(ranking, {})[f"top {depth}"] = row
    return rows


def read_questions(texts: dict[str, str]) -> list[Question]:
    """Read the questions and find their passages."""
    questions = []
    for row in json.loads(QUESTIONS.read_text()):
        start = texts[row["document"]].index(row["passage"])
        end = start + len(row["passage"])
        questions.append(Question(row["question"], row["document"], start, end))
    return questions


def table(results: dict[str, Any], ranking: str) -> str:
    """Write the results of one ranking as a table."""
    lines = [
        "| docbats | splitter | chunks | mean size | cut | top 1 | top 3 | text in top 3 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for setting, rows in results.items():
        for name, row in rows.items():
            cells = [_share(row[ranking][f"top {depth}"]) for depth in DEPTHS]
            lines.append(
                f"| {setting} | {name} | {row['chunks']} | {row['mean characters']:.0f} "
                f"| {row['passages cut']} | {' | '.join(cells)} "
                f"| {row[ranking]['top 3']['mean characters']:,.0f} |"
            )
    return "\n".join(lines)


def differences(results: dict[str, Any]) -> str:
    """Write how docbats and each other splitter differ."""
    lines = [
        "| docbats | less | BM25, top 1 | BM25, top 3 | tf-idf, top 1 | tf-idf, top 3 |",
        "|---|---|---|---|---|---|",
    ]
    for setting, rows in results.items():
        for name in OTHERS:
            cells = [
                _gap(rows[name][ranking][f"top {depth}"]["docbats less this"])
                for ranking in ("bm25", "tfidf")
                for depth in DEPTHS
            ]
            lines.append(f"| {setting} | {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _share(row: dict[str, Any]) -> str:
    low, high = row["interval"]
    return f"{100 * row['share']:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def _gap(row: dict[str, Any]) -> str:
    low, high = row["interval"]
    return f"{100 * row['difference']:+.0f} ({100 * low:+.0f} to {100 * high:+.0f})"


def write_page(tables: dict[str, str]) -> None:
    """Put the tables between their marks."""
    page = PAGE.read_text()
    for name, text in tables.items():
        begin, end = _MARKS.format(name, "written"), _MARKS.format(name, "end, written")
        head, rest = page.split(begin)
        tail = rest.split(end)[1]
        page = f"{head}{begin}\n\n{text}\n\n{end}{tail}"
    PAGE.write_text(page)


def main() -> None:
    """Measure, write the results and the tables."""
    texts = {path.stem: path.read_text() for path in sorted(EXAMPLES.glob("*.txt"))}
    questions = read_questions(texts)
    results = {name: measure(texts, questions, given) for name, given in SETTINGS.items()}
    libraries = ("docbats", "numpy", "langchain-text-splitters", "scikit-learn")
    report = {
        "command": "python benchmarks/retrieval.py",
        "versions": find_versions(*libraries),
        "questions": len(questions),
        "documents": {name: len(text) for name, text in texts.items()},
        "right": "a chunk that holds the whole passage",
        "intervals": "95 %: Wilson's for shares, by resampling the questions for differences",
        "results": results,
    }
    OUTPUT.write_text(json.dumps(report, indent=1) + "\n")
    tables = {
        "bm25": table(results, "bm25"),
        "tfidf": table(results, "tfidf"),
        "differences": differences(results),
    }
    for text in tables.values():
        print(text, end="\n\n")
    write_page(tables)


if __name__ == "__main__":
    main()
