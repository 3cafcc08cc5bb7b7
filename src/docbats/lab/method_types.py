"""What the laboratory asks of a method: the small interface behind which all baselines stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from docbats.lab.preparation import Prepared

__all__ = ["Segmenter", "TopicMethod", "Topics"]

Topics = list[list[str]]
"""The words of each topic, best first."""


@dataclass(frozen=True)
class TopicMethod:
    """A way to find k topics in one document.

    Attributes
    ----------
    name
        As it stands in the tables.
    citation
        The paper that it comes from, or the library and its function.
    find
        From a prepared document, k and a seed to topics. It must not change the document, may
        return fewer than k topics, and gives the same topics for the same arguments.
    parameters
        What was set, for the record.
    extra
        The extra of docbats that brings the packages it needs, imported inside `find`.
    """

    name: str
    citation: str
    find: Callable[[Prepared, int, int], Topics]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    extra: str = "lab"


@dataclass(frozen=True)
class Segmenter:
    """A way to cut one document into contiguous segments.

    Attributes
    ----------
    name
        As it stands in the tables.
    citation
        The paper that it comes from, or the library and its function.
    cut
        From a prepared document, k and a seed to the index of each segment's first sentence, rising
        from 0. The same arguments give the same cut.
    takes_k
        Whether `cut` returns exactly k segments; otherwise it ignores k and finds its own number.
    parameters, extra
        As for :class:`TopicMethod`.
    """

    name: str
    citation: str
    cut: Callable[[Prepared, int, int], list[int]]
    takes_k: bool = True
    parameters: Mapping[str, Any] = field(default_factory=dict)
    extra: str = "lab"
