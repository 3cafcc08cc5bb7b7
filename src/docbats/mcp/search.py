"""Search by words (BM25): in the parts of one document, and in the files of all folders."""

from __future__ import annotations

import time
import zlib
from collections import Counter
from dataclasses import dataclass, field, replace
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from docbats.chunks.chunker import Chunker
from docbats.document import Document
from docbats.errors import DocbatsError, InputError
from docbats.text.languages import load_language
from docbats.text.words import normal_form, stemming, tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from docbats.mcp.allowed_folders import AllowedFolders
    from docbats.places import Place
    from docbats.result import Result
    from docbats.text.languages.language import Language
    from docbats.text.words import Tokens

K1, B = 1.5, 0.75  # the usual parameters of BM25
_PASSAGE_SIZE = 1500  # characters; of larger ones, fewer fit into an answer when they are read
_MAX_INDEXED = 15_000_000  # words of all files; more would take too much memory


@dataclass(frozen=True)
class PartMatch:
    """A part with words of the question: its index, its score and its best sentence."""

    part: int
    score: float
    sentence: int


def search_parts(
    result: Result, parts: Sequence[tuple[int, int]], question: str
) -> list[PartMatch]:
    """Return the parts that have words of the question, best first.

    `parts` are half-open ranges of sentences, in order. Words match by their stems, in code and
    tables as well; stop words count only if the question has no other words.
    """
    language = result.analysis.text.language
    wanted = _wanted_words(question, language)
    tokens = _all_tokens(result.document, language)
    sentences = _words_by_sentence(len(result.document), tokens, wanted, language)
    edges = np.searchsorted(tokens.sentence, parts)
    lengths = (edges[:, 1] - edges[:, 0]).astype(float)
    norm = _norm(lengths, lengths.mean())
    found = [sum(sentences[slice(*part)], Counter()) for part in parts]
    holding = {word: sum(counts[word] > 0 for counts in found) for word in wanted}
    rarity = {word: _rarity(holding[word], len(found)) for word in wanted}
    matches = []
    for i, (part, counts) in enumerate(zip(parts, found, strict=True)):
        score = sum(rarity[w] * n * (K1 + 1) / (n + norm[i]) for w, n in counts.items())
        if score > 0:
            best = max(range(*part), key=lambda s: sum(rarity[word] for word in sentences[s]))
            matches.append(PartMatch(i, float(score), best))
    return sorted(matches, key=lambda match: (-match.score, match.part))


def _norm(lengths: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """Return by how much the counts in passages of these lengths are damped."""
    return K1 * (1 - B + B * lengths / max(1.0, mean))


def _rarity(holding: int, total: int) -> float:
    """Return the weight of a word that `holding` of all passages have."""
    return log(1 + (total - holding + 0.5) / (holding + 0.5))


def _wanted_words(question: str, language: Language) -> frozenset[str]:
    """Return the stems of the words of a question."""
    _check_question(question)
    asked = Document(question, np.array([[0, len(question)]]))
    names = [normal_form(form) for form in tokenize(asked, language).forms if form[0].isalnum()]
    kept = [name for name in names if name not in language.stop_words] or names
    return frozenset(stemming(language.stemmer)(kept))


def _check_question(question: str) -> None:
    if not question.strip():
        msg = "the question is empty: pass the words to search for"
        raise InputError(msg)


def _all_tokens(document: Document, language: Language) -> Tokens:
    """Return the tokens of the text, including those of code and tables."""
    return tokenize(replace(document, prose=None), language)


def _words_by_sentence(
    n_sentences: int, tokens: Tokens, wanted: frozenset[str], language: Language
) -> list[Counter[str]]:
    """Count the wanted words in each sentence."""
    stems = stemming(language.stemmer)([normal_form(form) for form in tokens.forms])
    counts: list[Counter[str]] = [Counter() for _ in range(n_sentences)]
    is_wanted = np.array([stem in wanted for stem in stems], bool)[tokens.form]
    places = zip(tokens.sentence[is_wanted], tokens.form[is_wanted], strict=True)
    for sentence, form in places:
        counts[sentence][stems[form]] += 1
    return counts


@dataclass(frozen=True)
class FoundPassage:
    """A passage of a file that has words of the question, and its best sentence."""

    path: str
    title: str
    start: int
    end: int
    place: dict[str, Any]
    score: float
    sentence: str


@dataclass(frozen=True)
class FolderMatches:
    """What a search found, and in how many files."""

    passages: tuple[FoundPassage, ...]
    total: int
    files: int
    files_left: int
    unreadable: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class IndexedFile:
    """The passages of a file, and how often each of its words occurs in each of them.

    The last three have an item for each word of each passage, sorted by words.
    """

    identity: tuple[str, int, int]
    language: Language
    text: bytes  # compressed; few passages are ever shown
    passages: tuple[tuple[int, int, str, dict[str, Any]], ...]
    lengths: NDArray[np.float64]
    stem: NDArray[np.int64]
    passage: NDArray[np.int64]
    count: NDArray[np.int64]

    def counts(self, stem: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the passages that have a word, and how often."""
        low, high = np.searchsorted(self.stem, [stem, stem + 1])
        return self.passage[low:high], self.count[low:high]


@dataclass
class FolderIndex:
    """The words of all files in the folders, read as they are first searched for.

    A file is read anew if its time or size has changed, and forgotten if it is gone.
    """

    folders: AllowedFolders
    _files: dict[str, IndexedFile] = field(default_factory=dict)
    _unreadable: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)  # of all stems

    def search(self, question: str, most: int, seconds: float) -> FolderMatches:
        """Return the `most` best passages of all files; read new ones for so many seconds."""
        _check_question(question)
        files_left = self._update(seconds)
        scored = self._score(question)
        return FolderMatches(
            tuple(self._describe(*found, question) for found in scored[:most]),
            total=len(scored),
            files=len(self._files),
            files_left=files_left,
            unreadable=tuple(sorted(self._unreadable)),
        )

    def _update(self, seconds: float) -> int:
        """Read what is new; return how many files are left."""
        latest = time.monotonic() + seconds
        names = [name for name, _ in self.folders.list_files()]
        for gone in {*self._files, *self._unreadable} - set(names):
            self._files.pop(gone, None)
            self._unreadable.pop(gone, None)
        size = sum(int(file.lengths.sum()) for file in self._files.values())
        left, has_read = 0, False
        for name in names:
            try:
                identity = self.folders.identity(name)
            except DocbatsError:
                continue  # gone in the meantime
            if self._is_known(name, identity):
                continue
            if (has_read and time.monotonic() > latest) or size > _MAX_INDEXED:
                left += 1
                continue
            has_read = True
            self._files.pop(name, None)
            self._unreadable.pop(name, None)
            try:
                self._files[name] = self._read(name, identity)
            except DocbatsError:
                self._unreadable[name] = identity
            else:
                size += int(self._files[name].lengths.sum())
        return left

    def _is_known(self, name: str, identity: tuple[str, int, int]) -> bool:
        known = self._files.get(name)
        return (known is not None and known.identity == identity) or (
            self._unreadable.get(name) == identity
        )

    def _read(self, name: str, identity: tuple[str, int, int]) -> IndexedFile:
        document = self.folders.read(name).document("auto")
        language = load_language(document.language.code)
        chunks = Chunker(_PASSAGE_SIZE)(document)
        tokens = _all_tokens(document, language)
        starts = np.array([chunk.start for chunk in chunks], np.int64)
        numbers = self._numbers
        stems = stemming(language.stemmer)([normal_form(form) for form in tokens.forms])
        number = np.array([numbers.setdefault(stem, len(numbers)) for stem in stems], np.int64)
        is_word = tokens.is_word
        passage = np.maximum(np.searchsorted(starts, tokens.start[is_word], side="right") - 1, 0)
        lengths = np.bincount(passage, minlength=len(chunks)).astype(float)
        pairs = np.stack([number[tokens.form[is_word]], passage])
        (stem, at), count = np.unique(pairs, axis=1, return_counts=True)
        return IndexedFile(
            identity,
            language,
            zlib.compress(document.text.encode("utf-8", "replace"), 1),
            tuple(
                (chunk.start, chunk.end, chunk.title or "", place_values(chunk.place))
                for chunk in chunks
            ),
            lengths,
            stem.astype(np.int64),
            at.astype(np.int64),
            count.astype(np.int64),
        )

    def _score(self, question: str) -> list[tuple[float, str, int]]:
        """Return the score, the file and the number of each passage with words of the question."""
        wanted: dict[str | None, frozenset[str]] = {}
        hits: list[tuple[str, int, NDArray[np.int64], NDArray[np.int64]]] = []
        holding: Counter[int] = Counter()
        for name, file in self._files.items():
            code = file.language.code
            if code not in wanted:
                wanted[code] = _wanted_words(question, file.language)
            for word in sorted(wanted[code]):
                stem = self._numbers.get(word)
                if stem is not None:
                    at, count = file.counts(stem)
                    holding[stem] += len(at)
                    hits.append((name, stem, at, count))
        total = sum(len(file.passages) for file in self._files.values())
        mean = sum(float(file.lengths.sum()) for file in self._files.values()) / max(1, total)
        scores: Counter[tuple[str, int]] = Counter()
        for name, stem, at, count in hits:
            norm = _norm(self._files[name].lengths[at], mean)
            weights = _rarity(holding[stem], total) * count * (K1 + 1) / (count + norm)
            for number, weight in zip(at.tolist(), weights.tolist(), strict=True):
                scores[name, number] += weight
        ranked = [(score, name, number) for (name, number), score in scores.items()]
        return sorted(ranked, key=lambda found: (-found[0], found[1], found[2]))

    def _describe(self, score: float, name: str, number: int, question: str) -> FoundPassage:
        file = self._files[name]
        start, end, title, place = file.passages[number]
        text = zlib.decompress(file.text).decode()[start:end]
        return FoundPassage(
            name,
            title or name,
            start,
            end,
            place,
            score,
            _best_sentence(text, _wanted_words(question, file.language), file.language),
        )


def _best_sentence(text: str, wanted: frozenset[str], language: Language) -> str:
    """Return the sentence of a passage with most of the words."""
    document = Document.of(text, "text")
    tokens = _all_tokens(document, language)
    counts = _words_by_sentence(len(document), tokens, wanted, language)
    best = max(range(len(document)), key=lambda i: len(counts[i]))
    return document.sentences[best]


def place_values(place: Place | None) -> dict[str, Any]:
    """Return the pages and the seconds of a place, if they are known."""
    pairs = {} if place is None else {"pages": place.pages, "seconds": place.seconds}
    return {name: list(pair) for name, pair in pairs.items() if pair is not None}
