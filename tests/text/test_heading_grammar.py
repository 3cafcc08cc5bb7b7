"""Headings of plain text and of Markdown are read by one grammar."""

from __future__ import annotations

import pytest

from docbats import Document

BODY = " ".join(["Bats hunt moths over the river at night and sleep in old barns by day."] * 4)


def headings(text: str, type_: str) -> list[tuple[str | None, str | None]]:
    document = Document.of(text, type_)
    return [(b.number, b.title) for b in document.blocks if b.kind == "heading"]


def kinds(text: str, type_: str) -> list[str]:
    return [block.kind for block in Document.of(text, type_).blocks]


@pytest.mark.parametrize(
    ("first", "second", "numbers"),
    [
        ("1. Bats", "2. Tea", ("1.", "2.")),
        ("2.3 Bats", "2.4 Tea", ("2.3", "2.4")),
        ("1) Bats", "2) Tea", ("1)", "2)")),
        ("A.1 Bats", "A.2 Tea", ("A.1", "A.2")),
        ("I. Bats", "II. Tea", ("I.", "II.")),
        ("I - Bats", "II - Tea", ("I", "II")),
        ("§ 5 Bats", "§ 6 Tea", ("§ 5", "§ 6")),
        ("Unit 5 Bats", "Unit 6 Tea", ("Unit 5", "Unit 6")),
        ("Chapter Four: Bats", "Chapter Five: Tea", ("Chapter Four", "Chapter Five")),
        ("Appendix A Bats", "Appendix B Tea", ("Appendix A", "Appendix B")),
        ("Teil 1 Bats", "Teil 2 Tea", ("Teil 1", "Teil 2")),
        ("第一章 Bats", "第二章 Tea", ("第一章", "第二章")),
    ],
)
def test_plain_text_and_markdown_have_the_same_numbers(
    first: str, second: str, numbers: tuple[str, str]
) -> None:
    expected = list(zip(numbers, ("Bats", "Tea"), strict=True))
    body = f"{BODY}\n\n{BODY}"
    assert headings(f"{first}\n\n{body}\n\n{second}\n\n{body}", "text") == expected
    assert headings(f"## {first}\n\n{body}\n\n## {second}\n\n{body}", "markdown") == expected


@pytest.mark.parametrize("title", ["1984 Revisited", "Book A Flight", "Les 3 Mousquetaires"])
def test_plain_text_and_markdown_leave_other_titles_whole(title: str) -> None:
    body = f"{BODY}\n\n{BODY}"
    assert headings(f"{title}\n=======\n\n{body}", "text") in ([(None, title)], [])
    assert headings(f"# {title}\n\n{body}", "markdown") == [(None, title)]


@pytest.mark.parametrize(
    "title",
    ["References", "Sources", "Further reading", "Works cited", "Quellen", "Fuentes", "参考文献"],
)
@pytest.mark.parametrize("entries", ["[1] Lee. Bats. 1999.\n\n[2] Ray. Tea. 2001.", "- Lee\n- Ray"])
def test_references_are_references_everywhere(title: str, entries: str) -> None:
    plain = kinds(f"{BODY}\n\n{BODY}\n\n{title}\n\n{entries}", "text")
    markdown = kinds(f"{BODY}\n\n{BODY}\n\n## {title}\n\n{entries}", "markdown")
    assert plain == markdown == ["paragraph", "paragraph", "heading", "references", "references"]


@pytest.mark.parametrize("title", ["Contents", "On this page", "Inhalt", "Contenidos", "目次"])
def test_contents_are_contents_everywhere(title: str) -> None:
    lines = "Bats ........ 3\nMoths ....... 5\nTea ......... 9"
    plain = kinds(f"{BODY}\n\n{title}\n\n{lines}\n\n{BODY}\n\n{BODY}", "text")
    assert plain == ["paragraph", "contents", "contents", "paragraph", "paragraph"]
    entries = "- Bats\n- Moths\n- Tea"
    markdown = kinds(f"{BODY}\n\n## {title}\n\n{entries}\n\n## Bats\n\n{BODY}", "markdown")
    assert markdown == ["paragraph", *["contents"] * 4, "heading", "paragraph"]
