"""The experiment on the readers, on small sets of our own."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.sample_files import Files, PdfLine

from docbats.errors import ReadError
from docbats_lab.experiments.readers import READER_SETS, labelled_pages, page, run
from docbats_lab.experiments.request import Request

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("trafilatura")

SENTENCES = [
    "Bats hunt moths by night and sleep in caves by day.",
    "Moths hear the bats from afar and dive to the ground.",
    "Tea needs hot water and some minutes to become strong.",
    "The ferry crosses the harbour only at high tide.",
]
TEXT = " ".join(SENTENCES * 3)
PAGE = f"<html><body><main><p>{TEXT}</p></main><footer>Impressum</footer></body></html>".encode()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Write all sets, as their sources lay them out."""
    share = tmp_path / "readers" / "manuals" / "usr" / "share"
    pdf = Files().pdf([[PdfLine(text, 700 - 14 * i) for i, text in enumerate(SENTENCES * 3)]])
    for name, folder, pages in (
        ("debian-faq.en", share / "doc/debian/FAQ", "ch1.en.html"),
        ("maint-guide.en", share / "doc/maint-guide", "html/ch1.en.html"),
        ("developers-reference", share / "developers-reference", "ch1.html"),
    ):
        (folder / pages).parent.mkdir(parents=True)
        (folder / pages).write_bytes(PAGE)
        (folder / f"{name}.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
        is_packed = name.startswith("debian")
        path = folder / (f"{name}.pdf.gz" if is_packed else f"{name}.pdf")
        path.write_bytes(gzip.compress(pdf) if is_packed else pdf)
    articles = tmp_path / "readers" / "article-extraction-benchmark"
    (articles / "html").mkdir(parents=True)
    (articles / "html" / "a.html.gz").write_bytes(gzip.compress(PAGE))
    (articles / "ground-truth.json").write_text(json.dumps({"a": {"articleBody": TEXT}}))
    tests = tmp_path / "readers" / "trafilatura" / "tests"
    (tests / "cache").mkdir(parents=True)
    (tests / "cache" / "a.html").write_bytes(PAGE)
    labels = {
        "u": {"file": "a.html", "with": ["Bats hunt moths"], "without": ["Impressum"]},
        "v": {"file": "not-there.html", "with": ["x"], "without": []},
    }
    (tests / "evaldata.py").write_text(f"raise SystemExit\nEVAL_PAGES = {labels!r}\n")
    hebrew = tmp_path / "readers" / "chardet" / "tests" / "windows-1255-hebrew"
    hebrew.mkdir(parents=True)
    (hebrew / "a.txt").write_bytes(
        ("עטלפים צדים עשים בלילה והם שומעים את הקירות. " * 9).encode("cp1255")
    )
    return tmp_path


def _facts(folder: Path) -> Any:
    return json.loads((folder / "readers" / "facts.json").read_text(encoding="utf-8"))


def test_every_set_is_scored_and_shown(data: Path, tmp_path: Path) -> None:
    run(Request(data, tmp_path / "out"))
    facts = _facts(tmp_path / "out")
    sets = facts["sets"]
    assert list(sets) == list(READER_SETS) == list(facts["sources"])
    assert all(row["docbats"] == 1 for row in sets["manuals as PDF"]["f1"].values())
    assert all(set(row.values()) == {1.0} for row in sets["manuals as HTML"]["f1"].values())
    for name in ("article-extraction-benchmark", "trafilatura's pages"):
        assert sets[name]["pages"] == 1
        for row in sets[name]["scores"].values():
            assert (row["f1"], row["site_kept"], row["empty"]) == (1, 0, 0)
    assert sets["chardet's files"] | {"versions": None} == {
        "versions": None,
        "files": 1,
        "right": {"docbats": 1, "chardet": 1},
    }
    text = "\n".join(page(tmp_path / "out" / "readers", tmp_path))
    assert "right, of 1" in text
    assert all(name in text for name in READER_SETS)


def test_sets_that_are_not_there_keep_their_figures_and_are_named(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    run(Request(data, out))
    before = _facts(out)["sets"]["chardet's files"]
    (data / "readers" / "chardet").rename(data / "elsewhere")
    run(Request(data, out, datasets=["chardet's files", "article-extraction-benchmark"]))
    assert _facts(out)["sets"]["chardet's files"] == before
    assert "chardet's files: not in " in capsys.readouterr().err


def test_without_any_set_the_run_says_where_to_get_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ReadError, match="none of the sets is there"):
        run(Request(tmp_path, tmp_path / "out"))
    message = capsys.readouterr().err
    assert all(found.get in message for found in READER_SETS.values())


def test_labels_are_read_without_running_them(data: Path) -> None:
    (found,) = labelled_pages(data / "readers" / "trafilatura")
    assert (found.inside, found.outside) == (("Bats hunt moths",), ("Impressum",))
