from __future__ import annotations

import json
from typing import Any

import pytest

import docbats
from docbats import Document, ReadError
from docbats.readers.read_file import read_file


def test_cells_are_read(files: Any) -> None:
    data = files.notebook(
        ("markdown", "# Bats\nThey fly."),
        ("code", "moths = 3"),
        ("markdown", "## Tea\n\nIt cools."),
    )
    read = read_file(data)
    assert read.kind == "notebook"
    assert read.text == "# Bats\nThey fly.\n\n```\nmoths = 3\n```\n\n## Tea\n\nIt cools."
    document = read.document()
    assert document.sentences == ("# Bats", "They fly.", "```\nmoths = 3", "## Tea", "It cools.")
    assert [block.kind for block in read.blocks] == [
        *("heading", "paragraph", "code", "heading", "paragraph")
    ]
    place = document.place(read.text.index("## Tea"), len(read.text))
    assert place is not None
    assert (place.under, place.headings) == (("Bats",), ("Tea",))
    assert place.to_dict() == {"cells": [3, 3]}
    assert str(place) == "cell 3"


def test_segments_know_their_cells(files: Any) -> None:
    cells = [("markdown", sentence) for sentence in [*files.bats, *files.tea]]
    cells.insert(4, ("code", "x"))
    result = docbats.analyze(Document.read(files.notebook(*cells)), k=2)
    assert [s.place.cells for s in result.segments if s.place] == [(1, 5), (6, 9)]


def test_code_and_raw_cells_are_blocks(files: Any) -> None:
    data = files.notebook(
        ("markdown", "Bats fly."), ("code", "x = 1\n```\n"), ("raw", "Raw bats.\n\nAnd tea.")
    )
    read = read_file(data)
    assert [(b.kind, read.text[b.start : b.end]) for b in read.blocks] == [
        ("paragraph", "Bats fly."),
        ("code", "````\nx = 1\n```\n````"),
        ("paragraph", "Raw bats."),
        ("paragraph", "And tea."),
    ]
    assert read.prose is not None
    assert read.prose.split() == ["Bats", "fly.", "Raw", "bats.", "And", "tea."]


def test_notebook_of_code_only_is_refused(files: Any) -> None:
    with pytest.raises(ReadError, match="a notebook without text: none of its Markdown cells"):
        read_file(files.notebook(("code", "moths = 3")))


def test_old_notebooks_are_read() -> None:
    old = {
        "nbformat": 3,
        "worksheets": [
            {"cells": [{"cell_type": "heading", "level": 2, "source": "Bats"},
                       {"cell_type": "markdown", "source": ["They ", "fly."]}]}
        ],
    }  # fmt: skip
    assert read_file(json.dumps(old).encode()).text == "## Bats\n\nThey fly."


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"nbformat": 4, "cells": [', "a broken notebook .JSONDecodeError"),
        (b'{"nbformat": 4, "cells": 3}', "a broken notebook .TypeError"),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code"}]}', "a notebook without text"),
        (b'{"nbformat": 4, "cells": ' + b"[" * 100_000, "a broken notebook"),
    ],
)
def test_broken_notebooks_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(ReadError, match=message):
        read_file(data)


def test_code_with_fences_has_a_longer_one_around_it(files: Any) -> None:
    code = "x = '''\n\n  ````\n```\n'''"
    text = read_file(files.notebook(("markdown", "# Bats"), ("code", code))).text
    assert text == f"# Bats\n\n`````\n{code}\n`````"


def test_code_of_blank_lines_is_read(files: Any) -> None:
    code = "x = 1" + " \n" * 200_000 + "y = 2"  # which would take hours in quadratic time
    assert "y = 2" in read_file(files.notebook(("markdown", "# Bats"), ("code", code))).text
