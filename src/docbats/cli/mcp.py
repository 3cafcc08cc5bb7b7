"""``docbats mcp``: a tool for assistants."""

from __future__ import annotations

import click

from docbats.cli.options import model_option, model_or_exit
from docbats.errors import SettingsError
from docbats.runtime import use_strict_limits

_EXAMPLES = """
\b
Examples:
  docbats mcp --allow ~/reports --allow ~/minutes
  claude mcp add docbats -- docbats mcp --allow ~/reports
"""


@click.command(
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--allow", multiple=True, metavar="FOLDER", type=click.Path(),
    help="Folder to allow reading in, with its subfolders; may be repeated.  [none: texts only]",
)  # fmt: skip
@click.option(
    "--max-bytes", type=click.IntRange(min=1), default=5_000_000, show_default=True,
    help="Largest size of a file or text, in bytes.",
)  # fmt: skip
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), default=60, show_default=True,
    help="Longest time that one call may take, in seconds.",
)  # fmt: skip
@click.option(
    "--max-memory", type=click.IntRange(min=300), default=2000, show_default=True,
    help="Largest memory of the process that answers a call, in megabytes.",
)  # fmt: skip
@click.option(
    "--max-answer", type=click.IntRange(min=2000), default=20_000, show_default=True,
    help="Largest number of characters in an answer; the rest is sent on request.",
)  # fmt: skip
@model_option
@click.pass_context
def mcp(
    ctx: click.Context,
    /,
    *,
    allow: tuple[str, ...],
    max_bytes: int,
    max_answer: int,
    timeout: float,
    max_memory: int,
    model: str | None,
) -> None:
    """Offer docbats to an assistant via the Model Context Protocol (needs docbats[mcp]).

    The assistant starts this command and talks to it via standard input and output. Its tools are
    list_files, outline, read_part, search, analyze and summarize; they read files in the folders
    you allow, or a text that the assistant passes, and never write.
    """
    try:
        from docbats.mcp.allowed_folders import AllowedFolders
        from docbats.mcp.server import CallProcesses, make_server
        from docbats.mcp.stdio import run_stdio
        from docbats.mcp.tools import ToolCalls
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.startswith("docbats"):
            raise
        msg = f'the tool for assistants needs {error.name}: pip install "docbats[mcp]"'
        raise click.ClickException(msg) from None
    try:
        folders = AllowedFolders.from_names(allow, max_bytes)
    except SettingsError as error:
        raise click.UsageError(str(error), ctx) from None
    calls = ToolCalls(folders, max_answer, model_or_exit(ctx, model))
    use_strict_limits()
    processes = CallProcesses(calls, timeout, max_memory)
    try:
        run_stdio(make_server(folders, max_answer, processes))
    finally:
        processes.close()
