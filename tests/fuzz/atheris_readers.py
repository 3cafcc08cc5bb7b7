"""Coverage-guided fuzzing of the readers, where Atheris is installed; ``make fuzz`` calls it.

Atheris looks at which lines of docbats an input reaches, and keeps those that reach new ones. It
begins with the files of the folder ``corpus``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["docbats.readers", "docbats.text"]):
    from docbats import Document
    from docbats.errors import DocbatsError

NAMES = (None, "a.md", "a.html", "a.srt", "a.vtt", "a.eml", "a.rtf", "a.ipynb", "a.txt", "a.epub")
CORPUS = Path(__file__).parent / "corpus"


def read(data: bytes) -> None:
    """Read bytes as a file whose kind the first byte decides."""
    name = NAMES[data[0] % len(NAMES)] if data else None
    try:
        Document.read(data[1:], name=name)
    except DocbatsError:
        return


def write_seeds(folder: Path) -> None:
    """Put the byte of its kind before each file of the corpus."""
    kinds = {Path(name).suffix: kind for kind, name in enumerate(NAMES) if name}
    for path in sorted(CORPUS.iterdir()):
        kind = kinds.get(path.suffix, 0)
        (folder / path.name).write_bytes(bytes([kind]) + path.read_bytes())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        write_seeds(Path(place))
        atheris.Setup([*sys.argv, place], read)
        atheris.Fuzz()
