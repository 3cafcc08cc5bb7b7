"""Chunks of whole texts, and what holds for all of them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import docbats
from docbats import Chunker, Document, chunk
from docbats.errors import InputError, SettingsError

BOOK = """\
# The bats of Corran

A little after nine the bats leave the mill. Each of them shouts, and nobody hears it.

## Food

They eat moths, flies and beetles. A bat can eat its own weight in a night:

- moths in the early summer, when the nights are short
- beetles later on
- flies at all times

## Counting

| year | bats |
|---|---|
| 2020 | 310 |
| 2021 | 342 |

```python
def count(bats):

    return len(bats)
```

The count takes two hours. Four people stand around the mill, and none of them may speak.
"""


def tokens(text: str) -> int:
    """Count tokens that do not add up: two special ones per text, and several per long word."""
    return 2 + sum(1 + len(word) // 5 for word in re.findall(r"\w+|[^\w\s]", text))


words = st.sampled_from(
    [
        *("Bats", "fly", "at", "night.", "They", "hear,", "walls!", "Why?", "echo-location", "é"),
        *("蝙蝠。", "\n", "\n\n", "# ", "- ", "1. ", "| a | b |", "```\n", "==", "\\n", "}, {"),
        *("\t", "🦇\u200d🦇", "loooooooooooooooooooooooooooong"),
    ]
)
texts = st.lists(words, max_size=60).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(
    texts,
    st.integers(8, 60),
    st.integers(0, 4),
    st.sampled_from(["characters", "words", tokens]),
    st.fixed_dictionaries(
        {"context": st.sampled_from(["none", "headings"]), "strip": st.booleans()}
    ),
)
def test_invariants(text: str, size: int, overlap: int, unit: Any, options: dict[str, Any]) -> None:
    chunker = Chunker(size, overlap, size_unit=unit, language="en", **options)
    strip = chunker.strip
    chunks = chunker(text)
    assert chunks == chunker(text)
    end = 0
    for each in chunks:
        assert each.text == text[each.start : each.end]
        assert each.text.strip() if strip else each.text
        assert chunker.sizes(each.content) == each.size <= size
        assert each.start <= each.own_start < each.end
        assert not text[end : each.own_start].strip(), "nothing visible is left out"
        assert each.own_start >= end
        end = each.end
        assert not strip or each.text == each.text.strip()
    assert not text[end:].strip()
    if not strip and not overlap and chunks:
        assert "".join(each.text for each in chunks) == text


@pytest.mark.parametrize("size", [20, 40, 80])
def test_blocks_that_fit_are_whole_and_no_chunk_ends_with_a_heading(size: int) -> None:
    document = Document.read(BOOK.encode(), kind="markdown")
    chunks = chunk(document, size, size_unit="words")
    starts = {each.start for each in chunks}
    for block in document.blocks:
        n_words = len(BOOK[block.start : block.end].split())
        if n_words <= size - 4:
            assert not any(block.start < start < block.end for start in starts), block
    for each in chunks:
        assert not each.text.splitlines()[-1].startswith("#")


def test_markdown_text_is_read_as_markdown() -> None:
    chunks = chunk(BOOK, 60, size_unit="words")
    assert chunks[-1].heading_path == ("The bats of Corran", "Counting")
    assert {each.document_title for each in chunks} == {"The bats of Corran"}


def test_headings_as_context_count_towards_the_size() -> None:
    chunks = chunk(BOOK, 30, size_unit="words", context="headings")
    food = next(each for each in chunks if each.text.startswith("## Food"))
    assert food.context == "The bats of Corran"
    assert food.content == f"The bats of Corran\n\n{food.text}"
    last = chunks[-1]
    assert not last.text.startswith("#")
    assert last.context == "The bats of Corran > Counting"
    assert len(last.content.split()) == last.size


def test_titles_and_topics_on_request() -> None:
    text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools. " * 3
    plain, titled = chunk(text, 80), chunk(text, 80, titles=True)
    assert [each.text for each in plain] == [each.text for each in titled]
    assert all(each.title is None and each.topics is None for each in plain)
    assert all(each.title and each.topics for each in titled)
    for each in chunk(text, 180, context="title"):
        assert each.size == len(each.content) <= 180
        assert each.content.startswith(each.title or "?")


def test_titles_of_parts_of_sentences() -> None:
    text = "bats and moths and tea " * 30
    chunks = chunk(text, 50, titles=True)
    assert len(chunks) > 10
    assert max(each.size for each in chunks) <= 50


def test_overlap_is_whole_sentences() -> None:
    text = "Bats fly. Moths flee. Tea cools. Rain falls. Mice run. Owls call."
    for each in chunk(text, 35, chunk_overlap=15)[1:]:
        assert each.start < each.own_start
        assert each.start == 0 or text[each.start - 2] == "."
        assert each.own_start - each.start <= 16


def test_a_large_overlap_leaves_room_for_new_text() -> None:
    text = "Bats fly at night. Moths flee from bats. Tea cools in a cup. Rain falls.  "
    chunks = chunk(text, 40, chunk_overlap=39)
    assert max(each.size for each in chunks) <= 40
    assert all(text[each.own_start : each.end].strip() for each in chunks)
    assert [text[each.own_start : each.end] for each in chunks] == [
        "Bats fly at night.", "Moths flee from bats.", "Tea cools in a cup.", "Rain falls.",
    ]  # fmt: skip


def test_sentences_are_split_at_clauses_before_words() -> None:
    text = "the bats fly over the river, the moths fly over the meadow"
    assert [each.text for each in chunk(text, 40)] == [
        "the bats fly over the river,",
        "the moths fly over the meadow",
    ]


def test_wiki_headings_are_headings() -> None:
    text = "= Bats =\nThey fly. They hear.\n= = Food = =\nThey eat moths. They drink.\n"
    assert [each.heading_path for each in chunk(text, 40)] == [("Bats",), ("Bats", "Food")]


def test_records_on_one_line_are_split_between_them() -> None:
    text = "[{'content': 'Why do bats fly?'}, {'content': 'They eat\\n\\n1. moths\\n2. flies'}]"
    assert chunk(text, 50)[1].text.startswith("{'content': 'They")


def test_blank_texts_have_no_chunks() -> None:
    assert chunk("") == chunk(" \n") == []
    assert list(Chunker().many(["", "Bats."]))[1][0].text == "Bats."


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chunk_size": 0}, "chunk_size must be a whole number, at least 1, got 0"),
        ({"chunk_size": 10**400}, "chunk_size must be at most"),
        ({"chunk_size": True}, "chunk_size must be a whole number"),
        ({"chunk_size": 5, "chunk_overlap": 5}, "chunk_overlap must be smaller than chunk_size"),
        ({"size_unit": "lines"}, "size_unit must be one of characters, words, tokens"),
        ({"context": "summary"}, "context must be one of none, headings, title, got 'summary'"),
        ({"tokenizer": 3}, "tokenizer must be a name, a function, or an object"),
        ({"tokenizer": len, "length_function": len}, "pass one of them"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        Chunker(**options)


def test_an_unknown_option_lists_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="no option 'k': the options are chunk_size, chunk_ov"):
        chunk("Bats.", k=3)  # type: ignore[call-arg]


def test_text_that_cannot_be_cut_small_enough() -> None:
    with pytest.raises(InputError, match="pass a larger chunk_size"):
        chunk("Bats fly.", 2, size_unit=tokens)


def test_a_source_of_the_wrong_type() -> None:
    with pytest.raises(InputError, match=r"expected a string, a list of .*, got int"):
        chunk(3)  # type: ignore[arg-type]


def test_sizes_of_a_function_must_be_numbers() -> None:
    with pytest.raises(SettingsError, match="must return a whole number"):
        chunk("Bats fly.", 5, size_unit=lambda text: len(text) / 2)  # type: ignore[arg-type, return-value]


def test_the_public_name() -> None:
    assert docbats.chunk is chunk


def test_an_item_that_does_not_fit_with_its_heading_is_whole_after_it() -> None:
    item = "- Moths are eaten in June. Beetles are eaten in August. Flies are eaten all year."
    text = f"# What the bats of the old mill like to eat\n\n{item}\n- Water is drunk.\n"
    size = len(item) + 4
    chunks = chunk(text, size)
    assert chunks[0].text.endswith("June.")
    assert chunks[1].text == item
    assert chunks[1].own_start == chunks[0].end + 1
    assert max(each.size for each in chunks) <= size
