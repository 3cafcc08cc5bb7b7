"""What is released, and by which steps; `make wheel-check` tests the wheel itself."""

from __future__ import annotations

import json
import re
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tools.check_wheel import LAB, PACKAGE, CheckError, check_contents, find_pythons, find_wheel

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text()


@pytest.fixture(scope="module")
def project() -> Any:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.fixture
def members(project: Any) -> dict[str, bytes]:
    """What a wheel must contain."""
    names = [path.relative_to(PACKAGE.parent).as_posix() for path in PACKAGE.rglob("*.*")]
    files = {name: b"" for name in names if not name.endswith(".pyc")}
    licences = {f"docbats-9.dist-info/licenses/{n}": b"" for n in project["license-files"]}
    return files | licences


def _wheel(folder: Path, members: dict[str, bytes]) -> Path:
    path = folder / "docbats-9-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_a_whole_wheel_passes(tmp_path: Path, members: dict[str, bytes]) -> None:
    assert check_contents(_wheel(tmp_path, members), "v9") == "9"


@pytest.mark.parametrize(
    "name",
    ["py.typed", "text/data/tagger-en.npz", "serve/static/app.js", "render/assets/reader.css"],
)
def test_a_wheel_that_lacks_a_file_fails(
    tmp_path: Path, members: dict[str, bytes], name: str
) -> None:
    del members[f"docbats/{name}"]
    with pytest.raises(CheckError, match=f"lacks docbats/{name}"):
        check_contents(_wheel(tmp_path, members))


@pytest.mark.parametrize("name", ["tests/test_package.py", "docbats/data/corpus.txt"])
def test_a_wheel_with_other_files_fails(
    tmp_path: Path, members: dict[str, bytes], name: str
) -> None:
    with pytest.raises(CheckError, match=f"must not contain {name}"):
        check_contents(_wheel(tmp_path, {**members, name: b""}))


def test_a_tag_that_is_not_the_version_fails(tmp_path: Path, members: dict[str, bytes]) -> None:
    with pytest.raises(CheckError, match="the tag must be v9, got v8"):
        check_contents(_wheel(tmp_path, members), "v8")


def test_the_weights_of_baselines_are_in_the_wheel_of_the_laboratory(
    tmp_path: Path, members: dict[str, bytes]
) -> None:
    weights = "baselines/supervised/weights.npz"
    assert not [name for name in members if name.endswith("/weights.npz")]
    path = tmp_path / "docbats_lab-9-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file in LAB.rglob("*.*"):
            if file.suffix != ".pyc" and not file.match(f"*/{weights}"):
                archive.writestr(file.relative_to(LAB.parent).as_posix(), b"")
    with pytest.raises(CheckError, match=rf"lacks docbats_lab/{weights}$"):
        check_contents(path)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(f"docbats_lab/{weights}", b"")
        for name in ("LICENSE", f"docbats_lab/{Path(weights).parent}/LICENSE.md"):
            archive.writestr(f"docbats_lab-9.dist-info/licenses/{name}", b"")
    assert check_contents(path, "v9") == "9"
    assert find_wheel(tmp_path, "docbats_lab") == path
    with pytest.raises(CheckError, match="must contain one wheel of docbats, got 0"):
        find_wheel(tmp_path, "docbats")


def test_missing_pythons_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    names = [sys.executable, "python2.9"]
    assert find_pythons(names, all_=False) == [Path(sys.executable)]
    assert capsys.readouterr().out == "python2.9: not found, so not checked\n"
    with pytest.raises(CheckError, match=r"not found: python2\.9"):
        find_pythons(names, all_=True)


def test_the_pythons_are_the_same_everywhere(project: Any) -> None:
    named = [c.rpartition(" ")[2] for c in project["classifiers"] if "Python :: 3." in c]
    commands = [f"python{version}" for version in named]
    assert f"PYTHONS ?= {' '.join(commands)}\n" in MAKEFILE
    assert project["requires-python"] == f">={named[0]}"
    matrix = f"python: {json.dumps(named)}"
    for name in ("ci", "release"):
        text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text()
        assert matrix in text
        assert set(re.findall(r"\b3\.\d+\b", text)) == set(named)
    assert " ".join(commands) in text


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_are_pinned_and_may_do_little(path: Path) -> None:
    text = path.read_text()
    for action in re.findall(r"uses: (.*)", text):
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action
    assert re.search(r"^permissions: \{\}$", text, re.MULTILINE)
    assert "secrets." not in text
    assert text.count("id-token: write") == (path.stem != "ci")
    assert text.count("persist-credentials: false") == text.count("actions/checkout@")
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    assert set(re.findall(r"run: make ([a-z-]+)", text)) <= targets
