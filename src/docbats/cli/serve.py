"""``docbats serve``: the page and the service."""

from __future__ import annotations

import re
import secrets
import sys
from dataclasses import replace
from typing import Any

import click

from docbats.cli.options import (
    check_token,
    model_option,
    model_or_exit,
    namer_option,
    namer_or_exit,
    tokenizers_option,
    tokenizers_or_exit,
)

_EXAMPLES = """
\b
Examples:
  docbats serve
  docbats serve --port 8080 --no-open
  docbats serve --host 0.0.0.0
  docbats serve --model ours.json
  docbats serve --namer names:ask
  curl --data-binary @report.txt -H 'Content-Type: text/plain' http://127.0.0.1:8000/v1/analyze
  curl --data-binary @a.pdf -H 'Content-Type: application/pdf' http://127.0.0.1:8000/v1/analyze
"""


@click.command(
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="Port to listen on; 0 for any free one.",
)  # fmt: skip
@click.option(
    "--workers", type=click.IntRange(min=1),
    help="Number of processes that analyze documents.  [number of processors, at most 4]",
)  # fmt: skip
@click.option(
    "--max-bytes", type=click.IntRange(min=1),
    help="Largest size of a document, in bytes.  [200,000,000 on loopback, else 5,000,000]",
)  # fmt: skip
@click.option(
    "--max-sentences", type=click.IntRange(min=1),
    help="Largest number of sentences in a document.  [1,000,000 on loopback, else 50,000]",
)  # fmt: skip
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True),
    help="Longest time that one document may take, and may wait, in seconds.  [900 on loopback, "
    "else 30]",
)  # fmt: skip
@click.option(
    "--max-memory", type=click.IntRange(min=300),
    help="Largest memory of a worker process, in megabytes.  [8,000 on loopback, else 2,000]",
)  # fmt: skip
@click.option(
    "--queue", type=click.IntRange(min=0), default=64, show_default=True,
    help="Largest number of waiting documents.",
)  # fmt: skip
@click.option(
    "--token", envvar="DOCBATS_TOKEN", show_envvar=True,
    help="Token that clients must send; other users of this machine can read the command line.  "
    "[none on loopback, else generated and printed]",
)  # fmt: skip
@click.option(
    "--no-token",
    is_flag=True,
    help="Require no token, even if other machines can reach the service.",
)
@click.option(
    "--allow-host", "hosts", multiple=True, metavar="NAME",
    help="Host name that requests may use, * for any; may be repeated.  [loopback names on "
    "loopback, else the names of this machine and IP addresses]",
)  # fmt: skip
@click.option(
    "--cors-origin", "cors_origins", multiple=True, metavar="ORIGIN",
    help="Site whose pages may use the API, such as https://app.example, * for any; may be "
    "repeated.  [none]",
)  # fmt: skip
@click.option(
    "--root-path", metavar="PATH", default="",
    help="Path under which a proxy offers the service, such as /docbats; the proxy may remove it "
    "or leave it.",
)  # fmt: skip
@tokenizers_option
@model_option
@namer_option
@click.option("--open/--no-open", "open_browser", default=None, help="Open the page in a browser.")
@click.pass_context
def serve(
    ctx: click.Context,
    /,
    *,
    hosts: tuple[str, ...],
    cors_origins: tuple[str, ...],
    root_path: str,
    tokenizers: tuple[str, ...],
    workers: int | None,
    token: str | None,
    no_token: bool,
    open_browser: bool | None,
    model: str | None,
    namer: str | None,
    **options: Any,
) -> None:
    """Start the page and the HTTP service (needs docbats[serve]).

    The page at / shows the topics and segments of any text; programs use the API under /v1, which
    /v1/openapi.json describes. Nothing of a document is logged or kept.
    """
    try:
        import docbats.serve.app  # noqa: F401  (fails here if FastAPI is missing)
        from docbats.serve.server import serve as run
        from docbats.serve.service import (
            OWN_LIMITS,
            SHARED_LIMITS,
            ServiceOptions,
            default_workers,
            is_loopback,
        )
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.startswith("docbats"):
            raise
        msg = f'the service needs {error.name}: pip install "docbats[serve]"'
        raise click.ClickException(msg) from None
    check_token(ctx, token, no_token=no_token)
    limits = OWN_LIMITS if is_loopback(options["host"]) else SHARED_LIMITS
    for name, limit in limits.items():
        if options[name] is None:
            options[name] = limit
    chosen = ServiceOptions(
        token=token,
        workers=workers or default_workers(),
        hosts=frozenset(hosts) or None,
        cors_origins=frozenset(_origin_or_exit(ctx, origin) for origin in cors_origins),
        root_path=_root_path_or_exit(ctx, root_path),
        tokenizers=tokenizers_or_exit(ctx, tokenizers),
        model=model_or_exit(ctx, model),
        namer=namer_or_exit(ctx, namer),
        **options,
    )
    is_made = not chosen.is_loopback and token is None and not no_token
    if is_made:
        chosen = replace(chosen, token=secrets.token_urlsafe(24))
    elif not chosen.is_loopback and token is None:
        click.echo("docbats: anyone who can reach this address can use the service", err=True)
    show = sys.stderr.isatty() if open_browser is None else open_browser
    ctx.exit(0 if run(chosen, open_browser=show, show_token=is_made) else 1)


def _origin_or_exit(ctx: click.Context, origin: str) -> str:
    """Return an origin as browsers send it; end with a usage error if it is not one."""
    match = re.fullmatch(r"(https?://[^/?#\s@]+)/?|\*", origin.strip(), re.IGNORECASE)
    if match is None:
        msg = f"--cors-origin must be a scheme and a host, such as https://app.example: {origin!r}"
        raise click.UsageError(msg, ctx)
    return (match[1] or "*").lower()


def _root_path_or_exit(ctx: click.Context, path: str) -> str:
    """Return a path without its last slash; end with a usage error if it is not one."""
    if path.strip("/") and re.fullmatch(r"(/[\w.~-]+)+/?", path) is None:
        msg = f"--root-path must begin with a slash, such as /docbats: {path!r}"
        raise click.UsageError(msg, ctx)
    return path.rstrip("/")
