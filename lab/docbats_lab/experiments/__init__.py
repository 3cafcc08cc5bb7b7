"""The tables and figures of the paper's section 4, each rerun by one command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from docbats_lab.experiments import (
    ablation,
    block_model,
    books,
    carry_over,
    distances,
    example_topics,
    parameters,
    pmi_words,
    readers,
    retrieval,
    retrieval_settings,
    runtime,
    segmentation,
    sharp_steps,
    speed,
    statistics,
    structure,
    summaries,
    titles,
    topic_quality,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats_lab.experiments.request import Request

__all__ = ["EXPERIMENTS", "Experiment"]


@dataclass(frozen=True)
class Experiment:
    """An experiment that can be run by name."""

    name: str
    title: str
    run: Callable[[Request], None]


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment("statistics", "Table 1: the datasets", statistics.run),
        Experiment("block-model", "Figure 2: a stochastic co-block model", block_model.run),
        Experiment("distances", "Figure 3: distances between sentences", distances.run),
        Experiment("example-topics", "Figures 4, 5: topics side by side", example_topics.run),
        Experiment("pmi-words", "Table 2: PMI by the number of words", pmi_words.run),
        Experiment("topic-quality", "Table 3: quality of topics", topic_quality.run),
        Experiment("parameters", "Figures 6, 7: PMI and WindowDiff by w and d", parameters.run),
        Experiment("segmentation", "Table 4: segmentation", segmentation.run),
        Experiment("runtime-sentences", "Table 5: time by sentences", runtime.run_sentences),
        Experiment("runtime-segments", "Table 6: time by segments", runtime.run_segments),
        Experiment("ablation", "Table 7: ablation", ablation.run),
        Experiment("sharp-steps", "The parts of the preset sharp", sharp_steps.run),
        Experiment("structure", "Headings and paragraphs", structure.run),
        Experiment("titles", "Titles and labels against headings", titles.run),
        Experiment("summaries", "Summaries against abstracts", summaries.run),
        Experiment("carry-over", "Chosen on many sources, confirmed on others", carry_over.run),
        Experiment("readers", "PDF, HTML and encodings beside other readers", readers.run),
        Experiment("books", "Whole books", books.run),
        Experiment("retrieval", "Chunks for search beside other splitters", retrieval.run),
        Experiment("retrieval-settings", "What a cut between chunks costs", retrieval_settings.run),
        Experiment("speed", "Speed and memory beside peers", speed.run),
    )
}
