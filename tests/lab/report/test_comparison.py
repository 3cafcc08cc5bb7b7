from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from docbats_lab.report.tables import (
    compare_with_docbats,
    differences_table,
    docbats_counterpart,
    list_methods_ahead,
)

if TYPE_CHECKING:
    from docbats_lab.results import VariantRows

SCORES = ("pk", "wd", "b")


def rows(*values: float) -> dict[str, dict[str, float]]:
    """Return documents whose Pk and WD are these, and whose B is one minus that."""
    return {str(i): {"pk": v, "wd": v, "b": 1 - v} for i, v in enumerate(values)}


def test_each_has_the_rival_of_its_kind() -> None:
    assert (
        docbats_counterpart("C99 (k)")
        == docbats_counterpart("BayesSeg")
        == docbats_counterpart("docbats + MiniLM (k)")
        == "docbats (k)"
    )
    assert docbats_counterpart("docbats (k)") == "docbats (k)"
    assert (
        docbats_counterpart("C99")
        == docbats_counterpart("TextTiling")
        == docbats_counterpart("None")
        == docbats_counterpart("docbats")
        == "docbats"
    )


def test_who_is_ahead_beyond_chance_is_named() -> None:
    found: VariantRows = {
        "BayesSeg": rows(0.1, 0.1, 0.2),  # better on every document
        "BATS": rows(0.5, 0.1, 0.4),  # better on one, worse on two
        "C99": rows(0.7, 0.8, 0.9),
        "docbats": rows(0.5, 0.5, 0.5),
        "docbats (k)": rows(0.3, 0.3, 0.3),
    }
    differences = compare_with_docbats(found, docbats_counterpart, SCORES)
    assert list(differences) == ["BayesSeg", "BATS", "C99"]
    assert round(differences["C99"]["pk"].mean, 9) == 0.3
    assert (
        "Compared with docbats: 3. Significantly better: BayesSeg (Pk, WD, B)."
        in list_methods_ahead(differences)
    )
    assert "| C99 | +0.300 [+0.200, +0.400] * | -0.300 [" in differences_table(
        differences, ("wd", "b")
    )
    del found["BayesSeg"]
    assert "Compared with docbats: 2. Significantly better: none." in list_methods_ahead(
        compare_with_docbats(found, docbats_counterpart, SCORES)
    )


def test_without_docbats_there_is_nothing_to_say() -> None:
    found: VariantRows = {
        "C99": rows(0.7),
        "BATS": rows(0.5),
        "docbats (k)": {"9": {"error": "no"}},
    }
    differences = compare_with_docbats(found, docbats_counterpart, SCORES)
    assert differences == {}
    assert list_methods_ahead(differences) == differences_table(differences, SCORES) == ""


def test_with_half_of_docbats_the_others_are_not_counted() -> None:
    found: VariantRows = {"C99": rows(0.7), "BATS": rows(0.5), "docbats (k)": rows(0.5)}
    assert "Compared with docbats: 1. Significantly better: none." in list_methods_ahead(
        compare_with_docbats(found, docbats_counterpart, SCORES)
    )


@given(st.lists(st.floats(0, 1).map(lambda x: round(x, 6)), min_size=1, max_size=30))
def test_a_twin_of_docbats_is_never_ahead(values: list[float]) -> None:
    found: VariantRows = {"BATS": rows(*values), "docbats (k)": rows(*values)}
    assert "none" in list_methods_ahead(compare_with_docbats(found, docbats_counterpart, SCORES))
