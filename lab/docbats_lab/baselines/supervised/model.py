"""The network of SupervisedSeg, and its weights on disk.

O. Koshorek, A. Cohen, N. Mor, M. Rotman and J. Berant, "Text Segmentation as a Supervised Learning
Task", NAACL 2018, section 4: a two-layer BiLSTM over the words of each sentence, its outputs
max-pooled into one vector per sentence; a two-layer BiLSTM over those; a linear layer and a softmax
that say whether the sentence ends a segment.

Unlike in the original, word vectors are learned with the rest (no pretrained word2vec is available
offline), and everything is smaller (see `Shape`), for a few hundred articles instead of 727,000.
"""

from __future__ import annotations

import re
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_DIGIT = re.compile(r"\d")
_MAX_WORDS = 80  # read of a sentence; hardly any has more
_UNKNOWN = 1  # and 0 is padding


def words_of(sentence: str) -> list[str]:
    """Split a sentence into lower-case words, with digits as zeros: years and counts look alike."""
    return _WORD.findall(_DIGIT.sub("0", sentence.lower()))[:_MAX_WORDS]


class Vocabulary:
    """The words with their own vector; all others share one."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(words)
        self._ids = {word: i for i, word in enumerate(self.words, start=2)}

    def __len__(self) -> int:
        return len(self.words) + 2

    def encode(self, sentence: str) -> torch.Tensor:
        """Return the ids of the words of a sentence; an unknown word for a sentence without any."""
        ids = [self._ids.get(word, _UNKNOWN) for word in words_of(sentence)]
        return torch.tensor(ids or [_UNKNOWN])


@dataclass(frozen=True)
class Shape:
    """Sizes of the network: word vectors, and one direction of each LSTM."""

    words: int
    vector: int = 64
    hidden: int = 96
    layers: int = 2


class HierarchicalBiLSTM(nn.Module):
    """Scores whether a sentence ends a segment, from the words of documents."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        both = 2 * shape.hidden
        lstm = {
            "num_layers": shape.layers,
            "batch_first": True,
            "bidirectional": True,
            "dropout": dropout if shape.layers > 1 else 0.0,
        }
        self.vectors = nn.Embedding(shape.words, shape.vector, padding_idx=0)
        self.over_words = nn.LSTM(shape.vector, shape.hidden, **lstm)
        self.over_sentences = nn.LSTM(both, shape.hidden, **lstm)
        self.out = nn.Linear(both, 2)
        self.drop = nn.Dropout(dropout)

    def forward(self, documents: Sequence[Sequence[torch.Tensor]]) -> torch.Tensor:
        """Return two scores (continues, ends) for each sentence of all documents, concatenated."""
        sentences = [sentence for document in documents for sentence in document]
        lengths = torch.tensor([len(sentence) for sentence in sentences])
        ids = pad_sequence(list(sentences), batch_first=True).to(self.out.weight.device)
        states = _run(self.over_words, self.drop(self.vectors(ids)), lengths)
        pooled = states.masked_fill((ids == 0)[:, :, None], -torch.inf).amax(dim=1)
        sizes = [len(document) for document in documents]
        rows = pad_sequence(list(self.drop(pooled).split(sizes)), batch_first=True)
        states = _run(self.over_sentences, rows, torch.tensor(sizes))
        found = torch.cat([states[i, :size] for i, size in enumerate(sizes)])
        scores: torch.Tensor = self.out(self.drop(found))
        return scores


def _run(lstm: nn.LSTM, rows: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    packed = pack_padded_sequence(rows, lengths, batch_first=True, enforce_sorted=False)
    states: torch.Tensor = pad_packed_sequence(lstm(packed)[0], batch_first=True)[0]
    return states


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """A network with its vocabulary and the threshold of a boundary's probability."""

    network: HierarchicalBiLSTM
    vocabulary: Vocabulary
    threshold: float

    def end_probabilities(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """Return for each sentence the probability that a segment ends with it."""
        encoded = [self.vocabulary.encode(sentence) for sentence in sentences]
        self.network.eval()
        # The laboratory runs a process per core: more threads would slow each other down.
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            with torch.inference_mode():
                scores = self.network([encoded]).double()
        finally:
            torch.set_num_threads(threads)
        return np.asarray(scores.softmax(dim=1)[:, 1].cpu().numpy(), np.float64)

    def save(self, path: Path) -> None:
        """Write everything to one ``.npz`` file: weights in half precision, no pickle."""
        weights = {
            f"weights/{name}": value.detach().cpu().numpy().astype(np.float16)
            for name, value in self.network.state_dict().items()
        }
        words = np.frombuffer("\n".join(self.vocabulary.words).encode(), np.uint8)
        shape = np.array(astuple(self.network.shape), np.int64)
        np.savez_compressed(
            path, words=words, shape=shape, threshold=np.array(self.threshold), **weights
        )

    @classmethod
    def load(cls, path: Path) -> TrainedModel:
        """Read what `save` wrote."""
        with np.load(path, allow_pickle=False) as stored:
            network = HierarchicalBiLSTM(Shape(*stored["shape"].tolist()))
            network.load_state_dict(
                {
                    name: torch.from_numpy(stored[f"weights/{name}"].astype(np.float32))
                    for name in network.state_dict()
                }
            )
            words = stored["words"].tobytes().decode().split("\n")
            return cls(network, Vocabulary(words), float(stored["threshold"]))
