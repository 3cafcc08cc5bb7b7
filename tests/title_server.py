"""A server that answers like those of language models, for a function that names segments."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.docs.blocks import blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PAGE = Path(__file__).parent.parent / "docs" / "howto" / "own-names.md"


def module_of_the_page() -> str:
    """Return the file ``names.py`` that the how-to shows."""
    (found,) = [block.code for block in blocks(PAGE) if "NAMES_ADDRESS" in block.code
                and block.language == "python"]  # fmt: skip
    return found


def answer(request: dict[str, Any]) -> tuple[int, bytes]:
    """Title a segment by the first word of its text."""
    text = request["messages"][-1]["content"].partition("\n\n")[2]
    title = f"On {text.split()[0].lower()}"
    content = f'"{title}"\nThis part has {len(text)} characters.\n'
    return 200, json.dumps({"choices": [{"message": {"content": content}}]}).encode()


@dataclass
class TitleServer:
    """A server that is up: its address, what it was asked, and how it answers."""

    address: str
    answer: Callable[[dict[str, Any]], tuple[int, bytes]] = answer
    requests: list[dict[str, Any]] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)


@contextmanager
def title_server() -> Iterator[TitleServer]:
    """Start a server on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            running.requests.append(request)
            status, body = running.answer(request)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:  # the client did not wait
                self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running = TitleServer(f"http://127.0.0.1:{server.server_port}/v1/chat/completions")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield running
    finally:
        running.stop.set()
        server.shutdown()
        server.server_close()
