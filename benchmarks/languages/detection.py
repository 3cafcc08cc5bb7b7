"""How often the language of a piece of text is detected, beside other libraries."""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.languages.costs import (
    import_milliseconds,
    installed_megabytes,
    log_progress,
    median_seconds,
)
from benchmarks.languages.segments import OTHERS
from benchmarks.languages.texts import (
    SEED,
    SOURCES,
    join,
    read_foreign,
    split_paragraphs,
    translated,
)
from docbats.text.detect import detect_language
from docbats.text.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PIECES = 300  # of each length, in each language


def detectors() -> dict[str, Callable[[str], str | None]]:
    """Return our detector, and those of other libraries that are installed."""
    found: dict[str, Callable[[str], str | None]] = {
        "docbats": lambda text: detect_language(text).code
    }
    if find_spec("py3langid"):
        py3langid: Any = import_module("py3langid")
        found["py3langid"] = lambda text: str(py3langid.classify(text)[0])
    if find_spec("lingua"):
        lingua: Any = import_module("lingua")
        builder = lingua.LanguageDetectorBuilder.from_all_languages()
        detector = builder.with_preloaded_language_models().build()

        def by_lingua(text: str) -> str | None:
            language = detector.detect_language_of(text)
            return None if language is None else language.iso_code_639_1.name.lower()

        found["lingua"] = by_lingua
    return found


def measure_detection(folder: Path) -> dict[str, Any]:
    """Return how often the language of pieces of help is detected, by their length."""
    shares: dict[str, Any] = {}
    for name, detect in detectors().items():
        rows: dict[str, Any] = {}
        for code, pieces in pieces_of(folder).items():
            known = code in LANGUAGES
            rows[code] = {
                str(size): round(
                    float(
                        np.mean(
                            [
                                (detect(text) == code) if known else (detect(text) not in LANGUAGES)
                                for text in texts
                            ]
                        )
                    ),
                    4,
                )
                for size, texts in pieces.items()
            }
        shares[name] = rows
        log_progress(name, rows["de"])
    return {"shares": shares, "cost": detection_cost(folder)}


@cache
def pieces_of(folder: Path) -> dict[str, dict[int, list[str]]]:
    """Draw pieces of 1, 3 and 10 sentences in each of our languages and in others."""
    generator = np.random.default_rng(SEED)
    pieces: dict[str, dict[int, list[str]]] = {}
    for code in (*LANGUAGES, *OTHERS):
        if code in LANGUAGES:
            pages = [translated(folder, source)[code] for source in SOURCES]
        else:
            pages = [read_foreign(folder, code)]
        language = code if code in LANGUAGES else None
        texts = [split_paragraphs(page, language) for each in pages for page in each.values()]
        texts = [sentences for sentences in texts if len(sentences) >= 10]
        glue = "" if code in {"zh", "ja"} else " "
        pieces[code] = {}
        for size in (1, 3, 10):
            drawn = []
            for _ in range(PIECES):
                page = texts[int(generator.integers(len(texts)))]
                start = int(generator.integers(len(page) - size + 1))
                drawn.append(glue.join(page[start : start + size]))
            pieces[code][size] = drawn
    return pieces


def detection_cost(folder: Path) -> dict[str, Any]:
    """Time the detectors on a text of 75 sentences and their imports, and add their sizes."""
    document = next(each for each in join(folder, "GNOME")["en"] if len(each.sentences) >= 75)
    text = " ".join(document.sentences[:75])
    packages = {"py3langid": "py3langid", "lingua": "lingua-language-detector"}
    return {
        name: {
            "ms": round(1e3 * median_seconds(partial(detect, text)), 3),
            "import ms": round(import_milliseconds(name), 1) if name in packages else None,
            "installed MB": installed_megabytes(packages.get(name)),
        }
        for name, detect in detectors().items()
    }
