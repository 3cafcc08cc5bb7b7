from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import docbats
from docbats import BATS, InputError, SettingsError, TooFewSentencesError
from docbats.integrations.splitting import (
    SizeSplitter,
    TopicSplitter,
    call_on_text,
    make_bats,
    make_splitter,
    run_unless_blank,
    with_chunk_sizes,
)

TEXT = "# Bats\n\nThey fly at night. They hear.\n\n# Food\n\nThey eat moths. They drink water.\n"


def test_a_size_alone_makes_chunks() -> None:
    splitter = make_splitter("sharp", {"context": "headings"}, chunk_size=50)
    found = splitter.chunks(TEXT, strip=True)
    assert list(found) == docbats.chunk(TEXT, 50, context="headings")
    assert "".join(each.text for each in splitter.chunks(TEXT, strip=False)) == TEXT


def test_a_smallest_size_is_for_chunks_and_for_segments() -> None:
    made = make_splitter("sharp", {"min_size": 9}, chunk_size=50)
    assert isinstance(made, SizeSplitter)
    assert made.chunker.min_size == 9
    made = make_splitter("sharp", {"min_size": 9}, chunk_size=50, k=2)
    assert isinstance(made, TopicSplitter)
    assert made.bats.settings.min_size == 9


@pytest.mark.parametrize(("settings", "k"), [({}, 2), ({"granularity": "fine"}, "auto")])
def test_k_or_settings_make_segments_within_the_size(settings: dict[str, Any], k: Any) -> None:
    text = "Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools."
    found = make_splitter("sharp", settings, k=k, chunk_size=40).chunks(text, strip=True)
    assert all("strength" in each.values() for each in found)
    assert max(len(each.text) for each in found) <= 40


def test_parents_consist_of_whole_chunks() -> None:
    splitter = make_splitter("sharp", {}, chunk_size=40, parent_size=90)
    nodes = splitter.tree(TEXT, strip=True)
    for i, node in enumerate(nodes):
        for child in node.children:
            assert nodes[child].parent == i
            assert node.chunk.start <= nodes[child].chunk.start
            assert nodes[child].chunk.end <= node.chunk.end
        assert len(node.chunk.text) <= 90


@pytest.mark.parametrize(
    ("settings", "sizes", "message"),
    [
        ({"context": "headings"}, {}, "context needs a chunk_size: pass chunk_size"),
        (
            {"titles": True, "granularity": "fine"},
            {"chunk_size": 9},
            "titles cannot be combined with granularity",
        ),
        ({}, {"parent_size": 9}, "parent_size needs a chunk_size"),
        ({"context": "headings"}, {"chunk_size": 9, "k": 2}, "context cannot be combined with k"),
        ({}, {"chunk_size": 9, "k": 2, "chunk_overlap": 20}, "overlap"),
    ],
)
def test_options_that_cannot_be_combined(
    settings: dict[str, object], sizes: dict[str, int], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        make_splitter("sharp", settings, **sizes)  # type: ignore[arg-type]


def test_a_parent_is_no_smaller_than_its_chunks() -> None:
    with pytest.raises(SettingsError, match="parent_size must be at least chunk_size"):
        make_splitter("sharp", {}, chunk_size=40, parent_size=20).tree(TEXT, strip=True)


def test_settings_come_from_arguments_and_from_a_mapping() -> None:
    settings = make_bats("paper", {"window": 2}, k=3).settings
    assert (settings.k, settings.window) == (3, 2)
    assert make_bats("sharp", None).settings == BATS().settings
    for made in (
        make_bats("sharp", granularity="fine"),
        make_bats("sharp", {"granularity": "fine"}),
    ):
        assert made.settings.granularity == "fine"


@pytest.mark.parametrize("name", ["chunk_size", "settings"])
def test_unknown_settings_are_refused(name: str) -> None:
    with pytest.raises(SettingsError, match=f"no setting '{name}'"):
        make_bats("sharp", **{name: 100})
    with pytest.raises(SettingsError, match=f"no setting '{name}'"):
        make_bats("sharp", {name: 100})


def test_settings_passed_twice_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"pass k=2 instead of settings=\{'k': 2\}"):
        make_bats("sharp", {"k": 2}, k="auto")
    with pytest.raises(SettingsError, match="preset is an argument: pass"):
        make_bats("sharp", {"preset": "paper"})


def test_blank_texts_have_no_result() -> None:
    for text in ("", " \n"):
        assert run_unless_blank(BATS(), text) is None
        assert call_on_text(partial(run_unless_blank, BATS()), text, "row 1") is None


def test_errors_name_the_text() -> None:
    with pytest.raises(TooFewSentencesError) as alone:
        make_bats("sharp", k=3)("Bats fly.")
    with pytest.raises(TooFewSentencesError) as named:
        call_on_text(make_bats("sharp", k=3), "Bats fly.", "row b")
    assert str(named.value) == f"row b: {alone.value}"
    with pytest.raises(
        InputError, match=r"row 7: expected a string or a docbats\.Document, got int"
    ):
        call_on_text(BATS(), 1, "row 7")


def test_sizes_have_the_names_of_other_splitters_or_our_own() -> None:
    assert with_chunk_sizes({"k": 2}, None, 0, len) == {"k": 2}
    found = with_chunk_sizes({}, 9, 2, str.count)  # type: ignore[arg-type]
    assert found == {"max_size": 9, "overlap": 2, "size_unit": str.count}
    with pytest.raises(SettingsError, match="max_size cannot be combined with chunk_size"):
        with_chunk_sizes({"max_size": 3}, 9, 0, len)
    with pytest.raises(SettingsError, match="overlap must be less than max_size"):
        make_bats("sharp", with_chunk_sizes({}, 9, 9, len))
