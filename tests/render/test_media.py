"""Recordings: what is one, and how a report links it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.talks import recording

from docbats import ReadError
from docbats.render.media import Recording, check_recording, link_recording

OPENINGS = {
    "a.wav": (recording(0.1), False),
    "a.mp3": (b"ID3\x04rest", False),
    "b.mp3": (b"\xff\xfb\x90\x00rest", False),
    "a.aac": (b"\xff\xf1\x50\x80rest", False),
    "a.m4a": (b"\0\0\0\x20ftypM4A rest", False),
    "sound.m4a": (b"\0\0\0\x20ftypmp42rest", False),
    "a.mp4": (b"\0\0\0\x20ftypisomrest", True),
    "a.webm": (b"\x1aE\xdf\xa3rest", True),
    "a.weba": (b"\x1aE\xdf\xa3rest", False),
    "a.ogg": (b"OggS\0rest", False),
    "a.opus": (b"OggS\0OpusHead", False),
    "a.ogv": (b"OggS\0\x80theora", True),
    "a.flac": (b"fLaCrest", False),
}


@pytest.mark.parametrize("name", OPENINGS)
def test_a_recording_is_known_by_how_it_begins(tmp_path: Path, name: str) -> None:
    content, is_video = OPENINGS[name]
    (tmp_path / name).write_bytes(content)
    assert check_recording(tmp_path / name) is is_video


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"\xff\xfeW\0o\0r\0d\0s\0",
        b"WEBVTT\n",
        b"%PDF-1.7",
        b"PK\x03\x04",
        b"RIFF1234AVI ",
    ],
)
def test_what_no_browser_plays_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "talk.mp3"
    path.write_bytes(content)
    with pytest.raises(ReadError, match="is not a recording that browsers play: use MP3, M4A"):
        check_recording(path)


def test_missing_recordings_are_reported(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="the recording cannot be read: No such file"):
        check_recording(tmp_path / "talk.mp3")
    with pytest.raises(ReadError, match="the recording cannot be read"):
        check_recording(tmp_path)


def test_links_are_relative_to_the_page(tmp_path: Path) -> None:
    page = tmp_path / "reports" / "talk.html"
    assert link_recording(tmp_path / "a b#1.mp3", page, is_video=False).url == "../a%20b%231.mp3"
    beside = link_recording(tmp_path / "reports" / "t.mp4", page, is_video=True)
    assert beside == Recording("t.mp4", is_video=True)


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("talk.mp3", "talk.mp3"),
        ("a/b c.mp3", "a/b%20c.mp3"),
        ("https://example.org/a.mp3", "https%3A/example.org/a.mp3"),
        ("javascript:alert(1)", "javascript%3Aalert%281%29"),
        ('"><script>', "%22%3E%3Cscript%3E"),
        (Path("/home/a b/t.mp3"), "file:///home/a%20b/t.mp3"),
    ],
)
def test_links_lead_to_files_alone(path: str | Path, url: str) -> None:
    assert Recording.linked(path).url == url


def test_suffixes_tell_videos() -> None:
    assert Recording.linked("a.MP4").is_video
    assert not Recording.linked("a.mp3").is_video
