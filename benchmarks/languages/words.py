"""Segmentation of Chinese and Japanese with different libraries for finding words."""

from __future__ import annotations

import re
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from benchmarks.languages.costs import installed_megabytes, log_progress, median_seconds
from benchmarks.languages.segments import score_with_and_without_k
from benchmarks.languages.texts import SOURCES, join
from docbats.text.languages import load_language
from docbats.text.words import Segmenter, find_segmenter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def segmenters() -> dict[str, dict[str, Segmenter]]:
    """Return the installed libraries that find the words of Chinese and of Japanese."""
    makers: dict[str, dict[str, tuple[str, Callable[[], Segmenter]]]] = {
        "zh": {
            "rjieba": ("rjieba", lambda: _loaded("zh")),
            "jieba": ("jieba", lambda: import_module("jieba").lcut),
        },
        "ja": {
            "fugashi with unidic-lite": ("fugashi", lambda: _loaded("ja")),
            "janome": ("janome", _janome),
            "sudachipy": ("sudachipy", _sudachi),
            "budoux": ("budoux", _budoux),
        },
    }
    return {
        code: {name: make() for name, (module, make) in each.items() if find_spec(module)}
        for code, each in makers.items()
    }


def _loaded(code: str) -> Segmenter:
    segmenter = find_segmenter(load_language(code).segmenter)
    if segmenter is None:
        msg = f"the segmenter of {code} is not installed: see docs/languages.md"
        raise ImportError(msg)
    return segmenter


def _janome() -> Segmenter:
    tokenizer = import_module("janome.tokenizer").Tokenizer(wakati=True)
    return lambda run: list(tokenizer.tokenize(run))


def _sudachi() -> Segmenter:
    tokenizer = import_module("sudachipy").Dictionary().create()
    return lambda run: [word.surface() for word in tokenizer.tokenize(run)]


def _budoux() -> Segmenter:
    segmenter: Segmenter = import_module("budoux").load_default_japanese_parser().parse
    return segmenter


def measure_words(folder: Path) -> dict[str, Any]:
    """Compare the word segmenters by the segments that docbats finds with them, and by time."""
    sizes = {
        "rjieba": ["rjieba"],
        "jieba": ["jieba"],
        "fugashi with unidic-lite": ["fugashi", "unidic-lite"],
        "janome": ["Janome"],
        "sudachipy": ["sudachipy", "sudachidict_core"],
        "budoux": ["budoux"],
    }
    results: dict[str, Any] = {}
    for code, found in segmenters().items():
        rows: dict[str, Any] = {}
        documents = {source: join(folder, source)[code] for source in SOURCES}
        text = "".join(documents["GNOME"][0].sentences)
        runs = re.findall(r"[\u3005\u3040-\u30ff\u4e00-\u9fff]+", text)
        for name, segment in found.items():
            with patch("docbats.text.words.find_segmenter", lambda _, segment=segment: segment):
                rows[name] = {
                    source: score_with_and_without_k(these) for source, these in documents.items()
                }
            spent = median_seconds(partial(_segment_all, segment, runs), 10)
            rows[name]["ms per 1,000 characters"] = round(1e6 * spent / sum(map(len, runs)), 2)
            weights = [installed_megabytes(package) or 0 for package in sizes[name]]
            rows[name]["installed MB"] = round(sum(weights), 1)
            log_progress(code, name, rows[name])
        results[code] = rows
    return results


def _segment_all(segment: Segmenter, runs: list[str]) -> list[list[str]]:
    return [segment(run) for run in runs]
