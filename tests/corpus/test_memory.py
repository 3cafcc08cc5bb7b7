from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

MEGABYTES = 200
CODE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import faults
from docbats.corpus import run
summary = run(sys.argv[2], sys.argv[3], engine=faults.EchoEngine)
lines = Path("/proc/self/status").read_text().splitlines()
print(summary.documents, *(line.split()[1] for line in lines if line.startswith("VmHWM")))
"""


def test_the_parent_stays_small_however_large_the_input_is(tmp_path: Path) -> None:
    text = "A bat hunts a moth. " * 500
    count = MEGABYTES * 1_000_000 // len(text)
    with (tmp_path / "in.jsonl").open("w") as file:
        file.writelines(json.dumps({"text": text}) + "\n" for _ in range(count))
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", CODE, here, str(tmp_path / "in.jsonl"), str(tmp_path / "out")],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    documents, kilobytes = map(int, done.stdout.split())
    assert documents == count
    assert kilobytes < 200_000
