"""The text as a Word document, with the outline as its headings."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from docbats.render.one_line import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docbats.result import Result

_MAX_LEVEL = 6  # of headings; deeper entries get this one
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n+")
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DATE = (1980, 1, 1, 0, 0, 0)  # fixed, so that the same result gives the same bytes
_TYPES = (
    f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_OFFICE}.document.main+xml"/>'
    f'<Override PartName="/word/styles.xml" ContentType="{_OFFICE}.styles+xml"/></Types>'
)
_ROOT = (
    f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_RELATION}/officeDocument" Target="word/document.xml"/>'
    "</Relationships>"
)
_RELATIONS = (
    f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_RELATION}/styles" Target="styles.xml"/></Relationships>'
)


def to_docx(result: Result, title: str = "") -> bytes:
    """Return a Word document: the text, with a heading before each entry of the outline.

    Each heading of a segment is followed by the sentence that sums the segment up.
    """
    body = "".join(_paragraphs(result, title))
    document = (
        f'{_HEAD}<w:document xmlns:w="{_MAIN}"><w:body>{body}'
        '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" '
        'w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>'
        "</w:body></w:document>"
    )
    parts = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _ROOT,
        "word/_rels/document.xml.rels": _RELATIONS,
        "word/document.xml": document,
        "word/styles.xml": _styles(),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content.encode())
    return buffer.getvalue()


def _paragraphs(result: Result, title: str) -> Iterator[str]:
    """Yield the title, and the text between the headings of the outline's entries."""
    if title:
        yield _paragraph(one_line(title), "Title")
    text, spans = result.document.text, result.document.spans
    summaries = {segment.sentences: segment.summary for segment in result.segments}
    headings: dict[int, list[tuple[int, str, str]]] = {}
    for numbers, entry in result.outline.walk():
        summary = summaries.get(entry.sentences, "")
        heading = (min(len(numbers), _MAX_LEVEL), one_line(entry.title), summary)
        headings.setdefault(entry.sentences[0], []).append(heading)
    firsts = sorted({0, *headings})
    starts = [0, *(int(spans[first, 0]) for first in firsts[1:])]
    for first, start, end in zip(firsts, starts, [*starts[1:], len(text)], strict=True):
        for level, name, summary in headings.get(first, []):
            yield _paragraph(name, f"Heading{level}")
            if summary:
                yield _paragraph(summary, "Summary")
        for paragraph in _PARAGRAPH.split(text[start:end].replace("\r\n", "\n")):
            if paragraph.strip():
                yield _paragraph(paragraph.strip("\n"))


def _paragraph(text: str, style: str | None = None) -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    lines = escape(_NOT_XML.sub("\ufffd", text)).split("\n")
    runs = "<w:br/>".join(f'<w:t xml:space="preserve">{line}</w:t>' for line in lines)
    return f"<w:p>{properties}<w:r>{runs}</w:r></w:p>"


def _styles() -> str:
    styles = [
        (
            '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/>'
            '<w:pPr><w:spacing w:after="160" w:line="276" w:lineRule="auto"/></w:pPr></w:style>'
        ),
        (
            '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/>'
            '<w:basedOn w:val="Normal"/><w:rPr><w:b/><w:sz w:val="44"/></w:rPr></w:style>'
        ),
        (
            '<w:style w:type="paragraph" w:customStyle="1" w:styleId="Summary">'
            '<w:name w:val="Summary"/><w:basedOn w:val="Normal"/>'
            '<w:pPr><w:ind w:left="360"/></w:pPr>'
            '<w:rPr><w:i/><w:color w:val="555555"/></w:rPr></w:style>'
        ),
    ]
    for level in range(1, _MAX_LEVEL + 1):
        size = max(22, 36 - 4 * level)  # half points
        styles.append(
            f'<w:style w:type="paragraph" w:styleId="Heading{level}">'
            f'<w:name w:val="heading {level}"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/>'
            f'<w:pPr><w:keepNext/><w:spacing w:before="320" w:after="80"/>'
            f'<w:outlineLvl w:val="{level - 1}"/></w:pPr>'
            f'<w:rPr><w:b/><w:sz w:val="{size}"/></w:rPr></w:style>'
        )
    return f'{_HEAD}<w:styles xmlns:w="{_MAIN}">{"".join(styles)}</w:styles>'
