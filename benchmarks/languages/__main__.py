"""How well docbats works in eleven languages: segments, detection, sentences and words.

The texts are the help of GNOME and of LibreOffice, which exist in all of them: `--fetch` downloads
the packages of Debian 12 and unpacks them into the folder of `--texts`. A document joins passages
of different pages, the same ones in every language, and is segmented. Detection is tried on pieces
of the same pages, sentences on sentences.json, which was written for this. Writes
benchmarks/results/languages.json and the tables of docs/languages.md.

    python -m benchmarks.languages --texts /tmp/help --fetch

Other libraries are timed beside ours where they are installed: py3langid,
lingua-language-detector, sentencex, pysbd, jieba, janome, sudachipy with sudachidict_core, budoux.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks.languages.detection import measure_detection
from benchmarks.languages.segments import measure_others, measure_segments
from benchmarks.languages.sentences import measure_sentences
from benchmarks.languages.tables import write_tables
from benchmarks.languages.texts import fetch
from benchmarks.languages.words import measure_words
from docbats.runtime import find_versions

OUTPUT = Path(__file__).parent.parent / "results" / "languages.json"

LIBRARIES = (
    "docbats", "numpy", "PyStemmer", "nupunkt", "rjieba", "fugashi", "unidic-lite", "py3langid",
    "lingua-language-detector", "sentencex", "pysbd", "jieba", "janome", "sudachipy",
    "sudachidict_core", "budoux",
)  # fmt: skip

PARTS = {
    "segments": measure_segments,
    "others": measure_others,
    "detection": measure_detection,
    "sentences": measure_sentences,
    "words": measure_words,
}


def main() -> None:
    """Measure what was asked for, and write it beside what was measured before."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--texts", type=Path, required=True, help="folder of the help texts")
    parser.add_argument("--fetch", action="store_true", help="download the packages first")
    parser.add_argument("--part", choices=list(PARTS), action="append", help="measure only this")
    parser.add_argument("--tables", action="store_true", help="only write the tables of the docs")
    options = parser.parse_args()
    if options.fetch:
        fetch(options.texts)
    results = json.loads(OUTPUT.read_text()) if OUTPUT.exists() else {}
    if not options.tables:
        results["command"] = "python -m benchmarks.languages --texts FOLDER --fetch"
        results["versions"] = find_versions(*LIBRARIES)
        for part in options.part or PARTS:
            results[part] = PARTS[part](options.texts)
        OUTPUT.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    if all(part in results for part in PARTS):
        write_tables(results)


if __name__ == "__main__":
    main()
