"""What the tests of the laboratory share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, None, None]:
    """Leave out what needs gensim where there is none."""
    yield from _without_gensim()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """Leave out what needs gensim where there is none."""
    yield from _without_gensim()


def _without_gensim() -> Generator[None, None, None]:
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "gensim":
            raise
        pytest.skip("needs gensim, which has no wheels for this Python")
