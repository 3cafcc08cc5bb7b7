"""What is written of a transcript: chapters, captions with titles, minutes."""

from __future__ import annotations

import json
import re

import pytest

import docbats
from docbats import Document, InputError, Result
from docbats.readers.read_file import read_file
from docbats.render.chapters import FORMATS, chapters

SAID = [
    ("Ann", "Bats hunt moths by night. Do you hear the moths?"),
    ("Ben", "I hear bats. The bats follow the moths, and the moths dive."),
    ("Ann", "A bat eats many moths in a night, I think."),
    ("Ben", "Tea needs hot water. You know that hot tea cools in the cup."),
    ("Ann", "A cup of tea wants fresh water. I like green tea."),
    ("Ben", "Green tea wants cooler water, and the cup must be warm."),
    ("Ann", "The ferry crosses the harbour. Ships wait outside the harbour for the tide."),
    ("Ben", "The tide lifts the ships and the ferry, as you see."),
    ("Ann", "No ship enters the harbour at low tide; I saw the ferry wait."),
]
OTTER = "\n\n".join(f"{name}  0:{6 * i:02}\n{said}" for i, (name, said) in enumerate(SAID))


def result_of(text: str = OTTER, k: int = 3) -> Result:
    return docbats.analyze(Document.of(text), k=k)


@pytest.mark.parametrize("format_", [name for name in FORMATS if name != "minutes"])
def test_formats_need_times(format_: str) -> None:
    text = "\n\n".join(f"{name}: {said}" for name, said in SAID)
    with pytest.raises(InputError, match="chapters need times, and this document has none"):
        FORMATS[format_](result_of(text))


def test_pasted_transcripts_have_chapters() -> None:
    result = result_of()
    times = [(chapter.begins, chapter.ends) for chapter in chapters(result)]
    assert times == [(0, 18), (18, 36), (36, 48)]
    assert FORMATS["youtube"](result).startswith("0:00 ")


def test_chapters_of_podcasts_are_json() -> None:
    result = result_of()
    values = json.loads(FORMATS["podcast"](result))
    assert values["version"] == "1.2.0"
    assert [(c["startTime"], c["endTime"], c["title"]) for c in values["chapters"]] == [
        (chapter.begins, chapter.ends, chapter.title) for chapter in chapters(result)
    ]


def test_chapters_for_ffmpeg_have_their_signs_escaped() -> None:
    text = "\n\n".join(["# a=b;c\\d #e", *(f"**{n}** [00:0{i}]: {s}" for i, (n, s) in
                                          enumerate(SAID))])  # fmt: skip
    written = FORMATS["ffmetadata"](result_of(text, k=1))
    assert written.startswith(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=8000\ntitle=")
    title = written.rstrip("\n").rpartition("title=")[2]
    assert not re.search(r"(?<!\\)[=;#]", title)
    assert re.sub(r"\\(.)", r"\1", title) == chapters(result_of(text, k=1))[0].title


def test_captions_have_titles_and_names_and_can_be_read_again() -> None:
    result = result_of()
    written = FORMATS["srt"](result)
    titles = [f"[{chapter.title}]" for chapter in chapters(result)]
    assert [line for line in written.splitlines() if line.startswith("[")] == titles
    again = read_file(written.encode())
    assert again.kind == "srt"
    assert [(block.speaker, block.seconds) for block in again.blocks] == [
        (block.speaker, block.seconds) if block.seconds != (48, 48) else ("Ann", (48, 48.001))
        for block in result.document.blocks
    ]
    assert (again.prose or "").split() == (result.document.prose or "").split()


def test_minutes_say_when_who_and_what() -> None:
    written = FORMATS["minutes"](result_of())
    assert written.startswith("# Minutes\n\nSpeakers: Ann (")
    assert [line for line in written.splitlines() if " · " in line] == [
        "0:00-0:18 · Ann, Ben",
        "0:18-0:36 · Ben, Ann",
        "0:36-0:48 · Ann, Ben",
    ]
    assert written.count("\n## ") == 3


def test_minutes_need_neither_times_nor_names() -> None:
    written = FORMATS["minutes"](result_of(" ".join(said for _, said in SAID)))
    assert written.startswith("# Minutes\n\n## 1\\. ")
    assert " · " not in written


def test_markup_in_names_is_escaped_in_minutes() -> None:
    text = OTTER.replace("Ann ", "*Ann* ").replace("Ben  ", "Ben O'Neil-Lee  ")
    assert "Ben O'Neil\\-Lee" in FORMATS["minutes"](result_of(text))
