"""Check the wheels in clean environments: ``python tools/check_wheel.py dist python3.11``.

What both must contain; of docbats also how large it is with its dependencies, whether it works on
each Python from a folder outside the source tree, and whether it prints the same bytes on all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "docbats"
LAB = ROOT / "lab" / "docbats_lab"
EXAMPLE = ROOT / "examples" / "annual-report.txt"
MAX_INSTALL_BYTES = 70_000_000  # of all wheels of an install without extras

LIBRARY = """
import sys
from importlib.resources import files

import docbats

result = docbats.analyze(open(sys.argv[1], encoding="utf-8").read())
text = result.document.text
assert "".join(segment.text for segment in result.segments) == text
assert all(text[s.start : s.end] == s.text for s in result.segments)
assert len(result.segments) > 1 and result.topics and result.summary(3) and result.outline
assert result.to_html().startswith("<!doctype html>")
assert result.to_markdown() and result.to_json()
assert docbats.analyze(text, preset="paper", k=3).topics
assert docbats.Document.read(b"# Bats\\n\\nThey fly.", name="a.md").place(0, 5).headings
assert files("docbats").joinpath("py.typed").is_file()
assert "site-packages" in docbats.__file__, docbats.__file__
"""
"""The code that is run with the library in each environment."""


class CheckError(Exception):
    """The wheel is not as it should be."""


def main() -> None:
    """Check everything; print what is wrong and exit with 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dist", type=Path, help="the folder with the wheels")
    parser.add_argument("pythons", nargs="+", help="Pythons to check on")
    parser.add_argument("--all", action="store_true", help="fail if a Python is missing")
    parser.add_argument("--tag", help="the tag of the release, which the version must equal")
    options = parser.parse_args()
    try:
        wheel = find_wheel(options.dist, PACKAGE.name)
        version = check_contents(wheel, options.tag)
        check_contents(find_wheel(options.dist, LAB.name), f"v{version}")
        pythons = find_pythons(options.pythons, all_=options.all)
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as threads:
            folders = [Path(folder) / str(number) for number in range(len(pythons))]
            environments = threads.map(Environment, pythons, folders)
            check_same(list(threads.map(partial(check_install, wheel, version), environments)))
    except CheckError as error:
        sys.exit(f"check_wheel: {error}")


def find_wheel(dist: Path, package: str) -> Path:
    """Return the one wheel of a package in a folder."""
    wheels = list(dist.glob(f"{package}-*.whl"))
    if len(wheels) != 1:
        msg = f"{dist} must contain one wheel of {package}, got {len(wheels)}: run make wheel"
        raise CheckError(msg)
    return wheels[0].resolve()


def check_contents(wheel: Path, tag: str | None = None) -> str:
    """Check that the wheel contains the whole package and nothing else; return its version."""
    name, version = wheel.name.split("-")[:2]
    package, project = (LAB, LAB.parent) if name == LAB.name else (PACKAGE, ROOT)
    if tag is not None and tag != f"v{version}":
        msg = f"the tag must be v{version}, got {tag}: change the tag, or the version in runtime.py"
        raise CheckError(msg)
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    about = f"{name}-{version}.dist-info/"
    found = {name for name in names if not name.startswith(about)}
    expected = {
        path.relative_to(package.parent).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    for names_, what in ((expected - found, "lacks"), (found - expected, "must not contain")):
        if names_:
            msg = f"{wheel.name} {what} {', '.join(sorted(names_))}"
            raise CheckError(msg)
    licences = [name for name in names if name.startswith(f"{about}licenses/")]
    if len(licences) != len(_project(project)["license-files"]):
        msg = f"{wheel.name} must contain the license-files of pyproject.toml, got {len(licences)}"
        raise CheckError(msg)
    print(f"{wheel.name}: {len(found)} files, {wheel.stat().st_size / 1e6:.1f} MB")
    return version


def find_pythons(names: list[str], *, all_: bool) -> list[Path]:
    """Return the Pythons on the PATH or of pyenv; print which are missing."""
    found = {name: _find_python(name) for name in names}
    missing = [name for name, path in found.items() if path is None]
    if missing and (all_ or len(missing) == len(names)):
        msg = f"not found: {', '.join(missing)}"
        raise CheckError(msg)
    for name in missing:
        print(f"{name}: not found, so not checked")
    return [path for path in found.values() if path is not None]


def _find_python(name: str) -> Path | None:
    """Return a Python that works: pyenv has commands for versions that are not active."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    of_pyenv = sorted(pyenv.glob(f"versions/{name.removeprefix('python')}.*/bin/python"))
    for candidate in (shutil.which(name), *of_pyenv):
        if candidate is not None:
            done = subprocess.run([candidate, "--version"], capture_output=True, check=False)
            if done.returncode == 0:
                return Path(candidate)
    return None


class Environment:
    """A new environment in a folder outside the source tree, where no other docbats is found."""

    def __init__(self, python: Path, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self._home = folder / "environment"
        self.run(python, "-m", "venv", "--without-pip", self._home)
        self.python = self._home / "bin" / "python"
        self.docbats = self._home / "bin" / "docbats"

    def run(self, *command: str | Path) -> bytes:
        """Run a command in the folder and return its output."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
        done = subprocess.run(command, cwd=self.folder, env=clean, capture_output=True, check=False)
        if done.returncode:
            output = (done.stdout + done.stderr).decode(errors="replace")
            msg = f"{' '.join(map(str, command))[:200]}\n{output}"
            raise CheckError(msg)
        return done.stdout

    def pip(self, *arguments: str | Path) -> None:
        """Run our pip for this environment, which has none."""
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
        self.run(*pip, "--python", self.python, *arguments)

    def resolve(self, requirement: str) -> None:
        """Check that a requirement can be installed here, with uv, since pip would take minutes."""
        uv = (sys.executable, "-m", "uv", "pip", "install", "--dry-run")
        self.run(*uv, "--python", self.python, requirement)


@dataclass(frozen=True)
class Install:
    """The output of an installed wheel: the bytes of each part, by its name."""

    python: str
    printed: dict[str, bytes]


def check_install(wheel: Path, version: str, environment: Environment) -> Install:
    """Install the wheel and run it."""
    size = install(wheel, environment)
    shown = environment.run(environment.docbats, "--version").decode().strip()
    if shown != f"docbats {version}":
        msg = f"docbats --version must print docbats {version}, got {shown!r}"
        raise CheckError(msg)
    example = Path(shutil.copy(EXAMPLE, environment.folder))
    environment.run(environment.python, "-I", "-W", "error", "-c", LIBRARY, example)
    printed = environment.run(environment.docbats, example.name, "--html", "page.html")
    found = json.loads(environment.run(environment.docbats, example.name, "--format", "json"))
    del found["versions"]
    python = environment.run(environment.python, "--version").decode().strip()
    print(f"{python}: works, {size / 1e6:.1f} MB of wheels, {len(_extras())} extras resolve")
    return Install(
        python,
        {
            "the output of the demo": printed,
            "its page": (environment.folder / "page.html").read_bytes(),
            "its JSON without versions": json.dumps(found).encode(),
        },
    )


def install(wheel: Path, environment: Environment) -> int:
    """Install the wheel, check that the extras resolve, and return the bytes of all wheels."""
    wheels = environment.folder / "wheels"
    environment.pip("download", "--only-binary", ":all:", "--dest", wheels, wheel)
    size = sum(path.stat().st_size for path in wheels.iterdir())
    if size > MAX_INSTALL_BYTES:
        most = MAX_INSTALL_BYTES / 1e6
        msg = f"the wheels of an install must take at most {most:.0f} MB, got {size / 1e6:.0f}"
        raise CheckError(msg)
    environment.pip("install", "--no-compile", "--no-index", "--find-links", wheels, wheel)
    environment.resolve(f"docbats[{','.join(_extras())}] @ {wheel.as_uri()}")
    return size


def check_same(installs: list[Install]) -> None:
    """Check that all Pythons printed the same bytes."""
    first = installs[0]
    for what, expected in first.printed.items():
        for other in installs[1:]:
            if other.printed[what] != expected:
                msg = f"{what} is not the same on {first.python} and {other.python}"
                raise CheckError(msg)
        digest = hashlib.sha256(expected).hexdigest()[:16]
        print(f"{what}: {len(expected)} bytes, sha256 {digest}…, on {len(installs)} Pythons")


def _extras() -> list[str]:
    """Return the extras for users."""
    return [name for name in _project()["optional-dependencies"] if name not in {"dev", "docs"}]


def _project(folder: Path = ROOT) -> dict[str, Any]:
    text = (folder / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


if __name__ == "__main__":
    main()
