"""Small files of every kind, made here."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

BATS = [
    "Bats hunt moths by night.",
    "Moths hear the bats and dive.",
    "Bats follow the moths.",
    "A bat eats many moths in a night.",
]
TEA = [
    "Tea needs hot water.",
    "Hot tea cools in the cup.",
    "A cup of tea wants fresh water.",
    "Green tea wants cooler water.",
]
SHIPS = [
    "The ferry crosses the harbour.",
    "Ships wait outside the harbour for the tide.",
    "The tide lifts the ships and the ferry.",
    "No ship enters the harbour at low tide.",
]
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
ODF = ("office", "text", "table", "style", "drawing", "manifest")
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


class PdfLine(NamedTuple):
    text: str
    y: float
    size: float = 11
    x: float = 72
    font: str = "Helvetica"


PDF_FONTS = ("Helvetica", "Helvetica-Bold", "Courier")


class Files:
    """Makes files."""

    bats, tea, ships = BATS, TEA, SHIPS

    def pdf(self, pages: list[list[PdfLine]]) -> bytes:
        """Write a PDF by hand."""
        objects = [b"", b""]
        objects += [
            b"<</Type/Font/Subtype/Type1/BaseFont/%s/Encoding/WinAnsiEncoding>>" % font.encode()
            for font in PDF_FONTS
        ]
        kids = []
        for lines in pages:
            stream = b"BT\n"
            for text, y, size, x, font in lines:
                shown = text.encode("cp1252").replace(b"\\", b"\\\\")
                shown = shown.replace(b"(", b"\\(").replace(b")", b"\\)")
                name = 1 + PDF_FONTS.index(font)
                stream += b"/F%d %g Tf 1 0 0 1 %g %g Tm (%s) Tj\n" % (name, size, x, y, shown)
            stream += b"ET"
            objects.append(b"<</Length %d>>\nstream\n%s\nendstream" % (len(stream), stream))
            objects.append(
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R"
                b"/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R>>>>>>" % len(objects)
            )
            kids.append(b"%d 0 R" % len(objects))
        objects[0] = b"<</Type/Catalog/Pages 2 0 R>>"
        objects[1] = b"<</Type/Pages/Kids[%s]/Count %d>>" % (b" ".join(kids), len(kids))
        data, places = bytearray(b"%PDF-1.4\n"), []
        for number, content in enumerate(objects, start=1):
            places.append(len(data))
            data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
        table = b"".join(b"%010d 00000 n \n" % place for place in places)
        count = len(objects) + 1
        return bytes(data) + (
            b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\n"
            b"startxref\n%d\n%%%%EOF\n" % (count, table, count, len(data))
        )

    def paper(self) -> bytes:
        """Write a PDF of three pages, with all that stands around the text of a page."""
        pages = []
        for number, (title, sentences) in enumerate(
            [("On bats", BATS), ("On tea", TEA), ("On ships", SHIPS)], start=1
        ):
            lines = [PdfLine("The Journal of Small Things", 800, 9), PdfLine(title, 760, 16)]
            lines += [PdfLine(text, 730 - 14 * i) for i, text in enumerate(sentences)]
            lines += [PdfLine(f"Page {number} of 3", 30, 9), PdfLine(str(number), 20, 9, 500)]
            pages.append(lines)
        return self.pdf(pages)

    def zip(self, members: dict[str, str | bytes]) -> bytes:
        """Pack files."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return buffer.getvalue()

    def docx(self, body: str, styles: str = "", **others: str) -> bytes:
        """Pack a Word document whose body is the given XML."""
        named = "".join(
            f'<w:style w:styleId="Heading{n}"><w:name w:val="heading {n}"/></w:style>'
            for n in (1, 2)
        )
        return self.zip(
            {
                "[Content_Types].xml": "<Types/>",
                "word/document.xml": (
                    f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
                ),
                "word/styles.xml": f'<w:styles xmlns:w="{W}">{named}{styles}</w:styles>',
                **others,
            }
        )

    def epub(self, chapters: Mapping[str, str | bytes], **others: str | bytes) -> bytes:
        """Pack a book of XHTML chapters."""
        items = "".join(
            f'<item id="c{i}" href="{name}" media-type="application/xhtml+xml"/>'
            for i, name in enumerate(chapters)
        )
        spine = "".join(f'<itemref idref="c{i}"/>' for i in range(len(chapters)))
        return self.zip(
            {
                "mimetype": "application/epub+zip",
                "META-INF/container.xml": (
                    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
                    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
                ),
                "OEBPS/book.opf": (
                    '<package xmlns="http://www.idpf.org/2007/opf"><manifest>'
                    f"{items}</manifest><spine>{spine}</spine></package>"
                ),
                **{f"OEBPS/{name}": content for name, content in chapters.items()},
                **others,
            }
        )

    def odt(self, body: str, styles: str = "", **others: str | bytes) -> bytes:
        """Pack an OpenDocument text whose body is the given XML."""
        names = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ODF}
        spaces = " ".join(f'xmlns:{name}="{uri}"' for name, uri in names.items())
        return self.zip(
            {
                "mimetype": "application/vnd.oasis.opendocument.text",
                "content.xml": (
                    f"<office:document-content {spaces}><office:automatic-styles>{styles}"
                    f"</office:automatic-styles><office:body><office:text>{body}</office:text>"
                    "</office:body></office:document-content>"
                ),
                **others,
            }
        )

    def pptx(self, slides: list[str], **others: str | bytes) -> bytes:
        """Pack a presentation; each slide is the XML of its shapes."""
        spaces = f'xmlns:p="{P}" xmlns:a="{A}" xmlns:r="{R}"'
        ids = "".join(f'<p:sldId id="{256 + i}" r:id="r{i}"/>' for i in range(len(slides)))
        links = "".join(
            f'<Relationship Id="r{i}" Type="x/slide" Target="slides/slide{i}.xml"/>'
            for i in range(len(slides))
        )
        return self.zip(
            {
                "[Content_Types].xml": "<Types/>",
                "ppt/presentation.xml": (
                    f"<p:presentation {spaces}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
                ),
                "ppt/_rels/presentation.xml.rels": f"<Relationships>{links}</Relationships>",
                **{
                    f"ppt/slides/slide{i}.xml": (
                        f"<p:sld {spaces}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
                    )
                    for i, shapes in enumerate(slides)
                },
                **others,
            }
        )

    def shape(self, *paragraphs: str, placeholder: str | None = None) -> str:
        """Write a shape of a slide, with its paragraphs."""
        kind = "" if placeholder is None else f'<p:ph type="{placeholder}"/>'
        texts = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in paragraphs)
        return (
            f"<p:sp><p:nvSpPr><p:nvPr>{kind}</p:nvPr></p:nvSpPr><p:txBody>{texts}</p:txBody></p:sp>"
        )

    def notebook(self, *cells: tuple[str, str]) -> bytes:
        """Write a notebook of cells, each with its kind."""
        return json.dumps(
            {
                "cells": [
                    {"cell_type": kind, "source": source.splitlines(keepends=True)}
                    for kind, source in cells
                ],
                "metadata": {},
                "nbformat": 4,
                "nbformat_minor": 5,
            }
        ).encode()

    def srt(self, sentences: list[str], seconds: float = 5) -> str:
        """Write a caption for each sentence."""
        return "\n".join(
            f"{i + 1}\n{_stamp(i * seconds, ',')} --> {_stamp((i + 1) * seconds, ',')}\n{text}\n"
            for i, text in enumerate(sentences)
        )

    def vtt(self, sentences: list[str], seconds: float = 5) -> str:
        """Write a caption for each sentence."""
        return "WEBVTT\n\n" + "\n".join(
            f"{_stamp(i * seconds, '.')} --> {_stamp((i + 1) * seconds, '.')}\n{text}\n"
            for i, text in enumerate(sentences)
        )

    def samples(self) -> dict[str, bytes]:
        """Write a file of every kind, all with the same sentences."""
        paragraphs = [" ".join(BATS), " ".join(TEA)]
        markdown = "\n\n".join(["# Bats", paragraphs[0], "# Tea", paragraphs[1]])
        page = "".join(f"<p>{text}</p>" for text in paragraphs)
        lines = [PdfLine(text, 700 - 14 * i) for i, text in enumerate([*BATS, *TEA])]
        word = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
        return {
            "text": "\n\n".join(paragraphs).encode(),
            "markdown": markdown.encode(),
            "html": f"<!doctype html><html><body>{page}</body></html>".encode(),
            "pdf": self.pdf([lines]),
            "docx": self.docx(word),
            "epub": self.epub({"one.xhtml": f"<html><body>{page}</body></html>"}),
            "srt": self.srt([*BATS, *TEA]).encode(),
            "vtt": self.vtt([*BATS, *TEA]).encode(),
            "notebook": self.notebook(("markdown", markdown)),
            "odt": self.odt("".join(f"<text:p>{text}</text:p>" for text in paragraphs)),
            "pptx": self.pptx([self.shape(text) for text in paragraphs]),
            "rtf": (
                "{\\rtf1\\ansi " + "".join(f"{text}\\par " for text in paragraphs) + "}"
            ).encode(),
            "mail": (
                "From: anna@example.org\nTo: ben@example.org\nSubject: Bats\n\n"
                + "\n\n".join(paragraphs)
            ).encode(),
            "messages": json.dumps(
                {
                    "segments": [
                        {"start": 4 * i, "end": 4 * i + 4, "text": f" {text}"}
                        for i, text in enumerate([*BATS, *TEA])
                    ]
                }
            ).encode(),
            "xlsx": self.xlsx([[text] for text in [*BATS, *TEA]]),
            "csv": "\n".join(["text,place", *(f'"{text}",' for text in [*BATS, *TEA])]).encode(),
            **{kind: text.encode() for kind, text in self.markup(*paragraphs).items()},
        }

    def xlsx(self, rows: list[list[str]]) -> bytes:
        """Write a sheet as openpyxl does: strings in the cells, and links from the root."""
        main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
        links = "http://schemas.openxmlformats.org/package/2006/relationships"
        link = f'<Relationships xmlns="{links}"><Relationship Id="rId1" Type="{R}/'
        cells = "".join(
            f'<c r="{column}{i}" t="inlineStr"><is><t>{text}</t></is></c>'
            for i, row in enumerate(rows, start=1)
            for column, text in zip("ABC", row, strict=False)
        )
        workbook = '<sheets><sheet name="Notes" sheetId="1" r:id="rId1"/></sheets>'
        end = '"/></Relationships>'
        return self.zip(
            {
                "_rels/.rels": f'{link}officeDocument" Target="xl/workbook.xml{end}',
                "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{R}">{workbook}</workbook>',
                "xl/_rels/workbook.xml.rels": f'{link}worksheet" Target="/xl/worksheets/1.xml{end}',
                "xl/worksheets/1.xml": f'<worksheet xmlns="{main}"><sheetData><row>{cells}</row>'
                "</sheetData></worksheet>",
            }
        )

    def markup(self, bats: str, tea: str) -> dict[str, str]:
        """Write two sections in every markup language that pandoc reads."""
        jats = "http://jats.nlm.nih.gov/publishing/1.3"
        return {
            "rst": f"Bats\n====\n\n{bats}\n\n.. _tea:\n\nTea\n===\n\n{tea}\n\n.. note:: Hot.\n",
            "asciidoc": f"= Notes\n\n[#bats]\n== Bats\n\n{bats}\n\n[#tea]\n== Tea\n\n{tea}\n",
            "org": f"#+TITLE: Notes\n\n* Bats\n\n{bats}\n\n* Tea\n\n{tea}\n",
            "latex": "\\documentclass{article}\n\\begin{document}\n\\section{Bats}\n"
            f"{bats}\n\\section{{Tea}}\n{tea}\n\\end{{document}}\n",
            "typst": f"= Bats\n\n{bats}\n\n= Tea\n\n{tea}\n",
            "docbook": '<article xmlns="http://docbook.org/ns/docbook" version="5.0">'
            f"<section><title>Bats</title><para>{bats}</para></section>"
            f"<section><title>Tea</title><para>{tea}</para></section></article>",
            "jats": f'<article xmlns:j="{jats}"><front><article-meta/></front><body>'
            f"<sec><title>Bats</title><p>{bats}</p></sec>"
            f"<sec><title>Tea</title><p>{tea}</p></sec></body></article>",
            "fb2": '<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><body>'
            f"<section><title><p>Bats</p></title><p>{bats}</p></section>"
            f"<section><title><p>Tea</p></title><p>{tea}</p></section></body></FictionBook>",
            "opml": f'<opml version="2.0"><body><outline text="Bats" _note="{bats}"/>'
            f'<outline text="Tea" _note="{tea}"/></body></opml>',
            "man": f".TH NOTES 7\n.SH BATS\n{bats}\n.SH TEA\n{tea}\n",
            "mdoc": f".Dd May 1, 2025\n.Dt NOTES 7\n.Os\n.Sh BATS\n{bats}\n.Sh TEA\n{tea}\n",
            "pod": f"=head1 Bats\n\n{bats}\n\n=head1 Tea\n\n{tea}\n\n=cut\n",
            "mediawiki": f"== Bats ==\n{bats}\n\n== Tea ==\n{tea}\n",
            "dokuwiki": f"====== Bats ======\n{bats}\n\n====== Tea ======\n{tea}\n",
            "vimwiki": f"= Bats =\n{bats}\n\n= Tea =\n{tea}\n",
            "jira": f"h1. Bats\n{bats}\n\nh1. Tea\n{tea}\n",
            "textile": f"h1. Bats\n\n{bats}\n\nh1. Tea\n\n{tea}\n",
            "djot": f"# Bats\n\n{bats}\n\n# Tea\n\n{tea}\n",
            "muse": f"* Bats\n\n{bats}\n\n* Tea\n\n{tea}\n",
            "t2t": f"\n\n\n= Bats =\n\n{bats}\n\n= Tea =\n\n{tea}\n",
        }


def _stamp(seconds: float, mark: str) -> str:
    whole = int(seconds)
    return (
        f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{mark}"
        f"{round(seconds % 1 * 1000):03}"
    )
