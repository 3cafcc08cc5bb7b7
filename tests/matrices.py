"""Which cases of a large matrix `make test` runs, and which it leaves to `make test-all`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def slow_except(kept: Collection[Any], cases: Iterable[Any]) -> list[Any]:
    """Return the cases of a parametrized test, all but `kept` marked as slow.

    A case is a value, or a tuple of values where a test has several parameters.
    """
    cases = list(cases)
    if unknown := [case for case in kept if case not in cases]:
        msg = f"expected some of the cases, got {unknown}: keep those that are there"
        raise ValueError(msg)
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if case in kept else pytest.mark.slow,
        )
        for case in cases
    ]
