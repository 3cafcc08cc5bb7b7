"""``docbats lab``: rerun the paper's experiments."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from docbats.errors import DocbatsError

_RESULTS = Path("benchmarks/results/lab")
_PAGES = Path("docs/lab")

_data = click.option(
    "--data",
    envvar="DOCBATS_DATA",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of the datasets; DOCBATS_DATA by default.",
)
_results = click.option(
    "--output",
    "-o",
    type=click.Path(file_okay=False, path_type=Path),
    default=_RESULTS,
    show_default=True,
    help="Folder of the results.",
)


class _Group(click.Group):
    """Turns errors into messages without a traceback, and says how to install what is missing."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except DocbatsError as error:
            raise click.ClickException(str(error)) from None
        except ModuleNotFoundError as error:
            msg = f"the laboratory needs {error.name}: pip install docbats-lab"
            raise click.ClickException(msg) from None


@click.group(cls=_Group)
def lab() -> None:
    """Rerun the experiments of the paper."""


@lab.command()
@_data
def datasets(data: Path | None) -> None:
    """List the datasets: which are there and complete, and where to get the others."""
    from docbats_lab.datasets import check

    for status in check(_folder(data)).values():
        found = f"{status.documents} documents" if status.present else "missing"
        click.echo(f"{status.name:15}{found:18}files {status.checksum}")
        if status.problem:
            click.echo(f"    {status.problem}")


@lab.command()
@click.argument("name", required=False)
@_data
@_results
@click.option(
    "--dataset", "names", multiple=True, help="Run on this dataset only; may be repeated."
)
@click.option("--method", "methods", multiple=True, help="Run this method only; may be repeated.")
@click.option(
    "--limit", type=click.IntRange(min=1), help="Maximum number of documents of each dataset."
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=os.cpu_count,
    help="Number of processes.  [default: all cores]",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of random numbers.",
)
@click.option(
    "--fresh",
    is_flag=True,
    help="Start over instead of resuming; with --method, that method alone.",
)
@click.option("--quiet", is_flag=True, help="Do not show progress.")
def run(
    *,
    name: str | None,
    data: Path | None,
    output: Path,
    names: tuple[str, ...],
    methods: tuple[str, ...],
    limit: int | None,
    jobs: int,
    seed: int,
    fresh: bool,
    quiet: bool,
) -> None:
    """Run the experiment NAME; without a NAME, list them.

    An interrupted run is resumed. Results that exist are not computed again, so that a run with
    --limit can be followed by one without.
    """
    from docbats_lab.experiments import EXPERIMENTS
    from docbats_lab.experiments.request import Request

    if name is None:
        for experiment in EXPERIMENTS.values():
            click.echo(f"{experiment.name:20}{experiment.title}")
        return
    if name not in EXPERIMENTS:
        msg = f"unknown experiment {name!r}: choose from {', '.join(EXPERIMENTS)}"
        raise click.UsageError(msg)
    EXPERIMENTS[name].run(
        Request(
            data=_folder(data) if EXPERIMENTS[name].needs_data else data or Path(),
            output=output,
            datasets=names or None,
            methods=methods or None,
            limit=limit,
            jobs=jobs,
            seed=seed,
            fresh=fresh,
            show_progress=not quiet,
        )
    )


@lab.command()
@_results
@click.option(
    "--pages",
    type=click.Path(file_okay=False, path_type=Path),
    default=_PAGES,
    show_default=True,
    help="Folder of the pages.",
)
def report(output: Path, pages: Path) -> None:
    """Write all tables and figures from the results, ours next to the paper's."""
    from docbats_lab.report.pages import write_report

    for page in write_report(output, pages):
        click.echo(page)


def _folder(data: Path | None) -> Path:
    if data is None:
        msg = "the datasets are missing: name their folder with --data or DOCBATS_DATA"
        raise click.UsageError(msg)
    return data
