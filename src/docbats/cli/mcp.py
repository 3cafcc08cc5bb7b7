"""``docbats mcp``: a tool for assistants."""

from __future__ import annotations

import secrets
from typing import Any

import click
from click.core import ParameterSource

from docbats.cli.options import (
    check_token,
    model_option,
    model_or_exit,
    tokenizers_option,
    tokenizers_or_exit,
)
from docbats.errors import SettingsError
from docbats.runtime import use_strict_limits

_EXAMPLES = """
\b
Examples:
  docbats mcp --allow ~/reports --allow ~/minutes
  claude mcp add docbats -- docbats mcp --allow ~/reports
  docbats mcp --http --allow ~/reports
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
@tokenizers_option
@model_option
@click.option("--http", is_flag=True, help="Serve over HTTP, at /mcp, instead of standard input.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on, with --http."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="Port to listen on, with --http; 0 for any free one.",
)  # fmt: skip
@click.option(
    "--token", envvar="DOCBATS_TOKEN", show_envvar=True,
    help="Token that clients must send, with --http; other users of this machine can read the "
    "command line.  [generated and printed]",
)  # fmt: skip
@click.option("--no-token", is_flag=True, help="Require no token, with --http.")
@click.option(
    "--allow-host", "hosts", multiple=True, metavar="NAME",
    help="Host name that requests may use, with --http, * for any; may be repeated.  [loopback "
    "names on loopback, else the names of this machine and IP addresses]",
)  # fmt: skip
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
    tokenizers: tuple[str, ...],
    model: str | None,
    http: bool,
    **address: Any,
) -> None:
    """Offer docbats to an assistant via the Model Context Protocol (needs docbats[mcp]).

    The assistant starts this command and talks to it via standard input and output, or with --http
    over HTTP, with a token. Its tools are list_files, outline, read_part, search, analyze,
    summarize and chunk; they read files in the folders you allow, or a text that the assistant
    passes, and never write.
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
    _check_address(ctx, address, http=http)
    calls = ToolCalls(
        folders,
        max_answer,
        model_or_exit(ctx, model),
        tokenizers=tokenizers_or_exit(ctx, tokenizers),
        search_seconds=timeout / 2,
    )
    use_strict_limits()
    processes = CallProcesses(calls, timeout, max_memory)
    server = make_server(folders, max_answer, processes)
    try:
        if not http:
            run_stdio(server)
        elif not _serve(server, max_bytes=max_bytes, timeout=timeout, **address):
            ctx.exit(1)
    finally:
        processes.close()


def _check_address(ctx: click.Context, address: dict[str, Any], *, http: bool) -> None:
    """End with a usage error if the options of HTTP are wrong, or given without it."""
    for name in address:
        if not http and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = "allow-host" if name == "hosts" else name.replace("_", "-")
            msg = f"--{option} is for HTTP: add --http, or leave it out"
            raise click.UsageError(msg, ctx)
    check_token(ctx, address["token"], no_token=http and address["no_token"])


def _serve(
    server: Any, *, token: str | None, no_token: bool, hosts: tuple[str, ...], **more: Any
) -> bool:
    from docbats.mcp.http import run_http
    from docbats.serve.service import ServiceOptions

    is_made = token is None and not no_token
    options = ServiceOptions(
        token=secrets.token_urlsafe(24) if is_made else token,
        hosts=frozenset(hosts) or None,
        **more,
    )
    if options.token is None:
        click.echo("docbats: anyone who can reach this address can read the folders", err=True)
    return run_http(server, options, show_token=is_made)
