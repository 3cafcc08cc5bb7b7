"""How far an analysis walks through the code: files, and calls from one file to another.

``python benchmarks/walk.py`` traces the second analysis of an example by each preset.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docbats

if TYPE_CHECKING:
    from types import FrameType

PACKAGE = str(Path(docbats.__file__).parent)
EXAMPLE = Path(__file__).parents[1] / "examples" / "annual-report.txt"


def trace(text: str, preset: str) -> tuple[int, int]:
    """Return the number of files that an analysis passes, and of calls across files."""
    files: set[str] = set()
    calls = 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal calls
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(PACKAGE) or "<" in frame.f_code.co_name:
            return
        files.add(file)
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(PACKAGE):
            caller = caller.f_back
        calls += caller is not None and caller.f_code.co_filename != file

    sys.setprofile(note)
    try:
        docbats.analyze(text, preset=preset)
    finally:
        sys.setprofile(None)
    return len(files), calls


def main() -> None:
    """Print both numbers for each preset, once everything is loaded and cached."""
    text = EXAMPLE.read_text(encoding="utf-8")
    for preset in docbats.PRESETS:
        trace(text, preset)
        files, calls = trace(text, preset)
        print(f"{preset}: {files} files, {calls} calls from one file to another")


if __name__ == "__main__":
    main()
