"""A folder with every file that the pages name."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.docs.made import make_all
from tests.title_server import title_server

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that tests copy."""
    folder = tmp_path_factory.mktemp("made")
    make_all(folder)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A fresh copy of the folder, which is the working directory and the home.

    A server writes titles, as a language model would.
    """
    copy = tmp_path / "folder"
    shutil.copytree(made, copy)
    monkeypatch.chdir(copy)
    monkeypatch.setattr(sys, "argv", ["docbats"])
    monkeypatch.setenv("HOME", str(copy))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("DOCBATS_DATA", "DOCBATS_TOKEN", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "path", sys.path.copy())  # the command may add the folder
    with title_server() as server:
        monkeypatch.setenv("NAMES_ADDRESS", server.address)
        yield copy
