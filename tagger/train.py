"""Train the part-of-speech tagger on the English Web Treebank and write its weights."""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import random
import sys
import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from sklearn.linear_model import SGDClassifier

from docbats.text import tags as run_time
from docbats.text.tags import CLASSES, SLOT_BITS, Lexicon, find_neighbours, find_slots

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as a script from anywhere
from tagger.treebank import (
    Word,
    align,
    lower_case,
    print_sentence,
    read_treebank,
    upper_case,
    without_punctuation,
)
from tagger.wordnet import read_lexicon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.text.words import Tokens

TREEBANK = Path("ud-english-ewt", "train.tsv")
WEIGHTS = Path(run_time.__file__).parent / "data" / "tagger-en.npz"

SEED = 0
PASSES = 32
ALPHA = 3e-6
MIN_SLOT_COUNT = 3  # a slot seen less often is dropped; larger: a smaller file
MAX_WEIGHT = 8.0  # larger weights are clipped before they are rounded to one byte
COPIES = ((lower_case, 0.3), (without_punctuation, 0.12), (upper_case, 0.02))


def train(data: Path, wordnet: Path) -> bytes:
    """Train on the treebank and return the content of the weights file."""
    lexicon = read_lexicon(wordnet)
    sentences = with_copies(read_treebank(data / TREEBANK))
    gold = align([print_sentence(sentence) for sentence in sentences])
    features = feature_matrix(gold.tokens, lexicon)
    return pack(lexicon, fit(features, gold.classes))


def with_copies(sentences: Sequence[Sequence[Word]]) -> list[Sequence[Word]]:
    """Add copies of some sentences, written as in careless text."""
    rng = random.Random(SEED)
    copies = (
        change(sentence)
        for change, share in COPIES
        for sentence in sentences
        if rng.random() < share
    )
    return [sentence for sentence in chain(sentences, copies) if sentence]


def feature_matrix(tokens: Tokens, lexicon: Lexicon) -> sparse.csr_matrix:
    """Count the slots of the features of each token; one row for each token."""
    slots = find_slots(tokens.forms, lexicon)
    previous, following, first = find_neighbours(tokens)
    cased = slots.cased[0][:, tokens.form]
    cased[:, first] = slots.cased[1][:, tokens.form[first]]
    own = slots.own[:, tokens.form]
    before, after = slots.before[:, previous], slots.after[:, following]
    columns = np.concatenate([own, cased, before, after]).T
    count, width = columns.shape
    return sparse.csr_matrix(
        (np.ones(count * width), columns.ravel(), np.arange(0, count * width + 1, width)),
        shape=(count, 1 << SLOT_BITS),
    )


def fit(features: sparse.csr_matrix, classes: NDArray[np.int64]) -> NDArray[np.int8]:
    """Learn one weight for each class and slot, rounded to a byte."""
    seen = np.bincount(features.indices, minlength=features.shape[1])
    kept = np.flatnonzero(seen >= MIN_SLOT_COUNT)
    model = SGDClassifier(
        loss="log_loss",
        alpha=ALPHA,
        max_iter=PASSES,
        tol=None,
        average=True,
        fit_intercept=False,  # every token has a shape, which serves as one
        random_state=SEED,
        n_jobs=-1,
    )
    model.fit(features[:, kept], classes)
    weights = np.zeros((len(CLASSES), features.shape[1]), np.int8)
    weights[:, kept] = np.clip(np.rint(model.coef_ * (127 / MAX_WEIGHT)), -127, 127)
    return weights


def pack(lexicon: Lexicon, weights: NDArray[np.int8]) -> bytes:
    """Write the arrays that :func:`docbats.text.tags.load_model` reads."""
    used = np.flatnonzero(weights.any(axis=0))
    file = io.BytesIO()
    np.savez_compressed(
        file,
        slot_gaps=_gaps(used),
        weights=weights[:, used],
        word_gaps=_gaps(lexicon.keys),
        word_masks=lexicon.masks,
    )
    return file.getvalue()


def _gaps(ascending: NDArray[np.int64] | NDArray[np.uint32]) -> NDArray[np.uint16]:
    gaps = np.diff(ascending.astype(np.int64), prepend=0)
    if gaps.max() > np.iinfo(np.uint16).max:
        msg = f"a gap of {gaps.max()} between hashes does not fit into 16 bits: lower WORD_BITS"
        raise ValueError(msg)
    return gaps.astype(np.uint16)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data",
        type=Path,
        default=os.environ.get("DOCBATS_DATA"),
        help="folder that holds ud-english-ewt/train.tsv (default: $DOCBATS_DATA)",
    )
    parser.add_argument(
        "--wordnet",
        type=Path,
        default=Path("/usr/share/wordnet"),
        help="folder of the WordNet 3.0 files (default: %(default)s)",
    )
    parser.add_argument(
        "--out", type=Path, default=WEIGHTS, help="file to write (default: the package's own)"
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 if --out would change"
    )
    options = parser.parse_args()
    if options.data is None or not (options.data / TREEBANK).is_file():
        parser.error(f"no {TREEBANK} in {options.data}: name its folder with --data")
    if not (options.wordnet / "index.noun").is_file():
        parser.error(
            f"no WordNet files in {options.wordnet}: install Debian's package wordnet-base, or "
            "unpack it with `dpkg -x` and name the folder with --wordnet"
        )
    begin = time.perf_counter()
    content = train(options.data, options.wordnet)
    digest = hashlib.sha256(content).hexdigest()
    print(f"{len(content)} bytes in {time.perf_counter() - begin:.0f} s, sha256 {digest}")
    if not options.check:
        options.out.write_bytes(content)
    elif content != options.out.read_bytes():
        print(f"{options.out} differs from the result of training", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
