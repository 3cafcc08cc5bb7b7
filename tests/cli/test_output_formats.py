from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from tests.cli.command import FORMATS, TEXT, output_of, run_process

import docbats


def test_text_shows_segments_and_topics(bats: Path) -> None:
    lines = output_of(bats, "-k", "2").splitlines()
    assert "6 sentences, 2 segments, 3 topics" in " ".join(lines)
    assert "Segments" in lines
    assert "Topics" in lines
    assert any(re.match(r" 1 +\w+.* T\d$", line) for line in lines)
    assert any(re.match(r" +sentences 1-3: \w+", line) for line in lines)
    assert any(re.match(r" T1 +█+ +\d+%  [▁▂▃▄▅▆▇█]{2}  \w+", line) for line in lines)


def test_json_of_one_file_is_what_the_library_gives(bats: Path) -> None:
    values = json.loads(output_of(bats, "-k", "2", "--format", "json"))
    assert values == {
        "source": str(bats),
        **docbats.analyze(TEXT, k=2).to_dict(top_words=10),
    }


def test_json_of_several_files_is_an_array(bats: Path, boats: Path) -> None:
    values = json.loads(output_of(bats, boats, "-k", "2", "--format", "json"))
    assert [value["source"] for value in values] == [str(bats), str(boats)]


def test_jsonl_is_one_line_a_file(bats: Path, boats: Path) -> None:
    lines = output_of(bats, boats, "-k", "2", "--format", "jsonl").splitlines()
    sources = [json.loads(line)["source"] for line in lines]
    assert sources == [str(bats), str(boats)]


def test_chunks_are_one_line_a_segment_with_its_overlap(bats: Path, boats: Path) -> None:
    arguments = ("--max-size", "2", "--overlap", "1", "--format", "chunks")
    chunks = [json.loads(line) for line in output_of(bats, boats, *arguments).splitlines()]
    assert {chunk["source"] for chunk in chunks} == {str(bats), str(boats)}
    for path in (bats, boats):
        own = [chunk for chunk in chunks if chunk["source"] == str(path)]
        text = path.read_text(encoding="utf-8")
        segments = docbats.analyze(text, max_size=2, overlap=1).segments
        assert [chunk["chunk"] for chunk in own] == list(range(len(segments)))
        assert [chunk["start"] for chunk in own] == [s.overlap_start for s in segments]
        assert [chunk["title"] for chunk in own] == [s.title for s in segments]
        assert all(text[chunk["start"] : chunk["end"]] == chunk["text"] for chunk in own)


def test_csv_is_one_row_a_segment_under_one_head(bats: Path, boats: Path) -> None:
    output = output_of(bats, boats, "-k", "2", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(output, newline="")))
    assert [(row["source"], row["segment"]) for row in rows] == [
        (str(path), number) for path in (bats, boats) for number in "01"
    ]
    for row in rows:
        text = Path(row["source"]).read_text(encoding="utf-8")
        assert row["text"] == text[int(row["start"]) : int(row["end"])]


def test_markdown_has_a_heading_for_each_file(bats: Path, boats: Path) -> None:
    output = output_of(bats, boats, "-k", "2", "--format", "md")
    assert re.findall(r"^# .*?(\w+)\.txt$", output, re.MULTILINE) == ["bats", "boats"]
    assert output.count("\n## Segments\n") == output.count("\n## Topics\n") == 2


def test_text_names_each_file(bats: Path, boats: Path) -> None:
    output = re.sub(r"\s+", "", output_of(bats, boats, "-k", "2"))
    assert output.index(str(bats)) < output.index(str(boats))


@pytest.mark.parametrize("format_", FORMATS)
def test_dash_reads_standard_input(format_: str) -> None:
    output = output_of("-", "-k", "2", "--format", format_, stdin=TEXT)
    assert "standard input" in output
    assert "moths" in output


@pytest.mark.parametrize("format_", ["text", "json"])
def test_second_process_prints_the_same_bytes(bats: Path, format_: str) -> None:
    process = run_process(bats, "-k", "2", "--format", format_)
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout.decode() == output_of(bats, "-k", "2", "--format", format_)


@pytest.mark.parametrize(("given", "shown"), [("1", 1), ("3", 3), ("99", None)])
def test_top_words_limits_words_and_keywords(bats: Path, given: str, shown: int | None) -> None:
    values = json.loads(output_of(bats, "-k", "2", "--top-words", given, "--format", "json"))
    result = docbats.analyze(TEXT, k=2)
    for topic, full in zip(values["topics"], result.topics, strict=True):
        assert [word["word"] for word in topic["words"]] == [w for w, _ in full.words[:shown]]
    for segment, whole in zip(values["segments"], result.segments, strict=True):
        keywords = [word["word"] for word in segment["keywords"]]
        assert keywords == [word for word, _ in whole.keywords[:shown]]


def test_naming_the_analyze_command_changes_nothing(bats: Path) -> None:
    assert output_of("analyze", bats, "-k", "2") == output_of(bats, "-k", "2")


def test_options_may_come_first(bats: Path) -> None:
    assert output_of("-k", "2", "--format", "md", bats) == output_of(
        bats, "--format", "md", "-k", "2"
    )


def test_outline_is_shown(bats: Path) -> None:
    assert "Outline" in output_of(bats, "--outline").splitlines()
    assert "## Outline" in output_of(bats, "--outline", "--format", "md").splitlines()
    values = json.loads(output_of(bats, "--outline", "--format", "json"))
    assert [entry["title"] for entry in values["outline"]] == [
        segment["title"] for segment in values["segments"]
    ]


def test_depth_limits_the_outline_and_implies_it(example: Path) -> None:
    result = docbats.analyze(example.read_text(encoding="utf-8"))
    for depth in (1, 2):
        values = json.loads(output_of(example, "--depth", str(depth), "--format", "json"))
        assert values["outline"] == result.outline(depth).to_list()
        shown = output_of(example, "--depth", str(depth), "--format", "md")
        assert shown == result.to_markdown(title=str(example), outline=True, depth=depth)


def test_granularity_is_an_option(example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    for name in ("coarse", "fine"):
        values = json.loads(output_of(example, "--granularity", name, "--format", "json"))
        expected = docbats.analyze(text, granularity=name).to_dict(top_words=10)
        assert values["segments"] == expected["segments"]
