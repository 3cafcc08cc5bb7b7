"""Books that are joined of their runs, or read from Markdown files."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import pytest

from docbats import Document
from docbats.errors import ReadError
from docbats_lab.documents import StructuredDocument
from docbats_lab.experiments.books import Book, joined_runs, read_book

if TYPE_CHECKING:
    from pathlib import Path

SUBJECTS = ("Bats", "Tea", "Ships", "Snow")
MARKDOWN = "\n\n".join(
    f"# {subject}\n\n{subject} are here. They stay.\n\n## Again\n\n- And here."
    for subject in SUBJECTS
)


def run_of(name: str, *subjects: str) -> StructuredDocument:
    blocks = [
        block
        for subject in subjects
        for block in (
            {"type": "heading", "level": 2, "text": subject},
            {"type": "paragraph", "text": f"{subject} are here. They stay."},
        )
    ]
    return StructuredDocument(name, "standard-ebooks", "en", tuple(blocks))


@pytest.fixture
def book(tmp_path: Path) -> Book:
    path = tmp_path / "a-book.md"
    path.write_text(MARKDOWN, encoding="utf-8")
    return read_book(path)


def test_runs_are_joined_in_the_order_of_their_numbers() -> None:
    runs = [
        run_of("b_on-tea_10", "Snow"),
        run_of("a_all_1", "Bats", "Tea", "Ships"),
        run_of("b_on-tea_2", "Tea", "Ships"),
        run_of("b_on-tea_1", "Bats"),
    ]
    first, second = joined_runs(runs)
    assert (first.name, second.name) == ("a_all", "b_on-tea")
    found = [second.markdown[start:].splitlines()[0] for start in second.chapter_starts]
    assert found == [f"## {subject}" for subject in SUBJECTS]


def test_a_markdown_file_has_chapters(book: Book) -> None:
    assert (book.name, book.source) == ("a-book", "books")
    found = [book.markdown[start:].splitlines()[0] for start in book.chapter_starts]
    assert found == [f"# {subject}" for subject in SUBJECTS]


def test_a_book_keeps_its_headings_or_loses_them(book: Book) -> None:
    with_headings, paragraphs, bare = book.with_headings(), book.with_paragraphs(), book.bare()
    assert [len(chapter) for chapter in with_headings.truth.segments] == [5] * 4
    assert paragraphs.truth.segments == bare.truth.segments
    assert paragraphs.truth.segments == tuple(
        (f"{subject} are here.", "They stay.", "And here.") for subject in SUBJECTS
    )
    assert bare.source == list(bare.truth.sentences)
    assert isinstance(paragraphs.source, Document)
    assert len(paragraphs.source.blocks) == 2 * len(SUBJECTS)


def test_a_chapter_begins_where_its_heading_does(book: Book) -> None:
    trial = book.with_headings()
    assert isinstance(trial.source, Document)
    lengths = [len(chapter) for chapter in trial.truth.segments]
    starts = [0, *accumulate(lengths[:-1])]
    assert tuple(trial.source.spans[starts, 0].tolist()) == tuple(
        MARKDOWN.index(f"# {subject}") for subject in SUBJECTS
    )


def test_a_book_without_chapters_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.md"
    path.write_text("# One\n\nA heading alone is no chapter.\n", encoding="utf-8")
    with pytest.raises(ReadError, match=r"letter\.md has no chapters: a book needs at least 3"):
        read_book(path)
