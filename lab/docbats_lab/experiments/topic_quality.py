"""Table 3: how coherent and how different the topics of each method are, on five datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats_lab.experiments.request import run_scored
from docbats_lab.experiments.scorers import TopicScorer, count_words
from docbats_lab.method_registry import SCORED_TOPIC_METHODS

if TYPE_CHECKING:
    from docbats_lab.experiments.request import Request

DATASETS = ("textbook", "lectures", "introductions", "wiki", "news")


def run(request: Request) -> None:
    """Score the topics of every method."""
    run_scored(
        request,
        "topic-quality",
        DATASETS,
        list(SCORED_TOPIC_METHODS),
        lambda _, documents: TopicScorer(count_words(documents), request.seed),
    )
