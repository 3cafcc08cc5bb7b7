from __future__ import annotations

import doctest
from typing import TYPE_CHECKING, Any

import pytest

from docbats import InputError, SettingsError
from docbats.integrations.tables import SEGMENT_COLUMNS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.integrations("datasets", "docbats[datasets]")


def dataset(**columns: Any) -> Any:
    import datasets

    return datasets.Dataset.from_dict(columns)


@pytest.fixture(autouse=True)
def quiet() -> None:
    from datasets.utils.logging import disable_progress_bar

    disable_progress_bar()


def test_docstrings_tell_the_truth() -> None:
    from docbats.integrations import datasets

    assert doctest.testmod(datasets).failed == 0


def test_blank_rows_are_skipped(example: Path) -> None:
    from docbats.integrations.datasets import segments

    text = example.read_text()
    found = segments(dataset(body=[" ", text, None, "Tea cools."]), "body", k=1)
    assert found["id"][:] == [1, 3]
    assert found["text"][:] == [text, "Tea cools."]
    assert found.column_names == ["id", *SEGMENT_COLUMNS]
    nothing = segments(dataset(body=[" "]), "body")
    assert len(nothing) == 0


def test_ids_of_a_column(example: Path) -> None:
    from docbats.integrations.datasets import segments

    texts = dataset(name=["a", "b"], text=[example.read_text(), "Tea cools."])
    found = segments(texts, id_column="name", max_size=300, size_unit="characters")
    assert set(found["id"]) == {"a", "b"}
    assert max(map(len, found["text"])) <= 300


def test_a_stream_takes_the_mapper() -> None:
    from docbats.integrations.datasets import SegmentMapper

    streamed = dataset(text=["Tea cools. Tea steams.", " "]).to_iterable_dataset()
    found = list(streamed.map(SegmentMapper(k=2), batched=True, remove_columns=["text"]))
    assert [row["start"] for row in found] == [0, 11]


def test_wrong_use_is_refused() -> None:
    from docbats.integrations.datasets import SegmentMapper, segments

    with pytest.raises(InputError, match="no column 'body': the columns are text"):
        segments(dataset(text=["a"]), "body")
    with pytest.raises(InputError, match=r"expected a datasets\.Dataset, got builtins\.list"):
        segments(["a"])
    with pytest.raises(InputError, match="pass batched=True"):
        SegmentMapper()({"text": "Tea cools."})  # type: ignore[dict-item]
    with pytest.raises(SettingsError, match="no setting 'chunk_size'"):
        SegmentMapper(chunk_size=3)
