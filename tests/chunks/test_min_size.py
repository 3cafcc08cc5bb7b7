"""The smallest size of chunks."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import docbats
from docbats import Chunk, SettingsError
from docbats.cli import main

LONG = " ".join(["Bats fly at night and hear the walls around them."] * 19)
TEXT = f"# Bats\n\n{LONG}\n\nMoths hide there by day and by night.\n\n# Food\n\nTea.\n"
LIMIT = 960  # the long paragraph and its heading, but not the short one, too


def own_size(chunk: Chunk) -> int:
    return len(chunk.text[chunk.own_start - chunk.start :].strip())


def test_a_small_chunk_shares_the_paragraph_of_its_neighbor() -> None:
    tiny = docbats.chunk(TEXT, LIMIT)
    assert [own_size(chunk) < 100 for chunk in tiny] == [False, True]
    found = docbats.chunk(TEXT, LIMIT, min_size=100)
    assert all(own_size(chunk) >= 100 and chunk.size <= LIMIT for chunk in found)
    assert found[0].text.endswith("them.")  # whole sentences


def test_it_is_not_merged_across_headings() -> None:
    text = f"# Bats\n\n{LONG}\n\n# Food\n\nMoths.\n"
    found = docbats.chunk(text, LIMIT, min_size=100)
    assert [chunk.heading_path for chunk in found] == [("Bats",), ("Food",)]
    assert own_size(found[1]) < 100


def test_tables_and_code_are_not_divided_for_it() -> None:
    rows = "\n".join(f"| bat {i} | moth {i} |" for i in range(40))
    text = f"# Bats\n\n| a | b |\n|---|---|\n{rows}\n\nThey hide.\n"
    limit = len(text) - 10
    assert docbats.chunk(text, limit, min_size=90) == docbats.chunk(text, limit)


PARTS = st.sampled_from(["# Bats", "## Food", "Moths hide.", "Bats fly at night. " * 9, "- tea"])


@given(st.lists(PARTS, max_size=9), st.integers(1, 120), st.integers(0, 60), st.booleans())
def test_no_chunk_exceeds_the_limit_and_all_tile_the_text(
    parts: list[str], limit: int, overlap: int, strip: bool
) -> None:
    text = "\n\n".join(parts)
    overlap = min(overlap, limit - 1)
    chunks = docbats.Chunker(limit, overlap, min_size=limit // 2, strip=strip)(text)
    for chunk in chunks:
        assert chunk.size <= limit
        assert text[chunk.start : chunk.end] == chunk.text
    if not strip and chunks:
        assert "".join(text[c.own_start : c.end] for c in chunks) == text


@pytest.mark.parametrize("unit", ["characters", "words"])
def test_fewer_chunks_are_small(unit: str) -> None:
    text = TEXT.replace("Tea.", f"Tea.\n\n{LONG}\n\nCups.")
    sizes: list[int] = []
    for least in (0, 20):
        chunker = docbats.Chunker(190, min_size=least, size_unit=unit)  # type: ignore[arg-type]
        owned = [chunker.sizes(c.text[c.own_start - c.start :].strip()) for c in chunker(text)]
        sizes.append(sum(size < 20 for size in owned))
    assert sizes[1] <= sizes[0]


def test_wrong_sizes_are_refused() -> None:
    with pytest.raises(SettingsError, match="min_size must be at most chunk_size, got 9 and 8"):
        docbats.Chunker(8, min_size=9)
    with pytest.raises(SettingsError, match="min_size must be a whole number, at least 0"):
        docbats.Chunker(8, min_size=-1)
    result = CliRunner().invoke(main, ["chunk", "a.md", "--chunk-size", "8", "--min-size", "9"])
    assert result.exit_code == 2
    assert "min_size must be at most chunk_size" in result.output


def test_the_help_says_what_an_overlap_does() -> None:
    for command in ("chunk", "corpus"):
        shown = " ".join(CliRunner().invoke(main, [command, "--help"]).output.split())
        assert "Begin each chunk with the last sentences of the one before it" in shown
        assert "--size-unit" in shown
        assert "--min-size" in shown
