"""The recording of a transcript in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.cli.command import run
from tests.talks import recording, talk_vtt

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    (tmp_path / "talk.vtt").write_text(talk_vtt(), encoding="utf-8")
    (tmp_path / "my talk.wav").write_bytes(recording(0.1))
    return tmp_path / "talk.vtt"


def test_the_report_links_the_recording(talk: Path) -> None:
    sound, report = talk.with_name("my talk.wav"), talk.parent / "reports" / "talk.html"
    result = run(talk, "--media", sound, "--html", report)
    assert (result.exit_code, result.stderr) == (0, "")
    page = report.read_text(encoding="utf-8")
    assert '<audio src="../my%20talk.wav" controls preload="metadata">' in page
    assert 'src="/' not in page
    assert result.stdout == run(talk).stdout


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "the recording cannot be read: No such file or directory"),
        (b"only words", "is not a recording that browsers play: use MP3, M4A"),
    ],
)
def test_what_is_no_recording_is_an_error(talk: Path, content: bytes | None, message: str) -> None:
    sound = talk.with_name("sound.mp3")
    if content is not None:
        sound.write_bytes(content)
    result = run(talk, "--media", sound, "--html", talk.with_name("talk.html"))
    assert result.exit_code == 1
    assert message in result.stderr
    assert str(sound) in result.stderr
    assert not talk.with_name("talk.html").exists()


def test_wrong_usage(talk: Path) -> None:
    sound = talk.with_name("my talk.wav")
    before = sound.read_bytes()
    for arguments, message in (
        ([talk], "is for the report: add --html PATH or --open"),
        ([talk, talk.parent / "b.vtt", "--html", talk.parent / "r"], "for 2 documents: name one"),
        ([talk, "--html", sound], "would overwrite an input"),
        ([talk, "--html", talk.with_name("t.html"), "-o", sound], "would overwrite the recording"),
    ):
        result = run(*arguments, "--media", sound)
        assert result.exit_code == 2
        assert message in " ".join(result.stderr.split())
    assert sound.read_bytes() == before
