from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from docbats import BATS, Settings, analyze
from docbats.integrations.splitting import TopicSplitter

if TYPE_CHECKING:
    from docbats import Document


def test_the_tree_is_the_outline(markdown: Document) -> None:
    nodes = TopicSplitter(BATS(Settings(k=2))).tree(markdown, strip=True)
    titles = [(node.level, node.chunk.title) for node in nodes]
    assert [title for level, title in titles if level == 0] == ["Bats", "Tea"]
    assert [nodes[i].chunk.title for i in nodes[0].children] == [titles[1][1], "Food"]
    for index, node in enumerate(nodes):
        text = markdown.text
        assert text[node.chunk.start : node.chunk.end] == node.chunk.text
        if node.parent is not None:
            assert index in nodes[node.parent].children
            assert nodes[node.parent].level == node.level - 1
            assert node.chunk.text in nodes[node.parent].chunk.text
    food = nodes[nodes[0].children[1]]
    assert food.chunk.heading_path == ("Bats", "Food")


@pytest.mark.parametrize("name", ["article", "annual-report"])
def test_leaves_tile_the_text_within_the_limits(name: str) -> None:
    text = (Path(__file__).parents[2] / "examples" / f"{name}.txt").read_text()
    bats = BATS(Settings(max_size=80, size_unit="words"))
    nodes = TopicSplitter(bats).tree(text, strip=False)
    leaves = [node.chunk for node in nodes if not node.children]
    assert "".join(leaf.text for leaf in leaves) == text
    assert max(len(leaf.text.split()) for leaf in leaves) <= 80
    assert max(node.level for node in nodes) >= 1
    for node in nodes:
        own = "".join(nodes[child].chunk.text for child in node.children)
        assert own in ("", node.chunk.text)
    roots = [node.chunk.title for node in nodes if node.level == 0]
    outline = analyze(text, max_size=80, size_unit="words").outline
    assert roots == [entry.title for entry in outline]


def test_leaves_begin_with_their_overlap(example: Path) -> None:
    bats = BATS(Settings(max_size=80, size_unit="words", overlap=10))
    nodes = TopicSplitter(bats).tree(example.read_text(), strip=True)
    leaves = [node.chunk for node in nodes if not node.children]
    assert leaves[1].start < leaves[0].end
    assert max(len(leaf.text.split()) for leaf in leaves) <= 80


def test_a_blank_text_has_no_nodes() -> None:
    assert TopicSplitter(BATS()).tree(" \n", strip=True) == []
