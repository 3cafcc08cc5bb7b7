from __future__ import annotations

import pytest

from docbats.titles.titles import capitalize, make_distinct


@pytest.mark.parametrize(
    ("title", "written"), [("", ""), ("tea", "Tea"), ("élan", "Élan"), ("mRNA", "MRNA")]
)
def test_only_the_first_letter_changes(title: str, written: str) -> None:
    assert capitalize(title) == written


def test_a_number_is_never_one_that_is_there_already() -> None:
    assert make_distinct([]) == ()
    assert make_distinct(["Tea", "Tea (2)", "TEA", "Bats"]) == ("Tea", "Tea (2)", "TEA (3)", "Bats")
