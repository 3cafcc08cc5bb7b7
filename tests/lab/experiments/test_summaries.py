"""The check that summaries of talk say something."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from docbats.errors import DocbatsError
from docbats_lab.experiments import summaries
from docbats_lab.experiments.request import Request, load_documents
from docbats_lab.experiments.summaries import find_weakness

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("summary", "reason"),
    [
        ("", ""),
        ("The heavy dredgers lift silt out of the harbour each spring.", ""),
        ("Bo Kim: The heavy dredgers lift silt out of the harbour each spring.", ""),
        ("Bo Kim: I think so, yeah.", "no content words of the six it needs"),
        ("Yeah, dredgers, I mean, dredgers.", "2 content words of the six it needs"),
        ("Thank you: dredgers, silt, harbours, ships, cranes, tides.", "thanks"),
    ],
)
def test_weak_summaries_are_found(summary: str, reason: str) -> None:
    assert find_weakness(summary) == reason


def test_a_weak_summary_of_talk_fails_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "icsi" / "one.ref"
    place.parent.mkdir()
    place.write_text("The heavy dredgers lift silt out of the harbour each spring.\n")
    path = tmp_path / "structured" / "peps" / "one.json"
    path.parent.mkdir(parents=True)
    blocks = []
    for heading in ("Abstract", "A", "B"):
        blocks.append({"type": "heading", "level": 1, "text": heading})
        blocks.append({"type": "paragraph", "text": "Dredgers lift silt. Ships wait."})
    path.write_text(json.dumps({"language": "en", "blocks": blocks}), encoding="utf-8")
    request = Request(tmp_path, tmp_path / "out", jobs=1)
    summaries.run(request)
    facts = json.loads((tmp_path / "out" / "summaries" / "facts.json").read_text())
    assert facts["talk"] == {"icsi": {"documents": 1, "segments": 1, "summaries": 1, "weak": 0}}
    page = "\n".join(summaries.page(tmp_path / "out" / "summaries", tmp_path))
    assert "| icsi | 1 | 1 | 1 | 0 |" in page
    words = {"the", "heavy", "dredgers", "lift", "silt", "out", "of"}
    monkeypatch.setattr(summaries, "STOP_WORDS", words)
    with pytest.raises(DocbatsError, match="1 summaries of talk say nothing; the first, of one,"):
        summaries.run(request)


@pytest.mark.data
@pytest.mark.parametrize("dataset", summaries.TALK)
def test_no_summary_of_talk_says_nothing(data: Path, dataset: str) -> None:
    checked = [summaries.check_talk(document) for document in load_documents(data, dataset)]
    assert [weak for _, _, found in checked for weak in found] == []
    segments = sum(segments for segments, _, _ in checked)
    assert sum(summed for _, summed, _ in checked) > 0.9 * segments
