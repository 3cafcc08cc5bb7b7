"""Train SupervisedSeg on Wiki articles.

``python -m docbats_lab.baselines.supervised.train --data DATA --out FOLDER [--device cuda]``

Learns from the part "train" of the Wiki documents (`splits.part_of`) and, in each epoch, from new
documents joined from sections of different articles of that part. After each epoch the part "dev"
is cut, its articles and as many joined documents; the weights with the least mean Pk are kept, with
the threshold that gave it, and training ends when `--patience` epochs bring no improvement. What
happens in an epoch depends on the seed and its number only, so a run that is restarted in the same
folder continues where it stopped, to the same end if the device computes deterministically.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import Counter
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from scipy import sparse
from scipy.sparse.linalg import svds
from torch.nn import functional

from docbats_lab.baselines.supervised.model import (
    HierarchicalBiLSTM,
    Shape,
    TrainedModel,
    Vocabulary,
    words_of,
)
from docbats_lab.documents import SegmentedDocument, read_segmented
from docbats_lab.metrics.segmentation import paper_window, pk
from docbats_lab.splits import part_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

NEIGHBORS = 5  # words to either side that count as near each other


@dataclass(frozen=True, eq=False)
class Example:
    """A document as the network sees it."""

    sentences: list[torch.Tensor]
    ends: NDArray[np.int64]
    """1 for each sentence that ends a segment."""
    lengths: NDArray[np.int64]
    """The number of words in each sentence, by which errors are counted."""


def read_wiki(data: Path) -> tuple[list[SegmentedDocument], list[SegmentedDocument]]:
    """Read the training and the development articles."""
    paths = sorted((data / "wiki").rglob("*.ref"))
    parts: dict[str, list[SegmentedDocument]] = {"train": [], "dev": []}
    for path in paths:
        if (part := part_of(path.stem)) in parts:
            parts[part].append(read_segmented(path))
    return parts["train"], parts["dev"]


def joined(documents: Sequence[SegmentedDocument], rng: random.Random) -> SegmentedDocument:
    """Make a document of 3 to 12 sections from as many articles.

    Half of the time it takes only 3 to 11 consecutive sentences of each, in the manner of F. Choi,
    "Advances in domain independent linear text segmentation", NAACL 2000.
    """
    drawn = rng.sample(documents, min(len(documents), rng.randint(3, 12)))
    sections = [rng.choice(document.segments) for document in drawn]
    if rng.random() < 0.5:
        sections = [_run_of(section, rng.randint(3, 11), rng) for section in sections]
    return SegmentedDocument("joined", tuple(sections))


def _run_of(section: tuple[str, ...], size: int, rng: random.Random) -> tuple[str, ...]:
    first = rng.randint(0, max(0, len(section) - size))
    return section[first : first + size]


def make_vocabulary(documents: Sequence[SegmentedDocument], min_count: int) -> Vocabulary:
    """Keep the words seen often enough, the most frequent first."""
    counts = Counter(
        word
        for document in documents
        for sentence in document.sentences
        for word in words_of(sentence)
    )
    kept = [word for word, times in counts.items() if times >= min_count]
    return Vocabulary(sorted(kept, key=lambda word: (-counts[word], word)))


def initial_vectors(
    documents: Sequence[SegmentedDocument], vocabulary: Vocabulary, size: int, seed: int
) -> torch.Tensor:
    """Factorize the positive pointwise mutual information of words near each other.

    This is close to what word2vec factorizes (O. Levy and Y. Goldberg, "Neural Word Embedding as
    Implicit Matrix Factorization", NIPS 2014).
    """
    n = len(vocabulary)
    rows, columns = [], []
    for document in documents:
        ids = torch.cat([vocabulary.encode(sentence) for sentence in document.sentences]).numpy()
        for gap in range(1, NEIGHBORS + 1):
            rows += [ids[:-gap], ids[gap:]]
            columns += [ids[gap:], ids[:-gap]]
    row, column = np.concatenate(rows), np.concatenate(columns)
    known = (row > 1) & (column > 1)
    row, column = row[known], column[known]
    near = sparse.coo_array((np.ones(len(row)), (row, column)), shape=(n, n)).tocsr()
    near.sum_duplicates()
    pairs = near.tocoo()
    total = near.sum(axis=1)
    # Context frequencies to the power of 3/4, as word2vec draws them, tame rare words.
    context = total**0.75 / (total**0.75).sum()
    information = np.log(pairs.data / (total[pairs.row] * context[pairs.col]))
    positive = sparse.csr_array((np.maximum(information, 0), (pairs.row, pairs.col)), shape=(n, n))
    start = np.random.default_rng(seed).standard_normal(n)
    left, strengths, _ = svds(positive, k=min(size, n - 1), v0=start)
    vectors = np.zeros((n, size))
    vectors[:, : len(strengths)] = left * np.sqrt(strengths)
    vectors /= vectors[vectors.any(axis=1)].std() + 1e-12
    return torch.tensor(vectors * 0.5, dtype=torch.float32)


class Encoder:
    """Turns documents into examples; each sentence is encoded once, however often it is used."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._encode = cache(vocabulary.encode)
        self._length = cache(lambda sentence: max(1, len(words_of(sentence))))

    def __call__(self, document: SegmentedDocument) -> Example:
        """Encode a document."""
        sizes = [len(segment) for segment in document.segments]
        ends = np.zeros(sum(sizes), np.int64)
        ends[np.cumsum(sizes) - 1] = 1
        lengths = np.array([self._length(sentence) for sentence in document.sentences])
        return Example([self._encode(s) for s in document.sentences], ends, lengths)


THRESHOLDS = np.arange(1, 20) / 20
CHECKPOINT = "checkpoint.pt"


@dataclass(frozen=True)
class TrainingSettings:
    """The settings of a training run."""

    seed: int = 0
    epochs: int = 24
    patience: int = 15
    batch: int = 16
    learning_rate: float = 1e-3
    dropout: float = 0.4
    unknown: float = 0.2  # share of words hidden in training, so that unknown words mean nothing
    min_count: int = 5  # a word seen less often in the training articles is unknown
    vector: int = 64
    hidden: int = 96
    joined_share: float = 6.0  # joined documents per article

    def rate_in(self, epoch: int) -> float:
        """Let the learning rate fall along a half cosine, from the first epoch to the last."""
        return self.learning_rate * (1 + math.cos(math.pi * (epoch - 1) / self.epochs)) / 2


def batches(examples: list[Example], size: int, rng: random.Random) -> Iterator[list[Example]]:
    """Draw batches of documents of similar length, in random order."""
    order = sorted(examples, key=lambda e: len(e.sentences) * rng.uniform(0.8, 1.25))
    groups = [order[i : i + size] for i in range(0, len(order), size)]
    rng.shuffle(groups)
    yield from groups


def loss_of(network: HierarchicalBiLSTM, examples: Sequence[Example]) -> torch.Tensor:
    """Return the cross-entropy over all sentences but the last of each document."""
    scores = network([example.sentences for example in examples])
    inner = np.concatenate([np.arange(len(e.ends)) < len(e.ends) - 1 for e in examples])
    ends = torch.from_numpy(np.concatenate([example.ends for example in examples]))
    mask = torch.from_numpy(inner).to(scores.device)
    return functional.cross_entropy(scores[mask], ends.to(scores.device)[mask])


def hide_words(example: Example, share: float, generator: torch.Generator) -> Example:
    """Replace some words by the unknown word."""
    words = torch.cat(example.sentences)
    words = torch.where(torch.rand(len(words), generator=generator) < share, 1, words)
    sentences = torch.split(words, [len(sentence) for sentence in example.sentences])
    return Example(list(sentences), example.ends, example.lengths)


def dev_errors(network: HierarchicalBiLSTM, examples: Sequence[Example]) -> NDArray[np.float64]:
    """Return the mean Pk over words at each of THRESHOLDS."""
    network.eval()
    errors = []
    with torch.inference_mode():
        for first in range(0, len(examples), 32):
            group = examples[first : first + 32]
            scores = network([example.sentences for example in group])
            sizes = [len(example.ends) for example in group]
            for example, part in zip(group, scores.softmax(dim=1)[:, 1].split(sizes), strict=True):
                errors.append(_pk_at_thresholds(example, part.double().cpu().numpy()))
    mean: NDArray[np.float64] = np.mean(errors, axis=0)
    return mean


def _pk_at_thresholds(example: Example, chances: NDArray[np.float64]) -> list[float]:
    reference = _segment_words(example, example.ends == 1)
    window = paper_window(reference)
    return [
        pk(reference, _segment_words(example, chances >= threshold), window)
        for threshold in THRESHOLDS
    ]


def _segment_words(example: Example, ends: NDArray[np.bool_]) -> list[int]:
    stops = {0, *(np.flatnonzero(ends) + 1).tolist(), len(ends)}
    return [int(example.lengths[a:b].sum()) for a, b in pairwise(sorted(stops))]


def train_epoch(
    network: HierarchicalBiLSTM,
    optimizer: torch.optim.Optimizer,
    real: list[Example],
    draw: Callable[[random.Random], list[Example]],
    *,
    settings: TrainingSettings,
    epoch: int,
) -> float:
    """Go through the articles and freshly drawn documents once; return the mean loss."""
    rng = random.Random(f"{settings.seed} {epoch}")
    generator = torch.Generator().manual_seed(rng.getrandbits(32))
    torch.manual_seed(rng.getrandbits(32))
    examples = [*real, *draw(rng)]
    for parameters in optimizer.param_groups:
        parameters["lr"] = settings.rate_in(epoch)
    network.train()
    losses = []
    for group in batches(examples, settings.batch, rng):
        optimizer.zero_grad()
        loss = loss_of(network, [hide_words(e, settings.unknown, generator) for e in group])
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return float(np.mean(losses))


def train(
    articles: Sequence[SegmentedDocument],
    dev_articles: Sequence[SegmentedDocument],
    out: Path,
    settings: TrainingSettings,
    device: str = "cpu",
) -> TrainedModel:
    """Train until nothing improves; leave ``weights.npz``, ``log.jsonl`` and a checkpoint."""
    out.mkdir(parents=True, exist_ok=True)
    vocabulary = make_vocabulary(articles, settings.min_count)
    torch.manual_seed(settings.seed)
    network = HierarchicalBiLSTM(
        Shape(len(vocabulary), settings.vector, settings.hidden), settings.dropout
    )
    with torch.no_grad():
        network.vectors.weight.copy_(
            initial_vectors(articles, vocabulary, settings.vector, settings.seed)
        )
    network.to(device)
    optimizer = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
    encode = Encoder(vocabulary)
    real = [encode(document) for document in articles]
    rng = random.Random(settings.seed)
    dev = [encode(document) for document in dev_articles]
    dev_joined = [encode(joined(dev_articles, rng)) for _ in dev_articles]

    def draw(rng: random.Random) -> list[Example]:
        wanted = round(settings.joined_share * len(articles))
        return [encode(joined(articles, rng)) for _ in range(wanted)]

    state: dict[str, Any] = {"epoch": 0, "best": float("inf"), "best_epoch": 0}
    if (out / CHECKPOINT).exists():
        state = torch.load(out / CHECKPOINT, map_location=device, weights_only=True)
        network.load_state_dict(state["network"])
        optimizer.load_state_dict(state["optimizer"])
    while state["epoch"] < min(settings.epochs, state["best_epoch"] + settings.patience):
        started = time.perf_counter()
        state["epoch"] += 1
        loss = train_epoch(network, optimizer, real, draw, settings=settings, epoch=state["epoch"])
        on_articles, on_joined = dev_errors(network, dev), dev_errors(network, dev_joined)
        both = (on_articles + on_joined) / 2
        at = int(both.argmin())
        if both[at] < state["best"]:
            state |= {"best": float(both[at]), "best_epoch": state["epoch"]}
            TrainedModel(network, vocabulary, float(THRESHOLDS[at])).save(out / "weights.npz")
        state |= {"network": network.state_dict(), "optimizer": optimizer.state_dict()}
        save_checkpoint(state, out)
        record = {
            "epoch": state["epoch"],
            "loss": round(loss, 4),
            "dev_pk": round(float(both[at]), 4),
            "dev_pk_articles": round(float(on_articles[at]), 4),
            "dev_pk_joined": round(float(on_joined[at]), 4),
            "threshold": round(float(THRESHOLDS[at]), 2),
            "seconds": round(time.perf_counter() - started, 1),
        }
        with (out / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(record) + "\n")
        print(json.dumps(record), flush=True)
    return TrainedModel.load(out / "weights.npz")


def save_checkpoint(state: dict[str, Any], out: Path) -> None:
    """Replace the checkpoint in one step: an interruption leaves the old one or the new one."""
    torch.save(state, out / f"{CHECKPOINT}.new")
    (out / f"{CHECKPOINT}.new").replace(out / CHECKPOINT)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description="Train SupervisedSeg on Wiki articles.")
    parser.add_argument("--data", type=Path, required=True, help="folder with wiki/ in it")
    parser.add_argument("--out", type=Path, required=True, help="folder for weights and log")
    parser.add_argument("--device", default="cpu", help="cpu or cuda (default: cpu)")
    for name, value in asdict(TrainingSettings()).items():
        parser.add_argument(
            f"--{name.replace('_', '-')}", type=type(value), default=value, help=f"({value})"
        )
    options = vars(parser.parse_args())
    data, out, device = options.pop("data"), options.pop("out"), options.pop("device")
    torch.use_deterministic_algorithms(device == "cpu")
    articles, dev_articles = read_wiki(data)
    print(f"{len(articles)} articles to learn from, {len(dev_articles)} to choose by", flush=True)
    train(articles, dev_articles, out, TrainingSettings(**options), device)


if __name__ == "__main__":
    main()
