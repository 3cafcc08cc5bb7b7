"""LlamaIndex: a reader of files, and documents that know their file."""

from __future__ import annotations

# LlamaIndex reads the types of fields at run time, when the class is made.
from collections.abc import Iterable  # noqa: TC003
from os import PathLike  # noqa: TC003
from typing import Any, Literal, cast

from docbats.document import Document as DocbatsDocument  # noqa: TC001  (as above)
from docbats.integrations.loaded_files import FileReader, find_files
from docbats.integrations.require_extra import require_extra

with require_extra("LlamaIndex", "llama-index"):
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document

__all__ = ["DocbatsReader", "LoadedDocument"]


class LoadedDocument(Document):
    """A document that knows more of its file than its text: pages, times, headings and so on.

    A :class:`DocbatsNodeParser` uses what it knows. It is stored as any other document.
    """

    _document: Any = PrivateAttr(default=None)

    @classmethod
    def of(
        cls, document: DocbatsDocument, metadata: dict[str, Any] | None = None
    ) -> LoadedDocument:
        """Make one of a :class:`docbats.Document`."""
        fields = {"text": document.text, "metadata": metadata or {}}
        made: LoadedDocument = cls.model_validate(fields)
        made._document = document
        return made

    @property
    def document(self) -> DocbatsDocument | None:
        """The document as docbats read it; None where its text has changed since then."""
        known = cast("DocbatsDocument | None", self._document)
        return known if known is not None and known.text == self.text else None


class DocbatsReader(BaseReader):
    """Reads files of all kinds that docbats reads, one document a file.

    It can be the `file_extractor` of LlamaIndex's ``SimpleDirectoryReader``, too. A
    :class:`DocbatsNodeParser` uses all that was read of a file: its pages, times, headings,
    speakers, code and tables.

    Parameters
    ----------
    encoding, kind, sentences, language
        As for :meth:`docbats.Document.read`.
    """

    def __init__(
        self,
        *,
        encoding: str | None = None,
        kind: str | None = None,
        sentences: Literal["auto", "lines"] = "auto",
        language: str = "auto",
    ) -> None:
        self._reader = FileReader(encoding, kind, sentences, language)

    def lazy_load_data(  # type: ignore[override]
        self,
        file: str | PathLike[str] | Iterable[str | PathLike[str]],
        extra_info: dict[str, Any] | None = None,
        fs: Any = None,
    ) -> Iterable[Document]:
        """Yield a document for each file, or for each file of a folder that docbats can read.

        `extra_info` is added to the metadata; `fs`, a file system of fsspec, opens the file.
        """
        if fs is not None:
            name = str(file)
            with fs.open(name, "rb") as opened:
                yield self._load(opened.read(), name, extra_info)
            return
        for path in find_files(file):
            yield self._load(path, None, extra_info)

    def load_data(self, *args: Any, **kwargs: Any) -> list[Document]:
        """Return a document for each file."""
        return list(self.lazy_load_data(*args, **kwargs))

    def _load(self, source: Any, name: str | None, extra_info: dict[str, Any] | None) -> Document:
        file = self._reader.read(source, name)
        metadata = {"file_path": file.name, **(extra_info or {})}
        if file.document is None:
            return Document(text=file.text, metadata=metadata)
        return LoadedDocument.of(file.document, metadata)
