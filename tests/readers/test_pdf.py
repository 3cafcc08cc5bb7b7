from __future__ import annotations

import io
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pypdf
import pytest
from tests.sample_files import PdfLine

import docbats
from docbats import Document, MissingExtraError, ReadError
from docbats.blocks import check_blocks
from docbats.readers.parsers.pdf_file import join_pages, read_pdf
from docbats.readers.parsers.pdf_line import Line
from docbats.readers.parsers.pdf_running_lines import drop_running_lines
from docbats.readers.read_file import read_file
from docbats.render.bookmarks import add_bookmarks

if TYPE_CHECKING:
    from pathlib import Path

    from docbats.readers.file_text import FileText


def _joined(*pages: list[str]) -> str:
    """Join pages of lines of one size, without gaps."""
    lines = [[Line(text, 800 - 12 * i, 10) for i, text in enumerate(page)] for page in pages]
    return join_pages(lines).text


def test_what_stands_on_every_page_is_dropped(files: Any) -> None:
    text = read_file(files.paper()).text
    assert text.split("\n\n") == [
        *("On bats", " ".join(files.bats)),
        *("On tea", " ".join(files.tea)),
        *("On ships", " ".join(files.ships)),
    ]


def test_segments_know_their_pages(files: Any) -> None:
    result = docbats.analyze(Document.read(files.paper()), k=3)
    assert [segment.place.pages for segment in result.segments if segment.place] == [
        (1, 1),
        (2, 2),
        (3, 3),
    ]
    segments = result.to_dict()["segments"]
    assert [segment["place"] for segment in segments] == [{"pages": [n, n]} for n in (1, 2, 3)]


def test_every_sentence_is_on_its_page(files: Any) -> None:
    document = Document.read(files.paper())
    pages = [["On bats", *files.bats], ["On tea", *files.tea], ["On ships", *files.ships]]
    for sentence, (start, end) in zip(document.sentences, document.spans.tolist(), strict=True):
        place = document.place(start, end)
        assert place is not None
        assert place.pages is not None
        assert sentence in pages[place.pages[0] - 1]


def test_pages_that_differ_only_in_their_number_are_headers() -> None:
    pages = [[Line(f"12 May {n} / 9", 800, 9), Line(f"Text {'abc'[n]}.", 400, 9)] for n in range(3)]
    assert [[line.text for line in page] for page in drop_running_lines(pages)] == [
        ["Text a."],
        ["Text b."],
        ["Text c."],
    ]


def test_headings_that_are_counted_otherwise_than_pages_stay() -> None:
    pages = [[Line(f"Chapter {n * n + 3}", 800, 9), *_body(n)] for n in range(5)]
    kept = drop_running_lines(pages)
    assert [page[0].text for page in kept] == [f"Chapter {n * n + 3}" for n in range(5)]


def _body(n: int) -> list[Line]:
    words = ("oak", "elm", "ash", "fir", "yew", "box", "bay", "fig")
    return [
        Line(f"The {word} of row {'abcde'[n]}.", 700 - 12 * i, 9) for i, word in enumerate(words)
    ]


def test_words_broken_at_line_ends_are_whole_again() -> None:
    assert _joined(["A signifi-", "cant bat."]) == "A significant bat."
    assert _joined(["A signifi\u00ad", "cant bat."]) == "A significant bat."
    assert _joined(["A well-", "known bat, a well-known moth."]).startswith("A well-known bat")
    assert _joined(["The Franco-", "German bat."]) == "The Franco-German bat."
    assert _joined(["One signifi-"], ["cant bat."]) == "One significant bat."


def test_sentences_go_on_over_the_page() -> None:
    assert _joined(["A bat that"], ["flies."]) == "A bat that flies."
    assert _joined(["A bat flies."], ["It sleeps."]) == "A bat flies.\n\nIt sleeps."


def test_larger_letters_and_gaps_part_paragraphs() -> None:
    lines = [
        Line("Heading", 800, 14),
        *(Line(f"Line {i}", 780 - 12 * i, 10) for i in range(4)),
        Line("After a gap", 715, 10),
    ]
    assert join_pages([lines]).text == "Heading\n\nLine 0 Line 1 Line 2 Line 3\n\nAfter a gap"


def test_page_starts_never_run_backwards() -> None:
    page = [Line("bat.", 800, 10)]
    joined = join_pages([page, [], page, []])
    starts = _page_starts(joined)
    assert starts == sorted(starts)
    assert joined.text[starts[2] :].startswith("bat.")
    broken = join_pages([[Line("signifi-", 800, 10)], [], [Line("cant", 800, 10)]])
    assert _page_starts(broken) == [0, 7, 7]


def _page_starts(read: FileText) -> list[int]:
    assert read.places is not None
    return [page.start for page in read.places.pages]


def _encrypted(data: bytes, user: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(user_password=user, owner_password="owner", algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_password_is_asked_for(files: Any) -> None:
    with pytest.raises(ReadError, match=r"encrypted: remove its password first.*qpdf --decrypt"):
        read_file(_encrypted(files.paper(), "secret"))


def test_file_that_only_forbids_changes_is_read(files: Any) -> None:
    assert read_file(_encrypted(files.paper(), "")).text == read_file(files.paper()).text


@pytest.mark.parametrize("damage", ["xref", "half", "header", "zeros", "noise"])
def test_broken_files_are_read_or_refused_in_plain_words(files: Any, damage: str) -> None:
    whole = files.paper()
    data = {
        "xref": whole.replace(b"startxref\n", b"startxref\n9"),
        "half": whole[: len(whole) // 2],
        "header": b"%PDF-1.4\n",
        "zeros": b"%PDF-1.4\n" + bytes(1000),
        "noise": whole.replace(b"/Type", b"/Tpye").replace(b"/Kids", b"/Dads"),
    }[damage]
    try:
        assert "moths" in read_file(data).text
    except ReadError as error:
        assert str(error).startswith("the file: a ")  # noqa: PT017
        assert "first" in str(error)  # noqa: PT017


def test_scanned_pages_are_refused(files: Any) -> None:
    with pytest.raises(ReadError, match="without text, perhaps scanned: recognize its text first"):
        read_file(files.pdf([[], []]))


def test_missing_pypdfium2_says_how_to_get_it(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(MissingExtraError, match=r'pip install "docbats\[files\]"'):
        read_file(files.paper())


def test_too_many_pages_are_refused(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docbats.readers.parsers.pdf_document.MAX_PAGES", 2)
    with pytest.raises(ReadError, match="3 pages, more than 2: split it first"):
        read_file(files.paper())


def test_reading_needs_no_second_file(files: Any, tmp_path: Path) -> None:
    path = tmp_path / "paper.bin"
    path.write_bytes(files.paper())
    assert read_file(path).kind == "pdf"
    assert [p.name for p in tmp_path.iterdir()] == ["paper.bin"]


BODY = "Bats hunt moths over the river at night, and the moths dive when they hear them call."


def _read(files: Any, *pages: list[PdfLine]) -> FileText:
    return read_pdf(files.pdf(list(pages)))


def _shown(read: FileText, *kinds: str) -> list[tuple[str, str]]:
    """Return kinds and texts of the blocks, and see that they hold what all blocks must."""
    check_blocks(read.blocks, len(read.text))
    assert read.prose is not None
    assert len(read.prose) == len(read.text)
    outside = list(read.text)
    for block in read.blocks:
        outside[block.start : block.end] = " " * (block.end - block.start)
        if not block.is_prose:
            assert not read.prose[block.start : block.end].strip()
    assert not "".join(outside).strip()
    return [
        (block.kind, read.text[block.start : block.end])
        for block in read.blocks
        if not kinds or block.kind in kinds
    ]


def _paragraph(y: float, n: int = 3, x: float = 72) -> list[PdfLine]:
    return [PdfLine(BODY, y - 14 * i, x=x) for i in range(n)]


def _with_bookmarks(data: bytes, *bookmarks: tuple[str, int, int]) -> bytes:
    """Add bookmarks: titles, pages, and the number of the bookmark that each is under."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    items: list[Any] = [None]
    for title, page, parent in bookmarks:
        items.append(writer.add_outline_item(title, page, items[parent]))
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_bookmarks_name_the_headings(files: Any) -> None:
    pages = [
        [PdfLine("Chapter 1", 760), PdfLine("On bats", 740), *_paragraph(700)],
        [PdfLine("1.1 What they eat at", 760), PdfLine("night", 746), *_paragraph(700)],
    ]
    marks = (("1. On bats", 0, 0), ("What they eat at night", 1, 1), ("Not there", 1, 1))
    read = read_pdf(_with_bookmarks(files.pdf(pages), *marks))
    assert _shown(read, "heading") == [
        ("heading", "Chapter 1 On bats"),
        ("heading", "1.1 What they eat at night"),
    ]
    first, second = (block for block in read.blocks if block.kind == "heading")
    assert (first.level, first.number, first.title) == (1, "Chapter 1", "On bats")
    assert (second.level, second.number, second.title) == (2, "1.1", "What they eat at night")
    assert first.is_certain
    assert second.is_certain
    assert read.places is not None
    assert [heading.level for heading in read.places.headings] == [1, 2]


def test_larger_and_bolder_lines_are_uncertain_headings(files: Any) -> None:
    lines = [
        PdfLine("2 On bats", 760, 18),
        *_paragraph(720),
        PdfLine("What they eat", 650, font="Helvetica-Bold"),
        *_paragraph(630),
        PdfLine("Note:", 560, font="Helvetica-Bold"),
        *_paragraph(540),
        PdfLine("This sentence is bold, but no heading.", 470, font="Helvetica-Bold"),
        *_paragraph(450),
    ]
    read = _read(files, lines)
    _shown(read)
    headings = [block for block in read.blocks if block.kind == "heading"]
    assert [(h.level, h.number, h.title) for h in headings] == [
        (1, "2", "On bats"),
        (2, None, "What they eat"),
    ]
    assert not any(heading.is_certain for heading in headings)
    assert read.places is not None
    assert not read.places.headings


def test_list_items_and_their_levels(files: Any) -> None:
    lines = [
        *_paragraph(760),
        PdfLine("• A bat", 700, x=80),
        PdfLine("with long ears", 686, x=90),
        PdfLine("- a moth", 672, x=100),
        PdfLine("• Tea", 658, x=80),
        *_paragraph(620),
        PdfLine("1. First the water.", 560, x=80),
        PdfLine("2. Then the tea.", 546, x=80),
    ]
    read = _read(files, lines)
    assert _shown(read, "list_item") == [
        ("list_item", "• A bat with long ears"),
        ("list_item", "- a moth"),
        ("list_item", "• Tea"),
        ("list_item", "1. First the water."),
        ("list_item", "2. Then the tea."),
    ]
    levels = [block.level for block in read.blocks if block.kind == "list_item"]
    assert levels == [1, 2, 1, 1, 1]
    assert read.prose is not None
    assert "•" not in read.prose
    assert "1." not in read.prose


def test_a_number_that_begins_a_line_is_no_list(files: Any) -> None:
    lines = [PdfLine(f"{BODY[:-1]} since May", 700), PdfLine("7. It is written there.", 686)]
    assert [kind for kind, _ in _shown(_read(files, lines))] == ["paragraph"]


def test_code_keeps_its_lines_and_indents(files: Any) -> None:
    code = [
        PdfLine("def bats():", 640, 10, 80, "Courier"),
        PdfLine("return 3", 628, 10, 104, "Courier"),
    ]
    read = _read(files, [*_paragraph(700), *code, *_paragraph(600)])
    assert [kind for kind, _ in _shown(read)] == ["paragraph", "code", "paragraph"]
    assert _shown(read, "code") == [("code", "def bats():\n    return 3")]


def test_text_in_letters_of_one_width_is_no_code(files: Any) -> None:
    lines = [PdfLine(line.text, line.y, font="Courier") for line in _paragraph(700)]
    assert [kind for kind, _ in _shown(_read(files, lines))] == ["paragraph"]


def test_tables(files: Any) -> None:
    rows = [("Animal", "Food", "Where"), ("Bat", "moths", "river"), ("Moth", "nectar", "garden")]
    cells = [
        PdfLine(text, 640 - 14 * i, x=80 + 130 * j)
        for i, row in enumerate(rows)
        for j, text in enumerate(row)
    ]
    read = _read(files, [*_paragraph(700), *cells, *_paragraph(580)])
    assert _shown(read, "table") == [("table", "\n".join("\t".join(row) for row in rows))]


def test_contents_by_dots_and_by_bookmarks(files: Any) -> None:
    titles = ["On bats", "On tea", "On ships", "On ferries", "On tides"]
    dotted = [
        PdfLine(f"{i} {title} . . . . . . {i}", 700 - 14 * i) for i, title in enumerate(titles)
    ]
    read = _read(files, [PdfLine("Contents", 740, 18), *dotted], _paragraph(700))
    expected = "\n".join(f"{i} {title}" for i, title in enumerate(titles))
    assert _shown(read, "contents") == [("contents", expected)]
    plain = [PdfLine(title, 700 - 14 * i) for i, title in enumerate(titles)]
    chapters = [[PdfLine(title, 760, 18), *_paragraph(700)] for title in titles]
    marks = [(title, page, 0) for page, title in enumerate(titles, start=1)]
    read = read_pdf(_with_bookmarks(files.pdf([plain, *chapters]), *marks))
    assert _shown(read, "contents") == [("contents", "\n".join(titles))]
    assert [text for _, text in _shown(read, "heading")] == titles


def test_references(files: Any) -> None:
    lines = [
        PdfLine("On bats", 760, 18),
        *_paragraph(720),
        PdfLine("References", 640, 18),
        PdfLine("[1] A. Bat: On moths. 1999.", 610),
        PdfLine("[2] B. Moth: On bats. 2001.", 580),
        PdfLine("On tea", 540, 18),
        *_paragraph(500),
    ]
    kinds = [kind for kind, _ in _shown(_read(files, lines))]
    assert kinds == ["heading", "paragraph", "heading", *2 * ["references"], "heading", "paragraph"]


def test_paragraphs_go_on_over_pages_and_columns(files: Any) -> None:
    first = [PdfLine("Bats hunt moths by", 700), PdfLine("night, and the", 686)]
    second = [PdfLine("moths hear them", 700, x=320), PdfLine("and", 686, x=320)]
    third = [PdfLine("dive to the", 700), PdfLine("ground.", 686)]
    read = _read(files, first + second, third)
    assert _shown(read) == [
        ("paragraph", "Bats hunt moths by night, and the moths hear them and dive to the ground.")
    ]


def test_indents_part_paragraphs() -> None:
    text = "x" * 80
    lines = [Line(text, 700 - 12 * i, 10, left=72) for i in range(6)]
    lines[2] = Line("It ends.", 676, 10, left=72)
    lines[3] = Line(text, 664, 10, left=90)
    assert [len(block) for block in join_pages([lines]).text.split("\n\n")] == [170, 242]


def test_sentences_keep_within_blocks(files: Any) -> None:
    document = read_file(files.paper()).document()
    assert "On bats" in document.sentences
    assert "Bats hunt moths by night." in document.sentences


def test_a_heading_is_not_taken_for_the_header_that_repeats_it(files: Any) -> None:
    bodies = [[PdfLine(line.text, line.top) for line in _body(n)] for n in range(5)]
    chapter = [PdfLine("On bats", 740, 20), *bodies[0]]
    pages = [[PdfLine("On bats", 800, 9), *body] for body in bodies[1:]]
    assert _shown(_read(files, chapter, *pages), "heading") == [("heading", "On bats")]
    assert _read(files, chapter, *pages).text.count("On bats") == 1


def test_headers_of_short_chapters_stand_where_others_do() -> None:
    headers = [*4 * ["Bats"], "Tea", "Ships"]
    pages = [[Line(text, 800, 9), *_body(n % 5)] for n, text in enumerate(headers)]
    assert [page[0].text[:3] for page in drop_running_lines(pages)] == 6 * ["The"]


def test_pages_are_counted_while_they_are_read(files: Any) -> None:
    seen: list[tuple[int, int]] = []
    read_pdf(files.paper(), on_page=lambda done, of: seen.append((done, of)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_threads_may_read_at_once(files: Any) -> None:
    data = files.pdf([_paragraph(700)] * 50)
    with ThreadPoolExecutor(8) as pool:
        texts = {read.text for read in pool.map(read_pdf, [data] * 16)}
    assert texts == {read_pdf(data).text}


def test_bookmarks_that_lead_in_circles(files: Any) -> None:
    data = _with_bookmarks(files.paper(), ("On bats", 0, 0), ("On tea", 1, 0))
    circle = re.sub(rb"/Prev (\d+ 0 R)", rb"/Next \1", data)
    assert circle != data
    assert "moths" in read_pdf(circle).text


@pytest.mark.parametrize(
    "lines",
    [
        [PdfLine("." * 20_000, 700)],
        [PdfLine("a-" * 20_000, 700), PdfLine("b", 686)],
        [PdfLine("• " * 3_000, 700 - i / 100) for i in range(20)],
        [PdfLine(f"1. {i}", 700 - i / 10, x=72 + i / 10) for i in range(5_000)],
        [PdfLine("Heading", 700 - i / 10, 20 + i % 7) for i in range(5_000)],
        [PdfLine("(", 700 - i) for i in range(500)],
    ],
    ids=["dots", "hyphens", "bullets", "nested", "headings", "marks"],
)
def test_odd_lines_become_blocks_that_fit(files: Any, lines: list[PdfLine]) -> None:
    read = _read(files, lines)
    check_blocks(read.blocks, len(read.text))


def test_missing_pypdf_stops_bookmarks_only(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    result = docbats.analyze(Document.read(files.paper()), k=3)
    with pytest.raises(MissingExtraError, match=r'pip install "docbats\[bookmarks\]"'):
        add_bookmarks(result, files.paper())


@pytest.mark.parametrize("circle", ["earlier versions", "bookmarks", "pages"])
def test_files_that_lead_in_circles_get_no_bookmarks_or_all(files: Any, circle: str) -> None:
    """The oldest pypdf that we allow is the first that comes to an end here."""
    outlines = b"<</Type/Outlines/First 5 0 R/Last 5 0 R/Count 1>>"
    loop = b"<</Title(Tea)/Parent 4 0 R/Next 5 0 R/Dest[3 0 R/Fit]>>"
    has_circle = circle == "bookmarks"
    kids = b"2 0 R 3 0 R" if circle == "pages" else b"3 0 R"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R%s>>" % (b"/Outlines 4 0 R" if has_circle else b""),
        b"<</Type/Pages/Kids[%s]/Count 1>>" % kids,
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
        *([outlines, loop] if has_circle else []),
    ]
    data, places = b"%PDF-1.4\n", []
    for number, written in enumerate(objects, 1):
        places.append(b"%010d 00000 n \n" % len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, written)
    table = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, b"".join(places))
    earlier = b"/Prev %d" % table if circle == "earlier versions" else b""
    data += b"trailer\n<</Size %d/Root 1 0 R%s>>\n" % (len(objects) + 1, earlier)
    data += b"startxref\n%d\n%%%%EOF" % table
    result = docbats.analyze(Document.read(files.pdf([_paragraph(700)])), k=1)
    if circle == "earlier versions":
        assert pypdf.PdfReader(io.BytesIO(add_bookmarks(result, data))).outline
    else:
        with pytest.raises(ReadError, match="bookmarks cannot be added"):
            add_bookmarks(result, data)
