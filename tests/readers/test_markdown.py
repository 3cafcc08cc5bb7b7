from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats import Document
from docbats.errors import EmptyDocumentError
from docbats.readers.read_file import read_file
from docbats.render.insert_headings import insert_headings

TEXT = """\
---
title: A page
tags: [bats]
---

# Bats and *tea*

Bats hunt moths. See [the `guide`](docs/guide.md "Guide").

```python
# not a heading
moths = 3
```

Moths dive.

Tea
---

Tea needs water.
<!-- secret comment -->

| cup | size |
|-----|-----:|
| big | 3    |

## Water {#water}
Hot water. ![picture](pictures/x.png)

[guide]: https://example.org/guide
"""


def _read(text: str) -> Document:
    return Document.read(text.encode("utf-8", "surrogatepass"), kind="markdown")


def test_text_stays_as_it_is_written() -> None:
    assert _read(TEXT).text == TEXT


def test_headings_are_found_with_their_levels() -> None:
    places = read_file(TEXT.encode(), name="page.md").places
    assert places is not None
    assert [(h.level, h.title) for h in places.headings] == [
        (1, "Bats and tea"),
        (2, "Tea"),
        (2, "Water"),
    ]
    assert [TEXT[h.start : h.end] for h in places.headings] == [
        "# Bats and *tea*",
        "Tea\n---",
        "## Water {#water}",
    ]


def test_sentences_are_prose_and_headings_stand_alone() -> None:
    sentences = _read(TEXT).sentences
    assert sentences == (
        "# Bats and *tea*",
        "Bats hunt moths.",
        'See [the `guide`](docs/guide.md "Guide").',
        "Moths dive.",
        "Tea\n---",
        "Tea needs water.",
        "| cup | size |",
        "| big | 3    |",
        "## Water {#water}",
        "Hot water.",
    )


def test_marks_alone_are_no_sentences() -> None:
    text = "| a | b |\n|---|---|\n| Bats fly. | x. |\n| Tea cools. | y. |\n\nSo it is. |\n\n***\n"
    assert _read(text).sentences == (
        *("| a | b |", "| Bats fly. | x. |", "| Tea cools. | y. |"),
        "So it is.",
    )


def test_targets_of_links_are_no_words() -> None:
    text = "Bats see [the guide](docs/zebra.md) by night. Bats read [it](docs/zebra.md). " * 5
    result = docbats.analyze(_read(text), k=1)
    words = {word for topic in result.topics for word, _ in topic.words}
    assert "guide" in words
    assert not words & {"zebra", "docs", "md"}


def test_segments_know_their_headings() -> None:
    document = _read(TEXT)
    tea = TEXT.index("Tea needs")
    place = document.place(tea, TEXT.index("Hot water"))
    assert place is not None
    assert (place.under, place.headings) == (("Bats and tea", "Tea"), ("Water",))
    opening = document.place(TEXT.index("## Water"), len(TEXT))
    assert opening is not None
    assert (opening.under, opening.headings) == (("Bats and tea",), ("Water",))
    assert opening.to_dict() == {"under": ["Bats and tea"], "headings": ["Water"]}


def test_markdown_without_headings_has_no_place() -> None:
    assert _read("Bats fly.").place(0, 9) is None


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_any_line_end_will_do(line_end: str) -> None:
    places = read_file(TEXT.replace("\n", line_end).encode(), kind="markdown").places
    assert places is not None
    assert [h.title for h in places.headings] == ["Bats and tea", "Tea", "Water"]


@given(
    st.lists(st.sampled_from(TEXT.splitlines(keepends=True)), max_size=30),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)
def test_offsets_hold_for_any_text(lines: list[str], rest: str) -> None:
    text = "".join(lines) + rest
    if not text.strip():
        return
    read = read_file(text.encode(), kind="markdown", encoding="utf-8")
    assert read.text == text
    assert read.prose is not None
    assert len(read.prose) == len(text)
    assert all(a in (b, " ") for a, b in zip(read.prose, text, strict=True))
    try:
        document = read.document()
    except EmptyDocumentError:
        return
    assert all(s == s.strip() and s for s in document.sentences)


# Headings put in


def _inserted(text: str, k: int, name: str = "text.md") -> str:
    return insert_headings(docbats.analyze(Document.read(text.encode(), name=name), k=k))


def test_headings_are_put_over_segments(files: Any) -> None:
    text = " ".join([*files.bats, *files.tea]) + "\n"
    inserted = _inserted(text, 2)
    assert inserted.count("\n## ") + inserted.startswith("## ") == 2
    assert [line for line in inserted.splitlines() if line and not line.startswith("#")] == [
        " ".join(files.bats),
        " ".join(files.tea),
    ]


def test_own_headings_stay_and_levels_follow(files: Any) -> None:
    text = "# Notes\n\n" + "\n".join(files.bats) + "\n\n## Drinks\n\n" + "\n".join(files.tea) + "\n"
    assert _inserted(text, 2) == text
    three = _inserted(text, 3)
    assert three.replace("\n", "").startswith("# Notes")
    assert "# Notes" in three
    assert "## Drinks" in three


def test_without_the_new_headings_nothing_has_changed(example: Any) -> None:
    text = example.read_text()
    result = docbats.analyze(text)
    inserted = insert_headings(result)
    kept = [line for line in inserted.splitlines() if not line.startswith("## ")]
    assert " ".join("\n".join(kept).split()) == " ".join(text.split())
    assert sum(line.startswith("## ") for line in inserted.splitlines()) == len(result.segments)


def test_no_list_or_table_is_cut_in_two(files: Any) -> None:
    rows = [f"| {sentence} |" for sentence in [*files.bats, *files.tea]]
    text = "\n".join(["| head |", "|---|", *rows]) + "\n"
    body = [line for line in _inserted(text, 2).splitlines() if not line.startswith("#")]
    assert "\n".join(body).strip() == text.strip()


def test_headings_of_other_files_become_markdown(files: Any) -> None:
    page = "<h1>Notes</h1>" + "".join(f"<p>{s}</p>" for s in files.bats) + "<h2>Drinks</h2>"
    page += "".join(f"<p>{s}</p>" for s in files.tea)
    inserted = _inserted(f"<html>{page}</html>", 2, "page.html")
    assert "# Notes\n" in inserted
    assert "## Drinks\n" in inserted
