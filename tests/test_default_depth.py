"""Long texts without headings show two levels unless told otherwise."""

from __future__ import annotations

import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from tests.cli.command import output_of
from tests.long_book import make_book
from tests.render.html_tree import Tree

from docbats import Document, Result, analyze
from docbats.corpus.documents import InputDocument
from docbats.corpus.rows import result_row
from docbats.render.html import render_page
from docbats.render.terminal import to_rich

EXAMPLES = Path(__file__).parent.parent / "examples"
NAMES = ("annual-report", "article", "how-to", "lecture")


def examples() -> list[str]:
    return [(EXAMPLES / f"{name}.txt").read_text(encoding="utf-8") for name in NAMES]


@pytest.fixture(scope="module")
def talk() -> Result:
    """Four texts one after the other, of 8,000 words in all."""
    return analyze("\n\n".join(examples()))


def shown_in_terminal(result: Result, width: int = 80, **view: Any) -> list[str]:
    buffer = io.StringIO()
    Console(file=buffer, width=width).print(to_rich(result, **view))
    return [line.rstrip() for line in buffer.getvalue().splitlines()]


def test_every_view_shows_what_depth_2_gives(talk: Result) -> None:
    two = talk.outline(2)
    assert talk.default_depth == 2
    assert (len(two), two.depth) == (len(talk.segments), 2)
    assert talk.to_dict()["outline"] == two.to_list()
    assert talk.to_json() == talk.to_json(depth=2)
    assert talk.to_markdown() == talk.to_markdown(outline=True, depth=2)
    part = min(two, key=lambda entry: len(entry.title))
    below = part.children[0].title
    assert f"- {part.title}\n  - {below}\n" in talk.to_markdown()
    for width in (80, 40):
        lines = shown_in_terminal(talk, width)
        assert lines == shown_in_terminal(talk, width, outline=True, depth=2)
        assert lines[lines.index(f" {part.title}") + 1].strip()[:25] == below[:25]
        assert max(map(len, lines)) <= width


def test_what_is_asked_for_wins(talk: Result) -> None:
    assert "outline" not in talk.to_dict(outline=False)
    assert "Outline" not in talk.to_markdown(outline=False)
    assert talk.to_dict(outline=True)["outline"] == talk.outline.to_list()
    for depth in (1, 2, 3):
        for outline in (None, False, True):
            found = talk.shown_outline(outline=outline, depth=depth)
            assert found == talk.outline(depth)


@pytest.mark.parametrize("k", [1, 2, 4, 7, 12])
def test_k_is_the_first_level(talk: Result, k: int) -> None:
    for result in (analyze(talk.document, k=k), talk.cut(k)):
        values = result.to_dict()
        assert len(values["segments"]) == len(values["outline"]) == k
        for entry, segment in zip(values["outline"], values["segments"], strict=True):
            assert {name: segment[name] for name in ("title", "start", "end")} == {
                name: entry[name] for name in ("title", "start", "end")
            }
            assert all(not child["children"] for child in entry["children"])
        assert any(entry["children"] for entry in values["outline"])


def test_a_long_list_of_segments_is_gathered(talk: Result) -> None:
    values = talk.cut(30).to_dict()
    assert len(values["segments"]) == 30
    assert len(values["outline"]) <= 12
    below = [child["title"] for entry in values["outline"] for child in entry["children"]]
    assert below == [segment["title"] for segment in values["segments"]]


def test_headings_and_short_texts_are_shown_as_ever() -> None:
    parts = [f"# Part {i}\n\n{text}\n\n" for i, text in enumerate(examples())]
    divided = analyze(Document.of("".join(parts), "markdown"))
    titled = analyze(Document.of(f"# Four texts\n\n{''.join(examples())}", "markdown"))
    assert [divided.default_depth, titled.default_depth] == [1, 2]
    ignored = analyze(Document.of("".join(parts), "markdown"), structure="ignore")
    assert ignored.default_depth == 2
    for result in (divided, *map(analyze, examples())):
        assert result.default_depth == 1
        assert result.shown_outline() is None
        assert "outline" not in result.to_dict()
        assert "Outline" not in result.to_markdown()
        assert "Outline" not in shown_in_terminal(result)


@pytest.mark.parametrize("words", [2_999, 3_000, 3_001, 3_002])
def test_more_than_3000_words_are_long(words: int) -> None:
    text = make_book(300).text.removesuffix(".")
    more = words - 3_000
    text = text + " more" * more if more > 0 else text.rsplit(" ", -more)[0] if more else text
    result = analyze(text + ".")
    assert result.default_depth == (2 if words > 3_000 else 1)
    assert (result.shown_outline() is None) == (words <= 3_000)


@pytest.mark.parametrize(
    "changes",
    [{"preset": "paper", "k": 4}, {"cut": "linkage", "k": 4}, {"max_size": 60}, {"min_size": 20}],
    ids=str,
)
def test_other_cuts_stay_flat(changes: dict[str, Any]) -> None:
    result = analyze("\n\n".join(examples()), **changes)
    assert result.default_depth == 1
    assert result.shown_outline() is None
    assert result.to_dict(depth=2)["outline"] == result.outline(2).to_list()


def test_a_long_text_that_cannot_be_divided_has_only_its_segments() -> None:
    result = analyze("The bats hunt the moths. " * 700, k=1)
    assert result.default_depth == 2
    assert result.outline.depth == 1
    assert result.shown_outline() is None
    nothing = analyze(" ".join(f"Word{i} other{i}." for i in range(2_000)))
    assert nothing.default_depth == 1
    assert nothing.shown_outline() is None


@given(st.integers(200, 500), st.integers(1, 4), st.integers(1, 6), st.integers(0, 3))
@settings(max_examples=15, deadline=None)
def test_what_is_shown_tiles_the_text(n: int, parts: int, chapters: int, seed: int) -> None:
    result = analyze(make_book(n, parts, chapters, 2, seed=seed).text)
    found = result.shown_outline()
    if n <= 300:
        assert found is None
    if found is not None:
        assert found == result.outline(2)
        assert found.depth == 2
        assert "".join(result.document.text[e.start : e.end] for e in found.leaves) == (
            result.document.text
        )


def test_rows_of_a_corpus_have_no_outline(talk: Result) -> None:
    document = InputDocument("1", "talk.txt", talk.document.text)
    assert "outline" not in result_row(document, talk, top_words=5, with_text=False)


def test_the_command_shows_two_levels(tmp_path: Path, talk: Result) -> None:
    path = tmp_path / "talk.txt"
    path.write_text(talk.document.text, encoding="utf-8")
    output = partial(output_of, path)
    assert output() == output("--depth", "2")
    assert output("--format", "md") == output("--format", "md", "--depth", "2")
    assert json.loads(output("--format", "jsonl"))["outline"] == talk.outline(2).to_list()
    one = json.loads(output("--format", "json", "--depth", "1"))["outline"]
    assert one == talk.outline(1).to_list()
    assert "Outline" not in output("--preset", "paper", "-k", "4")
    assert output("--format", "csv").count("talk.txt") == len(talk.segments)


def test_the_report_opens_two_levels() -> None:
    result = analyze(make_book(1_200, 6, 6, 5).text)
    entries = [entry for entry in result.outline.walk() if entry[1].children]
    tree = Tree(render_page(result))
    folds = [n for n in tree.nodes if n.tag == "details" and "help" not in n.classes]
    assert len(list(result.outline.walk())) > 40
    assert result.outline.depth == 3
    for (numbers, _), fold in zip(entries, folds, strict=True):
        assert ("open" in fold.attributes) == (len(numbers) == 1)
    assert tree.data["levels"] == 2
