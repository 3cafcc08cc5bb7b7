"""OpenDocument texts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.readers.blocks_found import found_blocks

from docbats import ReadError
from docbats.readers.read_file import read_file


def test_opendocument_text(files: Any) -> None:
    styles = (
        '<style:style style:name="P1" style:family="paragraph" '
        'style:parent-style-name="Preformatted_20_Text"/>'
        '<style:style style:name="P2" style:family="paragraph" '
        'style:parent-style-name="Quotations"/>'
    )
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    row = "<table:table-row>{}</table:table-row>"
    body = (
        "<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>"
        "<text:table-of-content><text:index-body><text:p>Bats 1</text:p></text:index-body>"
        "</text:table-of-content>"
        '<text:h text:outline-level="2">1.2 Bats</text:h>'
        '<text:p>They <text:span>fly</text:span>.<text:s text:c="2"/>High<text:ruby-text><text:p>x'
        "</text:p></text:ruby-text><text:line-break/>up.</text:p>"
        "<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>two"
        "</text:p></text:list-item></text:list></text:list-item></text:list>"
        '<text:p text:style-name="P1">a = 1</text:p><text:p text:style-name="P1">b = 2</text:p>'
        '<text:p text:style-name="P2">Said so.</text:p>'
        f"<table:table>{row.format(cell.format('cup') + cell.format('big'))}</table:table>"
        "<text:bibliography><text:p>Lee 2020</text:p></text:bibliography>"
    )
    read = read_file(files.odt(body, styles))
    assert read.kind == "odt"
    assert found_blocks(read) == [
        ("contents", None, "Bats 1"),
        ("heading", 2, "1.2 Bats"),
        ("paragraph", None, "They fly.  High\nup."),
        ("list_item", 1, "one"),
        ("list_item", 2, "two"),
        ("code", None, "a = 1\nb = 2"),
        ("quote", None, "Said so."),
        ("table", None, "cup\tbig"),
        ("references", None, "Lee 2020"),
    ]
    assert (read.blocks[1].number, read.blocks[1].title) == ("1.2", "Bats")


def test_encrypted_opendocument_is_refused(files: Any) -> None:
    manifest = (
        "<m:manifest xmlns:m='x'><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>"
    )
    data = files.odt("<text:p>Bats</text:p>", **{"META-INF/manifest.xml": manifest})
    with pytest.raises(ReadError, match="encrypted: open it and save it without a password"):
        read_file(data)


def test_opendocument_without_text_is_refused(files: Any) -> None:
    with pytest.raises(ReadError, match="a document without text"):
        read_file(files.odt("<text:p/>"))


def test_notes_follow_the_text(files: Any) -> None:
    def note(kind: str, *paragraphs: str) -> str:
        body = "".join(f"<text:p>{text}</text:p>" for text in paragraphs)
        return (
            f'<text:note text:note-class="{kind}"><text:note-citation>i</text:note-citation>'
            f"<text:note-body>{body}</text:note-body></text:note>"
        )

    read = read_file(
        files.odt(
            f'<text:h text:outline-level="1">Bats{note("footnote", "They fly.")}</text:h>'
            f"<text:p>Moths{note('footnote', 'Some', 'not all.')} hide{note('endnote', ' ')}."
            "</text:p><table:table><table:table-row><table:table-cell>"
            f"<text:p>a{note('endnote', 'End.')}</text:p></table:table-cell>"
            "<table:table-cell><text:p>b</text:p></table:table-cell>"
            "</table:table-row></table:table>"
        )
    )
    assert [(block.kind, read.text[block.start : block.end]) for block in read.blocks] == [
        ("heading", "Bats"),
        ("paragraph", "Moths [2] hide."),
        ("table", "a [3]\tb"),
        ("references", "[1] They fly."),
        ("references", "[2] Some"),
        ("references", "not all."),
        ("references", "[3] End."),
    ]
