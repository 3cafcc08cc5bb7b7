from __future__ import annotations

from docbats import analyze
from docbats.lab.baselines.bats_segments import METHODS
from docbats.lab.preparation import prepare

SENTENCES = (
    "Bats hunt moths at night.", "Moths hear bats at night.", "Bats hunt.", "Moths hear bats.",
    "Hot tea needs a clean cup.", "A clean cup cools hot tea.", "Hot tea cools.", "A cup of tea.",
)  # fmt: skip
BY_NAME = {method.name: method for method in METHODS}


def test_each_takes_or_finds_its_k() -> None:
    prepared = prepare(SENTENCES)
    for k in (1, 2, len(SENTENCES)):
        for name in ("BATS", "docbats (k)"):
            assert BY_NAME[name].takes_k
            assert len(BY_NAME[name].cut(prepared, k, 0)) == k
    found = [BY_NAME["docbats"].cut(prepared, k, 0) for k in (1, 2, len(SENTENCES))]
    assert not BY_NAME["docbats"].takes_k
    assert found[0] == found[1] == found[2]


def test_each_gives_the_segments_of_the_engine() -> None:
    prepared = prepare(SENTENCES)
    for name, settings in (
        ("BATS", {"k": 2, "preset": "paper"}),
        ("docbats (k)", {"k": 2, "preset": "sharp"}),
        ("docbats", {"preset": "sharp"}),
    ):
        expected = [s.sentences[0] for s in analyze(SENTENCES, **settings).segments]
        assert BY_NAME[name].cut(prepared, 2, 0) == expected
