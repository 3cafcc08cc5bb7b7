from __future__ import annotations

import sys

import pytest

from docbats import MissingExtraError
from docbats.errors import require_extra


def test_a_missing_library_is_named_with_its_extra() -> None:
    found = pytest.raises(MissingExtraError, match=r'Nothing .*: pip install "docbats\[none\]"')
    with found, require_extra("Nothing", "none"):
        import a_module_that_is_not_there  # type: ignore[import-not-found]  # noqa: F401


@pytest.mark.parametrize(
    ("file", "module", "extra"),
    [
        ("langchain", "langchain_core.documents", "langchain"),
        ("llama_index", "llama_index.core.bridge.pydantic", "llama-index"),
        ("haystack", "haystack", "haystack"),
        ("spacy", "spacy.language", "spacy"),
        ("sklearn", "sklearn.base", "scikit-learn"),
        ("pandas", "pandas", "pandas"),
        ("polars", "polars", "polars"),
    ],
)
def test_each_module_says_which_extra_it_needs(
    file: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"docbats.integrations.{file}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf"docbats\[{extra}\]"):
        __import__(name)
