"""The server: four tools that read documents and never write."""

from __future__ import annotations

from inspect import getdoc
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from docbats import pipeline
from docbats._version import __version__
from docbats.errors import DocbatsError, InputError
from docbats.mcp.tool_results import (
    describe_outline,
    describe_result,
    describe_segments,
    describe_summary,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.document import Document
    from docbats.mcp.allowed_folders import AllowedFolders
    from docbats.result import Result

__all__ = ["make_server"]

# The SDK shows these descriptions to assistants.
_Path = Annotated[str | None, Field(description="A file to read. Pass this or text.")]
_Text = Annotated[str | None, Field(description="The text itself. Pass this or path.")]
_K = Annotated[
    int | Literal["auto"],
    Field(description="Number of segments; auto (the default) lets the text decide."),
]
_Granularity = Annotated[
    Literal["coarse", "medium", "fine"],
    Field(description="How finely to divide, if k is auto."),
]
_Lines = Annotated[
    bool, Field(description="Treat each line as a sentence, for transcripts without full stops.")
]

_INSTRUCTIONS = """\
docbats finds the topics and segments of one document from its own words, without a model. Use \
outline for a table of contents, analyze for topics and segments with offsets, segment to read a \
long file part by part, summarize for its most informative sentences. Offsets count characters \
from 0. Files are read only inside these folders: {folders}. Relative paths are searched for in \
them."""

_READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def make_server(folders: AllowedFolders, max_characters: int) -> MCPServer[Any]:
    """Return a server that reads files in `folders`.

    A result of the tool `segment` holds `max_characters` of text.
    """
    server: MCPServer[Any] = MCPServer(
        "docbats",
        title="docbats",
        version=__version__,
        instructions=_INSTRUCTIONS.format(folders=folders),
        log_level="WARNING",
    )
    analyze_source = _SourceAnalyzer(folders)

    def tool(function: Callable[..., dict[str, Any]]) -> None:
        server.add_tool(function, description=getdoc(function), annotations=_READ_ONLY)

    @tool
    def analyze(
        path: _Path = None,
        text: _Text = None,
        k: _K = "auto",
        granularity: _Granularity = "medium",
        lines: _Lines = False,
    ) -> dict[str, Any]:
        """Find the topics of a document and where it changes topic.

        Returns topics with their words, and segments with title, offsets, keywords and opening
        words.
        """
        return analyze_source(path, text, lines, describe_result, k=k, granularity=granularity)

    @tool
    def outline(
        path: _Path = None,
        text: _Text = None,
        k: _K = "auto",
        granularity: _Granularity = "medium",
        lines: _Lines = False,
        *,
        depth: Annotated[
            int | None, Field(description="How many levels to return; all by default.")
        ] = None,
    ) -> dict[str, Any]:
        """Make a nested table of contents of a document, with offsets.

        That of a book is long: ask for a depth of 1 or 2 first.
        """
        return analyze_source(
            path,
            text,
            lines,
            lambda result: describe_outline(result, depth),
            k=k,
            granularity=granularity,
        )

    @tool
    def segment(
        path: _Path = None,
        text: _Text = None,
        k: _K = "auto",
        granularity: _Granularity = "medium",
        lines: _Lines = False,
        *,
        first: Annotated[int, Field(description="First segment to return, counted from 1.")] = 1,
        max_words: Annotated[
            int | None, Field(description="Largest number of words of a segment.")
        ] = None,
        overlap_words: Annotated[
            int, Field(description="How many of the words before it a segment repeats.")
        ] = 0,
    ) -> dict[str, Any]:
        """Split a document where its topics change, and return the segments' texts.

        A long document needs several calls: if next is a number, call again with it as first.
        """
        return analyze_source(
            path,
            text,
            lines,
            lambda result: describe_segments(result, first, max_characters),
            k=k,
            granularity=granularity,
            max_size=max_words,
            overlap=overlap_words,
            size_unit="words",
        )

    @tool
    def summarize(
        path: _Path = None,
        text: _Text = None,
        sentences: Annotated[int, Field(description="How many sentences to select.")] = 5,
        lines: _Lines = False,
    ) -> dict[str, Any]:
        """Select the most informative sentences of a document, in their order."""
        return analyze_source(path, text, lines, lambda result: describe_summary(result, sentences))

    return server


class _SourceAnalyzer:
    """Analyzes the file or text that a call names, and describes the result."""

    def __init__(self, folders: AllowedFolders) -> None:
        self._folders = folders
        self._lock = Lock()  # calls come on threads; one analysis at a time is enough for one user

    def __call__(
        self,
        path: str | None,
        text: str | None,
        lines: bool,
        describe: Callable[[Result], dict[str, Any]],
        **settings: Any,
    ) -> dict[str, Any]:
        """Return what `describe` makes of the result; errors are shown to the assistant."""
        try:
            with self._lock:
                sentences: Literal["auto", "lines"] = "lines" if lines else "auto"
                source = self._source(path, text, sentences)
                return describe(pipeline.analyze(source, sentences=sentences, **settings))
        except DocbatsError as error:
            raise ToolError(str(error)) from None

    def _source(
        self, path: str | None, text: str | None, sentences: Literal["auto", "lines"]
    ) -> str | Document:
        if text is not None and path is None:
            size = len(text.encode("utf-8", "replace"))
            if size > self._folders.max_bytes:
                most = self._folders.max_bytes
                msg = f"the text has {size:,} bytes, but at most {most:,} are allowed"
                raise InputError(msg)
            return text
        if path is not None and text is None:
            read = self._folders.read(path)
            return read.text if read.places is None else read.document(sentences)
        msg = "pass either path, a file, or text, the text itself"
        raise InputError(msg)
