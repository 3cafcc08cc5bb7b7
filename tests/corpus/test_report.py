from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from docbats.corpus import CorpusError, CorpusOptions, run
from docbats.corpus.report import RunStatistics, render_corpus_report, write_corpus_report
from docbats.corpus.rows import RowSummary

from .conftest import text_of, write_lines

if TYPE_CHECKING:
    from pathlib import Path

EVIL = '<script>alert("1")</script>&'


@pytest.fixture
def out(tmp_path: Path, faults: Any) -> Path:
    """A run with reports, odd ids and failures."""
    rows = [{"id": f"{EVIL}{number}", "text": text_of(number)} for number in range(8)]
    rows += [{"id": f"empty {EVIL}", "text": ""}, {"id": f"{EVIL}1", "text": "Again."}]
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run(path, tmp_path / "out", CorpusOptions(part_size=3, reports=True), engine=faults.HereEngine)
    return tmp_path / "out"


def test_the_page_counts_what_is_there(out: Path) -> None:
    page = write_corpus_report(out, out / "report.html").read_text()
    assert "<dt>documents</dt><dd>10</dd>" in page
    assert "<dt>failed</dt><dd>2</dd>" in page
    assert "duplicate-id" in page
    assert "cannot-be-analyzed" in page
    assert "is not finished" not in page


def test_nothing_of_a_document_is_markup_and_nothing_is_fetched(out: Path) -> None:
    page = render_corpus_report(out, out)
    assert "alert" in page
    assert page.count("<script") == 1  # our own, which the policy names
    assert not re.search(r"\sstyle=", page)
    assert not re.search(r"https?://", page)
    assert "default-src 'none'" in page


def test_the_page_links_to_the_single_reports(out: Path, tmp_path: Path) -> None:
    for base in (out, tmp_path / "elsewhere"):
        base.mkdir(exist_ok=True)
        page = write_corpus_report(out, base / "page.html").read_text()
        links = re.findall(r'href="([^"]+)"', page)
        assert len(set(links)) == 8
        assert all((base / link).is_file() for link in links)


@pytest.mark.parametrize(
    ("ids", "common"),
    [
        (["/a/b/c.txt", "/a/b/d/e.txt"], "/a/b/"),
        (["/a/b", "/a/c"], "/a/"),
        (["ab/c", "ad/c"], ""),
        (["a/b", "a/b/c"], ""),
        (["a/b"], ""),
        ([], ""),
    ],
)
def test_the_folder_that_all_documents_are_in(ids: list[str], common: str) -> None:
    statistics = RunStatistics()
    statistics.listed = [RowSummary(id_, 0, None, None) for id_ in ids]
    assert statistics.common_folder == common


def test_an_unfinished_run_says_so(out: Path) -> None:
    (out / "summary.json").unlink()
    (out / "part-000001.jsonl").unlink()
    page = render_corpus_report(out, out)
    assert "is not finished" in page
    assert "<dt>documents</dt><dd>7</dd>" in page


def test_the_same_page_for_parquet(tmp_path: Path, out: Path, faults: Any) -> None:
    again = tmp_path / "more" / "out"
    run(tmp_path / "in.jsonl", again, CorpusOptions(part_size=3, format="parquet", reports=True),
        engine=faults.HereEngine)  # fmt: skip
    assert render_corpus_report(again, again) == render_corpus_report(out, out)


def test_a_folder_that_holds_no_run(tmp_path: Path, out: Path) -> None:
    with pytest.raises(CorpusError, match=r"run\.json"):
        render_corpus_report(tmp_path, tmp_path)
    (out / "part-000000.jsonl").write_text("{")
    with pytest.raises(CorpusError, match="part 0 is damaged"):
        render_corpus_report(out, out)


def test_an_empty_run(tmp_path: Path, faults: Any) -> None:
    (tmp_path / "in.jsonl").write_text("")
    run(tmp_path / "in.jsonl", tmp_path / "none", engine=faults.HereEngine)
    assert "<dd>0</dd>" in render_corpus_report(tmp_path / "none", tmp_path)


@pytest.mark.parametrize("format_", ["jsonl", "parquet"])
def test_a_run_of_chunks(tmp_path: Path, faults: Any, format_: str) -> None:
    path = write_lines(tmp_path / "in.jsonl", [text_of(1), text_of(2) * 2, " "])
    options = CorpusOptions(format=format_, chunks={"chunk_size": 10_000})
    run(path, tmp_path / "out", options, engine=faults.HereEngine)
    page = write_corpus_report(tmp_path / "out", tmp_path / "report.html").read_text()
    characters = len(text_of(1)) + len(text_of(2) * 2) + 1
    assert f"<dt>characters</dt><dd>{characters}</dd>" in page
    assert "<dt>chunks, median</dt><dd>1</dd>" in page
    assert "Number of chunks" in page
    assert not re.search(
        "[Ss]egments|[Ss]entences|Topics", re.sub("(?s)<style>.*?</style>", "", page)
    )
