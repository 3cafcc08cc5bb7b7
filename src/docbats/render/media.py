"""The recording of a talk that a report plays: what it is, and where the report finds it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePath
from urllib.parse import quote

from docbats.errors import ReadError

VIDEO_SUFFIXES = frozenset({".mp4", ".m4v", ".mov", ".webm", ".mkv", ".ogv"})

_OPENING = 64  # bytes of a file that say what it is
# Of MPEG layers II and III, and AAC.
_FRAMES = frozenset(
    bytes([0xFF, byte]) for byte in b"\xfb\xfa\xf3\xf2\xe3\xe2\xfd\xfc\xf5\xf4\xf0\xf1\xf8\xf9"
)
_AUDIO_BRANDS = (b"M4A", b"M4B")


@dataclass(frozen=True)
class Recording:
    """A recording that a page links: the page holds its address only."""

    url: str
    is_video: bool

    @classmethod
    def linked(cls, path: str | os.PathLike[str]) -> Recording:
        """Link a file by its path, relative to the page, without looking at it."""
        pure = PurePath(path)
        url = Path(pure).as_uri() if pure.is_absolute() else quote(pure.as_posix())
        return cls(url, pure.suffix.lower() in VIDEO_SUFFIXES)


def check_recording(path: Path) -> bool:
    """Return whether a recording is a video; raise an error if browsers cannot play it."""
    try:
        with path.open("rb") as file:
            opening = file.read(_OPENING)
    except OSError as error:
        msg = f"{path}: the recording cannot be read: {error.strerror or error}"
        raise ReadError(msg) from None
    kind = _kind(opening, path.suffix.lower())
    if kind is None:
        msg = (
            f"{path} is not a recording that browsers play: use MP3, M4A, AAC, MP4, WebM, Ogg, "
            "FLAC or WAV"
        )
        raise ReadError(msg)
    return kind == "video"


def link_recording(path: Path, page: Path, *, is_video: bool) -> Recording:
    """Return a recording as a page finds it: relative to the page, unless on another drive."""
    target = path.resolve()
    try:
        relative = os.path.relpath(target, page.resolve().parent)
    except ValueError:  # Windows, another drive
        return Recording(target.as_uri(), is_video)
    return Recording(quote(PurePath(relative).as_posix()), is_video)


def _kind(opening: bytes, suffix: str) -> str | None:
    """Return whether a file is audio or video by how it begins; None if it is neither."""
    if opening[4:8] == b"ftyp":
        is_audio = opening[8:11] in _AUDIO_BRANDS or suffix in {".m4a", ".m4b"}
        return "audio" if is_audio else "video"
    if opening[:4] == b"\x1aE\xdf\xa3":  # Matroska and WebM
        return "audio" if suffix in {".weba", ".mka"} else "video"
    if opening[:4] == b"OggS":
        return "video" if b"theora" in opening or suffix == ".ogv" else "audio"
    is_wave = opening[:4] == b"RIFF" and opening[8:12] == b"WAVE"
    is_mpeg = opening[:3] == b"ID3" or opening[:2] in _FRAMES
    return "audio" if is_wave or is_mpeg or opening[:4] == b"fLaC" else None
