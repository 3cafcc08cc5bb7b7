"""Which texts are read as Markdown."""

from __future__ import annotations

import pytest

from docbats import Document
from docbats.text.markup import looks_like_markdown

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"


@pytest.mark.parametrize(
    "text",
    [
        "# Bats\n\nThey fly.\n",
        "They fly.\n\n## Food\n\nMoths.\n\n## Sleep\n\nBy day.\n",
        "They fly.\n\n## Food\nMoths.\n\n## Sleep\nBy day.\n",
        "# Bats\nThey fly.\n## Food\nMoths.\n",
        "Run it:\n\n```\nbats\n```\n",
        "Run:\n~~~~\nbats\n~~~~\nand\n\n~~~~~~\nmoths()\n~~~~~~\n",
        f"In short:\n\n{TABLE}",
    ],
)
def test_markdown(text: str) -> None:
    assert looks_like_markdown(text)
    document = Document.of(text)
    assert document.text == text
    assert {block.kind for block in document.blocks} & {"heading", "code", "table"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Bats fly.",
        "# bats\nx = 1\n",
        "Bats\n====\n\nThey fly.\n",
        "#bats #night\n\nBats.",
        "Bats\n~~~~\n\nThey fly.\n\nFood\n~~~~\n\nMoths.\n",  # underlined
        "Bats at night\n`````````````\nThey fly.\n\nTheir food\n``````````\nMoths.\n",
        "Twice:\n\n# first\nprint(1)\n\n# second\nprint(2)\n",  # comments in code
        "Set up.\n\n# Make an engine:\n\nengine()\n\n# Then use it.\n\nrun()\n",
    ],
)
def test_not_markdown(text: str) -> None:
    assert not looks_like_markdown(text)


@pytest.mark.parametrize("text", ["# Bats\r\n\r\nThey fly.\r\n", "# Bats\n\nThey \ud800 fly.\n"])
def test_offsets_refer_to_the_text(text: str) -> None:
    assert Document.of(text).text == text


def test_sentences_and_documents_are_not_changed() -> None:
    document = Document.from_text("Bats fly.")
    assert Document.of(document) is document
    assert Document.of(["Bats fly.", "Bats sleep."]).text == "Bats fly.\nBats sleep."
    assert len(Document.of("# a\n\nb c\nd", sentences="lines")) == 3
