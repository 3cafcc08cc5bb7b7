"""spaCy: a pipeline component, which spaCy finds by its name ``docbats``."""

# No `from __future__ import annotations` here: older versions of spaCy need a factory's types as
# objects, not as strings.

from bisect import bisect_left
from itertools import pairwise
from typing import Any

import numpy as np

from docbats.chunks.segment_chunks import chunk_of_segment
from docbats.document import Document
from docbats.errors import SettingsError, require_extra
from docbats.integrations.splitting import make_bats, run_unless_blank, unless_changed
from docbats.pipeline import BATS
from docbats.result import Result

with require_extra("spaCy", "spacy"):
    from spacy.language import Language
    from spacy.tokens import Doc, Span, SpanGroup

__all__ = ["DocbatsComponent", "make_component", "make_doc"]

_MAX_WORDS = 10  # per topic, as the command shows
_DOCUMENT = "docbats_document"  # in the user data of a document, until it is processed


class DocbatsComponent:
    """Finds the segments and topics of a spaCy document.

    It uses the sentence boundaries of the pipeline; without any, docbats splits the text itself.
    The segments are in ``doc.spans["docbats"]``, labeled with their titles. Each span has the label
    of its strongest topic as ``span._.docbats_topic``, and everything else known about the segment,
    as :meth:`docbats.Chunk.values` returns it, as ``span._.docbats``. The topics are in
    ``doc._.docbats_topics``: dictionaries of `label`, `weight` and `words`.
    """

    def __init__(self, bats: BATS, spans_key: str) -> None:
        self._bats = bats
        self._spans_key = spans_key
        # Extensions belong to the class, so another pipeline may have set them already.
        for type_, name, default in (
            (Doc, "docbats_topics", ()),
            (Span, "docbats_topic", None),
            (Span, "docbats", None),
        ):
            if not type_.has_extension(name):
                type_.set_extension(name, default=default)

    def __call__(self, doc: Doc) -> Doc:
        """Annotate one document."""
        document = unless_changed(doc.user_data.pop(_DOCUMENT, None), doc.text)
        result = run_unless_blank(self._bats, _source(doc) if document is None else document)
        spans = [] if result is None else _spans(doc, result)
        doc.spans[self._spans_key] = SpanGroup(doc, name=self._spans_key, spans=spans)
        if result is not None:
            doc._.docbats_topics = [
                {
                    "label": topic.label,
                    "weight": topic.weight,
                    "words": [word for word, _ in topic.words[:_MAX_WORDS]],
                }
                for topic in result.topics
            ]
        return doc


def _source(doc: Doc) -> str | Document:
    """Return the document with the pipeline's sentences, or the text if it has none."""
    if not doc.has_annotation("SENT_START") or not doc.text.strip():
        return str(doc.text)
    spans = [(sentence.start_char, sentence.end_char) for sentence in doc.sents]
    return Document(doc.text, np.array(spans, np.int64))


def _spans(doc: Doc, result: Result) -> list[Span]:
    """Return the segments as spans of tokens."""
    offsets = [token.idx for token in doc]
    starts = [bisect_left(offsets, segment.start) for segment in result.segments]
    spans = []
    for segment, (start, end) in zip(result.segments, pairwise([*starts, len(doc)]), strict=True):
        if start == end:  # a limit below one token split it: no token begins in this segment
            continue
        span = Span(doc, start, end, label=segment.title)
        topic = segment.topic
        span._.docbats_topic = None if topic is None else result.topics[topic].label
        span._.docbats = chunk_of_segment(result, segment, overlap=False).values()
        spans.append(span)
    return spans


def make_doc(nlp: Language, document: Document) -> Doc:
    r"""Return a document that docbats read as a spaCy document, to be passed to ``nlp``.

    The component then uses the sentences, headings, pages and so on of the document.

    Examples
    --------
    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> component = nlp.add_pipe("docbats", config={"k": 1})
    >>> doc = nlp(make_doc(nlp, Document.read(b"# Bats\n\nThey fly.", name="bats.md")))
    >>> doc.spans["docbats"][0]._.docbats["heading_path"]
    ['Bats']
    """
    doc = nlp.make_doc(document.text)
    doc.user_data[_DOCUMENT] = document
    return doc


@Language.factory(
    "docbats",
    default_config={"k": "auto", "preset": "sharp", "spans_key": "docbats", "settings": {}},
    assigns=["doc.spans", "doc._.docbats_topics"],
)
def make_component(
    nlp: Language,  # noqa: ARG001  (spaCy passes it)
    name: str,  # noqa: ARG001  (spaCy passes it)
    *,
    k: int | str,
    preset: str,
    spans_key: str,
    settings: dict[str, Any],
) -> DocbatsComponent:
    """Return the component for the config of a pipeline.

    Examples
    --------
    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> component = nlp.add_pipe("docbats", config={"k": 2})
    >>> doc = nlp("Bats hunt moths. Moths hear bats. Tea needs hot water. Hot tea cools.")
    >>> [span.text for span in doc.spans["docbats"]]
    ['Bats hunt moths. Moths hear bats.', 'Tea needs hot water. Hot tea cools.']
    """
    if "sentences" in settings:
        msg = "sentences come from the pipeline: add spaCy's sentencizer before docbats"
        raise SettingsError(msg)
    return DocbatsComponent(make_bats(preset, settings, k=k), spans_key)
