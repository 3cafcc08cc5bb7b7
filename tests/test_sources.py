"""Whatever a document is made of, and however its lines end, the result is the same."""

from __future__ import annotations

import io
import re
import unicodedata
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import docbats
from docbats import Document

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
MARKDOWN = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
PLAIN = (ROOT / "examples" / "annual-report.txt").read_text(encoding="utf-8")
TEXTS = pytest.mark.parametrize("text", [PLAIN, MARKDOWN], ids=["plain", "markdown"])

FORMS: dict[str, Callable[[str], str]] = {
    "lf": lambda text: text,
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "cr": lambda text: text.replace("\n", "\r"),
    "mark": lambda text: f"\ufeff{text}",
    "blank ends": lambda text: f" \n\n  {text.strip()}\t\n\n \n",
    "no end": str.strip,
    "all": lambda text: f"\ufeff\r\n  {text.strip()}".replace("\n", "\r\n"),
}


LANGUAGES = sorted((ROOT / "examples" / "languages").glob("*.txt"))
SAMPLES = {
    "plain": PLAIN,
    "markdown": MARKDOWN,
    **{path.stem: path.read_text(encoding="utf-8") for path in LANGUAGES},
}
SPELLINGS: dict[str, Callable[[str], str]] = {
    "two blanks": lambda text: re.sub(r"(?<=[.?!]) (?=\S)", "  ", text),
    "accents apart": partial(unicodedata.normalize, "NFD"),
    "soft hyphens": lambda text: re.sub(r"(?<=[^\W\d_]{4})(?=[^\W\d_]{3})", "\xad", text),
    "tabs": lambda text: re.sub(r"(?m)^(?: {4})+", lambda found: "\t" * (len(found[0]) // 4), text),
}


def found(document: Document) -> list[Any]:
    """Return what a document says, without its offsets."""
    result = docbats.analyze(document)
    words = [document.text[b.start : b.end].lstrip("\ufeff").split() for b in document.blocks]
    chunks = docbats.chunk(document, 200, size_unit="words", context="headings")
    return [
        [" ".join(sentence.split()) for sentence in document.sentences],
        document.language,
        document.markup,
        list(
            zip([(b.kind, b.level, b.number, b.title) for b in document.blocks], words, strict=True)
        ),
        [(s.sentences, s.title, s.subtitle, s.heading_path, s.summary) for s in result.segments],
        [(topic.label, topic.words) for topic in result.topics],
        [(chunk.heading_path, chunk.text.lstrip("\ufeff").split()) for chunk in chunks],
    ]


@TEXTS
@pytest.mark.parametrize("form", FORMS)
def test_line_ends_and_white_space_around_change_nothing_but_offsets(text: str, form: str) -> None:
    written = FORMS[form](text)
    document = Document.of(written)
    assert document.text == written
    assert document.prose is None or len(document.prose) == len(written)
    assert found(document) == found(Document.of(text))


def looks(value: Any) -> Any:
    """Return what a reader sees of text in any value."""
    if isinstance(value, str):
        return " ".join(unicodedata.normalize("NFC", value).replace("\xad", "").split())
    return [looks(item) for item in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_spellings_that_look_the_same_have_the_same_blocks_and_boundaries(
    sample: str, spelling: str
) -> None:
    text = unicodedata.normalize("NFC", SAMPLES[sample])
    written = SPELLINGS[spelling](text)
    document = Document.of(written)
    assert document.text == written
    assert document.prose is None or len(document.prose) == len(written)
    *parts, segments, _, chunks = looks(found(document))
    *same_parts, same_segments, _, same_chunks = looks(found(Document.of(text)))
    assert parts == same_parts
    assert [segment[0] for segment in segments] == [segment[0] for segment in same_segments]
    assert chunks == same_chunks


@TEXTS
@pytest.mark.parametrize("form", ["lf", "crlf", "blank ends"])
@pytest.mark.parametrize("kind", ["bytes", "path", "binary file", "text file"])
def test_every_kind_of_source_gives_the_same_document(
    tmp_path: Path, text: str, form: str, kind: str
) -> None:
    written = FORMS[form](text)
    path = tmp_path / "text.txt"
    path.write_bytes(written.encode())
    if kind == "path":
        document = Document.of(path)
    elif kind == "bytes":
        document = Document.of(path.read_bytes())
    else:
        opened: Any = path.open("rb") if kind == "binary file" else path.open(newline="")
        with opened as file:
            document = Document.of(file)
    expected = Document.of(written)
    assert document.text == expected.text
    assert document.spans.tolist() == expected.spans.tolist()
    assert (document.blocks, document.prose) == (expected.blocks, expected.prose)
    assert document.markup == expected.markup


@TEXTS
def test_a_byte_order_mark_of_a_file_is_not_text(text: str) -> None:
    assert Document.of(text.encode("utf-8-sig")).text == text
    assert Document.of(text.encode("utf-16")).text == text


def test_all_chunks_of_markdown_with_crlf_have_their_headings() -> None:
    for text in (MARKDOWN, MARKDOWN.replace("\n", "\r\n")):
        chunks = docbats.chunk(text, 500)
        assert len(chunks) > 20
        assert all(chunk.heading_path for chunk in chunks)


def test_markdown_is_markdown_for_all() -> None:
    text = "# Bats\n\nThey fly by night. They hear walls.\n\n## Food\n\nMoths, mostly. Flies too.\n"
    assert docbats.analyze(text, k=1).document.markup == "markdown"
    assert docbats.chunk(text)[0].heading_path == ("Bats",)
    assert Document.of(text, "text").markup is None
    assert Document.of("Bats *fly*.", "markdown").markup == "markdown"
    assert Document.of("<p>Bats <b>fly</b>.</p>", "html").text == "Bats fly."


def test_lists_are_sentences_or_blocks_and_documents_stay_as_they_are() -> None:
    document = Document.of(["Bats fly.", "Bats sleep."])
    assert document.sentences == ("Bats fly.", "Bats sleep.")
    assert Document.of(document) is document
    blocks = [{"kind": "heading", "text": "Bats"}, {"kind": "paragraph", "text": "They fly."}]
    assert [block.kind for block in Document.of(blocks).blocks] == ["heading", "paragraph"]
    assert Document.of(io.BytesIO(b"Bats fly.")).text == "Bats fly."


def test_a_string_is_text_and_not_a_path() -> None:
    assert Document.of("docs/files.md").text == "docs/files.md"


def test_errors_say_what_to_do() -> None:
    with pytest.raises(docbats.InputError, match="unknown kind of file 'word': use one of text, "):
        Document.of("Bats fly.", "word")
    with pytest.raises(docbats.InputError, match=r"expected a string, a list of .*, got int"):
        Document.of(3)  # type: ignore[arg-type]
    with pytest.raises(docbats.EmptyDocumentError):
        Document.of("\ufeff \r\n")


def test_a_file_is_read_where_it_is_open(tmp_path: Path) -> None:
    path = tmp_path / "bats.md"
    path.write_text("# Bats\n\nThey fly.\n", encoding="utf-8")
    expected = Document.read(path)
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        for opened in (binary, text):
            found = Document.read(opened)
            assert (found.text, found.blocks, found.id) == (
                expected.text, expected.blocks, path.as_posix(),
            )  # fmt: skip
    named = Document.read(io.BytesIO(path.read_bytes()), name="other.md")
    assert (named.blocks, named.id) == (expected.blocks, "other.md")
    assert Document.read(io.StringIO("Bats fly.")).id is None
