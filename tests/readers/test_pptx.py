"""Presentations."""

from __future__ import annotations

from typing import Any

import pytest
from tests.readers.blocks_found import found_blocks

from docbats import ReadError
from docbats.readers.read_file import read_file


def test_slides_are_sections(files: Any) -> None:
    table = (
        "<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>cup</a:t></a:r></a:p>"
        "</a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>big</a:t></a:r></a:p></a:txBody></a:tc>"
        "</a:tr></a:tbl></p:graphicFrame>"
    )
    slides = [
        files.shape("Moths dive.", placeholder="body") + files.shape("Bats", placeholder="title"),
        files.shape("No title here.") + files.shape("7", placeholder="sldNum"),
        "",
        files.shape("Hot", "tea", placeholder="ctrTitle") + table,
    ]
    notes = (
        '<p:notes xmlns:p="x" xmlns:a="y"><p:sp><p:nvPr><p:ph type="body"/></p:nvPr>'
        "<a:p><a:r><a:t>Say this.</a:t></a:r></a:p></p:sp></p:notes>"
    )
    links = (
        '<Relationships><Relationship Id="n" Type="x/notesSlide" Target="../notes/n1.xml"/>'
        "</Relationships>"
    )
    extra = {"ppt/slides/_rels/slide0.xml.rels": links, "ppt/notes/n1.xml": notes}
    read = read_file(files.pptx(slides, **extra))
    assert read.kind == "pptx"
    assert found_blocks(read) == [
        ("heading", 1, "Bats"),
        ("list_item", 1, "Moths dive."),
        ("paragraph", None, "Say this."),
        ("paragraph", None, "No title here."),
        ("heading", 1, "Hot tea"),
        ("table", None, "cup\tbig"),
    ]
    document = read.document()
    places = [document.place(block.start, block.end) for block in read.blocks]
    assert [place.pages for place in places if place] == [(1, 1)] * 3 + [(2, 2)] + [(4, 4)] * 2
    assert places[3] is not None
    assert places[3].under == ("Bats",)


def test_hidden_slides_are_not_read(files: Any) -> None:
    data = files.pptx(
        [files.shape("Bats fly."), ""],
        **{
            "ppt/slides/slide1.xml": (
                '<p:sld xmlns:p="p" xmlns:a="a" show="0"><p:sp><a:p><a:r><a:t>Secret</a:t></a:r>'
                "</a:p></p:sp></p:sld>"
            )
        },
    )
    assert read_file(data).text == "Bats fly."


def test_presentation_without_text_is_refused(files: Any) -> None:
    with pytest.raises(ReadError, match="a presentation without text"):
        read_file(files.pptx([""]))
