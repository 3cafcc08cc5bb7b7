"""Imports of PyTorch stand inside the tests, so that the file can be read without it."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from docbats.errors import MissingExtraError
from docbats_lab.baselines.supervised import segmenter
from docbats_lab.documents import SegmentedDocument
from docbats_lab.methods import prepare
from docbats_lab.splits import part_of

if TYPE_CHECKING:
    from pathlib import Path

    from docbats_lab.baselines.supervised.model import TrainedModel
    from docbats_lab.baselines.supervised.train import TrainingSettings

OWN_K, GIVEN_K = segmenter.SUPERVISED_SEG, segmenter.SUPERVISED_SEG_K
PARTS = {"train": 0.6, "dev": 0.1, "scored": 0.3}


def toy_document(rng: random.Random) -> SegmentedDocument:
    """Make segments that all end with a sentence about the end."""
    words = ["bats", "hunt", "moths", "tea", "cools", "water"]
    segments = [
        (*(" ".join(rng.choices(words, k=4)) for _ in range(rng.randint(2, 4))), "the end has come")
        for _ in range(4)
    ]
    return SegmentedDocument("toy", tuple(segments))


def toy_corpus() -> list[SegmentedDocument]:
    rng = random.Random(0)
    return [toy_document(rng) for _ in range(16)]


def small_settings(epochs: int) -> TrainingSettings:
    from docbats_lab.baselines.supervised.train import TrainingSettings

    return TrainingSettings(
        epochs=epochs, batch=4, learning_rate=0.02, dropout=0, vector=8, hidden=8, joined_share=0
    )


def train_small(out: Path, epochs: int = 30) -> TrainedModel:
    import torch

    from docbats_lab.baselines.supervised.train import train

    torch.set_num_threads(1)  # for so small a network threads only wait for each other
    corpus = toy_corpus()
    return train(corpus[:12], corpus[12:], out, small_settings(epochs))


def test_the_split_of_wiki_is_fixed() -> None:
    names = [f"article {i}" for i in range(2000)]
    shares = {part: sum(part_of(name) == part for name in names) / 2000 for part in PARTS}
    assert shares == pytest.approx(PARTS, abs=0.03)
    assert [part_of(name) for name in ("A", "Anarchism", "Autism")] == ["dev", "scored", "train"]


@pytest.mark.data
def test_the_split_has_the_documents_that_were_trained_on(data: Path) -> None:
    parts = [part_of(path.stem) for path in (data / "wiki").rglob("*.ref")]
    assert [parts.count(part) for part in ("train", "dev", "scored")] == [509, 93, 283]


def test_without_pytorch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docbats_lab.baselines.supervised.model", None)
    segmenter._load.cache_clear()
    with pytest.raises(MissingExtraError, match=r'pip install "docbats-lab\[neural\]"'):
        OWN_K.cut(prepare(["Bats hunt moths."]), 1, 0)


@pytest.mark.neural
def test_an_obvious_cue_is_learned(tmp_path: Path) -> None:
    model = train_small(tmp_path)
    document = toy_document(random.Random(99))
    chances = model.end_probabilities(document.sentences)
    ends = np.array(["end" in sentence for sentence in document.sentences])
    # The last sentence of a document is never learned from: it always ends a segment.
    assert chances[:-1][ends[:-1]].min() > chances[:-1][~ends[:-1]].max()
    assert ((chances >= model.threshold) == ends)[:-1].all()


@pytest.mark.neural
def test_training_repeats_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    straight, again, halves = (tmp_path / name for name in ("straight", "again", "halves"))
    whole = train_small(straight, 4)
    train_small(again, 4)
    sentences = toy_document(random.Random(5)).sentences
    assert (straight / "weights.npz").read_bytes() == (again / "weights.npz").read_bytes()
    # A run that is cut off has a checkpoint of an earlier epoch of the same plan.
    interrupt_after(halves, 2)
    resumed = train_small(halves, 4)
    assert (resumed.end_probabilities(sentences) == whole.end_probabilities(sentences)).all()
    assert len((halves / "log.jsonl").read_text().splitlines()) == 4


def interrupt_after(out: Path, epochs: int) -> None:
    from docbats_lab.baselines.supervised import train as training

    class Interrupted(Exception):  # noqa: N818 - not an error of ours
        pass

    seen = 0
    errors = training.dev_errors

    def dev_errors(network: object, examples: object) -> object:
        nonlocal seen
        seen += 1
        if seen > 2 * epochs:
            raise Interrupted
        return errors(network, examples)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "dev_errors", dev_errors)
        with pytest.raises(Interrupted):
            train_small(out, 4)


@pytest.mark.neural
def test_weights_survive_the_disk(tmp_path: Path) -> None:
    from docbats_lab.baselines.supervised.model import TrainedModel

    stored = TrainedModel.load(segmenter.WEIGHTS)
    stored.save(tmp_path / "copy.npz")
    copy = TrainedModel.load(tmp_path / "copy.npz")
    assert copy.vocabulary.words == stored.vocabulary.words
    assert copy.threshold == stored.threshold
    sentences = ["Bats hunt moths at night.", "", "In 1999 tea cooled."]
    first, second = stored.end_probabilities(sentences), copy.end_probabilities(sentences)
    assert (first == second).all()
    assert ((first >= 0) & (first <= 1)).all()
    assert segmenter.WEIGHTS.stat().st_size < 4_000_000


@pytest.mark.neural
def test_documents_of_a_batch_do_not_touch_each_other() -> None:
    import torch

    from docbats_lab.baselines.supervised.model import TrainedModel

    model = TrainedModel.load(segmenter.WEIGHTS)
    documents = [
        [model.vocabulary.encode(sentence) for sentence in toy_document(random.Random(i)).sentences]
        for i in range(3)
    ]
    model.network.eval()
    with torch.inference_mode():
        together = model.network(documents)
        alone = torch.cat([model.network([document]) for document in documents])
    assert torch.allclose(together, alone, atol=1e-5)
