"""Coverage-guided fuzzing of the readers, where Atheris is installed; ``make fuzz`` calls it.

Atheris looks at which lines of docbats an input reaches, and keeps those that reach new ones.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["docbats.readers", "docbats.text"]):
    from docbats import Document
    from docbats.errors import DocbatsError

NAMES = (None, "a.md", "a.html", "a.srt", "a.vtt", "a.eml", "a.rtf", "a.ipynb", "a.txt")


def read(data: bytes) -> None:
    """Read bytes as a file whose kind the first byte decides."""
    name = NAMES[data[0] % len(NAMES)] if data else None
    try:
        Document.read(data[1:], name=name)
    except DocbatsError:
        return


if __name__ == "__main__":
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()
