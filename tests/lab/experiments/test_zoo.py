"""The experiment on real books and manuals, on a small work of our own."""

from __future__ import annotations

import gzip
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.reading import TIMES, lengthened
from tests.sample_files import BATS, SHIPS, TEA

from docbats.errors import ReadError
from docbats_lab import works
from docbats_lab.experiments import zoo
from docbats_lab.experiments.request import Request
from docbats_lab.results import read_rows
from docbats_lab.works import Oracle, Place, find_parts, title_key

pytest.importorskip("lxml")

CHAPTERS = {"Bats": BATS, "Tea": TEA, "Ships": SHIPS}
WORK = {
    "packages": "harbour-doc",
    "oracle": "doc/harbour/index.html ->",
    "page": "doc/harbour/ch*.html",
    "txt": "doc/harbour/harbour.txt.gz",
    "md": "doc/harbour/harbour.md",
}


def html_page(title: str, sentences: list[str]) -> str:
    """Return a chapter with navigation, two sections, code and a table."""
    text = " ".join(sentences * 2)
    return f"""<html><body>
      <div class="navheader"><h2>Next chapter</h2></div>
      <h1>Chapter 1. {title}</h1><p>{text}</p>
      <h2>{title} at home</h2><p>{text}</p><pre>$ run</pre>
      <h2>{title} abroad</h2><ul><li>{text}<p>{text}</p></li></ul><table><td>42</td></table>
    </body></html>"""


def plain_text() -> str:
    """Return the same work as Markdown, which is plain text, too."""
    parts = []
    for title, sentences in CHAPTERS.items():
        text = " ".join(sentences * 2)
        sections = f"## {title} at home\n\n{text}\n\n## {title} abroad\n\n{text}\n\n{text}\n"
        parts.append(f"# {title}\n\n{text}\n\n{sections}")
    return "\n".join(parts)


def _set_works(monkeypatch: pytest.MonkeyPatch, known: dict[str, dict[str, str]]) -> None:
    for module in (works, zoo):
        monkeypatch.setattr(module, "read_works", lambda: known)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache with one work in it, which is all of the zoo."""
    folder = tmp_path / "zoo" / "usr" / "share" / "doc" / "harbour"
    folder.mkdir(parents=True)
    links = []
    for i, (title, sentences) in enumerate(CHAPTERS.items(), start=9):
        (folder / f"ch{i}.html").write_text(html_page(title, sentences))
        links.append(f'<a href="ch{i}.html#top">{title}</a> <a href="https://a.example/">a</a>')
    (folder / "index.html").write_text(f"<html><body>{' '.join(links)}</body></html>")
    (folder / "harbour.txt.gz").write_bytes(gzip.compress(plain_text().encode()))
    (folder / "harbour.md").write_text(plain_text())
    (tmp_path / "zoo" / "packages").mkdir()
    (tmp_path / "zoo" / "packages" / "harbour-doc_1.2-3_all.deb").touch()
    monkeypatch.setenv("DOCBATS_CACHE", str(tmp_path))
    _set_works(monkeypatch, {"harbour": WORK})
    works._work_oracle.cache_clear()
    return tmp_path


def test_every_work_has_packages_an_oracle_and_files() -> None:
    known = works.read_works()
    about = {"packages", "oracle", "main", "base", "levels", "skip", "each", "set", "made"}
    about |= {"drop", "parts"}
    kinds = {kind for kind in works.KINDS if not kind.startswith("made_")}
    for name, work in known.items():
        assert {"packages", "oracle"} < work.keys() <= about | kinds, name
    sets = Counter(work.get("set", "first") for work in known.values())
    assert sets == {"first": 28, "second": 12, "third": 10, "fourth": 12, "fifth": 14}


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Chapter 3. Moths & Bats", "mothsbats"),
        ("3.1.2 Moths", "moths"),
        ("A.1. Moths¶", "moths"),
        ("付録 A. 蛾", "蛾"),
        ("2001", "2001"),
        ("A moth", "amoth"),
    ],
)
def test_titles_are_compared_without_numbers_and_marks(title: str, key: str) -> None:
    assert title_key(title) == key


def test_the_oracle_has_the_headings_and_the_prose_without_navigation(cache: Path) -> None:
    pages = works._expand(cache / "zoo", "doc/harbour/ch*.html")
    oracle = Oracle({"": pages}, WORK)
    assert [title for title, _ in oracle.titles(1, 1)] == ["bats", "tea", "ships"]  # 9 before 10
    assert len(oracle.titles(2, 2)) == 6
    assert len(oracle.prose) == 12  # four paragraphs each, neither code nor table
    single = Oracle({"": pages[:1]}, WORK)  # one heading of the highest level is the page's title
    assert [title for title, _ in single.titles(1, 1)] == ["batsathome", "batsabroad"]
    assert oracle.titles()[0].place == 0 < oracle.titles()[-1].place < 1


def test_the_sections_of_an_index_page_are_chapters(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.html").write_text(f"<main><h1>{name}</h1><p>Bats fly.</p></main>")
    links = '<ul><li class="toctree-l1"><a href="{}.html">x</a></li></ul>'
    (tmp_path / "index.html").write_text(
        f"<section><h1>All</h1><h2>A</h2>{links.format('two')}"
        f"<h2>B</h2>{links.format('one')}<h2>C</h2></section>"
    )
    oracle = Oracle(find_parts(tmp_path / "index.html"), {})
    assert [title for title, _ in oracle.titles(1, 1)] == ["a", "b", "c"]
    assert [title for title, _ in oracle.titles(2, 2)] == ["two", "one"]
    assert [title for title, _ in oracle.titles(highest=0)] == ["all"]


def test_notes_boxes_and_sources_are_not_asked_for(tmp_path: Path) -> None:
    page = (
        '<h1>Bats</h1><p>They<a class="footnote">[1]</a> fly.</p><div class="note"><h3>Note</h3>'
        "<p>At night.</p></div><p class='extra'>Home</p><h2>References</h2><p>A. Lee. Bats.</p>"
    )
    (tmp_path / "a.html").write_text(f"<main>{page}</main>")
    oracle = Oracle({"": [tmp_path / "a.html"]}, {"drop": "//*[@class='extra']"})
    assert [title for title, _ in oracle.titles(highest=1)] == ["bats", "references"]
    assert oracle.prose == ["They fly.", "At night."]


def test_an_index_is_neither_asked_for_nor_wrong(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<main><h1>A</h1><h1>B</h1><h1>C</h1></main>")
    titles = {"A": 0, "B": 1 / 3, "C": 2 / 3, "Index of bats": 1, "Concept Index": 1}
    places = [Place(title, place) for title, place in titles.items()]
    reading = zoo.Reading(places, places, [], [])
    scores = zoo.score_reading(reading, Oracle({"": [tmp_path / "a.html"]}, {}))
    assert scores["junk"] == 1 / 4
    assert scores["outline"] == 2 * 3 / (4 + 3)


def test_titles_far_from_their_places_do_not_count() -> None:
    wanted = [Place("a", 0.1), Place("b", 0.5), Place("c", 0.9)]
    assert zoo.count_in_order(wanted, wanted) == 3
    contents = [Place(title, 0.01) for title in "abc"]
    assert zoo.count_in_order(contents, wanted) == 1
    assert zoo.count_in_order([*contents, *wanted], wanted) == 3
    assert zoo.count_in_order(wanted[::-1], wanted) == 1


def test_a_peer_is_judged_by_its_headings_and_paragraphs() -> None:
    markdown = (
        "# The book\n\n## One **bold**\n\nA [link](https://a.example/)\nin a paragraph.\n\n"
        "#### Deep\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| c | d |\n\n## Two\n\n- an item\n\n"
        "## Three\n"
    )
    reading = zoo._of_markdown(markdown)
    assert [title for title, _ in reading.chapters] == ["One bold", "Two", "Three"]
    assert [title for title, _ in reading.sections] == ["Deep"]
    assert reading.blocks == ["A link in a paragraph.", "an item"]
    assert zoo._of_markdown("").chapters == []


def test_all_files_of_the_zoo_are_scored_and_shown(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds, methods = ["page", "txt", "md"], ["docbats"]
    zoo.run(Request(cache, cache / "out", datasets=kinds, methods=methods))
    rows = read_rows(cache / "out" / "zoo" / "docbats", "docbats")
    assert [row["kind"] for row in rows.values()] == ["page", "page", "txt", "md"]
    assert not any("error" in row for row in rows.values())
    markdown = rows["harbour/md/harbour.md"]
    assert (markdown["outline"], markdown["level2"], markdown["junk"]) == (1, 1, 0)
    assert markdown["coverage"] == markdown["precision"] == markdown["whole"] == 1
    assert markdown["sentences"] == pytest.approx(1)
    page = rows["harbour/page/ch9.html"]
    assert page["outline"] is None  # a page with two sections has no outline
    assert page["heads"] == page["coverage"] == 1
    text = "\n".join(zoo.page(cache / "out" / "zoo", cache))
    assert "| Markdown | 1 | 1.000 | 1.000 | 0.000 | 1.000 |" in text
    assert "| harbour | 4 |" in text
    assert "## Built on: 1 works" in text
    assert "## For confirmation" not in text
    _set_works(monkeypatch, {"harbour": WORK | {"set": "third"}})
    text = "\n".join(zoo.page(cache / "out" / "zoo", cache))
    assert "## Built on" not in text
    assert "## For confirmation: 1 works" in text


def test_what_cannot_be_read_scores_nothing_and_is_named(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: bytes, name: str) -> zoo.Reading:
        raise ReadError(name)

    reader = zoo.Reader(fail, ("txt",), ("lxml",))
    monkeypatch.setattr(zoo, "READERS", {**zoo.READERS, "trafilatura": reader})
    zoo.run(Request(cache, cache / "out", datasets=["txt"], methods=["docbats", "trafilatura"]))
    row = read_rows(cache / "out" / "zoo" / "trafilatura", "trafilatura")[
        "harbour/txt/harbour.txt.gz"
    ]
    assert (row["outline"], row["coverage"]) == (0, 0)
    text = "\n".join(zoo.page(cache / "out" / "zoo", cache))
    assert "- trafilatura: harbour/txt/harbour.txt.gz: ReadError: harbour.txt" in text


def test_without_apt_the_run_says_where_packages_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(ReadError, match=r"Debian 12 .*apt-get"):
        works.fetch_packages(tmp_path, ["harbour-doc"])


def test_a_package_is_unpacked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[str] = []

    def run(command: list[str], cwd: str = "", **_: object) -> object:
        commands.append(command[0])
        if command[0] == "apt-get":
            (Path(cwd) / "harbour-doc_1%3a2-3_all.deb").touch()
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr("shutil.which", str)
    monkeypatch.setattr("subprocess.run", run)
    for _ in range(2):
        assert works.fetch_packages(tmp_path, ["harbour-doc"]) == {"harbour-doc": "1:2-3"}
    assert commands == ["apt-get", "dpkg-deb"]


def test_longer_files_repeat_what_is_in_them(cache: Path, tmp_path: Path) -> None:
    page, text = works.find_files(cache / "zoo", ["page", "txt"])[1:]
    long = lengthened(page, tmp_path)
    assert long is not None
    assert long.count(b"<h1>") == TIMES
    assert long.count(b"<body>") == 1
    assert lengthened(text, tmp_path) == text.load() * TIMES
