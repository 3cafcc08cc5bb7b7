"""What docbats makes of eleven languages: segments, detection, sentences and words.

The texts are the help of GNOME and of LibreOffice, which exist in all eleven: `--fetch` downloads
the packages of Debian 12 and unpacks them into the folder of `--texts`. A document joins passages
of different pages, the same ones in every language, and is cut again. Detection is tried on pieces
of the same pages, sentences on languages-sentences.json, which was written for this. Writes
benchmarks/results/languages.json and the tables of docs/languages.md.

    python benchmarks/languages.py --texts /tmp/help --fetch

Other libraries are timed beside ours where they are installed: py3langid,
lingua-language-detector, sentencex, pysbd, jieba, janome, sudachipy with sudachidict_core, budoux.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch
from xml.etree import ElementTree as ET

import numpy as np

from docbats import analyze
from docbats.lab.metrics.segmentation import paper_window, pk, window_diff
from docbats.lab.report.markdown import table
from docbats.lab.versions import find_versions
from docbats.text.detect import detect_language
from docbats.text.languages import LANGUAGES, load_language
from docbats.text.segmenters import Segmenter, find_segmenter
from docbats.text.sentences import split_sentences

HERE = Path(__file__).parent
SENTENCES = HERE / "languages-sentences.json"
OUTPUT = HERE / "results" / "languages.json"
PAGE = HERE.parent / "docs" / "languages.md"
PARTS = ("segments", "others", "detection", "sentences", "words")

LIBRARIES = (
    "docbats", "numpy", "PyStemmer", "nupunkt", "rjieba", "fugashi", "unidic-lite", "py3langid",
    "lingua-language-detector", "sentencex", "pysbd", "jieba", "janome", "sudachipy",
    "sudachidict_core", "budoux",
)  # fmt: skip

DOCUMENTS = 60  # of each source, in each language
FEWEST = 6  # sentences of a passage
SEED = 8
PIECES = 300  # of each length, in each language, whose language is to be found
OTHERS = ("ca", "cs", "da", "el", "fi", "hr", "hu", "ko", "lv", "sl", "sr", "sv", "uk")
MALLARD = "{http://projectmallard.org/1.0/}"
_PARAGRAPH = re.compile(r'<p id="(\w+)" class="paragraph"[^>]*>(.*?)</p>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_MARKS = "<!-- {}: {} by benchmarks/languages.py -->"

Pages = dict[str, dict[str, str]]
"""The paragraphs of each page by their names, which are the same in all languages."""


def fetch(folder: Path) -> None:
    """Download the packages and unpack them."""
    folder.mkdir(parents=True, exist_ok=True)
    names = ["en-us" if code == "en" else "zh-cn" if code == "zh" else code for code in LANGUAGES]
    packages = ["gnome-user-docs", *(f"libreoffice-help-{name}" for name in names)]
    subprocess.run(["apt-get", "download", *packages], cwd=folder, check=True)
    for package in sorted(folder.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True)


def read_gnome(folder: Path, code: str) -> Pages:
    """Read the pages of GNOME's help in one language."""
    name = {"en": "C", "pt": "pt_BR", "zh": "zh_CN"}.get(code, code)
    pages = {}
    for path in sorted((folder / "usr/share/help" / name / "gnome-help").glob("*.page")):
        paragraphs = ET.parse(path).getroot().iter(f"{MALLARD}p")
        texts = [" ".join("".join(paragraph.itertext()).split()) for paragraph in paragraphs]
        pages[path.stem] = {str(i): text for i, text in enumerate(texts) if text}
    return pages


def read_libreoffice(folder: Path, code: str) -> Pages:
    """Read the guides of LibreOffice's help in one language."""
    name = {"en": "en-US", "zh": "zh-CN"}.get(code, code)
    root = folder / "usr/share/libreoffice/help" / name / "text"
    pages = {}
    for path in sorted(root.glob("*/guide/*.html")):
        found = _PARAGRAPH.findall(path.read_text(encoding="utf-8"))
        texts = {key: " ".join(html.unescape(_TAG.sub("", text)).split()) for key, text in found}
        pages[str(path.relative_to(root))] = {key: text for key, text in texts.items() if text}
    return pages


SOURCES: dict[str, Callable[[Path, str], Pages]] = {
    "GNOME": read_gnome,
    "LibreOffice": read_libreoffice,
}


@dataclass(frozen=True)
class Joined:
    """Passages of different pages, one after the other; each is a list of sentences."""

    passages: tuple[tuple[str, ...], ...]

    @property
    def sentences(self) -> list[str]:
        """All sentences in their order."""
        return [sentence for passage in self.passages for sentence in passage]

    @property
    def lengths(self) -> list[int]:
        """How many sentences each passage has."""
        return [len(passage) for passage in self.passages]


@cache
def translated(folder: Path, source: str) -> dict[str, Pages]:
    """Read the pages in all languages, with only the paragraphs that were translated into each."""
    read = {code: SOURCES[source](folder, code) for code in LANGUAGES}
    english = {text for texts in read["en"].values() for text in texts.values()}

    def is_translated(page: str, key: str) -> bool:
        texts = (read[code].get(page, {}).get(key) for code in LANGUAGES if code != "en")
        return all(text is not None and text not in english for text in texts)

    kept = {
        page: [key for key in texts if is_translated(page, key)]
        for page, texts in read["en"].items()
    }
    return {
        code: {page: {key: pages[page][key] for key in keys} for page, keys in kept.items()}
        for code, pages in read.items()
    }


def join(folder: Path, source: str) -> dict[str, list[Joined]]:
    """Make the documents of each language, all by the same draws."""
    pages = translated(folder, source)
    passages = {
        page: sentences
        for page in pages["en"]
        if (sentences := {code: _split(pages[code][page], code) for code in LANGUAGES})
        and all(len(each) >= FEWEST for each in sentences.values())
    }
    return _draw(passages, list(LANGUAGES))


def join_foreign(folder: Path, code: str) -> list[Joined]:
    """Make the documents of a language that is none of ours, of GNOME's help."""
    pages = {page: _split(texts, None) for page, texts in _foreign(folder, code).items()}
    passages = {page: {code: each} for page, each in pages.items() if len(each) >= FEWEST}
    return _draw(passages, [code])[code]


def _draw(passages: dict[str, dict[str, list[str]]], codes: list[str]) -> dict[str, list[Joined]]:
    """Draw pages for each document, and how much of each is taken."""
    names = sorted(passages)
    generator = np.random.default_rng(SEED)
    documents: dict[str, list[Joined]] = {code: [] for code in codes}
    for _ in range(DOCUMENTS):
        k = int(generator.integers(3, 10))
        chosen = generator.choice(len(names), size=k, replace=False)
        share = generator.uniform(0.4, 1, size=k)
        for code in codes:
            parts = []
            for page, part in zip(chosen.tolist(), share.tolist(), strict=True):
                passage = passages[names[page]][code]
                parts.append(tuple(passage[: max(FEWEST, round(part * min(len(passage), 20)))]))
            documents[code].append(Joined(tuple(parts)))
    return documents


def _split(paragraphs: dict[str, str], code: str | None) -> list[str]:
    language = load_language(code)
    return [
        text[start:end]
        for text in paragraphs.values()
        for start, end in split_sentences(text, language)
    ]


def score(document: Joined, lengths: list[int]) -> tuple[float, float]:
    """Pk and WindowDiff, in sentences."""
    window = paper_window(document.lengths)
    return pk(document.lengths, lengths, window), window_diff(document.lengths, lengths, window)


def cut(document: Joined, *, true_k: bool, **settings: Any) -> tuple[float, float, int]:
    """Score docbats on one document, with the number of passages given or not."""
    k: Any = len(document.passages) if true_k else "auto"
    segments = analyze(document.sentences, k=k, **settings).segments
    lengths = [end - start for start, end in (segment.sentences for segment in segments)]
    return (*score(document, lengths), len(lengths) - len(document.passages))


def cut_blindly(document: Joined, generator: np.random.Generator) -> tuple[float, float]:
    """Score as many boundaries as are right, drawn at random."""
    size = len(document.sentences)
    places = generator.choice(size - 1, size=len(document.passages) - 1, replace=False) + 1
    edges = [0, *sorted(places.tolist()), size]
    return score(document, [b - a for a, b in pairwise(edges)])


def measure_segments(folder: Path) -> dict[str, Any]:
    """Score docbats in each language, as it is and in other ways."""
    ways: dict[str, dict[str, Any]] = {
        "docbats": {},
        "without stems": {"stem": False},
        'language="en"': {"language": "en"},
    }
    results: dict[str, Any] = {}
    for source in SOURCES:
        for code, documents in join(folder, source).items():
            generator = np.random.default_rng(SEED)
            scores = {
                way: with_both(documents, **how)
                for way, how in ways.items()
                if way != 'language="en"' or code != "en"
            }
            segmenter = load_language(code).segmenter
            if segmenter is not None:
                with without_segmenter():
                    scores["without the extra"] = with_both(documents)
            scores["no boundary"] = {
                "true k": _mean(score(each, [len(each.sentences)]) for each in documents)
            }
            scores["random"] = {"true k": _mean(cut_blindly(each, generator) for each in documents)}
            sizes = [len(each.sentences) for each in documents]
            results.setdefault(source, {})[code] = {
                "sentences": round(float(np.mean(sizes)), 1),
                "passages": round(float(np.mean([len(each.passages) for each in documents])), 2),
                "scores": scores,
            }
            say(source, code, scores["docbats"])
    return results


def measure_others(folder: Path) -> dict[str, Any]:
    """Score docbats in languages that it does not know."""
    results = {}
    for code in OTHERS:
        documents = join_foreign(folder, code)
        results[code] = {
            "docbats": with_both(documents),
            'language="en"': with_both(documents, language="en"),
        }
        say(code, results[code])
    return results


@contextmanager
def without_segmenter() -> Iterator[None]:
    """Let docbats believe that no extra is installed."""
    missing = patch("docbats.text.words.is_missing", lambda _: True)
    nothing = patch("docbats.text.tokens.find_segmenter", lambda _: None)
    with missing, nothing:
        yield


def with_both(documents: list[Joined], **settings: Any) -> dict[str, dict[str, float]]:
    """Score docbats with the number of passages given, and by itself."""
    return {
        "true k": _mean(cut(each, true_k=True, **settings) for each in documents),
        "own k": _mean(cut(each, true_k=False, **settings) for each in documents),
    }


def _mean(scores: Iterator[tuple[float, ...]]) -> dict[str, float]:
    rows = np.array(list(scores))
    found = {"pk": round(float(rows[:, 0].mean()), 4), "wd": round(float(rows[:, 1].mean()), 4)}
    if rows.shape[1] > 2:
        found["k error"] = round(float(np.abs(rows[:, 2]).mean()), 2)
    return found


def detectors() -> dict[str, Callable[[str], str | None]]:
    """Our detector, and those of other libraries that are installed."""
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
    """Count how often the language of pieces of help is found, by their length."""
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
        say(name, rows["de"])
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
            pages = [_foreign(folder, code)]
        language = code if code in LANGUAGES else None
        texts = [_split(page, language) for each in pages for page in each.values()]
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


def _foreign(folder: Path, code: str) -> Pages:
    """Read what GNOME's help has in a language that is none of ours."""
    pages = SOURCES["GNOME"](folder, "en")
    english = {text for texts in pages.values() for text in texts.values()}
    return {
        page: {key: text for key, text in texts.items() if text not in english}
        for page, texts in SOURCES["GNOME"](folder, code).items()
    }


def detection_cost(folder: Path) -> dict[str, Any]:
    """Time the detectors on a text of 75 sentences, their imports, and weigh them."""
    document = next(each for each in join(folder, "GNOME")["en"] if len(each.sentences) >= 75)
    text = " ".join(document.sentences[:75])
    packages = {"py3langid": "py3langid", "lingua": "lingua-language-detector"}
    return {
        name: {
            "ms": round(1e3 * best_time(partial(detect, text)), 3),
            "import ms": round(import_time(name), 1) if name in packages else None,
            "installed MB": installed_size(packages.get(name)),
        }
        for name, detect in detectors().items()
    }


def best_time(function: Callable[[], Any], times: int = 50) -> float:
    """Give the median of the seconds that a call takes."""
    function()
    spent = []
    for _ in range(times):
        begin = time.perf_counter()
        function()
        spent.append(time.perf_counter() - begin)
    return float(np.median(spent))


def import_time(module: str) -> float:
    """Give the milliseconds that a fresh Python spends on an import, beyond numpy's."""
    program = (
        "import time, numpy\nbegin = time.perf_counter()\n"
        f"import {module}\nprint(1e3 * (time.perf_counter() - begin))"
    )
    command = [sys.executable, "-c", program]
    runs = [subprocess.run(command, capture_output=True, check=True).stdout for _ in range(5)]
    return float(np.median([float(run) for run in runs]))


def installed_size(package: str | None) -> float | None:
    """Add up the files of an installed package, in megabytes."""
    if package is None:
        return None
    try:
        files = distribution(package).files or []
    except PackageNotFoundError:
        return None
    paths = [Path(str(file.locate())) for file in files]
    return round(sum(path.stat().st_size for path in paths if path.exists()) / 1e6, 1)


Splitter = Callable[[str, str], list[str]]


def splitters() -> dict[str, Splitter]:
    """Our splitter, and those of other libraries that are installed."""
    found: dict[str, Splitter] = {
        "docbats": lambda text, code: [
            text[start:end] for start, end in split_sentences(text, load_language(code))
        ]
    }
    if find_spec("nupunkt"):
        from nupunkt import load

        found["nupunkt"] = lambda text, _: [
            text[start:end] for start, end in load("default").span_tokenize(text)
        ]
    if find_spec("sentencex"):
        sentencex: Any = import_module("sentencex")
        found["sentencex"] = lambda text, code: list(sentencex.segment(code, text))
    if find_spec("pysbd"):
        pysbd: Any = import_module("pysbd")
        languages = set(import_module("pysbd.languages").LANGUAGE_CODES)
        found["pysbd"] = lambda text, code: (
            pysbd.Segmenter(language=code, clean=False).segment(text) if code in languages else []
        )
    return found


def measure_sentences(folder: Path) -> dict[str, Any]:
    """Compare where sentences end with where they should, and time the splitting of help."""
    gold = json.loads(SENTENCES.read_text(encoding="utf-8"))
    results: dict[str, Any] = {}
    for name, split in splitters().items():
        f1 = {
            group: {code: _agreement(split, code, each) for code, each in sentences.items()}
            for group, sentences in gold.items()
        }
        results[name] = {"f1": f1, "ms": _splitting_times(folder, split)}
        say(name, f1)
    sizes = {group: {code: len(each) for code, each in gold[group].items()} for group in gold}
    return {"sentences": sizes, "results": results}


def _agreement(split: Splitter, code: str, sentences: list[str]) -> float | None:
    """Give F1 of the ends of sentences; None where the library does not know the language."""
    text = ("" if code in {"zh", "ja"} else " ").join(sentences)
    wanted, found = ends(text, sentences), ends(text, split(text, code))
    return round(2 * len(wanted & found) / (len(wanted) + len(found)), 4) if found else None


def ends(text: str, sentences: list[str]) -> set[int]:
    """Find where sentences end, white space aside."""
    places, place = set(), 0
    for sentence in sentences:
        stripped = sentence.strip()
        place = text.index(stripped, place) + len(stripped)
        places.add(place)
    return places


def _splitting_times(folder: Path, split: Splitter) -> dict[str, float]:
    """Time 100 sentences in a few languages, in milliseconds."""
    times = {}
    for code in ("en", "de", "ru", "zh"):
        sentences = [s for each in join(folder, "GNOME")[code] for s in each.sentences][:100]
        text = ("" if code == "zh" else " ").join(sentences)
        times[code] = round(1e3 * best_time(partial(split, text, code), 10), 2)
    return times


def segmenters() -> dict[str, dict[str, Segmenter]]:
    """Libraries that find the words of Chinese and of Japanese, those that are installed."""
    makers: dict[str, dict[str, tuple[str, Callable[[], Segmenter]]]] = {
        "zh": {
            "rjieba": ("rjieba", lambda: _loaded("chinese")),
            "jieba": ("jieba", lambda: import_module("jieba").lcut),
        },
        "ja": {
            "fugashi with unidic-lite": ("fugashi", lambda: _loaded("japanese")),
            "janome": ("janome", _janome),
            "sudachipy": ("sudachipy", _sudachi),
            "budoux": ("budoux", _budoux),
        },
    }
    return {
        code: {name: make() for name, (module, make) in each.items() if find_spec(module)}
        for code, each in makers.items()
    }


def _loaded(name: str) -> Segmenter:
    segmenter = find_segmenter(name)
    if segmenter is None:
        msg = f'pip install "docbats[{name}]"'
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
    """Compare the segmenters of Chinese and Japanese by the segments that follow, and by time."""
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
            with patch("docbats.text.tokens.find_segmenter", lambda _, segment=segment: segment):
                rows[name] = {source: with_both(these) for source, these in documents.items()}
            spent = best_time(partial(_each, segment, runs), 10)
            rows[name]["ms per 1,000 characters"] = round(1e6 * spent / sum(map(len, runs)), 2)
            weights = [installed_size(package) or 0 for package in sizes[name]]
            rows[name]["installed MB"] = round(sum(weights), 1)
            say(code, name, rows[name])
        results[code] = rows
    return results


def _each(segment: Segmenter, runs: list[str]) -> list[list[str]]:
    return [segment(run) for run in runs]


def segments_table(results: dict[str, Any], others: dict[str, Any]) -> str:
    """Show Pk and WindowDiff, means over both sources, or over the other languages."""
    columns = {
        "own k": ("docbats", "own k"),
        "own k, as English": ('language="en"', "own k"),
        "true k": ("docbats", "true k"),
        "true k, as English": ('language="en"', "true k"),
        "no stems": ("without stems", "true k"),
        "no extra": ("without the extra", "true k"),
        "no boundary": ("no boundary", "true k"),
        "random": ("random", "true k"),
    }
    sets = {
        name: [results[source][code]["scores"] for source in SOURCES]
        for code, name in LANGUAGES.items()
    }
    sets[f"{len(others)} other languages"] = list(others.values())
    rows = [
        [name, *(_both(scores, way, k) for way, k in columns.values())]
        for name, scores in sets.items()
    ]
    return table(["", *columns], rows)


def _both(scores: list[dict[str, Any]], way: str, k: str) -> str:
    """Give the means over several sets of documents, Pk before WindowDiff."""
    found = [each[way][k] for each in scores if way in each]
    if not found:
        return ""
    return " / ".join(
        f"{100 * np.mean([each[name] for each in found]):.1f}" for name in ("pk", "wd")
    )


def detection_table(results: dict[str, Any]) -> str:
    """Show the shares of pieces whose language was found, by their sentences."""
    shares = results["shares"]
    rows = []
    for group in [[code] for code in LANGUAGES] + [list(OTHERS)]:
        name = LANGUAGES[group[0]] if len(group) == 1 else f"{len(OTHERS)} other languages"
        cells = [
            f"{100 * np.mean([by_code[code][size] for code in group]):.1f}"
            for by_code in shares.values()
            for size in ("1", "3", "10")
        ]
        rows.append([name, *cells])
    head = ["", *(f"{name}, {size}" for name in shares for size in (1, 3, 10))]
    return table(head, rows)


def cost_table(results: dict[str, Any]) -> str:
    """Show what the detectors cost."""
    rows = [
        [name, *(("" if cost[key] is None else str(cost[key])) for key in cost)]
        for name, cost in results["cost"].items()
    ]
    return table(["", "ms a text of 75 sentences", "ms to import", "MB installed"], rows)


def sentences_table(results: dict[str, Any]) -> str:
    """Show F1 of sentence ends for each splitter, on both groups of sentences."""
    found, sizes = results["results"], results["sentences"]
    rows = [
        [
            name,
            *(
                " / ".join(_percent(found[each]["f1"][group][code]) for group in sizes)
                for each in found
            ),
        ]
        for code, name in LANGUAGES.items()
    ]
    rows.append(
        ["ms for 100 sentences of German", *(f"{found[each]['ms']['de']:.2f}" for each in found)]
    )
    return table(["", *found], rows)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f}"


def words_table(results: dict[str, Any]) -> str:
    """Show Pk with each segmenter, its speed and its size."""
    rows = [
        [
            f"{LANGUAGES[code]}: {name}",
            *(
                f"{100 * np.mean([row[s][k]['pk'] for s in SOURCES]):.1f}"
                for k in ("own k", "true k")
            ),
            str(row["ms per 1,000 characters"]),
            str(row["installed MB"]),
        ]
        for code, each in results.items()
        for name, row in each.items()
    ]
    return table(["", "own k", "true k", "ms per 1,000 characters", "MB installed"], rows)


def write_tables(results: dict[str, Any]) -> None:
    """Put the tables into the docs, between their marks."""
    text = PAGE.read_text(encoding="utf-8")
    tables = {
        "segments": segments_table(results["segments"], results["others"]),
        "detection": detection_table(results["detection"]),
        "cost": cost_table(results["detection"]),
        "sentences": sentences_table(results["sentences"]),
        "words": words_table(results["words"]),
    }
    for name, lines in tables.items():
        begin, end = (_MARKS.format(name, word) for word in ("begin", "end"))
        before, rest = text.split(begin)
        text = f"{before}{begin}\n\n{lines}\n{end}{rest.split(end)[1]}"
    PAGE.write_text(text, encoding="utf-8")


def say(*what: object) -> None:
    """Show how far we are."""
    print(*what, file=sys.stderr, flush=True)


def main() -> None:
    """Measure what was asked for, and write it beside what was measured before."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--texts", type=Path, required=True, help="folder of the help texts")
    parser.add_argument("--fetch", action="store_true", help="download the packages first")
    parser.add_argument("--part", choices=PARTS, action="append", help="measure only this")
    parser.add_argument("--tables", action="store_true", help="only write the tables of the docs")
    options = parser.parse_args()
    if options.fetch:
        fetch(options.texts)
    results = json.loads(OUTPUT.read_text()) if OUTPUT.exists() else {}
    if not options.tables:
        results["command"] = "python benchmarks/languages.py --texts FOLDER --fetch"
        results["versions"] = find_versions(*LIBRARIES)
        for part in options.part or PARTS:
            results[part] = globals()[f"measure_{part}"](options.texts)
        OUTPUT.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    if all(part in results for part in PARTS):
        write_tables(results)


if __name__ == "__main__":
    main()
