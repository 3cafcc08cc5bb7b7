"""The request for a run of an experiment, and the loops over documents that most share."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from docbats.errors import SettingsError
from docbats.runtime import find_versions
from docbats_lab.datasets import DATASETS
from docbats_lab.runner import map_in_order, score_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.runner import Scorer

_LIBRARIES = ("docbats", "numpy", "scipy", "nupunkt", "PyStemmer", "scikit-learn", "gensim", "nltk")


Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Request:
    """What to run, on which data, and where to write the results.

    Attributes
    ----------
    data
        The folder of the datasets.
    output
        The folder of the results; each experiment has its own folder in it.
    datasets, methods
        Names to restrict the run to; None means all.
    limit
        The maximum number of documents from each dataset, evenly spaced; None means all.
    fresh
        Whether to start over instead of resuming: with all methods, or with those in `methods`.
    """

    data: Path
    output: Path
    datasets: Sequence[str] | None = None
    methods: Sequence[str] | None = None
    limit: int | None = None
    jobs: int = 1
    seed: int = 0
    fresh: bool = False
    show_progress: bool = False

    def choose_datasets(self, offered: Sequence[str]) -> list[str]:
        """Return the requested datasets among those offered."""
        return _choose("dataset", self.datasets, offered)

    def choose_methods(self, offered: Sequence[str]) -> list[str]:
        """Return the requested methods among those offered."""
        return _choose("method", self.methods, offered)


def run_scored(
    request: Request,
    experiment: str,
    datasets: Sequence[str],
    variants: Sequence[str],
    make_scorer: Callable[[str, list[SegmentedDocument]], Scorer[SegmentedDocument]],
    *,
    select: Callable[[str, list[SegmentedDocument]], list[SegmentedDocument]] | None = None,
    jobs: int | None = None,
) -> None:
    """Score the documents of each dataset by each variant.

    The scorer may look at all documents of a dataset; it scores those that `select` returns, by
    default as many as the request allows. `jobs` overrides the request, for what must run alone.
    """
    variants = request.choose_methods(variants)
    for dataset in request.choose_datasets(datasets):
        documents = load_documents(request.data, dataset)
        scorer = make_scorer(dataset, documents)
        chosen = select(dataset, documents) if select else evenly_spaced(documents, request.limit)
        with progress(request, f"{experiment}: {dataset}", len(chosen)) as on_done:
            score_documents(
                chosen,
                variants,
                scorer,
                request.output / experiment / dataset,
                meta={
                    "experiment": experiment,
                    "dataset": dataset,
                    "checksum": DATASETS[dataset].checksum,
                    "seed": request.seed,
                    "command": f"docbats lab run {experiment} --dataset {dataset}",
                    "versions": find_versions(*_LIBRARIES),
                },
                jobs=jobs or request.jobs,
                fresh=request.fresh,
                keep_others=request.methods is not None,
                on_done=on_done,
            )


def map_with_progress(
    request: Request, label: str, function: Callable[[Item], Result], items: Sequence[Item]
) -> list[Result]:
    """Return the result of each item, in order; show progress if the request asks for it."""
    results = []
    with progress(request, label, len(items)) as on_done:
        for result in map_in_order(function, items, jobs=request.jobs):
            results.append(result)
            on_done()
    return results


def load_documents(data: Path, dataset: str) -> list[SegmentedDocument]:
    """Read a dataset."""
    return list(DATASETS[dataset].load(data))


def evenly_spaced(documents: list[Item], limit: int | None) -> list[Item]:
    """Return at most `limit` documents, evenly spaced."""
    if limit is None or limit >= len(documents):
        return documents
    return [documents[i * len(documents) // limit] for i in range(limit)]


def _choose(kind: str, wanted: Sequence[str] | None, offered: Sequence[str]) -> list[str]:
    if wanted is None:
        return list(offered)
    for name in wanted:
        if name not in offered:
            msg = f"unknown {kind} {name!r}: choose from {', '.join(offered)}"
            raise SettingsError(msg)
    return [name for name in offered if name in wanted]


@contextmanager
def progress(request: Request, label: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar if the request asks for it; call the yielded function for each item."""
    if not request.show_progress:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:3], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, TextColumn("left"), console=Console(stderr=True)) as progress:
        task = progress.add_task(label, total=total)
        yield lambda: progress.advance(task)
