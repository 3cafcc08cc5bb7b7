"""SupervisedSeg: boundaries where a trained network expects them.

O. Koshorek et al., "Text Segmentation as a Supervised Learning Task", NAACL 2018. The network is
theirs (`model`), the training ours (`train`), on 509 Wiki articles (`splits`): these are not the
authors' weights, which were trained on WIKI-727K on top of GoogleNews word2vec vectors.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from docbats.errors import MissingExtraError
from docbats_lab.methods import Segmenter

if TYPE_CHECKING:
    from docbats_lab.baselines.supervised.model import TrainedModel
    from docbats_lab.methods import Prepared

WEIGHTS = Path(__file__).with_name("weights.npz")


def _cut_with_own_k(prepared: Prepared, _k: int, _seed: int) -> list[int]:
    """Cut after every sentence that ends a segment with at least the threshold's probability."""
    model = _load()
    chances = model.end_probabilities(prepared.sentences)[:-1]
    return [0, *(np.flatnonzero(chances >= model.threshold) + 1).tolist()]


def _cut_into_k(prepared: Prepared, k: int, _seed: int) -> list[int]:
    """Cut after the k - 1 sentences most likely to end a segment."""
    chances = _load().end_probabilities(prepared.sentences)[:-1]
    likeliest = np.argsort(-chances, kind="stable")[: k - 1]
    return [0, *(np.sort(likeliest) + 1).tolist()]


@cache
def _load() -> TrainedModel:
    try:
        from docbats_lab.baselines.supervised.model import TrainedModel
    except ImportError as error:
        msg = 'SupervisedSeg needs PyTorch: pip install "docbats-lab[neural]"'
        raise MissingExtraError(msg) from error
    return TrainedModel.load(WEIGHTS)


_CITATION = "Koshorek et al. 2018; trained by us, on Wiki"

SUPERVISED_SEG = Segmenter(
    "SupervisedSeg", _CITATION, _cut_with_own_k, takes_k=False, is_neural=True
)
SUPERVISED_SEG_K = Segmenter("SupervisedSeg (k)", _CITATION, _cut_into_k, is_neural=True)
