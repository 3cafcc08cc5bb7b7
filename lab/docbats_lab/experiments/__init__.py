"""The paper's tables and figures, and experiments of our own: each is run by one command.

An experiment is a module with `run`, which computes results, and `page`, which reads a folder of
results, may write pictures to the folder of the pages, and yields Markdown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats_lab.experiments import (
    ablation,
    block_model,
    books,
    carry_over,
    cues,
    distances,
    example_topics,
    own_model,
    parameters,
    pmi_words,
    readers,
    retrieval,
    retrieval_context,
    runtime,
    segmentation,
    sharp_steps,
    speed,
    statistics,
    structure,
    summaries,
    talk,
    titles,
    topic_number,
    topic_quality,
    zoo,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from docbats_lab.experiments.request import Request

__all__ = ["EXPERIMENTS", "Experiment"]


@dataclass(frozen=True)
class Experiment:
    """An experiment that can be run by name, and its page."""

    name: str
    title: str
    run: Callable[[Request], None]
    page: Callable[[Path, Path], Iterator[str]]

    @property
    def results(self) -> str:
        """The path of its results, from the folder of all results."""
        return speed.FILE if self.name == "speed" else self.name

    @property
    def needs_data(self) -> bool:
        """Whether it needs the folder of the datasets."""
        return self.name not in ("block-model", "talk", "zoo")


EXPERIMENTS = {
    name: Experiment(name, title, run, page)
    for name, title, run, page in (
        ("statistics", "Table 1: the datasets", statistics.run, statistics.page),
        ("block-model", "Figure 2: a stochastic co-block model", block_model.run, block_model.page),
        ("distances", "Figure 3: distances between sentences", distances.run, distances.page),
        ("example-topics", "Figures 4, 5: topics side by side",
         example_topics.run, example_topics.page),
        ("pmi-words", "Table 2: PMI by the number of words", pmi_words.run, pmi_words.page),
        ("topic-quality", "Table 3: quality of topics", topic_quality.run, topic_quality.page),
        ("topic-number", "How many topics a text has", topic_number.run, topic_number.page),
        ("parameters", "Figures 6, 7: PMI and WindowDiff by w and d",
         parameters.run, parameters.page),
        ("segmentation", "Table 4: segmentation", segmentation.run, segmentation.page),
        ("runtime-sentences", "Table 5: time by sentences",
         runtime.run_by_sentences, runtime.page_by_sentences),
        ("runtime-segments", "Table 6: time by segments",
         runtime.run_by_segments, runtime.page_by_segments),
        ("ablation", "Table 7: ablation", ablation.run, ablation.page),
        ("sharp-steps", "The parts of the preset sharp", sharp_steps.run, sharp_steps.page),
        ("structure", "Headings and paragraphs", structure.run, structure.page),
        ("titles", "Titles and labels against headings", titles.run, titles.page),
        ("summaries", "Summaries against abstracts", summaries.run, summaries.page),
        ("carry-over", "Chosen on many sources, confirmed on others",
         carry_over.run, carry_over.page),
        ("cues", "How authors open a part, learned from many sources", cues.run, cues.page),
        ("own-model", "A model of one's own for each source", own_model.run, own_model.page),
        ("readers", "PDF, HTML and encodings next to other readers", readers.run, readers.page),
        ("talk", "Transcripts, meetings, chats", talk.run, talk.page),
        ("zoo", "How real books and manuals are read", zoo.run, zoo.page),
        ("books", "Whole books", books.run, books.page),
        ("retrieval", "Chunks for search next to other splitters", retrieval.run, retrieval.page),
        ("retrieval-settings", "What a cut between chunks costs",
         retrieval.run_settings, retrieval.settings_page),
        ("retrieval-context", "What helps search where there are no headings",
         retrieval_context.run, retrieval_context.page),
        ("speed", "Speed and memory next to peers", speed.run, speed.page),
    )
}  # fmt: skip
