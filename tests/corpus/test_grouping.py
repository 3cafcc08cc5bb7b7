from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from docbats.corpus.documents import InputDocument
from docbats.corpus.engines import GroupLimits, assign_parts, group_into_batches

DOCUMENTS = st.lists(st.integers(0, 60)).map(
    lambda sizes: [InputDocument(str(i), "", "x" * size, place=i) for i, size in enumerate(sizes)]
)
LIMITS = st.builds(GroupLimits, st.integers(1, 6), st.integers(1, 100))


@given(DOCUMENTS, LIMITS)
def test_batches_keep_every_document_in_order_and_within_limits(
    documents: list[InputDocument], limits: GroupLimits
) -> None:
    batches = list(group_into_batches(documents, limits))
    assert [document for batch in batches for document in batch] == documents
    for batch in batches:
        assert 1 <= len(batch) <= limits.documents
        assert len(batch) == 1 or sum(document.size for document in batch) <= limits.characters


@given(DOCUMENTS, LIMITS)
def test_no_batch_could_take_one_more(documents: list[InputDocument], limits: GroupLimits) -> None:
    batches = list(group_into_batches(documents, limits))
    for batch, following in itertools.pairwise(batches):
        longer = [*batch, following[0]]
        too_many = len(longer) > limits.documents
        assert too_many or sum(document.size for document in longer) > limits.characters


@given(DOCUMENTS, LIMITS, st.integers(0, 30))
def test_parts_follow_from_the_documents_alone(
    documents: list[InputDocument], limits: GroupLimits, known: int
) -> None:
    parts = [item.part for item in assign_parts(documents, limits)]
    assert [item.part for item in assign_parts(documents[:known], limits)] == parts[:known]
    assert parts == [number for number, batch in enumerate(group_into_batches(documents, limits))
                     for _ in batch]  # fmt: skip
