"""Info files of GNU manuals."""

from __future__ import annotations

import pytest
from tests.growth import takes_linear_time

from docbats import Document
from docbats.readers.content import show_references

BATS = "Bats hunt at night. They hear the walls of the cave, and the moths near them.\n\n"
FILE = (
    "This is bats.info, produced by makeinfo.\n\n"
    f"\x1f\nFile: bats.info,  Node: Top,  Up: (dir)\n\nBats\n****\n\n{BATS}* Menu:\n\n* Food::\n\n"
    f"\x1f\nFile: bats.info,  Node: Food,  Up: Top\n\n1 Food\n******\n\n"
    "They eat moths (*note Moths::).\n\n"
    f"\x1f\nFile: bats.info,  Node: Moths,  Up: Top\n\n2 Moths\n*******\n\n{BATS}"
    "\x1f\nFile: bats.info,  Node: Index,  Up: Top\n\nIndex\n*****\n\n"
    "\x00\b[index\x00\b]\n* Menu:\n\n"
    "* moths:     Food.     (line 3)\n"
)


def test_an_info_file_is_text_despite_its_zero_bytes() -> None:
    document = Document.read(FILE.encode(), name="bats.info")
    found = [block.heading for block in document.blocks if block.kind == "heading"]
    assert found == ["Bats", "1 Food", "2 Moths", "Index"]
    assert "\x00" not in document.text
    assert "(see Moths)" in document.text


def test_references_are_shown_as_info_does() -> None:
    node = "File: x.info,  Node: Top\n\n"
    assert show_references(f"{node}In *note Bats::, and *note Tea\ncups::.") == (
        f"{node}In Bats, and Tea\ncups."
    )
    assert show_references("In *note Bats::.") == "In *note Bats::."  # not an Info file


@pytest.mark.parametrize("text", ["*note a ", "*note a:", "( ", "*note a: b "])
def test_much_of_the_same_takes_linear_time(text: str) -> None:
    node = "File: x.info,  Node: Top\n\n"
    assert takes_linear_time(lambda size: show_references(node + text * size), 500)
