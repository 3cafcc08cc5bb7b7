"""The server: tools that read documents and never write, answered in other processes."""

from __future__ import annotations

from functools import wraps
from inspect import Parameter, getdoc, signature
from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from docbats.background_pool import BackgroundPool
from docbats.chunks.options import chunk_options
from docbats.corpus.documents import replace_surrogates_within
from docbats.errors import DocbatsError, InputError
from docbats.mcp.answers import (
    AnalysisAnswer,
    Chunks,
    FileList,
    Matches,
    OutlineAnswer,
    PartText,
    SummaryAnswer,
    to_json,
    to_values,
)
from docbats.mcp.tools import ToolCall, ToolCalls
from docbats.processes import (
    PoolBusyError,
    PoolError,
    TaskTooSlowError,
    WorkerOptions,
    WorkerStartError,
)
from docbats.runtime import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.chunks.options import ChunkOption
    from docbats.mcp.allowed_folders import AllowedFolders
    from docbats.mcp.answers import Answer

_MAX_K = 2000  # more segments than a call has time for

# The SDK shows these descriptions to assistants.
_Path = Annotated[str | None, Field(description="A file to read. Pass this or text.")]
_Text = Annotated[str | None, Field(description="The text itself. Pass this or path.")]
_K = Annotated[
    Annotated[int, Field(ge=1, le=_MAX_K)] | Literal["auto"],
    Field(
        description="Number of segments; auto (the default) lets the text decide. Parts have the "
        "same numbers only with the same k, granularity and lines."
    ),
]
_Granularity = Annotated[
    Literal["coarse", "medium", "fine"],
    Field(description="How finely to divide, if k is auto."),
]
_Lines = Annotated[
    bool, Field(description="Treat each line as a sentence, for transcripts without full stops.")
]
_First = Annotated[int, Field(description="First one to return, counted from 1: next of a call.")]

_INSTRUCTIONS = """\
docbats finds the topics and segments of one document from its own words, without a model. Use \
list_files to see what there is, search for what matches a question in one document or in all \
files, outline for a table of contents, read_part to read a part, analyze for topics and segments, \
summarize for the most informative sentences, chunk for pieces to index. Offsets count \
characters from 0. No answer is longer than {characters:,} \
characters: if it has a next, call again with it. Files are read only inside these folders: \
{folders}. Relative paths are searched for in them."""

_READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def make_server(
    folders: AllowedFolders,
    max_answer: int,
    run: Callable[[ToolCall], Answer] | None = None,
) -> MCPServer[Any]:
    """Return a server that reads files in `folders`; answers have at most `max_answer` characters.

    `run` answers calls; by default this process does.
    """
    tools = _Tools(run or ToolCalls(folders, max_answer))
    return MCPServer(
        "docbats",
        title="docbats",
        version=__version__,
        instructions=replace_surrogates_within(
            _INSTRUCTIONS.format(folders=folders, characters=max_answer)
        ),
        tools=[_make_tool(function) for function in tools.all()],
        log_level="WARNING",
    )


class _Tools:
    """The tools; the text and the schema of each are what assistants read."""

    def __init__(self, run: Callable[[ToolCall], Answer]) -> None:
        self._run = run

    def all(self) -> list[Callable[..., CallToolResult]]:
        """Return the tools in the order in which they are listed."""
        return [
            self.list_files,
            self.outline,
            self.read_part,
            self.search,
            self.analyze,
            self.summarize,
            _with_chunk_options(self.chunk),
        ]

    def list_files(
        self,
        pattern: Annotated[
            str, Field(description="Which files, such as *.pdf or minutes/*; * for all.")
        ] = "*",
        first: _First = 1,
    ) -> Annotated[CallToolResult, FileList]:
        """List the files that can be read, by their paths."""
        return self._send("list_files", pattern=pattern, first=first)

    def outline(
        self,
        path: _Path = None,
        text: _Text = None,
        k: _K = "auto",
        granularity: _Granularity = "medium",
        *,
        lines: _Lines = False,
        depth: Annotated[
            int | None, Field(ge=1, description="How many levels to return; all by default.")
        ] = None,
        first: _First = 1,
    ) -> Annotated[CallToolResult, OutlineAnswer]:
        """Make a nested table of contents of a document, with numbers, offsets and pages.

        A book has a long one: ask for a depth of 1 or 2 first.
        """
        document = _document(path, text, lines, k, granularity)
        return self._send("outline", depth=depth, first=first, **document)

    def read_part(
        self,
        path: _Path = None,
        text: _Text = None,
        *,
        number: Annotated[
            str | int | None, Field(description="Number of a part, from outline or search.")
        ] = None,
        start: Annotated[int | None, Field(description="Or the offset to read from.")] = None,
        end: Annotated[
            int | None, Field(description="And the offset to read to; the end by default.")
        ] = None,
        k: _K = "auto",
        granularity: _Granularity = "medium",
        lines: _Lines = False,
    ) -> Annotated[CallToolResult, PartText]:
        """Read one part of a document: by its number, or between two offsets.

        A long part needs several calls: if next is a number, call again with it as start, and with
        the end of the part as end.
        """
        document = _document(path, text, lines, k, granularity)
        return self._send("read_part", number=number, start=start, end=end, **document)

    def search(
        self,
        question: Annotated[str, Field(description="A question, or words to search for.")],
        path: _Path = None,
        text: _Text = None,
        *,
        most: Annotated[int, Field(ge=1, le=50, description="How many parts to return.")] = 5,
        k: _K = "auto",
        granularity: _Granularity = "medium",
        lines: _Lines = False,
    ) -> Annotated[CallToolResult, Matches]:
        """Find what best matches a question, by its words (BM25).

        In one document, it returns parts; without path and text, it searches all files, and
        returns passages with their paths and offsets, which read_part reads.
        """
        document = _document(path, text, lines, k, granularity)
        return self._send("search", question=question, most=most, **document)

    def analyze(
        self,
        path: _Path = None,
        text: _Text = None,
        k: _K = "auto",
        granularity: _Granularity = "medium",
        *,
        lines: _Lines = False,
        first: _First = 1,
    ) -> Annotated[CallToolResult, AnalysisAnswer]:
        """Find the topics of a document and where it changes topic.

        Returns topics with their words, and segments with title, offsets, keywords and opening
        words.
        """
        document = _document(path, text, lines, k, granularity)
        return self._send("describe", first=first, **document)

    def summarize(
        self,
        path: _Path = None,
        text: _Text = None,
        sentences: Annotated[
            int, Field(ge=1, le=1000, description="How many sentences to select.")
        ] = 5,
        lines: _Lines = False,
    ) -> Annotated[CallToolResult, SummaryAnswer]:
        """Select the most informative sentences of a document, in their order."""
        return self._send("summarize", sentences=sentences, **_document(path, text, lines))

    def chunk(
        self, path: _Path = None, text: _Text = None, first: _First = 1, **options: Any
    ) -> Annotated[CallToolResult, Chunks]:
        """Cut a document into chunks for search, with offsets and headings.

        Paragraphs, lists, tables and code stay whole unless one alone is too large for a chunk, and
        headings stay with the text after them.
        """
        given = {name: value for name, value in options.items() if value is not None}
        return self._send("chunk", path=path, text=text, first=first, options=given)

    def _send(self, name: str, **arguments: Any) -> CallToolResult:
        """Return an answer as compact JSON and as values; errors are shown to the assistant."""
        try:
            found = self._run(ToolCall(name, arguments))
        except DocbatsError as error:
            raise ToolError(replace_surrogates_within(str(error))) from None
        return CallToolResult(
            content=[TextContent(type="text", text=to_json(found))],
            structured_content=to_values(found),
        )


def _document(
    path: str | None,
    text: str | None,
    lines: bool,
    k: int | Literal["auto"] = "auto",
    granularity: str = "medium",
) -> dict[str, Any]:
    """Return the arguments that say what to analyze, and how."""
    return {"path": path, "text": text, "lines": lines, "k": k, "granularity": granularity}


def _with_chunk_options(
    function: Callable[..., CallToolResult],
) -> Callable[..., CallToolResult]:
    """Return a tool whose options are those of a chunker, each with its type and description."""

    @wraps(function)
    def tool(**arguments: Any) -> CallToolResult:
        return function(**arguments)

    own = signature(function, eval_str=True)
    kept = [each for each in own.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
    options = [
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            default=option.default,
            annotation=Annotated[_option_type(option), Field(description=option.help)],
        )
        for name, option in chunk_options().items()
    ]
    tool.__signature__ = own.replace(parameters=[*kept, *options])  # type: ignore[attr-defined]
    return tool


def _option_type(option: ChunkOption) -> Any:
    is_number = option.type is int or option.type == int | None
    type_ = Annotated[int, Field(ge=option.minimum)] if is_number else option.type
    return type_ if option.default is not None else type_ | None


def _make_tool(function: Callable[..., CallToolResult]) -> Tool:
    """Make a tool that refuses unknown arguments, which the SDK would ignore."""
    tool = Tool.from_function(function, description=getdoc(function), annotations=_READ_ONLY)
    arguments = tool.fn_metadata.arg_model
    arguments.model_config = {**arguments.model_config, "extra": "forbid"}
    arguments.model_rebuild(force=True)
    tool.parameters = arguments.model_json_schema(by_alias=True)
    return tool


_N_PROCESSES = 2  # an assistant asks for one thing at a time, but may give up waiting for it
_MAX_START_SECONDS = 60.0  # in addition to the time that a call may take


class CallProcesses:
    """Answers calls in other processes, so that a slow one does not hold up the others.

    Calls about one document go to the same process if it is free, since it keeps the result.

    Parameters
    ----------
    calls
        Answers a call; each process has a copy.
    timeout
        Seconds that a call may take before its process is replaced.
    max_memory
        Megabytes that a process may use.
    jobs
        The number of processes.
    """

    def __init__(
        self, calls: ToolCalls, timeout: float, max_memory: int, jobs: int = _N_PROCESSES
    ) -> None:
        self._timeout, self._max_memory = timeout, max_memory
        self._pool = BackgroundPool(
            calls,
            WorkerOptions("docbats-mcp", max_memory=max_memory, single_thread=True),
            jobs=jobs,
            timeout=timeout,
            max_wait=timeout + _MAX_START_SECONDS,
        )

    def __call__(self, call: ToolCall) -> Answer:
        """Return the answer to a call; InputError if it takes too long or too much memory."""
        try:
            return self._pool.submit(call, preferred=hash(call.document)).result()
        except PoolBusyError:
            msg = "other calls take all the time: try again in a minute"
        except TaskTooSlowError:
            msg = (
                f"the call took longer than {self._timeout:g} seconds: ask for less, such as a "
                "smaller k, or start docbats mcp with a larger --timeout"
            )
        except WorkerStartError:
            msg = "no process could be started to answer the call: try again"
        except PoolError:
            msg = "the process that answered the call died: ask for less, or for a part"
        except MemoryError:
            msg = (
                f"the call needs more than {self._max_memory:,} megabytes of memory: ask for less, "
                "or start docbats mcp with a larger --max-memory"
            )
        raise InputError(msg)

    def close(self) -> None:
        """End the processes."""
        self._pool.close()
