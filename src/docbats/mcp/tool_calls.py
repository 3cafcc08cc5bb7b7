"""What the tools do: a call's name and arguments, and the answer to it.

It knows nothing of the protocol, so that a process of its own can do it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docbats.errors import InputError
from docbats.mcp import tool_results
from docbats.mcp.analyzed_documents import AnalyzedDocuments
from docbats.mcp.answer_limit import AnswerLimit
from docbats.mcp.answers import FileList, FoundFile

if TYPE_CHECKING:
    from docbats.mcp.allowed_folders import AllowedFolders
    from docbats.mcp.answers import Analysis, Answer, Matches, Outline, PartText, Summary
    from docbats.result import Result

__all__ = ["ToolCall", "ToolCalls"]


@dataclass(frozen=True)
class ToolCall:
    """The name of a tool and its arguments."""

    name: str
    arguments: dict[str, Any]

    @property
    def document(self) -> object:
        """What tells calls about the same document from others."""
        return self.arguments.get("path"), self.arguments.get("text")


class ToolCalls:
    """Answers calls one after the other; it keeps the last few results."""

    def __init__(self, folders: AllowedFolders, max_answer: int) -> None:
        self._folders = folders
        self._limit = AnswerLimit(max_answer)
        self._documents = AnalyzedDocuments(folders)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what was analyzed: another process analyzes for itself."""
        return {"folders": self._folders, "max_answer": self._limit.characters}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __call__(self, call: ToolCall) -> Answer:
        """Return the answer to a call; a DocbatsError says what is wrong with it."""
        answer: Answer = getattr(self, f"_{call.name}")(**call.arguments)
        return answer

    def _list_files(self, pattern: str, first: int) -> FileList:
        found = self._folders.list_files(pattern)
        if found and not 1 <= first <= len(found):
            msg = f"first must be between 1 and {len(found)}, got {first}"
            raise InputError(msg)
        files = [FoundFile(path=path, bytes=size) for path, size in found[first - 1 :]]

        def make(n: int) -> FileList:
            following = first + n if n < len(files) else None
            return FileList(files=files[:n], total=len(found), next=following)

        return self._limit.fit(make, len(files))

    def _outline(self, *, depth: int | None, first: int, **document: Any) -> Outline:
        return tool_results.describe_outline(self._analyze(document), depth, first, self._limit)

    def _read_part(
        self, *, number: str | int | None, start: int | None, end: int | None, **document: Any
    ) -> PartText:
        if (number is None) == (start is None) or (start is None and end is not None):
            msg = "pass either number, of a part, or start, and end if you like"
            raise InputError(msg)
        result = self._analyze(document)
        if start is not None:
            return tool_results.read_offsets(result, start, end, self._limit)
        return tool_results.read_numbered_part(result, str(number), self._limit)

    def _search(self, *, question: str, most: int, **document: Any) -> Matches:
        return tool_results.find_matches(self._analyze(document), question, most, self._limit)

    def _describe(self, *, first: int, **document: Any) -> Analysis:
        return tool_results.describe_result(self._analyze(document), first, self._limit)

    def _summarize(self, *, sentences: int, **document: Any) -> Summary:
        return tool_results.describe_summary(self._analyze(document), sentences, self._limit)

    def _analyze(self, document: dict[str, Any]) -> Result:
        return self._documents.analyze(**document)
