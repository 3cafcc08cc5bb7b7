"""That no reader takes quadratic time, whatever is repeated in a file."""

from __future__ import annotations

import pytest
from tests.growth import growth_when_doubled
from tests.matrices import slow_except
from tests.repeated_files import REPEATED, repeat

from docbats.errors import DocbatsError
from docbats.readers.read_file import read_file

MAX_GROWTH = 2.6  # times the work for twice the size
SIZE = 100_000  # characters
# Those that once took quadratic time; the others are tested by `make test-all`.
QUICK = {
    ("html tag", "a%d=b "),
    ("html", "<ul><li>a</ul>"),
    ("html", "<section><h2>a</h2><p>b</p></section>"),
    ("vtt", "a b\n"),
    ("rtf style", "\\u97 "),
    ("rtf style", "a"),
}


@pytest.mark.parametrize(("around", "unit"), slow_except(QUICK, list(REPEATED)))
def test_twice_the_size_takes_twice_the_work(around: str, unit: str) -> None:
    kind = REPEATED[around, unit]
    growth = growth_when_doubled(lambda size: _read(repeat(around, unit, size), kind), SIZE)
    assert growth < MAX_GROWTH


def _read(data: bytes, kind: str) -> None:
    try:
        read_file(data, kind=kind).document(language="en")
    except DocbatsError as error:
        assert str(error)  # noqa: PT017
