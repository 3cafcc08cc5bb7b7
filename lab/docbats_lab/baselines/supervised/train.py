"""Train SupervisedSeg on Wiki articles.

``python -m docbats_lab.baselines.supervised.train --data DATA --out FOLDER [--device cuda]``

Learns from the part "train" of the Wiki documents (`split.part_of`) and from documents joined in
each epoch from sections of different articles of that part. After each epoch the part "dev" is
cut, its articles and as many joined documents; the weights with the least mean Pk are kept, with
the threshold that gave it, and training ends when `--patience` epochs bring nothing better. What
happens in an epoch depends on the seed and its number only, so a run that is started again in the
same folder goes on where it stopped, to the same end where the device computes deterministically.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn import functional

from docbats_lab.baselines.supervised.corpus import (
    Encoder,
    Example,
    initial_vectors,
    joined,
    make_vocabulary,
    read_wiki,
)
from docbats_lab.baselines.supervised.model import HierarchicalBiLSTM, Shape, TrainedModel
from docbats_lab.metrics.window_errors import paper_window, pk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from docbats_lab.segmented_document import SegmentedDocument

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
    unknown: float = 0.2  # share of words hidden while training, so that unknown words mean nothing
    min_count: int = 5  # a word seen less often in the training articles is unknown
    vector: int = 64
    hidden: int = 96
    joined_share: float = 6.0  # joined documents for each article

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
    """Replace the checkpoint in one step, so that an interruption leaves the old one or the new."""
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
