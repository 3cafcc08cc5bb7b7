"""How far an analysis walks through the code, and how much of it there is.

``python benchmarks/walk.py`` traces the second analysis of an example by each preset: the files
that it visits, and the calls from one file to another. It counts the files of the engine, which are
all that an analysis loads, the modules that ``import docbats`` loads, and the files and lines of
docbats and of its laboratory. ``--list`` names the files, and ``--check`` fails if an analysis
visits or loads more of them than the limits allow.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docbats

if TYPE_CHECKING:
    from types import FrameType

PACKAGE = Path(docbats.__file__).parent
ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "annual-report.txt"
LIMITS = {"sharp": 30, "paper": 26, "engine": 50, "import docbats": 60}


def trace(text: str, preset: str) -> tuple[list[str], int]:
    """Return the files that an analysis visits, and the number of calls across files."""
    package, files, calls = str(PACKAGE), set(), 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal calls
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(package) or "<" in frame.f_code.co_name:
            return
        files.add(str(Path(file).relative_to(PACKAGE)))
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(package):
            caller = caller.f_back
        calls += caller is not None and caller.f_code.co_filename != file

    sys.setprofile(note)
    try:
        result = docbats.analyze(text, preset=preset)
        _ = result.topics, result.segments[0].title, result.choice and result.choice.reason
    finally:
        sys.setprofile(None)
    return sorted(files), calls


def loaded_modules(code: str) -> list[str]:
    """Return our modules that a fresh Python has loaded once it has run `code`."""
    shown = "import sys; print(*(name for name in sys.modules if name.startswith('docbats')))"
    command = [sys.executable, "-c", f"{code}; {shown}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return sorted(done.stdout.split())


def count_lines(folder: Path) -> str:
    """Return how many Python files a folder holds, and how many lines they have."""
    files = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
    return f"{len(files)} files, {sum(text.count(chr(10)) for text in files):,} lines"


def main() -> None:
    """Print the numbers, once everything is loaded and cached."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 above the limits")
    parser.add_argument("--list", action="store_true", help="name the files and modules")
    options = parser.parse_args()
    text = EXAMPLE.read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for preset in docbats.PRESETS:
        trace(text, preset)
        found[preset], calls = trace(text, preset)
        print(f"{preset}: {len(found[preset])} files, {calls} calls from one file to another")
    # The package offers chunks, too, which no analysis needs.
    source = f"open({str(EXAMPLE)!r}, encoding='utf-8').read()"
    run = f"import docbats; docbats.analyze({source}).describe()"
    found["engine"] = [name for name in loaded_modules(run) if ".chunks" not in name]
    found["import docbats"] = loaded_modules("import docbats")
    for name in ("engine", "import docbats"):
        print(f"{name}: {len(found[name])} modules")
    for folder in ("src/docbats", "lab/docbats_lab"):
        print(f"{folder}: {count_lines(ROOT / folder)}")
    for name, names in found.items() if options.list else ():
        print(f"\n{name}:", *names, sep="\n  ")
    beyond = [f"{name} {limit}" for name, limit in LIMITS.items() if len(found[name]) > limit]
    if options.check and beyond:
        sys.exit(f"beyond the limits: {', '.join(beyond)}")


if __name__ == "__main__":
    main()
