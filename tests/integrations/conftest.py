"""What the tests of all libraries share."""

from __future__ import annotations

import pytest

# The same words again and again, so that only true offsets are right.
REPEATED = "Bats hunt moths. Moths hear bats. " * 3 + "Tea needs hot water. Hot tea cools. " * 3


@pytest.fixture
def repeated() -> str:
    """A text whose sentences all occur three times."""
    return REPEATED
