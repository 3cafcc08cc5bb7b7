"""``docbats fit``: a model of your own kind of document, from documents whose parts are known."""

from __future__ import annotations

import os
from pathlib import Path

import click

from docbats.cli.files import complain, shown_while_waiting
from docbats.cli.options import file_options, setting_options
from docbats.errors import DocbatsError
from docbats.render.one_line import counted

_MAX_NAMED = 5  # documents that cannot be used

_EXAMPLES = """
\b
Examples:
  docbats fit reports/ -o ours.json
  docbats fit edited/*.json minutes.jsonl -o ours.json
  docbats new-report.txt --model ours.json
  docbats serve --model ours.json

\b
Exit codes: 0 success; 1 there are too few documents, or the model gains nothing; 2 wrong usage.
"""


@click.command(
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...", type=click.Path())
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False),
    help="Write the model to this file, if it gains something.  [only print what it gains]",
)  # fmt: skip
@file_options
@setting_options("language")
@click.pass_context
def fit(
    ctx: click.Context,
    /,
    *,
    inputs: tuple[str, ...],
    output: str | None,
    kind: str | None,
    encoding: str | None,
    language: str | None,
) -> None:
    """Fit a model to your own kind of document, from 20 documents or more.

    Each INPUT is a folder or a file: documents with headings, which are hidden while they are cut;
    the JSON of docbats, such as segments that you edited on its page; or JSON lines with the
    segments of one document each. The command prints how well documents left out are cut by
    default and by the model, and writes nothing if the model gains nothing beyond chance.
    """
    from docbats.fitting.fit import fit as fit_model

    if output is not None and os.path.realpath(output) in map(os.path.realpath, inputs):
        msg = f"-o {output} would overwrite an input: name another file"
        raise click.UsageError(msg, ctx)
    try:
        with shown_while_waiting(counted(len(inputs), "input")):
            found = fit_model(
                map(Path, inputs), language=language or "auto", encoding=encoding, type=kind
            )
        for one in found.unusable[:_MAX_NAMED]:
            complain(f"{one.name}: left out: {one.reason}")
        if len(found.unusable) > _MAX_NAMED:
            complain(f"{len(found.unusable) - _MAX_NAMED:,} more are left out")
        click.echo(found)
        if output is not None:
            found.write(output)
    except DocbatsError as error:
        complain(error)
        ctx.exit(1)
    except OSError as error:
        complain(f"{output}: cannot be written: {error.strerror or error}")
        ctx.exit(1)
