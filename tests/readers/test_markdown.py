from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats import Document
from docbats.blocks import check_blocks
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


def test_headings_stand_alone_and_what_is_no_prose_is_split_by_lines() -> None:
    sentences = _read(TEXT).sentences
    assert sentences == (
        "# Bats and *tea*",
        "Bats hunt moths.",
        'See [the `guide`](docs/guide.md "Guide").',
        "```python",
        "# not a heading",
        "moths = 3",
        "Moths dive.",
        "Tea\n---",
        "Tea needs water.",
        "| cup | size |",
        "| big | 3    |",
        "## Water {#water}",
        "Hot water.",
        "[guide]: https://example.org/guide",
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
    check_blocks(read.blocks, len(text))
    starts = {start for start, _ in document.spans.tolist()}
    assert all(block.start in starts for block in read.blocks)


# Blocks


def _blocks(text: str) -> list[tuple[str, int | None, str]]:
    read = read_file(text.encode(), kind="markdown")
    return [(b.kind, b.level, text[b.start : b.end]) for b in read.blocks]


def test_every_kind_of_block_is_found() -> None:
    assert _blocks(TEXT) == [
        ("heading", 1, "# Bats and *tea*"),
        ("paragraph", None, 'Bats hunt moths. See [the `guide`](docs/guide.md "Guide").'),
        ("code", None, "```python\n# not a heading\nmoths = 3\n```"),
        ("paragraph", None, "Moths dive."),
        ("heading", 2, "Tea\n---"),
        ("paragraph", None, "Tea needs water."),
        ("table", None, "| cup | size |\n|-----|-----:|\n| big | 3    |"),
        ("heading", 2, "## Water {#water}"),
        ("paragraph", None, "Hot water. ![picture](pictures/x.png)"),
        ("references", None, "[guide]: https://example.org/guide"),
    ]


def test_what_is_no_prose_is_blank_in_the_prose() -> None:
    prose = read_file(TEXT.encode(), kind="markdown").prose
    assert prose is not None
    assert " ".join(prose.split()) == (
        "Bats and *tea* Bats hunt moths. See [the `guide`]( ). Moths dive. Tea Tea needs water. "
        "Water {#water} Hot water."
    )


def test_a_list_is_all_items_with_their_depth() -> None:
    text = (
        "1. Bats\n   - hunt\n\n     ```\n     code\n     ```\n     * moths\n"
        "2. [x] Tea\n\n   > quoted\n"
    )
    assert _blocks(text) == [
        ("list_item", 1, "1. Bats"),
        ("list_item", 2, "- hunt"),
        ("list_item", 2, "```\n     code\n     ```"),
        ("list_item", 3, "* moths"),
        ("list_item", 1, "2. [x] Tea"),
        ("list_item", 1, "> quoted"),
    ]
    read = read_file(text.encode(), kind="markdown")
    assert read.prose is not None
    assert read.prose.split() == ["Bats", "hunt", "moths", "Tea", "quoted"]
    assert read.document().sentences[:2] == ("1. Bats", "- hunt")


def test_quotations_code_by_indent_and_footnotes() -> None:
    text = (
        "> Bats *fly*.\n> > Far.\n\nSo.[^1]\n\n    x = 1\n    y = 2\n\n"
        "[^1]: As said by all.\n\n    And more.\n"
    )
    assert _blocks(text) == [
        ("quote", None, "> Bats *fly*."),
        ("quote", None, "> > Far."),
        ("paragraph", None, "So.[^1]"),
        ("code", None, "x = 1\n    y = 2"),
        ("references", None, "[^1]: As said by all."),
        ("references", None, "And more."),
    ]


def test_indented_sentences_are_no_code() -> None:
    long = "The bats of this town fly over the river every night to hunt"
    assert _blocks(f"So it is:\n\n    {long}\n") == [
        ("paragraph", None, "So it is:"),
        ("paragraph", None, long),
    ]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("- [Bats](#bats)\n  - [Food](#food)\n\nText.", ["contents", "contents", "paragraph"]),
        ("- [Bats](a.md)\n- [Tea](b.md)\n\nText.", ["list_item", "list_item", "paragraph"]),
        ("- [a](a.md)\n- [b](b.md)\n- [c](c.md)\n\nText.", [*["contents"] * 3, "paragraph"]),
        ("- [a](a.md): bats\n- [b](b.md)\n- [c](c.md)\n\nText.",
         [*["list_item"] * 3, "paragraph"]),
        ("# Table of Contents\n\n1. Bats\n2. Tea\n\n# Bats\n\nText.",
         ["contents", "contents", "contents", "heading", "paragraph"]),
        ("# Contents\n\nThis tin holds bats and tea.\n", ["heading", "paragraph"]),
        ("# A\n\nText.\n\n# References\n\n- Bat (1999), Nights.\n- https://example.org\n",
         ["heading", "paragraph", "heading", "references", "references"]),
        ("# References\n\nA reference points to a value.\n", ["heading", "paragraph"]),
    ],
)  # fmt: skip
def test_contents_and_references_are_told_from_lists(text: str, kinds: list[str]) -> None:
    assert [kind for kind, _, _ in _blocks(text)] == kinds


def test_html_in_markdown_is_read_as_what_it_is() -> None:
    text = (
        '<h1 align="center">Bats</h1>\n\n<!-- not\n\nthis -->\n\n'
        "<table><tr><td>a</td></tr></table>\n\n<div>\nThey fly.\n</div>\n\n<script>x</script>\n"
    )
    assert [(kind, level) for kind, level, _ in _blocks(text)] == [
        ("heading", 1),
        ("table", None),
        ("paragraph", None),
    ]
    assert read_file(text.encode(), kind="markdown").blocks[0].title == "Bats"


def test_lines_that_show_nothing_are_no_text() -> None:
    text = "(bats)=\n:::{note}\nThey fly.\n:::\n{{Sidebar}}\n\n***\n\n![a](b.png)\n"
    assert _blocks(text) == [("paragraph", None, "They fly.")]


def test_numbers_of_headings_stand_apart() -> None:
    text = "## 3.2 Bats\n\nFly.\n\n## 2\\. Tea\n\nCools.\n\n### Chapter 4: *Ships*\n"
    read = read_file(text.encode(), kind="markdown")
    headings = [(b.number, b.title) for b in read.blocks if b.kind == "heading"]
    assert headings == [("3.2", "Bats"), ("2.", "Tea"), ("Chapter 4", "Ships")]


def test_a_file_that_is_only_a_table_is_read() -> None:
    read = read_file(b"| a | b |\n|---|---|\n| Bats fly. | x. |\n", kind="markdown")
    assert read.document().sentences == ("| a | b |", "| Bats fly. | x. |")
    assert "Bats" in (read.prose or read.text)


@pytest.mark.parametrize(
    "text",
    [
        "# 1. Bats\n" * 10_000,
        "\n".join("  " * depth + "- bats" for depth in range(500)),
        "- " * 1000 + "bats",
        ">" * 5000 + " bats",
        "Bats fly by night. " * 50_000,
        "Bats\n" + "\n" * 500_000 + "fly.",
        "| a | b |\n|---|---|\n" + "| bats | tea |\n" * 30_000 + "\nThey fly.",
        "# Contents\n\n" + "- [bats](#bats)\n" * 10_000 + "\n# Bats\n\nFly.",
        "Bats. " + "<!-- " * 50_000,
        "- [" * 50_000 + "bats",
    ],
    ids=lambda text: text[:10],
)
def test_hostile_structure_is_read(text: str) -> None:
    read = read_file(text.encode(), kind="markdown")
    document = read.document()
    check_blocks(read.blocks, len(text))
    assert len(document) >= len(read.blocks) > 0
    covered = " ".join(text[b.start : b.end] for b in read.blocks)
    assert covered.split() == text.split()


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
