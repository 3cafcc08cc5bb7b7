"""Markup that pandoc reads; where it is not installed, programs of ours stand in for it."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

import docbats
from docbats.readers import pandoc
from docbats.readers.content import FileContent
from docbats.readers.kinds import detect_reader
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from docbats.readers.content import FileText

XINCLUDE = "http://www.w3.org/2001/XInclude"
needs_pandoc = pytest.mark.integrations("pypandoc", "docbats[pandoc]")

RST = """\
====
Bats
====

:Author: Anna

.. contents::

.. toctree::

   food

.. index:: bats

Bats hunt_ moths [#a]_ by night, see :ref:`the guide <guide>` and
:py:func:`~bats.hunt`. Read more__.

.. _hunt: https://example.org

.. py:function:: hunt(moth)

   Hunt a moth.

.. rst:role:: moth

   A role.

.. versionadded:: 1.2

- Moths

  - hawk moths

    Their wings are large.

- Beetles::

    code in a list

Food
----

term
   Its definition.

.. note:: Bats are shy.

.. code-block:: python

   hunt()

.. figure:: bat.png

   A bat in a cave.

==== =====
Moth Size
==== =====
hawk large
==== =====

    A quotation.

.. [#a] They hear them.

.. include:: /etc/passwd
"""


def _blocks(read: FileText) -> list[tuple[str, int | None, str]]:
    return [(block.kind, block.level, read.text[block.start : block.end]) for block in read.blocks]


def _leaf(text: str, tag: str = "Para") -> dict[str, Any]:
    return {"t": tag, "c": [{"t": "Str", "c": text}]}


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return what makes a script take pandoc's place."""

    def replace(script: str) -> None:
        program = tmp_path / "pandoc"
        program.write_text(f"#!{sys.executable}\nimport sys, time\n{script}\n")
        program.chmod(0o700)
        monkeypatch.setattr(pandoc, "find_pandoc", lambda: str(program))

    return replace


@needs_pandoc
def test_blocks_of_restructuredtext() -> None:
    read = read_file(RST.encode(), name="bats.rst")
    assert read.remarks == ()
    assert _blocks(read) == [
        ("heading", 1, "Bats"),
        ("paragraph", None, "Author"),
        ("paragraph", None, "Anna"),
        ("contents", None, "food"),
        ("paragraph", None, "Bats hunt moths [1] by night, see the guide and hunt. Read more."),
        ("paragraph", None, "hunt(moth)"),
        ("paragraph", None, "Hunt a moth."),
        ("paragraph", None, "moth"),
        ("paragraph", None, "A role."),
        ("paragraph", None, "New in version 1.2"),
        ("list_item", 1, "Moths"),
        ("list_item", 2, "hawk moths"),
        ("list_item", 2, "Their wings are large."),
        ("list_item", 1, "Beetles:"),
        ("list_item", 1, "code in a list"),
        ("heading", 2, "Food"),
        ("paragraph", None, "term"),
        ("paragraph", None, "Its definition."),
        ("paragraph", None, "Note"),
        ("paragraph", None, "Bats are shy."),
        ("code", None, "hunt()"),
        ("paragraph", None, "A bat in a cave."),
        ("table", None, "Moth\tSize\nhawk\tlarge"),
        ("quote", None, "A quotation."),
        ("references", None, "[1]"),
        ("references", None, "They hear them."),
    ]
    assert read.prose is not None
    assert "code in a list" not in read.prose


@needs_pandoc
def test_two_readings_are_the_same() -> None:
    first, second = (read_file(RST.encode(), name="bats.rst") for _ in range(2))
    assert (first.text, first.blocks, first.prose) == (second.text, second.blocks, second.prose)


@needs_pandoc
def test_asciidoc_may_be_of_the_older_kind() -> None:
    text = """Bats(7)
=======

NAME
----
bats - what flies by night

[[food]]
Food
~~~~

They eat moths.

hawk moth::

	Its wings
	are large.

    an example

----
Not a title
-----------
----

include::/etc/passwd[]
"""
    read = read_file(text.encode(), kind="asciidoc")
    assert _blocks(read) == [
        ("heading", 1, "Bats(7)"),
        ("heading", 2, "NAME"),
        ("paragraph", None, "bats - what flies by night"),
        ("heading", 3, "Food"),
        ("paragraph", None, "They eat moths."),
        ("paragraph", None, "hawk moth"),
        ("paragraph", None, "Its wings are large."),
        ("code", None, "an example"),
        ("code", None, "Not a title\n-----------"),
    ]


@needs_pandoc
def test_latex_has_a_title_sections_and_notes() -> None:
    text = r"""% A comment
\documentclass{article}
\title{Bats and tea}
\author{Anna}
\begin{document}
\maketitle
\begin{abstract}We look at bats.\end{abstract}
\section{Bats\footnote{All of them.}}
They hunt ``moths'' at $x^2$ metres.\footnote{By night.} \input{/etc/passwd}
\subsection{Food}
\begin{verbatim}
moths
\end{verbatim}
\end{document}
"""
    read = read_file(text.encode())
    assert read.kind == "latex"
    assert _blocks(read) == [
        ("heading", 1, "Bats and tea"),
        ("paragraph", None, "We look at bats."),
        ("heading", 2, "Bats"),
        ("paragraph", None, "They hunt “moths” at x^2 metres. [1]"),
        ("heading", 3, "Food"),
        ("code", None, "moths"),
        ("references", None, "[1]"),
        ("references", None, "By night."),
    ]


@needs_pandoc
def test_entities_of_docbook_are_replaced_once() -> None:
    text = """<!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "docbook.dtd" [
<!ENTITY version "1.2">
<!ENTITY bomb "&bomb;&bomb;">
<!ENTITY secret SYSTEM "/etc/passwd">
]>
<book><title>Bats &version;</title><chapter><title>Caf&eacute;</title>
<para>Bats &amp; tea &bomb; &secret;.</para></chapter></book>"""
    read = read_file(text.encode())
    assert (read.kind, read.remarks) == ("docbook", ())
    assert read.text == "Bats 1.2\n\nCafé\n\nBats & tea bomb secret."


@needs_pandoc
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("rst", ".. include:: {}\n\nBats fly."),
        ("rst", ".. literalinclude:: {}\n\nBats fly."),
        ("rst", ".. csv-table::\n   :file: {}\n\nBats fly."),
        ("asciidoc", "include::{}[]\n\nBats fly."),
        ("org", '#+INCLUDE: "{}"\n\nBats fly.'),
        ("latex", "\\input{{{}}}\\lstinputlisting{{{}}}\n\nBats fly."),
        ("typst", '#include "{}"\n\nBats fly.'),
        ("typst", '#read("{}")\n\nBats fly.'),
        ("man", ".TH BATS 7\n.so {}\nBats fly."),
        ("t2t", "\n\n\n%!include: {}\n\nBats fly."),
        ("docbook", f'<para xmlns:xi="{XINCLUDE}">Bats fly.<xi:include href="{{}}"/></para>'),
    ],
)
def test_no_other_file_is_read(kind: str, text: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("Moths are secret.")
    read = read_file(text.replace("{}", str(secret)).encode(), kind=kind)
    assert "Bats fly." in read.text
    assert "Moths" not in read.text


def test_all_of_a_tree_is_read(stand_in: Callable[[str], None]) -> None:
    note = {"t": "Note", "c": [_leaf("Aside.")]}
    attributes = ["", [], []]
    cell = [attributes, {}, 1, 1, [_leaf("Cell", "Plain")]]
    table = [
        attributes, [None, [_leaf("Caption", "Plain")]], [],
        [attributes, []], [[attributes, 0, [], [[attributes, [cell, cell]]]]], [attributes, []],
    ]  # fmt: skip
    item = [_leaf("item"), {"t": "BlockQuote", "c": [_leaf("q")]}]
    quoted = [{"t": "DoubleQuote"}, [{"t": "Emph", "c": [{"t": "Str", "c": "tea"}]}]]
    blocks = [
        {"t": "Header", "c": [0, attributes, [{"t": "Str", "c": "Bats"}, note]]},
        {"t": "Header", "c": [1, attributes, [{"t": "Image", "c": [attributes, [], ["", ""]]}]]},
        {"t": "Para", "c": [
            {"t": "Quoted", "c": quoted}, {"t": "LineBreak"}, {"t": "Math", "c": [{}, "x"]}, note,
            {"t": "SoftBreak"}, {"t": "RawInline", "c": ["html", "<b>"]}, note,
        ]},
        {"t": "LineBlock", "c": [[{"t": "Str", "c": "one"}], [{"t": "Str", "c": "two"}]]},
        {"t": "OrderedList", "c": [[1, {}, {}], [item]]},
        {"t": "Table", "c": table},
        {"t": "HorizontalRule"},
        {"t": "RawBlock", "c": ["html", "<hr>"]},
        {"t": "Div", "c": [["refs", [], []], [_leaf("Smith 2004")]]},
    ]  # fmt: skip
    tree = {"meta": {"subtitle": {"t": "MetaInlines", "c": [{"t": "Str", "c": "Sub"}]}}}
    answer = json.dumps(tree | {"blocks": blocks})
    stand_in(f"sys.stdin.read()\nprint({answer!r})")
    assert _blocks(read_file(b"...", kind="org")) == [
        ("paragraph", None, "Sub"),
        ("heading", 1, "Bats"),
        ("paragraph", None, "“tea”\nx [1]  [1]"),
        ("paragraph", None, "one\ntwo"),
        ("list_item", 1, "item"),
        ("list_item", 1, "q"),
        ("paragraph", None, "Caption"),
        ("table", None, "Cell\tCell"),
        ("references", None, "Smith 2004"),
        ("references", None, "[1]"),
        ("references", None, "Aside."),
    ]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("sys.exit(1)", "pandoc cannot read it: look for errors in it"),
        ("time.sleep(60)", "pandoc cannot read it: look for errors in it"),
        ("while True: print('x' * 10_000)", "pandoc cannot read it: look for errors in it"),
        ('print(\'{"meta": {}, "blocks": []}\')', "pandoc finds no text in it"),
        ("print('[' * 200_000)", "pandoc finds it nested too deeply"),
    ],
)
def test_what_pandoc_cannot_read_is_plain_text(
    script: str, reason: str, stand_in: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pandoc, "_MAX_SECONDS", 2)
    monkeypatch.setattr(pandoc, "_MAX_TREE", 1_000_000)
    stand_in(script)
    begin = time.monotonic()
    text = "Bats\n====\n\n" + "Bats hunt moths by night. " * 10_000  # more than a pipe holds
    read = read_file(text.encode(), name="bats.rst")
    assert time.monotonic() - begin < 30
    assert (read.kind, read.text) == ("rst", text)
    assert read.remarks == (f"reStructuredText, read as plain text: {reason}",)


def test_without_pandoc_a_note_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pandoc, "find_spec", lambda _: None)
    path = tmp_path / "bats.rst"
    path.write_text(RST)
    result = docbats.analyze(path, k=2)
    assert result.document.text == RST
    assert result.document.blocks[0].title == "Bats"
    assert result.notes[0] == (
        "The file is reStructuredText, read as plain text: pandoc is not installed: "
        'pip install "docbats[pandoc]".'
    )


def test_an_installation_without_the_program_has_no_pandoc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pandoc, "find_spec", lambda _: pytest.__spec__)
    assert pandoc.find_pandoc() is None


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.txt", RST, "rst"),
        ("a.rst.txt", "Bats fly.", "rst"),
        ("a.MD.TXT", "Bats fly.", "markdown"),
        ("v1.2.txt", "Bats fly.", "text"),
        ("a.md", RST, "markdown"),
        ("a.txt", "Bats\n----\n\nThe dots .. and ``more``.\n\n.. [1] Smith", "text"),
        ("a.txt", f"# Bats\n\nIn reST:\n\n```rst\n{RST}\n```\n\n## Tea\n\nHot.", "markdown"),
        ("a.txt", "= Bats\n\n[source,sh]\n----\nls\n----\n\nSee link:a.html[here].", "asciidoc"),
        ("a.txt", "= Bats\n\nThey fly.\n\n== Food\n\nMoths.\n", "asciidoc"),
        ("a.txt", "[[a]]\nBats\n~~~~\n\n[[b]]\nFood\n~~~~\n\nMoths.\n", "asciidoc"),
        ("a.txt", "== Bats ==\n\nThey fly.\n\n== Food ==\n\nMoths.\n", "text"),
        ("a.txt", "Bats\n----\n\n[Laughter]\n\nSee https://example.org[1] and [2].\n", "text"),
        ("a.txt", "[bats]\nfood = moths\n\n[tea]\nwater = hot\n", "text"),
        ("a", "# -*- mode: org -*-\n#+TITLE: Bats\n* Food\n", "org"),
        ("a.7", '.\\" A comment\n.TH BATS 7\n.SH NAME\nbats\n', "man"),
        ("a.7", ".Dd May 1, 2025\n.Dt BATS 7\n", "mdoc"),
        ("a", "...and then .TH came.", "text"),
        ("a.txt", "\\documentclass is a command of LaTeX.\n", "text"),
        ("a.xml", '<?xml version="1.0"?>\n<!-- x --><opml version="2.0"><body/></opml>', "opml"),
        ("a.xml", '<article article-type="research"><front/></article>', "jats"),
        ("a.xml", "<book><title>Bats</title></book>", "text"),
    ],
)
def test_markup_is_recognized(name: str, text: str, kind: str) -> None:
    assert detect_reader(FileContent(text.encode(), name)).kind == kind


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ('{"bats": "They fly."}', "JSON"),
        ('[{"bats": 1},\n {"bats": 2}]\n', "JSON"),
        ('{"bats": 1}\n{"bats": 2}\n', "JSON"),
        ('<?xml version="1.0"?>\n<bats>They fly.</bats>', "XML"),
        ("[1] Bats fly.", None),
        ("{bats} fly.", None),
        ("[Music] <?xml version", None),
        ("[" * 100_000, None),
    ],
)
def test_json_and_xml_are_noted(text: str, language: str | None) -> None:
    read = read_file(text.encode())
    assert read.kind == "text"
    assert [remark.partition(",")[0] for remark in read.remarks] == ([language] if language else [])
