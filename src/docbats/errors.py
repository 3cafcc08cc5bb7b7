"""The errors that docbats raises on purpose.

::

    DocbatsError
    ├── SettingsError         a setting has a value that it must not have (also a ValueError)
    ├── InputError            the text cannot be analyzed as asked (also a ValueError)
    │   ├── EmptyDocumentError    the document is blank
    │   ├── TooFewSentencesError  more segments are asked for than there are sentences
    │   └── NoKeptWordsError      no word occurs in enough sentences to compare them
    ├── ReadError             a file cannot be read as text (also an OSError)
    └── MissingExtraError     an optional package or model is not installed (also an ImportError)

Each message says what is wrong, with which value, and what to do next. In other libraries, a file
that is skipped is a :class:`SkippedFileWarning`, and a text too short for k segments a
:class:`ShortTextWarning`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "DocbatsError",
    "EmptyDocumentError",
    "InputError",
    "MissingExtraError",
    "NoKeptWordsError",
    "ReadError",
    "SettingsError",
    "TooFewSentencesError",
]


class DocbatsError(Exception):
    """Any error that docbats raises on purpose."""


class SettingsError(DocbatsError, ValueError):
    """A setting has a value that it must not have."""


class InputError(DocbatsError, ValueError):
    """The text cannot be analyzed as asked."""


class EmptyDocumentError(InputError):
    """The document is blank."""


class TooFewSentencesError(InputError):
    """More segments were asked for than the document has sentences."""


class NoKeptWordsError(InputError):
    """No word occurs in enough sentences to compare them."""


class ReadError(DocbatsError, OSError):
    """A file cannot be read as text."""


class MissingExtraError(DocbatsError, ImportError):
    """An optional package or model is not installed."""


class SkippedFileWarning(UserWarning):
    """A loader of another library skipped a file that cannot be read."""


class ShortTextWarning(UserWarning):
    """A splitter of another library made fewer segments of a text than were asked for."""


@contextmanager
def require_extra(library: str, extra: str) -> Iterator[None]:
    """Raise an error that names the extra to install where an import of `library` fails."""
    try:
        yield
    except ModuleNotFoundError as error:
        msg = f'{library} is not installed (no module {error.name}): pip install "docbats[{extra}]"'
        raise MissingExtraError(msg) from error
