from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from docbats.corpus.batches import Limits, in_batches, in_parts
from docbats.corpus.record import Record

RECORDS = st.lists(st.integers(0, 60)).map(
    lambda sizes: [Record(str(i), "", "x" * size, place=i) for i, size in enumerate(sizes)]
)
LIMITS = st.builds(Limits, st.integers(1, 6), st.integers(1, 100))


@given(RECORDS, LIMITS)
def test_batches_keep_every_document_in_order_and_within_limits(
    records: list[Record], limits: Limits
) -> None:
    batches = list(in_batches(records, limits))
    assert [record for batch in batches for record in batch] == records
    for batch in batches:
        assert 1 <= len(batch) <= limits.documents
        assert len(batch) == 1 or sum(record.size for record in batch) <= limits.characters


@given(RECORDS, LIMITS)
def test_no_batch_could_take_one_more(records: list[Record], limits: Limits) -> None:
    batches = list(in_batches(records, limits))
    for batch, following in itertools.pairwise(batches):
        longer = [*batch, following[0]]
        too_many = len(longer) > limits.documents
        assert too_many or sum(record.size for record in longer) > limits.characters


@given(RECORDS, LIMITS, st.integers(0, 30))
def test_parts_follow_from_the_documents_alone(
    records: list[Record], limits: Limits, known: int
) -> None:
    parts = [item.part for item in in_parts(records, limits)]
    assert [item.part for item in in_parts(records[:known], limits)] == parts[:known]
    assert parts == [number for number, batch in enumerate(in_batches(records, limits))
                     for _ in batch]  # fmt: skip
