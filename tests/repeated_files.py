"""Files of every kind in which one thing is repeated, so that work that grows too fast shows."""
# ruff: noqa: E501  (what is repeated is easier to compare in few rows)

from __future__ import annotations

from typing import TYPE_CHECKING

from tests import hostile_files as hostile
from tests.sample_files import Files

if TYPE_CHECKING:
    from collections.abc import Callable

# What is repeated in files of each kind; "%d" becomes a number that grows.
_WORDS = (
    "a ", "a", " ", "\t", "\n", "\n\n", "\r", "a\n", "a\n\n", "a.\n", "Bats fly. ", "Bats fly.\n\n",
    "A. ", "1. ", "1.", "1\n", "1.%d ", "- ", "- a\n", "(", ")", "[", "]", "{", "}", "<", ">", "&", ";",
    "'", '"', "“", "\u0301", "\u200d", "茶", "茶。", "#", "*", "_", "`", "|", "=", "~", "\\", "/", ":",
    "A: ", "ANNA: Bats fly.\n", "N%d: Bats fly.\n", "a@b.c ", "http://", "www.", "...", "?!", "-\n", "­",
    "[1] a\n", "Bats ..... %d\n", "CHAPTER %d\n\n", "%d. Bats\n\n", "12:00 Bats fly.\n", "> a\n", "a%d ",
    "\u2028", "\ufeff", "\x1b[1m", "a\b", "= a =\n", "  a\n", "a  b\n", "\f", "…", "- %d\n\n  a\n",
)  # fmt: skip
_MARKS = (
    "# ", "# a\n", "# a%d\n\n", "## a\nb\n", "**", "**a** ", "*a*", "_a_ ", "~~", "`", "```\n", "```\na\n```\n",
    "[", "[a](b) ", "![", "](", "[a]: b\n", "[a%d]: b\n", "[^%d]: a\n", "[^1]", "<b>", "<!--", "<!-- a -->",
    "<a ", "{{", "{#x}", "> ", "> a\n", "> > ", "- ", "  - ", "- a\n", "1. a\n", "| a ", "| a | b |\n",
    "|---", "a\n===\n", "a\n---\n", "***\n", "    a\n", "$", "$$\n", "\\", "&amp;", "&#", "a\\\n", "- [x] a\n",
    ":::\n", "| a |\n|---|\n",
)  # fmt: skip
_TAGS = (
    "<p>", "<p>a", "<p>a</p>", "</p>", "<div>", "<div>a</div>", "<b>", "<b>a", "<a href=b>a</a>", "<li>a",
    "<ul><li>a</ul>", "<ul>", "<table>", "<tr><td>a", "<td>a", "<h1>a</h1>", "<h2 id=a%d>a</h2>", "<br>",
    "<pre>a\n</pre>", "<code>", "<!--", "<!-- a -->", "<!doctype html>", "<![CDATA[", "<?a", "<script>",
    "<script>a</script>", "<style>a</style>", "<", "<a", "<a ", "&", "&amp;", "&#65;", "&#", "&a", "<img alt=a>",
    "<section><h2>a</h2><p>b</p></section>", "<span class=a>", "<svg>", "<math>", "<select><option>a",
    "<button>", "<nav><a href=b>c</a></nav>", "<a href=#b%d>c</a><p id=b%d>d", "<dl><dt>a<dd>b</dl>", "<sup>1</sup>",
    "<q>a</q>", "<ruby>a<rt>b</ruby>", "<title>a</title>", "<template>", "<form><input>", "<frameset>", "<body>",
    "<meta charset=a>", "<base href=a>",
)  # fmt: skip
_ATTRIBUTES = (
    "a%d=b ",
    "a=b ",
    "a ",
    "=",
    "'",
    '"',
    "a='b' ",
    "/",
    "class=a ",
    "id=a%d ",
    "style=a:b; ",
    "\n",
)
_CAPTIONS = (
    "a b\n", "A: b\n", "N%d: b\n", "- a\n", ">> a\n", "<v A>b\n", "<v A%d>b\n", "<i>", "{\\a", "[a] ", "♪", "(a) ",
    "\n", "00:01.000 --> 00:02.000\n", "00:01.000 --> 00:02.000\na b\n\n", "1\n00:00:01,000 --> 00:00:02,000\na\n\n",
    "00:00:%d.000 --> 00:00:%d.500\nbats fly by\n\n", "NOTE a\n", "NOTE a\n\n", "STYLE\n\n", "&#", "-->", "1\n",
    "<00:00:01.000><c> a</c>", "\r\n",
)  # fmt: skip
_WORDS_OF_RTF = (
    "a", "a ", "\\u97 ", "\\'61", "\\par ", "a\\par ", "{", "{a}", "{\\b a}", "\\b ", "\\cell a", "\\row ",
    "\\intbl a\\cell\\row\n", "\\tab ", "\\line ", "\\pard ", "\\s1 a\\par ", "{\\field a}", "{\\*\\x a}", "\\bin1 a",
    "\\v a\\v0 ", "\\ls1 a\\par ", "\\~", "\n", "}", "\\outlinelevel1 a\\par ", "\\uc1\\u97 a", "\\a", "\\",
    "{\\footnote a}", "{\\pict a}", "{\\*\\shpinst{\\shptxt a}}", "\\f1 ", "{\\fonttbl{\\f%d a;}}", "\\f%d\\'61",
)  # fmt: skip
_DOCX = (
    "<w:p/>", "<w:p><w:r><w:t>a</w:t></w:r></w:p>", "<w:p><w:r><w:t>a%d b.</w:t></w:r></w:p>",
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>',
    '<w:p><w:pPr><w:pStyle w:val="S%d"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>',
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="%d"/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>',
    "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl>", "<w:tbl><w:tr><w:tc>",
)  # fmt: skip
_DOCX_IN_PARAGRAPH = (
    "<w:r><w:t>a</w:t></w:r>", "<w:r><w:br/></w:r>", "<w:r><w:tab/></w:r>", "<w:hyperlink><w:r><w:t>a</w:t></w:r></w:hyperlink>",
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r>', "<w:ins>", "<w:del><w:r><w:delText>a</w:delText></w:r></w:del>",
    "<w:r><w:t>a </w:t></w:r>\n",
)  # fmt: skip
_ODT = (
    "<text:p/>", "<text:p>a</text:p>", '<text:h text:outline-level="1">a</text:h>', "<text:p>a<text:s/></text:p>",
    "<text:list><text:list-item><text:p>a</text:p></text:list-item></text:list>", "<text:section>",
    "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>",
    '<text:p text:style-name="S%d">a</text:p>', "<text:p><text:span>a</text:span></text:p>",
)  # fmt: skip
_PPTX = (
    "<p:sp><p:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></p:txBody></p:sp>", "<p:grpSp>",
    '<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></p:txBody></p:sp>',
)  # fmt: skip
_PDF = (
    "(a)' ", "(Bats fly.)' ", "(a b)Tj ", "[(a)9(b)]TJ ", "0 -12 Td (Bats fly.)Tj ", "1 0 0 1 %d 700 Tm (a)Tj ",
    "1 0 0 1 9 %d Tm (Bats fly.)Tj ", "9 0 Td (a)Tj ", "q Q ", "0 0 9 9 re f ", "/F %d Tf (a)' ", "(1. a)' ",
    "(a)Tj 99 0 Td (b)Tj -99 -12 Td ", "0 -12 Td (a-)Tj ", "(a ..... %d)' ", "/F BMC EMC ", "BT ET ", "(a1)' ",
    "0 5 Td /F 5 Tf (1)Tj 0 -5 Td /F 9 Tf (a.)Tj ",
)  # fmt: skip
_MAIL = (
    "Bats fly.\n",
    "> a\n",
    "-- \n",
    "From a\n",
    "From a\nTo: b\n\n",
    "\n\n",
    "> ",
    "On a, b wrote:\n> c\n\n",
)
_CELLS = (
    '{"cell_type":"markdown","source":"Bats fly."},', '{"cell_type":"code","source":"a=1"},',
    '{"cell_type":"markdown","source":"# a%d"},', '{"cell_type":"markdown","source":["a","b"]},', "{},", "[],",
)  # fmt: skip
_SHEET = (
    "<row><c><v>1</v></c></row>", '<row><c t="s"><v>0</v></c></row>', '<row r="%d"><c r="A%d"><v>1</v></c></row>',
    '<row><c t="inlineStr"><is><t>a</t></is></c></row>', '<row r="%d0"><c><v>%d</v></c><c><v>2</v></c></row>',
    '<c><v>1</v></c>', '<c s="1"><v>46082</v></c>', '<mergeCell ref="A1:Z9"/>', '<mergeCell ref="A%d:XFD%d"/>',
    '<row><c t="inlineStr"><is><t>a</t></is></c></row><mergeCell ref="A%d:B%d"/>',
)  # fmt: skip
_ROWS = (
    "a,b\n",
    "a,%d\n",
    ",",
    '"',
    '"a',
    '""',
    "a\tb\n",
    "a;b\n",
    "a\n",
    ",\n",
    "sep=;\n",
    '"a\n',
)
_MESSAGES = (
    '{"start":%d,"end":%d,"text":"Bats fly."},', '{"start":1,"end":2,"text":"a"},', "{},",
    '{"start":%d,"end":%d,"text":"Bats fly.","speaker":"A%d"},',
)  # fmt: skip


_FILES = Files()


def _in_sheet(body: str) -> bytes:
    """Return a workbook of one sheet, with a string and a style that cells may share."""
    links = '<Relationships><Relationship Id="r1" Type="x/{}" Target="{}"/>{}</Relationships>'
    more = "".join(
        f'<Relationship Id="{name}" Type="x/{name}" Target="{name}.xml"/>'
        for name in ("sharedStrings", "styles")
    )
    code = "0." + "0" * 200 + "%"
    return _FILES.zip(
        {
            "_rels/.rels": links.format("officeDocument", "xl/workbook.xml", ""),
            "xl/workbook.xml": '<workbook xmlns:r="x"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": links.format("worksheet", "1.xml", more),
            "xl/sharedStrings.xml": f"<sst><si><t>{'a ' * 200}</t></si></sst>",
            "xl/styles.xml": f'<x><numFmt numFmtId="9" formatCode="{code}"/><cellXfs><xf/><xf numFmtId="9"/></cellXfs></x>',
            "xl/1.xml": f"<worksheet><sheetData>{body}</sheetData></worksheet>",
        }
    )


def _in_pdf(body: str) -> bytes:
    content = b"BT /F 9 Tf 12 TL 9 9999 Td " + body.encode() + b"ET"
    return hostile.pdf_with_content(content)


def _around(start: str, end: str = "") -> Callable[[str], bytes]:
    return lambda body: (start + body + end).encode("utf-8", "surrogatepass")


_WRAPPED: dict[str, tuple[str, Callable[[str], bytes], tuple[str, ...]]] = {
    "text": ("text", _around("Bats fly.\n\n"), _WORDS),
    "markdown": ("markdown", _around("# Bats\n\n"), (*_MARKS, *_WORDS)),
    "html": ("html", _around("<html><body>", "Bats fly."), (*_TAGS, *_WORDS)),
    "html tag": ("html", _around("<html><body><p ", ">Bats fly."), _ATTRIBUTES),
    "html title": ("html", _around("<html><head><title>", "</title><body>Bats fly."), _WORDS),
    "vtt": ("vtt", _around("WEBVTT\n\n00:01.000 --> 00:02.000\n"), (*_CAPTIONS, *_WORDS)),
    "srt": ("srt", _around("1\n00:00:01,000 --> 00:00:02,000\n"), _CAPTIONS),
    "rtf": ("rtf", _around("{\\rtf1\\ansi Bats fly.\\par "), _WORDS_OF_RTF),
    "rtf style": ("rtf", _around("{\\rtf1{\\stylesheet{\\s1 ", ";}}Bats fly.}"), _WORDS_OF_RTF),
    "mail": ("mail", _around("From: a\nTo: b\nSubject: c\n\n"), (*_MAIL, *_WORDS)),
    "mbox": ("mail", _around("From a\nTo: b\nSubject: c\n\n"), _MAIL),
    "docx": ("docx", _FILES.docx, _DOCX),
    "docx paragraph": ("docx", lambda body: _FILES.docx(f"<w:p>{body}</w:p>"), _DOCX_IN_PARAGRAPH),
    "odt": ("odt", _FILES.odt, _ODT),
    "odt paragraph": ("odt", lambda body: _FILES.odt(f"<text:p>{body}</text:p>"), ("a", "<text:s/>", "<text:span>a</text:span>", "<text:line-break/>")),
    "pptx": ("pptx", lambda body: _FILES.pptx([body]), _PPTX),
    "epub": ("epub", lambda body: _FILES.epub({"a.xhtml": f"<html><body>{body}</body></html>"}), ("<p>a</p>", "<h1>a%d</h1>", "<div><p>a</p></div>", "<a href='#b'>c</a>")),
    "pdf": ("pdf", _in_pdf, _PDF),
    "xlsx": ("xlsx", _in_sheet, _SHEET),
    "csv": ("csv", _around("text,place\n"), (*_ROWS, *_WORDS)),
    "notebook": ("notebook", _around('{"nbformat":4,"cells":[', "{}]}"), _CELLS),
    "messages": ("messages", _around('{"segments":[', "{}]}"), _MESSAGES),
}  # fmt: skip


def wrap(around: str, body: str) -> bytes:
    """Return a file with this content at the place where others repeat something."""
    return _WRAPPED[around][1](body)


def repeat(around: str, unit: str, size: int) -> bytes:
    """Return a file in which something is repeated until it has about so many characters."""
    times = max(1, size // len(unit))
    if "%d" not in unit:
        return wrap(around, unit * times)
    return wrap(around, "".join(unit.replace("%d", str(i)) for i in range(times)))


UNITS: dict[str, tuple[str, ...]] = {around: units for around, (_, _, units) in _WRAPPED.items()}
"""What is repeated in files of each kind."""

REPEATED: dict[tuple[str, str], str] = {
    (around, unit): kind for around, (kind, _, units) in _WRAPPED.items() for unit in units
}
"""The kind of each file that `repeat` makes."""
