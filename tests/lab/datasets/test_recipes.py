from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from docbats import ReadError
from docbats_lab.layouts import Recipe

if TYPE_CHECKING:
    from pathlib import Path

LAYOUT = Recipe("recipe.json", articles="articles", ids="articles")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "articles" / "zoo").mkdir(parents=True)
    (tmp_path / "articles" / "zoo" / "1.txt").write_text("Bats fly .\nThey hunt .\n")
    (tmp_path / "articles" / "zoo" / "2.txt").write_text("\nOwls see .\n")
    (tmp_path / "recipe.json").write_text('[["zoo/1", "zoo/2"], ["zoo/2"]]')
    return tmp_path


def test_puts_articles_together(folder: Path) -> None:
    first, second = LAYOUT.read(folder)
    assert (first.name, second.name) == ("0000", "0001")
    assert first.segments == (("Bats fly .", "They hunt ."), ("Owls see .",))
    assert second.segments == (("Owls see .",),)
    assert LAYOUT.count(folder) == 2
    assert sorted(path.name for path in LAYOUT.files(folder)) == ["1.txt", "2.txt", "recipe.json"]


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ("[[", "cannot be read as a recipe"),
        ('{"zoo": 1}', "is not a recipe"),
        ("[[1]]", "is not a recipe"),
        ("[[]]", "is not a recipe"),
    ],
)
def test_a_bad_recipe_is_refused(folder: Path, recipe: str, message: str) -> None:
    (folder / "recipe.json").write_text(recipe)
    with pytest.raises(ReadError, match=message):
        LAYOUT.count(folder)


def test_a_missing_or_empty_article_is_named(folder: Path) -> None:
    (folder / "articles" / "zoo" / "2.txt").write_text("\n")
    with pytest.raises(ReadError, match=r"2\.txt has no sentences"):
        list(LAYOUT.read(folder))
    (folder / "articles" / "zoo" / "2.txt").unlink()
    with pytest.raises(ReadError, match=r"2\.txt is in the recipe but cannot be read"):
        list(LAYOUT.read(folder))
    (folder / "recipe.json").unlink()
    assert list(LAYOUT.files(folder)) == []
