"""Where chunks and segments are on the pages of a PDF, seen in pictures of the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.sample_files import BATS, TEA, Files, PdfLine

import docbats
from docbats.places import Box

if TYPE_CHECKING:
    from numpy.typing import NDArray

pytest.importorskip("pypdfium2")
SCALE = 4  # pixels of the picture for a point
SLACK = 2.5  # points around the ink that a box may leave


def _ink(data: bytes, number: int) -> NDArray[np.bool_]:
    """Return which pixels of a page are dark."""
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    picture = document[number - 1].render(scale=SCALE).to_numpy()
    dark: NDArray[np.bool_] = picture.min(axis=2) < 128
    document.close()
    return dark


def _edges(dark: NDArray[np.bool_]) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom edge of the ink, in points."""
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    return tuple(  # type: ignore[return-value]
        float(v) / SCALE for v in (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)
    )


def _cut(dark: NDArray[np.bool_], box: Box) -> NDArray[np.bool_]:
    left, top, right, bottom = (round(SCALE * v) for v in box[1:])
    return dark[max(0, top) : bottom, max(0, left) : right]


def _two_columns() -> bytes:
    left = [PdfLine(text, 700 - 14 * i) for i, text in enumerate(BATS)]
    right = [PdfLine(text, 700 - 14 * i, x=330) for i, text in enumerate(TEA)]
    return Files().pdf([[PdfLine("On bats and tea", 760, 16), *left, *right]])


def _turned(angle: int) -> bytes:
    data = Files().pdf([[PdfLine(text, 700 - 14 * i) for i, text in enumerate(BATS)]])
    # As long as before, so that all offsets stay.
    return data.replace(b"/MediaBox[0 0 595 842]", b"/Rotate %d/MediaBox[0 0 595 842]" % angle)


def _cropped() -> bytes:
    data = Files().pdf([[PdfLine(text, 700 - 14 * i) for i, text in enumerate(BATS)]])
    return data.replace(b"/MediaBox[0 0 595 842]", b"/MediaBox[0 0 595 842]/CropBox[50 90 500 790]")


DOCUMENTS = {
    "paper": Files().paper(),
    "columns": _two_columns(),
    **{f"turned {angle}": _turned(angle) for angle in (90, 180, 270)},
    "cropped": _cropped(),
}


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("size", [60, 1000])
def test_boxes_are_drawn_around_the_words(name: str, size: int) -> None:
    """Each box is tight around ink, and together they cover all ink that was read."""
    data = DOCUMENTS[name]
    chunks = docbats.chunk(docbats.Document.read(data), size)
    boxes = [box for chunk in chunks if chunk.place for box in chunk.place.boxes]
    assert boxes
    for page in {box.page for box in boxes}:
        dark = _ink(data, page)
        height, width = (n / SCALE for n in dark.shape)
        rest = dark.copy()
        for box in (box for box in boxes if box.page == page):
            assert 0 <= box.left < box.right <= width
            assert 0 <= box.top < box.bottom <= height
            left, top, right, bottom = _edges(_cut(dark, box))
            assert max(left, top) <= SLACK
            assert max(box.right - box.left - right, box.bottom - box.top - bottom) <= 2 * SLACK
            x0, y0, x1, y1 = (round(SCALE * v) for v in box[1:])
            rest[y0 - SCALE : y1 + SCALE, max(0, x0 - SCALE) : x1 + SCALE] = False
        if name == "paper":  # its running headers and page numbers are not read
            rest[: 50 * SCALE], rest[-50 * SCALE :] = False, False
        assert not rest.any()


def test_each_chunk_has_its_own_lines() -> None:
    document = docbats.Document.read(DOCUMENTS["columns"])
    starts = [document.text.index(TEA[0])]
    first, second = docbats.analyze(document, boundaries=starts).segments
    assert first.place is not None
    assert second.place is not None
    assert first.place.pages == second.place.pages == (1, 1)
    assert max(box.right for box in first.place.boxes) < 330
    assert min(box.left for box in second.place.boxes) >= 328


def test_boxes_are_in_the_output() -> None:
    chunk = docbats.chunk(docbats.Document.read(DOCUMENTS["columns"]), 1000)[0]
    assert chunk.place is not None
    assert chunk.to_dict()["boxes"] == [list(box) for box in chunk.place.boxes]
    assert all(box.page == 1 for box in chunk.place.boxes)
    result = docbats.analyze(docbats.Document.read(DOCUMENTS["paper"]), k=3)
    assert [s["place"]["boxes"][0][0] for s in result.to_dict()["segments"]] == [1, 2, 3]
    assert docbats.chunk("Bats fly.")[0].place is None


def test_lines_are_joined_if_they_are_close() -> None:
    box = Box(1, 70, 100, 200, 110)
    assert box.joined(Box(1, 60, 114, 190, 124)) == Box(1, 60, 100, 200, 124)
    assert box.joined(Box(1, 70, 140, 200, 150)) is None  # far below
    assert box.joined(Box(1, 300, 114, 400, 124)) is None  # beside it
    assert box.joined(Box(2, 70, 114, 200, 124)) is None
    assert box.joined(Box(1, 70, 20, 200, 30)) is None  # above it


def test_a_table_stays_together() -> None:
    cells = [
        ("name", "food", "age"),
        ("Pip", "moths", "3"),
        ("Ann", "tea", "30"),
        ("Bo", "fish", "9"),
    ]
    rows = [
        PdfLine(cell, 700 - 14 * i, x=72 + 150 * j)
        for i, row in enumerate(cells)
        for j, cell in enumerate(row)
    ]
    text = [PdfLine(sentence, 780 - 14 * i) for i, sentence in enumerate(BATS)]
    document = docbats.Document.read(Files().pdf([[*text, *rows]]))
    assert "table" in [block.kind for block in document.blocks]
    (whole,) = (c for c in docbats.chunk(document, 130) if "Pip" in c.text)
    assert whole.text == "\n".join("\t".join(row) for row in cells)
