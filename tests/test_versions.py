from __future__ import annotations

import platform
from importlib.metadata import version

import docbats
from docbats.runtime import find_versions, installed_version, result_versions, row_versions


def test_versions_are_those_that_are_installed() -> None:
    assert installed_version("numpy") == version("numpy")
    assert installed_version("docbats") == docbats.__version__
    assert installed_version("no-such-library") is None
    assert find_versions("no-such-library", "scipy") == {
        "python": platform.python_version(),
        "scipy": version("scipy"),
    }


def test_a_result_names_what_it_was_computed_with() -> None:
    versions = result_versions()
    assert list(versions) == ["docbats", "numpy", "scipy", "nupunkt", "PyStemmer"]
    versions.clear()
    assert docbats.analyze("Bats hunt. Moths hear bats.", k=1).versions == result_versions()


def test_a_row_also_depends_on_the_libraries_of_languages() -> None:
    versions = row_versions()
    assert result_versions().items() <= versions.items()
    assert versions["python"] == ".".join(platform.python_version_tuple()[:2])
    assert {"rjieba", "fugashi", "unidic-lite"} < set(versions)
