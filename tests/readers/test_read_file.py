from __future__ import annotations

import io
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import takes_linear_time
from tests.matrices import slow_except

import docbats
from docbats import DocbatsError, Document, InputError, ReadError
from docbats.places import Cell, Heading, Page, Places
from docbats.readers.decoding import guess_encoding
from docbats.readers.read_file import read_file

if TYPE_CHECKING:
    from pathlib import Path

OLD = {
    "de": ("Fünf Fledermäuse fliegen höher, über Dächer, für größere Käfer.", "cp1252 mac-roman"),
    "fr": (
        "Les chauves-souris, même en été, mangent à la tombée de la nuit. Ça leur plaît, voilà.",
        "cp1252",
    ),
    "pt": ("Os morcegos não são pássaros; são mamíferos que voam à noite, não é?", "cp1252"),
    "pl": (
        "Nietoperze latają nocą nad łąkami i żywią się ćmami, mówią źródła.",
        "cp1250 iso8859-2",
    ),
    "cs": (
        "Netopýři létají v noci a živí se můrami, říká náš učitel v Žďáru.",
        "cp1250 iso8859-2",
    ),
    "tr": (
        "Yarasalar geceleri uçar; kışın uyurlar, çünkü hava soğuktur. Ağaçta yaşarlar.",
        "cp1254",
    ),
    "ru": ("Летучие мыши охотятся ночью на мотыльков.", "cp1251 koi8-r cp866 iso8859-5"),
    "el": ("Οι νυχτερίδες κυνηγούν τη νύχτα σκόρους.", "cp1253 iso8859-7"),
    "ja": ("コウモリは夜に蛾を捕まえる。彼らは音で壁を聞く。", "cp932 euc_jp"),
    "zh": ("蝙蝠在夜里飞行和捕食飞蛾。飞蛾能听见蝙蝠的声音。", "gb18030"),
    "ko": ("박쥐는 밤에 나방을 사냥한다. 그들은 소리로 벽을 듣는다.", "cp949"),
    "sv": (
        "Fladdermössen flyger på natten över ån och äter små flugor. Är det så?",
        "cp1252 cp850",
    ),
    "hu": (
        "A denevérek éjszaka repülnek, őszi erdőkben élnek, ahol hűvös van.",
        "cp1250 iso8859-2",
    ),
    "it": ("Volano di notte perché è più sicuro: così la città è lì, però già là.", "cp1252"),
    "sk": ("Netopiere lietajú v noci a živia sa nočnými motýľmi, veľmi dlhé.", "cp1250 iso8859-2"),
    "uk": ("Кажани полюють уночі на метеликів. Її крила тонкі.", "cp1251 koi8-u"),
    "ro": ("Liliecii zboară noaptea şi mănâncă fluturi; când dorm în peşteri.", "cp1250 iso8859-2"),
    "en": ("The “bats” don’t fly by day — it’s what they’re used to, he said: “yes”.", "cp1252"),
}


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(text, encoding) for text, names in OLD.values() for encoding in names.split()],
)
def test_old_encodings_are_guessed(text: str, encoding: str) -> None:
    read = read_file(text.encode(encoding))
    assert read.text == text
    assert read.is_guess


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_recognized(encoding: str) -> None:
    assert read_file("Bats hunt moths.".encode(encoding)).text == "Bats hunt moths."


@pytest.mark.parametrize(
    "text",
    [
        "caf\u00e9 au lait",
        "Dear Sir, the \u201cbats\u201d and the \u201cmoths\u201d are here.",
        "I can\u2019t come on Sunday, sorry. It\u2019s too late \u2014 far too late \u2026",
    ],
)
def test_a_few_letters_or_quotation_marks_of_windows_are_enough(text: str) -> None:
    read = read_file(text.encode("cp1252"))
    assert (read.text, read.encoding, read.is_guess) == (text, "cp1252", True)


@pytest.mark.parametrize("data", [bytes(50), bytes(range(256)) * 9])
def test_what_is_no_text_is_not_guessed(data: bytes) -> None:
    assert guess_encoding(data) is None
    with pytest.raises(ReadError, match="name its encoding"):
        read_file(data)


def test_words_of_two_alphabets_are_not_guessed() -> None:
    text = "Volano di notte perch\u00e9 \u00e8 pi\u00f9 sicuro: cos\u00ec la citt\u00e0."
    assert guess_encoding(text.encode("cp1252")) == "cp1252"


def test_encodings_of_nothing_but_ascii_bytes_are_seen() -> None:
    text = "\u30b3\u30a6\u30e2\u30ea\u306f\u591c\u306b\u98db\u3076\u3002"
    assert read_file(text.encode("iso2022_jp")).text == text
    assert read_file(b"\x1b[1mBats\x1b[0m fly at night.").text == "Bats fly at night."


@pytest.mark.parametrize("head", [b"", b"<html><meta charset=utf-8><p>"])
def test_a_few_bad_bytes_are_replaced_and_noted(head: bytes) -> None:
    data = head + "F\u00fcnf Flederm\u00e4use \u00fcber D\u00e4cher. ".encode() * 5
    read = read_file(data + b"\xff\xfe!")
    assert read.encoding == "utf-8"
    assert read.text.count("\ufffd") == read.n_replaced == 2
    note = "read as UTF-8, in which 2 characters are broken and shown as \ufffd"
    assert read.encoding_note == note
    assert f"The file is {note}." in docbats.analyze(read.document(), k=1).notes
    assert read_file(data).encoding_note is None


def test_a_replacement_character_that_was_written_is_not_counted() -> None:
    assert read_file("Bats \ufffd \u00e4\u00f6\u00fc".encode()).n_replaced == 0


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        read = read_file(data)
        document = read.document()
    except DocbatsError:
        return
    assert document.text == read.text


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"# Bats", None, "text"),
        (b"# Bats", "a.MD", "markdown"),
        (b"<p>Bats</p>", "a.txt", "text"),
        (b"<p>Bats</p>", "a.htm", "html"),
        (b"<?xml version='1.0'?>\n<!-- a --><!DOCTYPE HTML>Bats", "a.txt", "html"),
        (b"WEBVTT\n\n00:01.000 --> 00:02.000\nBats", "a.txt", "vtt"),
        (b"1\n00:00:01,000 --> 00:00:02,000\nBats", None, "srt"),
        (b"WEBVTTx", None, "text"),
        (b"{bats}", "a.json", "text"),
    ],
)
def test_kind_is_detected_by_content_and_then_by_name(
    data: bytes, name: str | None, kind: str
) -> None:
    assert read_file(data, name=name).kind == kind


def test_kind_may_be_given() -> None:
    assert read_file(b"<html>Bats</html>", kind="text").text == "<html>Bats</html>"
    with pytest.raises(InputError, match="unknown kind of file 'word': use one of text, markdown"):
        read_file(b"", kind="word")


def test_paths_bytes_and_standard_input_give_the_same(
    files: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = files.vtt(files.bats).encode()
    path = tmp_path / "talk"
    path.write_bytes(data)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    texts = {read_file(source).text for source in (path, str(path), data, "-")}
    assert texts == {" ".join(files.bats)}


@pytest.mark.parametrize("source", [3, None, ["a"]])
def test_other_sources_are_refused(source: Any) -> None:
    with pytest.raises(InputError, match="expected a path or bytes, got"):
        read_file(source)


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "broken.docx"
    path.write_bytes(b"PK\x03\x04rest")
    with pytest.raises(ReadError, match=r"broken\.docx: a broken ZIP archive"):
        Document.read(path)


def test_files_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCBATS_MAX_FILE_BYTES", "10")
    with pytest.raises(ReadError, match="split it into smaller files first"):
        read_file(b"Bats hunt moths.")


@pytest.mark.parametrize("kind", [None, "markdown", "html", "vtt", "notebook", "pdf", "docx"])
@pytest.mark.parametrize("byte", slow_except([b" "], [b" ", b"\0", b"\n"]))
def test_ten_megabytes_of_nothing_are_refused(byte: bytes, kind: str | None) -> None:
    with pytest.raises(DocbatsError, match=": "):
        read_file(byte * (10 << 20), kind=kind).document()


@pytest.mark.parametrize("kind", ["markdown", "html", "vtt"])
@pytest.mark.parametrize(
    "piece",
    ["#", "# ", "<", "![", "](", "](a", "`", "~", "[", "|", "-", "<v ", "{\\", "<!--", "--> ", "="],
)
@pytest.mark.parametrize("end", ["", "\n"])
def test_odd_marks_without_end_are_read_in_linear_time(piece: str, end: str, kind: str) -> None:
    marks = piece + end

    def read(size: int) -> None:
        text = "WEBVTT\n\n00:01.000 --> 00:02.000\nBats. " + marks * (size // len(marks))
        assert "Bats." in read_file(text.encode(), kind=kind).text

    assert takes_linear_time(read, 2_500)


def test_plain_text_gives_what_it_gave(example: Path) -> None:
    document = Document.read(example)
    assert document.places is None
    read, given = docbats.analyze(document), docbats.analyze(example.read_text())
    assert read.to_json() == given.to_json()
    assert "place" not in given.to_dict()["segments"][0]


def test_places_outlive_the_splitting_of_long_sentences(files: Any) -> None:
    document = Document.read(files.vtt([" ".join(files.bats).replace(".", ",")] * 3).encode())
    result = docbats.analyze(document, max_size=6, size_unit="words")
    assert all(segment.place is not None for segment in result.segments)


@given(
    st.lists(st.integers(0, 50), min_size=1).map(sorted),
    st.integers(0, 60),
    st.integers(1, 20),
)
def test_places_are_those_of_their_characters(starts: list[int], start: int, size: int) -> None:
    places = Places(
        pages=tuple(map(Page, starts)),
        cells=tuple(Cell(at, 2 * i + 1) for i, at in enumerate(starts)),
        headings=tuple(Heading(at, at + 1, 1 + i % 3, str(i)) for i, at in enumerate(starts)),
    )
    place = places.find(start, start + size)
    assert place is not None
    assert place.pages is not None
    first, last = place.pages
    assert first <= last
    assert first == max([i + 1 for i, at in enumerate(starts) if at <= start], default=1)
    assert place.cells == (2 * first - 1, 2 * last - 1)
    inside = [str(i) for i, at in enumerate(starts) if start <= at < start + size]
    assert list(place.headings) == inside
    assert not set(place.under) & set(inside)


def test_parsers_are_not_imported_for_plain_text(example: Path) -> None:
    code = (
        "import sys\nfrom docbats.cli import main\n"
        f"try: main([{str(example)!r}, '-k', '1'])\nexcept SystemExit: pass\n"
        "late = {'pypdf', 'pypdfium2', 'xml.parsers.expat', 'docbats.readers.markdown', "
        "'chardet', 'trafilatura', 'docbats.render.chapters'}\n"
        "print(sorted(late & set(sys.modules)), file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert run.stderr.decode().strip() == "[]"
