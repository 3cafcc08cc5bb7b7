from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from docbats import ReadError
from docbats_lab.datasets import DATASETS, OTHER_DATASETS, available, check, checksum_of
from docbats_lab.report.tables import paper_tables

if TYPE_CHECKING:
    from pathlib import Path

OF_THE_PAPER = ["textbook", "lectures", "introductions", "choi", "wiki", "news"]


def test_every_record_is_filled_in() -> None:
    for name, dataset in DATASETS.items():
        assert dataset.name == name
        texts = (dataset.description, dataset.citation, dataset.licence, dataset.source)
        assert all(texts)
        assert dataset.documents > 0
        assert dataset.checksum is None or len(dataset.checksum) == 64
    assert paper_tables()["table1"].keys() == set(OF_THE_PAPER)
    assert list(DATASETS)[:6] == OF_THE_PAPER
    assert set(OTHER_DATASETS) < DATASETS.keys() - set(OF_THE_PAPER)


def test_what_is_missing_is_named_with_its_source(tmp_path: Path) -> None:
    assert available(tmp_path) == ()
    for name, status in check(tmp_path / "nowhere").items():
        assert not status.present
        assert status.documents == 0
        assert DATASETS[name].source in status.problem
        assert f"Licence: {DATASETS[name].licence}." in status.problem
        with pytest.raises(ReadError, match=rf"the dataset {name} is not in .*\. Obtain it from"):
            DATASETS[name].load(tmp_path)


@pytest.mark.parametrize(
    ("name", "recipe", "articles"),
    [
        ("introductions", "recipe.json", "articles/"),
        ("news", "recipe.json", "bbc/"),
        ("wikinews", "recipe-wikinews.json", "wikinews/"),
    ],
)
def test_a_missing_recipe_says_what_it_is_and_whom_to_ask(
    name: str, recipe: str, articles: str, tmp_path: Path
) -> None:
    problem = check(tmp_path)[name].problem
    assert f"the developers of docbats: ask them for {recipe}, which lists the ids" in problem
    assert f"{articles}, which holds the text of these articles, one sentence per line" in problem


def test_a_part_of_a_dataset_is_not_taken_for_the_whole(tmp_path: Path) -> None:
    (tmp_path / "textbook").mkdir()
    (tmp_path / "textbook" / "000.ref").write_text("One sentence .\n")
    assert available(tmp_path) == ("textbook",)
    status = check(tmp_path)["textbook"]
    assert (status.present, status.documents, status.checksum) == (True, 1, "differs")
    assert "holds 1 documents of 227" in status.problem


def test_the_checksum_is_that_of_the_list_of_checksums(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x.ref").write_bytes(b"tea")
    (tmp_path / "a.ref").write_bytes(b"bat")
    listed = "".join(
        f"{hashlib.sha256(text).hexdigest()}  {name}\n"
        for name, text in (("a.ref", b"bat"), ("b/x.ref", b"tea"))
    )
    expected = hashlib.sha256(listed.encode()).hexdigest()
    assert checksum_of(tmp_path, tmp_path.rglob("*.ref")) == expected
    (tmp_path / "a.ref").rename(tmp_path / "c.ref")
    assert checksum_of(tmp_path, tmp_path.rglob("*.ref")) != expected


def test_groups_by_name() -> None:
    choi = DATASETS["choi"]
    assert choi.groups_of("1/3-5/0") == ("3-5", "700")
    assert choi.groups_of("4/3-15/7") == ("3-15",)
    assert DATASETS["lectures"].groups_of("physics/L16") == ("physics",)
    assert DATASETS["news"].groups_of("0001") == ()


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "sentences", "segments"),
    [
        ("textbook", 140.4, 4.00),
        ("lectures", 466.7, 8.42),
        ("introductions", 211.1, 5.48),
        ("choi", 74.0, 9.98),
        ("wiki", 82.5, 6.53),
        ("news", 107.2, 5.52),
        ("wikinews", 97.4, 5.64),
        ("avlectures", 449.0, 5.13),
        ("icsi", 1181.7, 4.95),
        ("openstax", 474.7, 5.09),
        ("wikitext", 152.2, 5.50),
        ("handbook-fr", 169.0, 5.50),
        ("structured", 376.5, 6.19),
    ],
)
def test_whole_and_as_described(data: Path, name: str, sentences: float, segments: float) -> None:
    dataset = DATASETS[name]
    status = dataset.check(data)
    assert (status.documents, status.checksum, status.problem) == (dataset.documents, "right", "")
    documents = list(dataset.load(data))
    assert len(documents) == dataset.documents
    names = [document.name for document in documents]
    assert len(set(names)) == len(names)
    assert [document.name for document in dataset.load(data)] == names
    mean_sentences = sum(len(document.sentences) for document in documents) / len(documents)
    mean_segments = sum(len(document.segments) for document in documents) / len(documents)
    assert round(mean_sentences, 1) == sentences
    assert round(mean_segments, 2) == segments


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "articles"),
    [("introductions", 891), ("news", 2045), ("wikinews", 247)],
)
def test_there_are_as_many_articles_as_the_record_says(
    data: Path, name: str, articles: int
) -> None:
    dataset = DATASETS[name]
    found = list(dataset.layout.files(data / (dataset.folder or name)))
    assert len(found) == 1 + articles  # the recipe, and what it is made of
    assert f" {articles} " in dataset.source


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "without"), [("avlectures", 0), ("icsi", 2), ("openstax", 0), ("structured", 0)]
)
def test_every_group_has_documents_and_all_but_a_few_are_in_one(
    data: Path, name: str, without: int
) -> None:
    dataset = DATASETS[name]
    groups = [dataset.groups_of(document.name) for document in dataset.load(data)]
    assert {group for found in groups for group in found} == dataset.groups.keys()
    assert max(map(len, groups)) == 1
    assert groups.count(()) == without


@pytest.mark.data
def test_groups_of_choi_have_their_customary_sizes(data: Path) -> None:
    choi = DATASETS["choi"]
    sizes = dict.fromkeys(choi.groups, 0)
    for document in choi.load(data):
        for group in choi.groups_of(document.name):
            sizes[group] += 1
    assert sizes == {
        "3-5": 130,
        "6-8": 130,
        "9-11": 130,
        "3-11": 400,
        "12-15": 30,
        "3-15": 100,
        "700": 700,
    }
