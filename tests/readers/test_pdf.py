from __future__ import annotations

import io
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pypdf
import pytest
from tests.sample_files import PdfLine

import docbats
from docbats import Document, MissingExtraError, ReadError
from docbats.readers.pdf import join_pages
from docbats.readers.pdf_lines import PageLine, drop_running_lines
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from pathlib import Path

    from docbats.readers.content import FileText


def _joined(*pages: list[str]) -> str:
    """Join pages of lines of one size, without gaps."""
    lines = [[PageLine(text, 800 - 12 * i, 10) for i, text in enumerate(page)] for page in pages]
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
    assert [segment["place"]["pages"] for segment in segments] == [[n, n] for n in (1, 2, 3)]


def test_every_sentence_is_on_its_page(files: Any) -> None:
    document = Document.read(files.paper())
    pages = [["On bats", *files.bats], ["On tea", *files.tea], ["On ships", *files.ships]]
    for sentence, (start, end) in zip(document.sentences, document.spans.tolist(), strict=True):
        place = document.place(start, end)
        assert place is not None
        assert place.pages is not None
        assert sentence in pages[place.pages[0] - 1]


def test_pages_that_differ_only_in_their_number_are_headers() -> None:
    pages = [
        [PageLine(f"12 May {n} / 9", 800, 9), PageLine(f"Text {'abc'[n]}.", 400, 9)]
        for n in range(3)
    ]
    assert [[line.text for line in page] for page in drop_running_lines(pages)] == [
        ["Text a."],
        ["Text b."],
        ["Text c."],
    ]


def test_headings_that_are_counted_otherwise_than_pages_stay() -> None:
    pages = [[PageLine(f"Chapter {n * n + 3}", 800, 9), *_body(n)] for n in range(5)]
    kept = drop_running_lines(pages)
    assert [page[0].text for page in kept] == [f"Chapter {n * n + 3}" for n in range(5)]


def _body(n: int) -> list[PageLine]:
    words = ("oak", "elm", "ash", "fir", "yew", "box", "bay", "fig")
    return [
        PageLine(f"The {word} of row {'abcde'[n]}.", 700 - 12 * i, 9)
        for i, word in enumerate(words)
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
        PageLine("Heading", 800, 14),
        *(PageLine(f"Line {i}", 780 - 12 * i, 10) for i in range(4)),
        PageLine("After a gap", 715, 10),
    ]
    assert join_pages([lines]).text == "Heading\n\nLine 0 Line 1 Line 2 Line 3\n\nAfter a gap"


def test_page_starts_never_run_backwards() -> None:
    page = [PageLine("bat.", 800, 10)]
    joined = join_pages([page, [], page, []])
    starts = _page_starts(joined)
    assert starts == sorted(starts)
    assert joined.text[starts[2] :].startswith("bat.")
    broken = join_pages([[PageLine("signifi-", 800, 10)], [], [PageLine("cant", 800, 10)]])
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
    monkeypatch.setattr("docbats.readers.pdf_lines.MAX_PAGES", 2)
    with pytest.raises(ReadError, match="3 pages, more than 2: split it first"):
        read_file(files.paper())


def test_reading_needs_no_second_file(files: Any, tmp_path: Path) -> None:
    path = tmp_path / "paper.bin"
    path.write_bytes(files.paper())
    assert read_file(path).kind == "pdf"
    assert [p.name for p in tmp_path.iterdir()] == ["paper.bin"]


def test_pages_are_counted_while_they_are_read(files: Any) -> None:
    seen: list[tuple[int, int]] = []
    read_file(files.paper(), on_page=lambda done, of: seen.append((done, of)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_threads_may_read_at_once(files: Any) -> None:
    data = files.pdf([[PdfLine(" ".join(files.bats), 700)]] * 50)
    with ThreadPoolExecutor(8) as pool:
        texts = {read.text for read in pool.map(read_file, [data] * 16)}
    assert texts == {read_file(data).text}


def test_a_heading_is_not_taken_for_the_header_that_repeats_it(files: Any) -> None:
    bodies = [[PdfLine(line.text, line.top) for line in _body(n)] for n in range(5)]
    chapter = [PdfLine("On bats", 740, 20), *bodies[0]]
    pages = [[PdfLine("On bats", 800, 9), *body] for body in bodies[1:]]
    read = read_file(files.pdf([chapter, *pages]))
    assert [block.title for block in read.blocks if block.kind == "heading"] == ["On bats"]
    assert read.text.count("On bats") == 1


def test_headers_of_short_chapters_stand_where_others_do() -> None:
    headers = [*4 * ["Bats"], "Tea", "Ships"]
    pages = [[PageLine(text, 800, 9), *_body(n % 5)] for n, text in enumerate(headers)]
    assert [page[0].text[:3] for page in drop_running_lines(pages)] == 6 * ["The"]
