"""Every kind of file that docbats reads, and how to recognize it.

The command imports this module whenever it starts, so the modules that read files are imported
when they are first used, and so are patterns compiled.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, cast

from docbats.errors import ReadError
from docbats.text.markup import looks_like_markdown

if TYPE_CHECKING:
    from collections.abc import Callable

    from docbats.readers.content import FileContent, FileText


@dataclass(frozen=True, eq=False)
class Reader:
    """A kind of file, and how to recognize and read it."""

    kind: str  # its name in options, messages and results
    # The endings of its file names, in lower case, with the dot, and the content types under which
    # the service accepts it; both are empty if others share them, and the content tells.
    suffixes: tuple[str, ...]
    media_types: tuple[str, ...]
    # ``module:function`` in this package: returns the `FileText` of a `FileContent`, or raises a
    # `ReadError` that says what to do.
    function: str
    # Whether a file is of this kind, judging by its content; None if only its name can tell.
    sniff: Callable[[FileContent], bool] | None = None
    # Whether a text looks like it; asked only where its name says nothing.
    resembles: Callable[[FileContent], bool] | None = None
    # A file that is not text is recognized by its content alone, before anything is decoded.
    is_binary: bool = False
    # What people call markup that pandoc reads; pandoc calls it by its kind.
    name: str | None = None

    def read(self, content: FileContent) -> FileText:
        """Return the text of a file."""
        module, _, name = self.function.partition(":")
        read = getattr(import_module(f"docbats.readers.{module}"), name)
        return cast("FileText", read(content) if self.name is None else read(content, self))


def _looks_like_markdown(content: FileContent) -> bool:
    return looks_like_markdown(content.text)


def _is_html(content: FileContent) -> bool:
    space_and_comments = r"(?:\s|<\?xml[^>]*>|<!--(?:(?!-->).){0,2000}-->)*+"
    page_start = rf"(?is){space_and_comments}<(?:!doctype\s+html|html|head|body)\b"
    return re.match(page_start, content.opening) is not None


def _is_pdf(content: FileContent) -> bool:
    return b"%PDF-" in content.data[:1024]  # some files have other bytes before it


def _is_docx(content: FileContent) -> bool:
    if not content.is_zip:
        return False
    from docbats.readers.docx import find_body

    return find_body(content.archive) is not None


def _is_pptx(content: FileContent) -> bool:
    if not content.is_zip:
        return False
    from docbats.readers.pptx import find_presentation

    return find_presentation(content.archive) is not None


def _is_xlsx(content: FileContent) -> bool:
    if not content.is_zip:
        return False
    from docbats.readers.xlsx import find_workbook

    return find_workbook(content.archive) is not None


_ODT_MEDIA_TYPES = (
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.text-template",
)


def _is_odt(content: FileContent) -> bool:
    if not content.is_zip or not {"mimetype", "content.xml"} <= content.archive.names:
        return False
    return content.archive.read("mimetype").strip().decode("ascii", "replace") in _ODT_MEDIA_TYPES


def _is_rtf(content: FileContent) -> bool:
    return content.data.startswith(b"{\\rtf")


def _is_epub(content: FileContent) -> bool:
    return content.is_zip and "META-INF/container.xml" in content.archive.names


def _is_srt(content: FileContent) -> bool:
    time = r"-?(?:\d+:)?\d{1,2}:\d{1,2}[.,]\d{1,3}"
    first_caption = rf"\s*+(?:\d+[ \t]*\r?\n)?[ \t]*{time}[ \t]*-->[ \t]*{time}"
    return re.match(first_caption, content.opening) is not None


def _is_vtt(content: FileContent) -> bool:
    return re.match(r"WEBVTT(?![^ \t\r\n])", content.opening) is not None


def _has_messages(content: FileContent) -> bool:
    if content.opening.lstrip("\ufeff \t\r\n")[:1] not in {"{", "[", "s"}:
        return False
    from docbats.readers.messages import has_messages

    return has_messages(content)


def _is_notebook(content: FileContent) -> bool:
    is_json = content.opening.lstrip().startswith("{")
    return is_json and '"nbformat"' in content.text and '"cell' in content.text


_MAIL_HEADERS = {
    b"from", b"to", b"subject", b"date", b"message-id", b"mime-version", b"received",
    b"content-type", b"return-path", b"delivered-to", b"reply-to", b"sender",
}  # fmt: skip
_MAIL_SUFFIXES = (".eml", ".mbox")
_MIN_MAIL_HEADERS = 3  # a text may begin with one or two lines that look like headers


def _is_mail(content: FileContent) -> bool:
    headers = rb"(?:From [^\r\n]*\r?\n)?(?:[!-9;-~]+:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*)+"
    opening = re.match(headers, content.data[:20_000])
    if opening is None:
        return False
    if content.name.lower().endswith(_MAIL_SUFFIXES):
        return True  # the name says so, too
    names = {name.lower() for name in re.findall(rb"(?m)^([!-9;-~]+):", opening[0])}
    return len(_MAIL_HEADERS & names) >= _MIN_MAIL_HEADERS


# Markup that pandoc reads.

_MIN_MARKS = 2  # of markup; a text about markup may show one
_MARKS_LENGTH = 100_000  # characters in which they must be
_UNDERLINED = r"^\S.*\n([=~^\"'`#*+.:_-])\1{2,}+[ \t\r]*+$"


def _has_marks(content: FileContent, title: str, mark: str) -> bool:
    """Whether a text has a title and marks as a markup language has them."""
    text = content.text[:_MARKS_LENGTH]
    if re.search(title, text, re.MULTILINE) is None:
        return False
    marks = islice(re.finditer(mark, text, re.MULTILINE), _MIN_MARKS)
    return sum(1 for _ in marks) == _MIN_MARKS


def _looks_like_rst(content: FileContent) -> bool:
    explicit = r"^[ \t]*+\.\. (?:[\w-]++(?::[\w-]++)?+::(?:\s|$)|_[^\n:]++:|\[[^\]\s]++\]\s|\|)"
    return _has_marks(content, _UNDERLINED, rf"{explicit}|:[\w:-]{{1,40}}:`[^`\s]")


def _looks_like_asciidoc(content: FileContent) -> bool:
    attributes = r"^\[(?:\[[^\[\]\s]++\]|[#.%]\w[^\[\]\n]*+|\w++[,=][^\[\]\n]*+)\][ \t\r]*+$"
    macro = r"\b[a-z]{2,20}::?(?!/)[^\s\[\]:]{0,200}\[[^\[\]\n]{0,200}\]"
    title = r"^={1,5} \S.*(?<![=\s])[ \t\r]*+$"
    return _has_marks(content, f"{title}|{_UNDERLINED}", f"{title}|{attributes}|{macro}")


def _is_org(content: FileContent) -> bool:
    start = r"(?i)\s*+(?:(?:# |:\w++:).*+\n\s*+)*+(?:#\+\w++:|(?<=\n)# -\*-.*\borg\b)"
    return re.match(start, content.opening) is not None


def _is_latex(content: FileContent) -> bool:
    if re.match(r"\s*+(?:%.*+\n\s*+)*+\\[a-zA-Z]", content.opening) is None:
        return False
    start = r"(?m)^[ \t]*+\\(?:document(?:class|style)\s*+[\[{]|begin\{document\})"
    return re.search(start, content.opening) is not None


def _is_roff(content: FileContent, title: str) -> bool:
    """Whether a text begins with requests of roff, and has this one for a title."""
    start = content.text[:_MARKS_LENGTH]
    if not start.lstrip().startswith((".", "'")):
        return False
    return re.search(rf"(?m)^[.'][ \t]*+{title}[ \t]++\S", start) is not None


def _is_man(content: FileContent) -> bool:
    return _is_roff(content, "TH")


def _is_mdoc(content: FileContent) -> bool:
    return _is_roff(content, "Dd")


def _is_pod(content: FileContent) -> bool:
    return re.match(r"\s*+=(?:pod|head1|encoding)\b", content.opening) is not None


def _xml_root(content: FileContent) -> str:
    """Return the name of the first element of an XML document; empty where there is none."""
    before = r"\s++|<\?[^>]*+>|<!--(?:(?!-->).)*+-->|<!\w[^\[>]*+(?:\[[^\]]*+\]\s*+)?+>"
    root = re.match(rf"(?s)(?:{before})*+<(?:\w+:)?([\w.-]+)", content.opening)
    return root[1] if root else ""


def _is_docbook(content: FileContent) -> bool:
    signs = r"(?i)//DTD (?:Simplified )?DocBook|docbook\.org/ns/"
    return bool(_xml_root(content)) and re.search(signs, content.opening) is not None


def _is_jats(content: FileContent) -> bool:
    signs = r"(?i)jats|NLM//DTD|<front>|<article-meta>|article-type="
    is_article = _xml_root(content) == "article" and not _is_docbook(content)
    return is_article and re.search(signs, content.opening) is not None


def _is_fb2(content: FileContent) -> bool:
    return _xml_root(content) == "FictionBook"


def _is_opml(content: FileContent) -> bool:
    return _xml_root(content) == "opml"


_OFFICE = "application/vnd.openxmlformats-officedocument"


def _markup(
    kind: str,
    name: str,
    suffixes: tuple[str, ...],
    media_types: tuple[str, ...],
    sniff: Callable[[FileContent], bool] | None = None,
    *,
    resembles: Callable[[FileContent], bool] | None = None,
) -> Reader:
    function = "pandoc:read_markup"
    return Reader(kind, suffixes, media_types, function, sniff, resembles, name=name)


# In the order in which kinds are listed and recognized.
# fmt: off
READERS = (
    Reader("text", (".txt",), ("text/plain",), "content:read_text"),
    Reader("markdown", (".md", ".markdown", ".mdown"), ("text/markdown",),
           "content:read_text", resembles=_looks_like_markdown),
    Reader("html", (".html", ".htm", ".xhtml"), ("text/html", "application/xhtml+xml"),
           "html_main:read_html", _is_html),
    Reader("pdf", (".pdf",), ("application/pdf",), "pdf:read_pdf", _is_pdf, is_binary=True),
    Reader("docx", (".docx",), (f"{_OFFICE}.wordprocessingml.document",),
           "docx:read_docx", _is_docx, is_binary=True),
    Reader("odt", (".odt", ".ott"), _ODT_MEDIA_TYPES, "odt:read_odt", _is_odt, is_binary=True),
    Reader("rtf", (".rtf",), ("application/rtf", "text/rtf"),
           "rtf:read_rtf", _is_rtf, is_binary=True),
    Reader("pptx", (".pptx",), (f"{_OFFICE}.presentationml.presentation",),
           "pptx:read_pptx", _is_pptx, is_binary=True),
    Reader("xlsx", (".xlsx", ".xlsm"), (f"{_OFFICE}.spreadsheetml.sheet",),
           "xlsx:read_xlsx", _is_xlsx, is_binary=True),
    Reader("csv", (".csv", ".tsv"), ("text/csv", "text/tab-separated-values"),
           "delimited:read_delimited"),
    Reader("epub", (".epub",), ("application/epub+zip",),
           "epub:read_epub", _is_epub, is_binary=True),
    Reader("srt", (".srt",), ("application/x-subrip",), "captions:read_captions", _is_srt),
    Reader("vtt", (".vtt",), ("text/vtt",), "captions:read_captions", _is_vtt),
    Reader("notebook", (".ipynb",), ("application/x-ipynb+json",),
           "notebook:read_notebook", _is_notebook),
    Reader("mail", _MAIL_SUFFIXES, ("message/rfc822", "application/mbox"),
           "mail:read_mail", _is_mail, is_binary=True),
    Reader("messages", (), (), "messages:read_messages", _has_messages),
    _markup("rst", "reStructuredText", (".rst", ".rest"), ("text/x-rst",),
            resembles=_looks_like_rst),
    _markup("asciidoc", "AsciiDoc", (".adoc", ".asciidoc", ".asc"), ("text/asciidoc",),
            resembles=_looks_like_asciidoc),
    _markup("org", "Org", (".org",), ("text/org",), _is_org),
    _markup("latex", "LaTeX", (".tex", ".latex", ".ltx"), ("application/x-latex", "text/x-tex"),
            _is_latex),
    _markup("typst", "Typst", (".typ",), ("text/vnd.typst",)),
    _markup("docbook", "DocBook", (".dbk", ".docbook"), ("application/docbook+xml",), _is_docbook),
    _markup("jats", "JATS", (".nxml", ".jats"), ("application/jats+xml",), _is_jats),
    _markup("fb2", "FictionBook", (".fb2",), ("application/x-fictionbook+xml",), _is_fb2),
    _markup("opml", "OPML", (".opml",), ("text/x-opml",), _is_opml),
    _markup("man", "man", (".man",), ("text/troff",), _is_man),
    _markup("mdoc", "mdoc", (".mdoc",), ("text/x-mdoc",), _is_mdoc),
    _markup("pod", "POD", (".pod",), ("text/x-pod",), _is_pod),
    _markup("mediawiki", "MediaWiki", (".mediawiki", ".wiki"), ("text/x-wiki",)),
    _markup("dokuwiki", "DokuWiki", (".dokuwiki",), ("text/x-dokuwiki",)),
    _markup("vimwiki", "Vimwiki", (".vimwiki",), ("text/x-vimwiki",)),
    _markup("jira", "Jira", (".jira",), ("text/x-jira",)),
    _markup("textile", "Textile", (".textile",), ("text/x-textile",)),
    _markup("djot", "Djot", (".dj", ".djot"), ("text/x-djot",)),
    _markup("muse", "Muse", (".muse",), ("text/x-muse",)),
    _markup("t2t", "txt2tags", (".t2t",), ("text/x-t2t",)),
)
# fmt: on

KINDS = tuple(reader.kind for reader in READERS)
"""The names of the kinds of files."""

SUFFIXES = frozenset(suffix for reader in READERS for suffix in reader.suffixes)
"""The endings of the names of all files that docbats reads."""

READER_OF_KIND = {reader.kind: reader for reader in READERS}
KIND_OF_MEDIA_TYPE = {
    media_type: reader.kind
    for reader in READERS
    for media_type in reader.media_types
    if media_type != "text/plain"  # which says nothing of Markdown, code or a transcript
}
PLAIN_TEXT = READER_OF_KIND["text"]

if TYPE_CHECKING:
    FileKind = str  # type checkers need literals spelled out; the table knows them at run time
else:
    FileKind = Literal[KINDS]


def detect_reader(content: FileContent) -> Reader:
    """Return the reader of a file; raise a `ReadError` for known formats that none can read.

    The content decides first, then the name; everything else is plain text.
    """
    for is_binary in (True, False):
        for reader in READERS:
            if reader.is_binary == is_binary and reader.sniff is not None and reader.sniff(content):
                return reader
        if is_binary and (advice := _find_advice(content)) is not None:
            raise ReadError(advice)
    suffixes = [suffix.lower() for suffix in PurePath(content.name).suffixes]
    by_name = {s: reader for reader in READERS if not reader.is_binary for s in reader.suffixes}
    if suffixes[-1:] == [".txt"] and suffixes[-2:][0] in by_name:
        suffixes.pop()  # "guide.rst.txt", as sites offer their sources
    found = by_name.get("".join(suffixes[-1:]), PLAIN_TEXT)
    if found is PLAIN_TEXT and suffixes[-1:] in ([], [".txt"]):
        resembling = (r for r in READERS if r.resembles is not None and r.resembles(content))
        return next(resembling, PLAIN_TEXT)
    return found


_ADVICE_BY_MAGIC = {
    b"\x1f\x8b": "a gzip file, not text: unpack it first, e.g. with gunzip",
    b"\x89PNG": "an image: recognize its text first, e.g. with tesseract",
    b"\xff\xd8\xff": "an image: recognize its text first, e.g. with tesseract",
    b"7z\xbc\xaf": "a 7z archive: unpack it first",
    b"Rar!": "a RAR archive: unpack it first",
}
_ADVICE_BY_ZIP_MEMBER = {
    "content.xml": "an OpenDocument file other than text: save it as PDF or plain text first",
}
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def _find_advice(content: FileContent) -> str | None:
    """Return what to do with a file in a known format that no reader handles."""
    if content.is_zip:
        for member, advice in _ADVICE_BY_ZIP_MEMBER.items():
            if member in content.archive.names:
                return advice
        return "a ZIP archive: unpack it first, and name the files in it"
    if content.data.startswith(_OLE_MAGIC):
        if _OLE_ENCRYPTED in content.data:
            return "an Office file with a password: open it and save it without one"
        return "an old Office file: save it as DOCX or plain text first"
    advice_by_magic = _ADVICE_BY_MAGIC.items()
    return next((advice for sign, advice in advice_by_magic if content.data.startswith(sign)), None)
