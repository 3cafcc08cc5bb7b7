from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import docbats
from docbats import errors


def test_exported_names() -> None:
    assert docbats.__all__ == [
        "BATS",
        "PRESETS",
        "Block",
        "Choice",
        "Chunk",
        "Chunker",
        "DocbatsError",
        "Document",
        "EmptyDocumentError",
        "Entry",
        "InputError",
        "MissingExtraError",
        "NamingRequest",
        "NoKeptWordsError",
        "Outline",
        "OwnModel",
        "PreparedText",
        "ReadError",
        "Result",
        "ScoredWord",
        "Segment",
        "SegmentCost",
        "SegmentName",
        "SegmentToName",
        "Sentence",
        "Settings",
        "SettingsError",
        "TooFewSentencesError",
        "Topic",
        "Vectors",
        "__version__",
        "analyze",
        "chunk",
        "fit",
    ]
    assert all(getattr(docbats, name).__doc__ for name in docbats.__all__ if name != "PRESETS")


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("docbats.chunks.chunker", ["ChunkNode", "chunk_with_parents"]),
        ("docbats.render.html", ["asset", "render_article"]),
        ("docbats.render.html.markup", ["Markup"]),
        ("docbats.text.languages.english", ["STOP_WORDS"]),
    ],
)
def test_names_that_pages_import_from_modules(module: str, names: list[str]) -> None:
    found = importlib.import_module(module)
    assert all(getattr(found, name).__doc__ for name in names)


@pytest.mark.parametrize(
    ("library", "names"),
    [
        pytest.param(library, names, marks=pytest.mark.integrations(library, f"docbats[{library}]"))
        for library, names in {
            "pandas": ["DocbatsAccessor", "chunks", "make_frame", "segments"],
            "polars": [
                "DocbatsExprNamespace",
                "DocbatsNamespace",
                "chunks",
                "make_frame",
                "segments",
            ],
            "pyarrow": ["chunks", "make_frame", "make_schema", "segments"],
            "datasets": ["ChunkMapper", "SegmentMapper", "chunks", "segments"],
            "duckdb": ["chunks", "segments"],
        }.items()
    ],
)
def test_names_of_the_modules_for_tables(library: str, names: list[str]) -> None:
    module = importlib.import_module(f"docbats.integrations.{library}")
    assert module.__all__ == names
    assert all(getattr(module, name).__doc__ for name in names)


def test_all_errors_are_ours_and_drawn_in_the_tree() -> None:
    assert errors.__doc__ is not None
    for name in errors.__all__:
        assert issubclass(getattr(errors, name), docbats.DocbatsError)
        assert name in errors.__doc__


@pytest.mark.parametrize("module", ["sklearn", "nltk", "spacy", "torch", "pandas"])
def test_an_analysis_imports_nothing_heavy(module: str) -> None:
    code = (
        "import sys, docbats; docbats.analyze('Bats fly. Bats sleep.', k=1); "
        f"sys.exit({module!r} in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("run", "absent"),
    [
        ("import docbats", "numpy"),
        ("from docbats.cli import main; main(['--version'], standalone_mode=False)", "numpy"),
        ("from docbats.cli import main; main(['--help'], standalone_mode=False)", "scipy"),
        (
            "from docbats.cli import main; main(['completion', 'bash'], standalone_mode=False)",
            "scipy",
        ),
    ],
)
def test_what_needs_no_analysis_loads_little(run: str, absent: str) -> None:
    code = f"import sys; {run}; sys.exit({absent!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
