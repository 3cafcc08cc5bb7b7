"""Documents with known boundaries, from whatever marks them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.fitting.texts import make_markdown, make_parts

import docbats
from docbats.errors import InputError
from docbats.fitting.marked import MarkedDocument, UnusableDocument, read_marked

if TYPE_CHECKING:
    from pathlib import Path

PARTS = make_parts(seed=1, n_parts=4)
STARTS = tuple(sum(map(len, PARTS[:i])) for i in range(4))
TEXTS = [" ".join(part) for part in PARTS]


def marked(source: Any) -> MarkedDocument:
    """Return the only document of a source."""
    (found,) = read_marked([source])
    assert isinstance(found, MarkedDocument), found
    return found


def reason(source: Any) -> str:
    """Return why the only document of a source has no known boundaries."""
    (found,) = read_marked([source])
    assert isinstance(found, UnusableDocument), found
    return found.reason


def offsets(texts: list[str], between: int) -> list[int]:
    return [sum(len(text) + between for text in texts[:i]) for i in range(len(texts))]


@pytest.mark.parametrize(
    "source",
    [
        PARTS,
        TEXTS,
        {"segments": TEXTS},
        {"segments": PARTS},
        {"segments": [{"text": f"{text} "} for text in TEXTS]},
        {"text": " ".join(TEXTS), "segments": [{"start": at} for at in offsets(TEXTS, 1)]},
        {"text": " ".join(TEXTS), "segments": offsets(TEXTS, 1)},
        make_markdown(PARTS),
        docbats.Document.of(make_markdown(PARTS)),
    ],
    ids=["sentences", "texts", "object of texts", "object of sentences", "with text", "with start",
         "offsets", "markdown", "document"],
)  # fmt: skip
def test_marks_of_every_kind(source: Any) -> None:
    found = marked(source)
    assert found.starts == STARTS
    assert found.document.sentences == tuple(sentence for part in PARTS for sentence in part)


def test_headings_of_every_level_and_the_contents_are_hidden() -> None:
    text = make_markdown(PARTS).replace("## Part 2\n", "## Part 2\n\n### Deeper\n")
    found = marked(text)
    assert found.starts == STARTS
    assert "heading" not in {block.kind for block in found.document.blocks}
    assert not any("Part" in sentence for sentence in found.document.sentences)
    assert "Part 2" in found.document.text  # so that offsets stay


def test_the_join_of_texts_does_not_show_the_boundaries() -> None:
    assert "\n" not in marked(TEXTS).document.text
    with_breaks = [f"{text}\n\n{text}" for text in TEXTS]
    assert marked(with_breaks).document.text == "\n\n".join(with_breaks)


def test_what_docbats_writes_and_people_edit() -> None:
    text = make_markdown(PARTS)
    starts = [text.index(part[0]) for part in PARTS]
    result = docbats.analyze(text, boundaries=starts)
    assert marked(result.to_dict()).starts == STARTS
    assert marked(json.loads(result.to_json())).starts == STARTS


def test_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "one.md").write_text(make_markdown(PARTS))
    (tmp_path / "a.jsonl").write_text(f"{json.dumps({'segments': TEXTS})}\n\n" * 2)
    (tmp_path / "c.json").write_text(json.dumps([{"segments": TEXTS}]))
    (tmp_path / ".hidden.md").write_text(make_markdown(PARTS))
    found = list(read_marked(tmp_path))
    names = ["a.jsonl, line 1", "a.jsonl, line 3", "b/one.md", "c.json"]
    assert [one.name for one in found] == [str(tmp_path / name) for name in names]
    assert all(isinstance(one, MarkedDocument) and one.starts == STARTS for one in found)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("One. Two. Three. Four. Five.", "headings do not divide it"),
        ("# A\n\nOne.\n\n# B\n\nTwo.", "headings do not divide it"),
        ({"segments": [{"title": "no text"}]}, 'each with its "start"'),
        ({"segments": []}, 'an object with "segments"'),
        ({"topics": []}, 'an object with "segments"'),
        ({"text": "One. Two.", "segments": [{"start": "0"}]}, "whole numbers"),
        ({"text": "One. Two.", "segments": [5, 0]}, "ascending order"),
        ({"text": "One. Two.", "segments": [0, 99]}, "from 0 to 9"),
        ({"text": "One. Two. Three. Four. Five.", "segments": [0]}, "a single part"),
        (["One. Two.", "Three."], "only 3 sentences"),
        (["", " "], 'an object with "segments"'),
        ([[], [" "]], "empty"),
        ("", "empty"),
        (5, "expected a path"),
        ([1, 2], "expected a path"),
    ],
)
def test_why_no_boundary_is_known(source: Any, why: str) -> None:
    assert why in reason(source)


def test_a_broken_line_does_not_spoil_the_others(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    line = json.dumps({"segments": TEXTS})
    path.write_text(f"{line}\n{line[:50]}\n{line}\n5\n[{line}, {line}]")
    found = {one.name: one for one in read_marked(path)}
    unusable = [n for n, one in found.items() if isinstance(one, UnusableDocument)]
    assert unusable == [f"{path}, line 2", f"{path}, line 4"]
    assert list(found)[-1] == f"{path}, line 5, document 2"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.jsonl").write_text('"text"\n')
    (tmp_path / "c.md").write_bytes(b"\0\1\2\0")
    (tmp_path / "d.json").write_text("[" * 100_000)
    found = [*read_marked(tmp_path), *read_marked(tmp_path / "none.md")]
    assert all(isinstance(one, UnusableDocument) for one in found)
    reasons = [one.reason for one in found if isinstance(one, UnusableDocument)]
    for why, shown in zip(
        ("not JSON", 'an object with "segments"', "binary", "nested", "no such file"),
        reasons,
        strict=True,
    ):
        assert why in shown


@pytest.mark.parametrize("source", [docbats.Document.of("One. Two."), {"segments": []}, 5])
def test_one_document_is_not_several(source: Any) -> None:
    with pytest.raises(InputError, match="expected several documents or a folder, got one"):
        list(read_marked(source))
