"""Titles and summaries by a function of one's own, and what happens if it fails."""

from __future__ import annotations

import gc
import json
import pickle
import subprocess
import sys
import threading
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.title_server import TitleServer, answer, module_of_the_page, title_server

import docbats
from docbats import NamingRequest, SegmentName, SegmentToName, Settings, SettingsError
from docbats.corpus import CorpusOptions
from docbats.corpus import run as run_corpus
from docbats.naming import MAX_SUMMARY, MAX_TITLE, find_namer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

EXAMPLE = Path(__file__).parent.parent / "examples" / "annual-report.txt"
TEXT = EXAMPLE.read_text(encoding="utf-8")
OURS = docbats.analyze(TEXT, k=3)
HERE = "tests.test_naming:by_number"


def by_number(request: NamingRequest) -> list[SegmentName]:
    return [
        SegmentName(f"Part {number}", f"What part {number} says.")
        for number in range(1, len(request.segments) + 1)
    ]


NOT_A_FUNCTION = 3


def names_of(result: docbats.Result) -> list[tuple[str, str]]:
    return [(segment.title, segment.summary) for segment in result.segments]


def test_a_namer_gets_all_segments_at_once() -> None:
    requests = []

    def namer(request: NamingRequest) -> list[SegmentName]:
        requests.append(request)
        return [SegmentName()] * len(request.segments)

    result = docbats.analyze(TEXT, k=3, namer=namer)
    (request,) = requests
    assert request.language == "en"
    assert [segment.text for segment in request.segments] == [s.text for s in OURS.segments]
    assert [(s.title, s.summary) for s in request.segments] == names_of(OURS) == names_of(result)
    for segment, ours in zip(request.segments, OURS.segments, strict=True):
        assert segment.keywords == tuple(word for word, _ in ours.keywords)
        assert len(segment.candidates) >= 3
        flat = " ".join(segment.text.split()).casefold()
        assert all(candidate.casefold() in flat for candidate in segment.candidates[:3])
        assert not segment.has_heading
    assert result.notes == OURS.notes
    with pytest.raises(FrozenInstanceError):
        request.language = "de"  # type: ignore[misc]


def test_names_are_shown_everywhere() -> None:
    result = docbats.analyze(TEXT, k=3, namer=by_number)
    wanted = [(f"Part {i}", f"What part {i} says.") for i in (1, 2, 3)]
    assert names_of(result) == wanted
    known = {(segment.title_source, segment.title_confidence) for segment in result.segments}
    assert known == {("given", 1.0)}
    assert [(s["title"], s["summary"]) for s in result.to_dict()["segments"]] == wanted
    assert [entry.title for entry in result.outline] == ["Part 1", "Part 2", "Part 3"]
    for page in (result.to_html(), result.to_markdown(), str(result)):
        assert "Part 3" in page
    assert "What part 3 says." in result.to_html()
    assert result.to_dict()["settings"]["namer"] == "function:by_number"
    assert result.notes == OURS.notes
    same = [(s.sentences, s.topic_weights, s.keywords) for s in result.segments]
    assert same == [(s.sentences, s.topic_weights, s.keywords) for s in OURS.segments]


def test_the_reason_quotes_the_titles_that_are_shown() -> None:
    choice = docbats.analyze(TEXT, namer=by_number).choice
    assert choice is not None
    assert "before “Part " in choice.reason


def test_headings_of_the_author_stay() -> None:
    parts = [f"# {name}\n\nThe {name} is old. Ships pass it.\n" for name in ("Quay", "Pier")]
    seen: list[SegmentToName] = []

    def namer(request: NamingRequest) -> list[SegmentName]:
        seen.extend(request.segments)
        return by_number(request)

    document = docbats.Document.of("# Port\n\n" + "\n".join(f"#{part}" for part in parts))
    result = docbats.analyze(document, boundaries=[document.text.index("## Pier")], namer=namer)
    assert [segment.has_heading for segment in seen] == [True, True]
    assert [segment.title for segment in result.segments][1] == "Pier"
    assert seen[1].headings == ("Port",)
    assert result.segments[1].summary == "What part 2 says."


def test_names_follow_another_cut_and_the_notes_with_them() -> None:
    def only_three(request: NamingRequest) -> list[SegmentName]:
        return by_number(request)[:3]

    result = docbats.analyze(TEXT, k=3, namer=only_three)
    assert names_of(result)[2] == ("Part 3", "What part 3 says.")
    other = result.cut(4)
    assert names_of(other) == names_of(OURS.cut(4))
    assert "returned 3 names for 4 segments" in other.notes[-1]
    assert other.cut(3).notes == result.notes
    assert names_of(other.cut(3)) == names_of(result)


def raise_an_error(request: NamingRequest) -> list[SegmentName]:
    raise ConnectionError(request.segments[0].text)


@pytest.mark.parametrize(
    ("namer", "note"),
    [
        (raise_an_error, "failed (ConnectionError at test_naming.py:"),
        (lambda _: sys.exit(), "failed (SystemExit at test_naming.py:"),
        (lambda _: None, "returned NoneType instead of a list of docbats.SegmentName"),
        (lambda _: "Title", "returned str instead of a list"),
        (lambda r: {s.text: SegmentName("A") for s in r.segments}, "returned dict instead of"),
        (lambda r: (SegmentName("A") for _ in r.segments), "returned generator instead of"),
        (lambda _: [], "returned 0 names for 3 segments"),
        (lambda _: [SegmentName("A")] * 4, "returned 4 names for 3 segments"),
    ],
)
def test_what_cannot_be_used_leaves_our_names_and_a_note(namer: Any, note: str) -> None:
    result = docbats.analyze(TEXT, k=3, namer=namer)
    assert names_of(result) == names_of(OURS)
    assert note in result.notes[-1]
    assert TEXT[:20] not in result.notes[-1]
    assert result.notes[:-1] == OURS.notes


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("Part", "it is str, not docbats.SegmentName"),
        (("Part", "Said."), "it is tuple, not docbats.SegmentName"),
        (SegmentName(3), "the title is int, not a string"),  # type: ignore[arg-type]
        (SegmentName("A", 3), "the summary is int, not a string"),  # type: ignore[arg-type]
        (SegmentName(" \t"), "the title is blank"),
        (SegmentName("x" * (MAX_TITLE + 1)), "the title has 101 characters of at most 100"),
        (SegmentName("A", "x" * (MAX_SUMMARY + 1)), "the summary has 501 characters of at most"),
        (SegmentName("A\nB"), "the title has more than one line, or control characters"),
        (SegmentName("A", "B\u2028C"), "the summary has more than one line, or control"),
        (SegmentName("A\x1b[31m"), "the title has more than one line, or control characters"),
        (SegmentName("A\u202eB"), "the title has more than one line, or control characters"),
        (SegmentName("A\ud800"), "the title has more than one line, or control characters"),
    ],
)
def test_one_name_that_cannot_be_used_leaves_the_others(name: Any, note: str) -> None:
    result = docbats.analyze(
        TEXT, k=3, namer=lambda request: [*by_number(request)[:1], name, *by_number(request)[2:]]
    )
    assert names_of(result)[::2] == [(f"Part {i}", f"What part {i} says.") for i in (1, 3)]
    assert names_of(result)[1] == names_of(OURS)[1]
    assert result.notes[-1].startswith("The namer's names of 1 of 3 segments cannot be used (segm")
    assert f"segment 2: {note}" in result.notes[-1]


def test_titles_of_any_script_and_length_up_to_the_limits_are_used() -> None:
    titles = ["港の浚渫", "می\u200cخواهم", " x" * (MAX_TITLE // 2)]

    def namer(_: NamingRequest) -> list[SegmentName]:
        return [SegmentName(title, "") for title in titles]

    result = docbats.analyze(TEXT, k=3, namer=namer)
    assert names_of(result) == [(title.strip(), "") for title in titles]
    assert result.notes == OURS.notes


def test_a_namer_that_is_too_slow_is_not_waited_for() -> None:
    done = threading.Event()

    def namer(request: NamingRequest) -> list[SegmentName]:
        done.wait(60)
        return by_number(request)

    result = docbats.analyze(TEXT, k=3, namer=namer, namer_timeout=0.05)
    done.set()
    assert names_of(result) == names_of(OURS)
    assert "did not answer within 0.05 seconds" in result.notes[-1]


def test_a_text_of_one_segment_or_without_words_has_names_too() -> None:
    for text in ("Bats hunt.", "7 7. 7.", "..."):
        result = docbats.analyze(text, namer=by_number)
        assert names_of(result) == [("Part 1", "What part 1 says.")]
    paper = docbats.analyze(TEXT, k=3, preset="paper", namer=by_number)
    assert paper.segments[2].title == "Part 3"


# Where a namer is imported from


def test_a_namer_may_be_named_by_its_module() -> None:
    result = docbats.analyze(TEXT, k=3, namer=HERE)
    assert result.segments[0].title == "Part 1"
    assert result.to_dict()["settings"]["namer"] == HERE
    assert pickle.loads(pickle.dumps(result.settings)).namer == HERE
    assert callable(find_namer("docbats:Document.of"))


@pytest.mark.parametrize(
    ("namer", "problem"),
    [
        ("by_number", 'a function, or "module:function" to import it, or None, got'),
        ("tests.test_naming:", '"module:function" to import it, or None, got'),
        ("os; import sys:exit", '"module:function" to import it, or None, got'),
        ("no_such_module:ask", "no_such_module:ask cannot be imported (ModuleNotFoundError"),
        ("tests.test_naming:no_such", "cannot be imported (AttributeError"),
        ("tests.test_naming:NOT_A_FUNCTION", "is int, not a function"),
        (3, 'a function, or "module:function" to import it, or None, got 3'),
    ],
)
def test_wrong_namers_are_refused_at_once(namer: Any, problem: str) -> None:
    with pytest.raises(SettingsError) as error:
        Settings(namer=namer)
    assert problem in str(error.value)


def test_nothing_is_loaded_or_asked_without_a_namer() -> None:
    code = (
        "import docbats, socket, sys; socket.socket = None; "
        "docbats.analyze('Bats hunt moths. Moths hear bats. Tea cools.').to_html(); "
        "sys.exit('docbats.naming' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_corpus_is_named_in_its_processes(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{i}.md") for i in range(3)]
    for path in paths:
        Path(path).write_text(TEXT, encoding="utf-8")
    options = CorpusOptions(settings=Settings(k=3, namer=HERE))
    assert run_corpus(paths, tmp_path / "out", options, jobs=1).failed == 0
    (part,) = (tmp_path / "out").glob("part-*.jsonl")
    rows = [json.loads(line) for line in part.read_text(encoding="utf-8").splitlines()]
    assert {segment["title"] for row in rows for segment in row["segments"]} == {
        "Part 1",
        "Part 2",
        "Part 3",
    }
    with pytest.raises(SettingsError, match="give named functions"):
        run_corpus(
            [tmp_path / "0.md"],
            tmp_path / "other",
            CorpusOptions(settings=Settings(namer=lambda _: [])),
        )


# A server on this machine, asked as the how-to shows


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[TitleServer]:
    with title_server() as running:
        monkeypatch.setenv("NAMES_ADDRESS", running.address)
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # which must not be used
        yield running


@pytest.fixture
def names(server: TitleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of the how-to, in a folder to import from."""
    assert server.address
    (tmp_path / "names.py").write_text(module_of_the_page(), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "names", raising=False)
    import names as module  # type: ignore[import-not-found]

    found: ModuleType = module
    return found


def test_the_how_to_asks_a_server(server: TitleServer, names: ModuleType) -> None:
    result = docbats.analyze(TEXT, k=3, namer=names.ask)
    for segment, asked in zip(result.segments, server.requests, strict=True):
        first = segment.text.split()[0].lower()
        assert segment.title == f"On {first}"
        assert segment.summary.startswith("This part has ")
        assert segment.text[:200] in asked["messages"][1]["content"]
        assert asked["temperature"] == 0
    assert result.notes == OURS.notes


def garbage(content: object) -> tuple[int, bytes]:
    return 200, json.dumps({"choices": [{"message": {"content": content}}]}).encode()


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # of an HTTPError
@pytest.mark.parametrize(
    ("reply", "note"),
    [
        ((500, b"out of memory"), "failed (HTTPError at "),
        ((200, b"<html>not JSON</html>"), "failed (JSONDecodeError at "),
        ((200, b"{}"), "failed (KeyError at names.py:"),
        ((200, b'{"choices": []}'), "failed (IndexError at names.py:"),
        (garbage(None), "failed (AttributeError at names.py:"),
        (garbage(""), "cannot be used (segment 1: the title is blank)"),
        (garbage("word " * 300), "cannot be used (segment 1: the title has 1499 characters"),
        (garbage("T\x07\nS"), "cannot be used (segment 1: the title has more than one line"),
        (garbage("T\nA line.\nAnother."), "cannot be used (segment 1: the summary has more than"),
    ],
)
def test_what_a_server_may_answer_does_no_harm(
    server: TitleServer, names: ModuleType, reply: tuple[int, bytes], note: str
) -> None:
    server.answer = lambda _: reply
    result = docbats.analyze(TEXT, k=3, namer=names.ask)
    assert names_of(result) == names_of(OURS)
    assert note in result.notes[-1]
    gc.collect()


def test_a_server_that_does_not_answer_is_not_waited_for(
    server: TitleServer, names: ModuleType
) -> None:
    def hang(request: dict[str, Any]) -> tuple[int, bytes]:
        server.stop.wait(60)
        return answer(request)

    server.answer = hang
    result = docbats.analyze(TEXT, k=3, namer=names.ask, namer_timeout=0.2)
    assert names_of(result) == names_of(OURS)
    assert "did not answer within 0.2 seconds" in result.notes[-1]


def test_a_server_that_is_not_there_does_no_harm(
    names: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names, "ADDRESS", "http://127.0.0.1:9/v1/chat/completions")
    result = docbats.analyze(TEXT, k=3, namer=names.ask)
    assert names_of(result) == names_of(OURS)
    assert "failed (URLError at " in result.notes[-1]
