"""The server: four tools that read and never write."""

from __future__ import annotations

from inspect import getdoc
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from docbats._version import __version__
from docbats.errors import DocbatsError, InputError
from docbats.mcp.answers import (
    describe_outline,
    describe_result,
    describe_segments,
    describe_summary,
)
from docbats.pipeline import analyze

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.document import Document
    from docbats.mcp.folders import Folders
    from docbats.result import Result

__all__ = ["make_server"]

# The SDK tells assistants what these say.
_Path = Annotated[str | None, Field(description="A file to read. Give this or text.")]
_Text = Annotated[str | None, Field(description="The text itself. Give this or path.")]
_K = Annotated[
    int | Literal["auto"],
    Field(description="Number of segments; auto (the default) lets the text decide."),
]
_Lines = Annotated[
    bool, Field(description="Take each line as a sentence, as for transcripts without full stops.")
]

_ABOUT = """\
docbats finds the topics and segments of one document, by its own words, without a model. Use \
outline for a table of contents, analyse for topics and segments with offsets, segment to read a \
long file part by part, summarise for its most telling sentences. Offsets count characters from 0. \
Files are read only inside these folders: {folders}. Relative paths are looked for in them."""

_READS_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def make_server(folders: Folders, most: int) -> MCPServer[Any]:
    """Make a server that reads files in `folders` and answers with `most` characters of text."""
    server: MCPServer[Any] = MCPServer(
        "docbats",
        title="docbats",
        version=__version__,
        instructions=_ABOUT.format(folders=folders),
        log_level="WARNING",
    )
    reading = _Reading(folders)

    def tool(function: Callable[..., dict[str, Any]]) -> None:
        server.add_tool(function, description=getdoc(function), annotations=_READS_ONLY)

    @tool
    def analyse(
        path: _Path = None, text: _Text = None, k: _K = "auto", lines: _Lines = False
    ) -> dict[str, Any]:
        """Find the topics of a document and where it changes topic.

        Gives topics with their words, and segments with title, offsets, keywords and opening words.
        """
        return reading(path, text, lines, describe_result, k=k)

    @tool
    def outline(
        path: _Path = None, text: _Text = None, k: _K = "auto", lines: _Lines = False
    ) -> dict[str, Any]:
        """Make a nested table of contents of a document, with offsets."""
        return reading(path, text, lines, describe_outline, k=k)

    @tool
    def segment(
        path: _Path = None,
        text: _Text = None,
        k: _K = "auto",
        lines: _Lines = False,
        *,
        first: Annotated[int, Field(description="Segment to begin with, from 1.")] = 1,
        max_words: Annotated[
            int | None, Field(description="Most words that a segment may have.")
        ] = None,
        overlap_words: Annotated[
            int, Field(description="How many words before it a segment repeats.")
        ] = 0,
    ) -> dict[str, Any]:
        """Cut a document where its topics change, and give the segments' texts.

        A long document does not come at once: where next is a number, call again with it as first.
        """
        return reading(
            path,
            text,
            lines,
            lambda result: describe_segments(result, first, most),
            k=k,
            max_size=max_words,
            overlap=overlap_words,
            size_unit="words",
        )

    @tool
    def summarise(
        path: _Path = None,
        text: _Text = None,
        sentences: Annotated[int, Field(description="How many sentences to choose.")] = 5,
        lines: _Lines = False,
    ) -> dict[str, Any]:
        """Choose the sentences of a document that together say most, in its own words and order."""
        return reading(path, text, lines, lambda result: describe_summary(result, sentences))

    return server


class _Reading:
    """Gets the text that a call asks for, analyses it and describes what was found."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._one = Lock()  # calls come on threads: one analysis at a time is enough for one user

    def __call__(
        self,
        path: str | None,
        text: str | None,
        lines: bool,
        describe: Callable[[Result], dict[str, Any]],
        **settings: Any,
    ) -> dict[str, Any]:
        """Raise what the assistant did wrong as an error that it can read."""
        try:
            with self._one:
                sentences: Literal["auto", "lines"] = "lines" if lines else "auto"
                source = self._source(path, text, sentences)
                return describe(analyze(source, sentences=sentences, **settings))
        except DocbatsError as error:
            raise ToolError(str(error)) from None

    def _source(
        self, path: str | None, text: str | None, sentences: Literal["auto", "lines"]
    ) -> str | Document:
        if text is not None and path is None:
            size = len(text.encode("utf-8", "replace"))
            if size > self._folders.max_bytes:
                msg = f"{size:,} bytes are more than the {self._folders.max_bytes:,} that are taken"
                raise InputError(msg)
            return text
        if path is not None and text is None:
            read = self._folders.read(path)
            return read.text if read.places is None else read.document(sentences)
        msg = "give either path, a file, or text, the text itself"
        raise InputError(msg)
