"""The numbers that the paper prints, to compare with ours."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any


@cache
def paper_tables() -> dict[str, Any]:
    """Return tables 1 to 7 by name (``table1`` ...), as typed from the paper.

    Scores are [mean, standard deviation]. One misprint is read as it must be meant: PMI^Dice of HDP
    on News, "-5..56", as -5.56.
    """
    text = resources.files("docbats_lab").joinpath("data", "paper-tables.json").read_text("utf-8")
    tables: dict[str, Any] = json.loads(text)
    return tables
