from __future__ import annotations

import errno
import json
import os
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from docbats import Settings, analyze
from docbats.corpus import CorpusError, CorpusOptions, Progress, ResumeError, run
from docbats.corpus.engines import GroupLimits
from docbats.errors import ReadError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

from .conftest import read_lines, text_of, tree, write_lines

SMALL = CorpusOptions(part_size=5)


def test_rows_are_what_analyze_gives(tmp_path: Path, lines: Path) -> None:
    """With real processes, and with every key that a result has."""
    summary = run(lines, tmp_path / "out", CorpusOptions(part_size=4, top_words=3), jobs=2)
    rows = read_lines(tmp_path / "out")
    assert (summary.documents, summary.failed, summary.parts) == (17, 0, 5)
    for number, row in enumerate(rows):
        result = analyze(text_of(number)).to_dict(top_words=3)
        assert row["id"] == f"d{number}"
        assert row["place"] == number
        assert row["error"] is None
        assert row["k"] == len(result["segments"])
        for key in ("document", "choice", "topics", "segments", "notes"):
            assert row[key] == result[key]
    request = json.loads((tmp_path / "out" / "run.json").read_text())
    assert request["settings"] == Settings().to_dict()


def test_processes_and_batches_do_not_show(tmp_path: Path, lines: Path, faults: Any) -> None:
    run(lines, tmp_path / "one", SMALL, jobs=1)
    run(lines, tmp_path / "here", SMALL, engine=faults.HereEngine)
    assert tree(tmp_path / "one") == tree(tmp_path / "here")


def test_text_can_be_left_out_and_settings_count(tmp_path: Path, faults: Any, lines: Path) -> None:
    options = CorpusOptions(settings=Settings(k=2), with_text=False)
    run(lines, tmp_path / "out", options, engine=faults.HereEngine)
    row = read_lines(tmp_path / "out")[0]
    assert row["k"] == 2
    assert "text" not in row["segments"][0]


def test_each_document_that_fails_is_a_row_and_the_run_goes_on(tmp_path: Path, faults: Any) -> None:
    """All that can happen to a document, in one run with real processes."""
    texts = [text_of(number) for number in range(12)]
    texts[2] += " Zcrash comes here."
    texts[4] += " Zhang comes here."
    texts[6] += " Zraise comes here."
    texts[7] = "x" * 3000
    texts[9] = " "
    path = write_lines(tmp_path / "in.jsonl", texts)
    with path.open("ab") as file:
        file.write(b'{"id": "d0", "text": "Again."}\n{"id": "bad", "text": "\xff"}\nnothing\n')
    options = CorpusOptions(
        settings=Settings(tagger=faults.tagger), part_size=4, max_characters=2000
    )
    summary = run(path, tmp_path / "out", options, jobs=2, timeout=3)
    rows = read_lines(tmp_path / "out")
    assert [row["place"] for row in rows] == list(range(15))
    kinds = {row["place"]: row["error"]["kind"] for row in rows if row["error"]}
    assert kinds == {
        2: "crash",
        4: "time-out",
        6: "unexpected",
        7: "too-large",
        9: "cannot-be-analyzed",
        12: "duplicate-id",
        13: "bad-bytes",
        14: "bad-record",
    }
    assert summary.failures == Counter(kinds.values())
    assert summary.failed == 8
    assert len(summary.examples) == 5
    assert [name for name, _ in summary.examples] == ["d2", "d4", "d6", "d7", "d9"]
    assert "signal 11" in rows[2]["error"]["message"]
    assert "a word that nobody expected" in rows[6]["error"]["message"]
    assert all(row.keys() == rows[0].keys() for row in rows)
    # What comes once more is the same: nothing of the failures depends on the moment.
    again = run(path, tmp_path / "out", options, jobs=1, timeout=3, resume=True)
    assert (again.resumed, again.failures) == (15, summary.failures)


def test_unordered_rows_are_the_same_rows(tmp_path: Path, lines: Path) -> None:
    run(lines, tmp_path / "out", SMALL, jobs=2, ordered=False)
    rows = read_lines(tmp_path / "out")
    assert sorted(row["place"] for row in rows) == list(range(17))
    assert {row["place"] // 5 for row in rows[:5]} == {0}
    assert run(lines, tmp_path / "out", SMALL, resume=True).resumed == 17


def test_a_finished_run_is_refused_without_resume(tmp_path: Path, lines: Path, faults: Any) -> None:
    run(lines, tmp_path / "out", SMALL, engine=faults.HereEngine)
    before = tree(tmp_path / "out")
    with pytest.raises(ResumeError, match="--resume"):
        run(lines, tmp_path / "out", SMALL, engine=faults.HereEngine)
    assert tree(tmp_path / "out") == before
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("Dear me")
    with pytest.raises(ResumeError, match="another folder"):
        run(lines, tmp_path / "other", SMALL, resume=True)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (CorpusOptions(part_size=5, settings=Settings(k=3)), "settings k"),
        (CorpusOptions(part_size=6), "part_size was 5 and is 6"),
        (CorpusOptions(part_size=5, format="jsonl.gz"), "format"),
        (CorpusOptions(part_size=5, top_words=2), "top_words"),
    ],
)
def test_other_settings_are_not_resumed(
    tmp_path: Path, lines: Path, faults: Any, options: CorpusOptions, named: str
) -> None:
    run(lines, tmp_path / "out", SMALL, engine=faults.HereEngine)
    with pytest.raises(ResumeError, match=named):
        run(lines, tmp_path / "out", options, resume=True)


def test_a_changed_input_is_not_resumed(tmp_path: Path, lines: Path, faults: Any) -> None:
    run(lines, tmp_path / "out", SMALL, engine=faults.HereEngine)
    (tmp_path / "out" / "part-000003.jsonl").unlink()
    before = lines.read_text()
    lines.write_text(before + '{"text": "One more."}\n')
    with pytest.raises(ResumeError, match="names or sizes"):
        run(lines, tmp_path / "out", SMALL, resume=True)
    lines.write_text(before.replace("Number 7", "Number 3"))  # as long as it was
    with pytest.raises(ResumeError, match=r"document 7 \(d7\)"):
        run(lines, tmp_path / "out", SMALL, resume=True, engine=faults.HereEngine)


def test_parts_that_are_gone_or_damaged_are_made_anew(
    tmp_path: Path, lines: Path, faults: Any
) -> None:
    out = tmp_path / "out"
    run(lines, out, SMALL, engine=faults.HereEngine)
    before = tree(out)
    (out / "part-000001.jsonl").unlink()
    (out / "part-000002.jsonl").write_text('{"id": "d1')
    (out / ".part-000003.jsonl.unfinished").write_text("left behind")
    (out / "summary.json").unlink()
    summary = run(lines, out, SMALL, resume=True, engine=faults.HereEngine)
    assert summary.resumed == 7
    assert tree(out) == before


def test_two_runs_do_not_share_a_folder(tmp_path: Path, lines: Path, faults: Any) -> None:
    def second(_: Progress) -> None:
        with pytest.raises(ResumeError, match="another run"):
            run(lines, tmp_path / "out", SMALL, resume=True)

    run(lines, tmp_path / "out", SMALL, engine=faults.HereEngine, on_progress=second)


def test_a_folder_inside_of_the_input_is_refused(tmp_path: Path, lines: Path) -> None:
    with pytest.raises(SettingsError, match="inside"):
        run(lines.parent, tmp_path / "out")


def test_a_full_disk_ends_the_run_which_goes_on_when_there_is_room(
    tmp_path: Path, lines: Path, faults: Any, small_disk: Callable[[str], Path]
) -> None:
    run(lines, tmp_path / "whole", SMALL, engine=faults.HereEngine)
    size = sum(map(len, tree(tmp_path / "whole").values()))
    disk = small_disk("256k")
    (disk / "ballast").write_bytes(b"x" * (256 * 1024 - size // 2))
    for _ in range(2):
        with pytest.raises(CorpusError, match=r"No space left.*make room.*--resume"):
            run(lines, disk / "out", SMALL, resume=True, engine=faults.HereEngine)
    assert not list((disk / "out").glob(".*"))
    (disk / "ballast").unlink()
    run(lines, disk / "out", SMALL, resume=True, engine=faults.HereEngine)
    assert tree(disk / "out") == tree(tmp_path / "whole")


def test_any_error_of_writing_leaves_whole_parts(
    tmp_path: Path, lines: Path, faults: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = 0
    real = os.fsync

    def fsync(descriptor: int) -> None:
        nonlocal synced
        synced += 1
        if synced == 5:
            raise OSError(errno.EIO, "Input/output error")
        real(descriptor)

    run(lines, tmp_path / "whole", SMALL, engine=faults.HereEngine)
    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(CorpusError, match="Input/output error"):
        run(lines, tmp_path / "out", SMALL, engine=faults.HereEngine)
    whole = tree(tmp_path / "whole")
    assert tree(tmp_path / "out").items() < whole.items()
    run(lines, tmp_path / "out", SMALL, resume=True, engine=faults.HereEngine)
    assert tree(tmp_path / "out") == whole


def test_progress(tmp_path: Path, lines: Path, faults: Any) -> None:
    seen: list[Progress] = []
    run(lines, tmp_path / "out", SMALL, engine=faults.HereEngine, on_progress=seen.append)
    assert [progress.documents for progress in seen] == list(range(1, 18))
    assert seen[-1].read == seen[-1].total == lines.stat().st_size
    assert seen[-1].seconds_left == 0


def test_reports_of_single_documents(tmp_path: Path, lines: Path, faults: Any) -> None:
    run(lines, tmp_path / "out", CorpusOptions(reports=True), engine=faults.HereEngine)
    pages = sorted((tmp_path / "out" / "reports").rglob("*.html"))
    assert len(pages) == 17
    assert "d16" in pages[-1].read_text()


def test_rows_wait_for_a_slow_document_in_little_memory(
    tmp_path: Path, faults: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first document comes back last; meanwhile no more is read than may be held."""
    monkeypatch.setattr("docbats.corpus.runner._MAX_HELD_BYTES", 10_000)
    monkeypatch.setattr("docbats.corpus.runner._BATCH_LIMITS", GroupLimits(1, 1))
    engines: list[Any] = []

    def make(work: Any) -> Any:
        engines.append(faults.LateEngine(work))
        return engines[0]

    path = write_lines(tmp_path / "many.jsonl", [text_of(number) for number in range(60)])
    run(path, tmp_path / "out", SMALL, engine=make)
    assert engines[0].submitted_meanwhile < 20
    assert [row["place"] for row in read_lines(tmp_path / "out")] == list(range(60))


def test_a_folder_without_files(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with pytest.raises(ReadError, match="no file"):
        run(tmp_path / "in", tmp_path / "out")


def test_a_run_that_lost_a_part_does_not_count_as_finished(
    tmp_path: Path, lines: Path, faults: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(lines, tmp_path / "out", SMALL, engine=faults.HereEngine)
    (tmp_path / "out" / "part-000001.jsonl").unlink()
    monkeypatch.setattr("docbats.corpus.runner.write_summary", _interrupt)
    with pytest.raises(KeyboardInterrupt):
        run(lines, tmp_path / "out", SMALL, engine=faults.HereEngine, resume=True)
    assert not (tmp_path / "out" / "summary.json").exists()


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_nothing_to_do(tmp_path: Path, faults: Any) -> None:
    (tmp_path / "in.jsonl").write_text("")
    summary = run(tmp_path / "in.jsonl", tmp_path / "out", engine=faults.HereEngine)
    assert (summary.documents, summary.parts) == (0, 0)


@pytest.mark.parametrize(
    "change",
    [{"part_size": 0}, {"format": "xml"}, {"encoding": "klingon"}, {"settings": "k"}],
)
def test_options_that_are_impossible(change: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        CorpusOptions(**change)


@pytest.mark.parametrize("change", [{"jobs": 0}, {"timeout": 0}, {"timeout": float("nan")}])
def test_calls_that_are_impossible(tmp_path: Path, lines: Path, change: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        run(lines, tmp_path / "out", **change)
    assert not (tmp_path / "out").exists()


def test_functions_that_cannot_be_sent_are_refused(tmp_path: Path, lines: Path) -> None:
    options = CorpusOptions(settings=Settings(tagger=lambda tokens: tokens))
    with pytest.raises(SettingsError, match="named functions"):
        run(lines, tmp_path / "out", options)
