"""The types of options, which editors and type checkers read."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from typing import TYPE_CHECKING

import pytest

from docbats import Chunker, Settings, options
from docbats.settings import SETTING_INFOS

if TYPE_CHECKING:
    from pathlib import Path


def _annotations(typed: type) -> dict[str, str]:
    """Return the types of the keys as they are written."""
    return {
        name: value.__forward_arg__ if hasattr(value, "__forward_arg__") else str(value)
        for name, value in typed.__annotations__.items()
    }


def test_settings_are_options_of_the_same_types() -> None:
    written = {field.name: field.type for field in fields(Settings)}
    typed = _annotations(options.SettingOptionsWithK)
    assert typed.keys() == SETTING_INFOS.keys()
    assert typed == {name: written[name] for name in typed}


def test_attributes_of_a_chunker_are_options_of_the_same_types() -> None:
    written = {field.name: field.type for field in fields(Chunker)}
    typed = _annotations(options.ChunkOptionsWithSize)
    assert typed.keys() == written.keys()
    same = {"Sentences": "Literal['auto', 'lines']"}
    assert {name: same.get(type_, type_) for name, type_ in typed.items()} == written


def test_splitters_take_all_of_both() -> None:
    names = {*options.SettingOptions.__annotations__, *options.ChunkOptions.__annotations__}
    own = {"chunk_overlap", "length_function", "strip"}  # under their own names
    assert options.SplitterOptionsWithTokenizer.__annotations__.keys() == names - own


@pytest.mark.slow
def test_a_type_checker_finds_unknown_options(tmp_path: Path) -> None:
    code = (
        "import docbats\n"
        "docbats.analyze('a', bogus=1)\n"
        "docbats.analyze('a', min_size='much')\n"
        "docbats.chunk('a', 9, bogus=1)\n"
        "docbats.chunk('a', 9, min_size=2, context='headings', document_id='a')\n"
        "docbats.analyze('a', 2, max_size=3, size_unit='words', granularity='fine')\n"
    )
    (tmp_path / "used.py").write_text(code)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "used.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = {line.split(":")[1] for line in done.stdout.splitlines() if ": error: " in line}
    assert found == {"2", "3", "4"}, done.stdout
