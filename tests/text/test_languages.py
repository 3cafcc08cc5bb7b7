from __future__ import annotations

import json
import re
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from Stemmer import algorithms
from tests.text.structure import test_block_kinds

import docbats
from docbats import Document, Result, SettingsError, analyze
from docbats.cli import main
from docbats.serve.app import static_files
from docbats.text import detect, languages
from docbats.text.languages import LANGUAGES, load_language
from docbats.text.languages.language import Language
from docbats.text.words import normal_form

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "languages"
OTHERS = [code for code in LANGUAGES if code != "en"]


def text_of(code: str) -> str:
    return (EXAMPLES / f"{code}.txt").read_text()


def seams(document: Document) -> list[int]:
    """Find the sentences that begin a paragraph: each is on a subject of its own."""
    starts = document.spans[:, 0].tolist()
    return [i for i, start in enumerate(starts) if document.text[:start].endswith("\n\n")]


@pytest.fixture(params=OTHERS)
def result(request: pytest.FixtureRequest) -> Result:
    return analyze(text_of(request.param), k=3)


def test_there_is_an_example_for_each_language() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.txt")} == LANGUAGES.keys() - {"en"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_is_known_of_a_language_is_well_formed(code: str) -> None:
    language = load_language(code)
    assert (language.code, language.name) == (code, LANGUAGES[code])
    assert language.stemmer is None or language.stemmer in algorithms()
    assert len(language.stop_words) > 300
    lists = [language.stop_words, language.vague_nouns, language.continuing_words]
    for word in frozenset[str]().union(*lists):
        assert normal_form(word) == word or code == "en"
    assert len(language.function_word_groups) == (6 if language.segmenter else 9)
    assert all(word == word.lower() for word in language.abbreviations)
    assert language.has_tagger == (code == "en")
    assert not language.abbreviations or language.list_endings
    assert language.vague_nouns
    assert not any(len(letter) != 1 or letter.isascii() for letter in language.special_letters)


@pytest.mark.parametrize("code", [*LANGUAGES, None])
def test_a_sentence_may_end_with_any_closing_mark_but_in_english(code: str | None) -> None:
    marks = load_language(code).closing_marks
    assert marks >= frozenset(".?!:;\"”'’)]…")
    assert ("。" in marks) == ("»" in marks) == (code != "en")


def test_a_new_language_is_a_file_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("docbats.text.languages.basque")
    basque = Language(
        code="eu",
        name="Basque",
        common_words="eta da ez du dira izan baina ere zen",
        stop_words="eta da ez du dira izan baina ere zen",
        conjunction=" eta ",
    )
    monkeypatch.setattr(module, "LANGUAGE", basque, raising=False)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    text = "Saguzarra eta gaua. Saguzarra ez da txoria. Ogia eta irina. Ogia ona da eta irina ere."
    with forgotten_languages():
        LANGUAGES["eu"] = "Basque"
        result = analyze(text * 2, k=2)
        assert result.language == "eu"
        assert not {"eta", "da"} & set(result.analysis.text.words.names)
        assert analyze(text, k=1, language="eu").language == "eu"


def test_the_recipe_leads_to_a_language_that_passes_every_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recipe of CONTRIBUTING, followed for Dutch under another name."""
    (tmp_path / "flemish.py").write_text(
        "from dataclasses import replace\n"
        "from docbats.text.languages.dutch import LANGUAGE as DUTCH\n"
        'LANGUAGE = replace(DUTCH, code="vl", name="Flemish")\n'
    )
    monkeypatch.setattr(languages, "__path__", [*languages.__path__, str(tmp_path)])
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    (tmp_path / "examples" / "nl.txt").rename(tmp_path / "examples" / "vl.txt")
    monkeypatch.setitem(globals(), "EXAMPLES", tmp_path / "examples")
    with forgotten_languages():
        LANGUAGES["vl"] = "Flemish"
        del LANGUAGES["nl"]  # or the example would be in either language
        test_there_is_an_example_for_each_language()
        test_what_is_known_of_a_language_is_well_formed("vl")
        test_block_kinds.test_words_of_headings_are_known_in_each_language("vl")
        test_block_kinds.test_entries_under_their_title_are_references("vl")
        test_a_tagger_of_ones_own_works_in_any_language("vl")
        result = analyze(text_of("vl"), k=3)
        assert result.language == "vl"
        test_the_language_is_found(result)
        test_segments_begin_where_the_subject_changes(result)
        test_the_text_decides_likewise(result)
        test_topics_have_no_stop_words(result)
        test_titles_are_made_of_words_of_the_segments(result)
        assert (
            b'<option value="vl">Flemish</option>' in static_files.__wrapped__()["index.html"].body
        )


@contextmanager
def forgotten_languages() -> Iterator[None]:
    """Detect by the languages that are in the table inside, and by the usual ones again after."""
    caches = [load_language, detect._signs_of_languages, detect._languages_of_signs]
    before = dict(LANGUAGES)
    for each in caches:
        each.cache_clear()
    try:
        yield
    finally:
        LANGUAGES.clear()
        LANGUAGES.update(before)
        for each in caches:
            each.cache_clear()


@pytest.mark.parametrize("folder", ["segments", "text", "titles", "topics"])
def test_no_code_asks_for_a_language_by_its_code(folder: str) -> None:
    source = Path(docbats.__file__).parent
    asking = re.compile(r"""code\s*(?:[!=]=|(?:not )?in)\s*[{("']""")
    for path in (source / folder).rglob("*.py"):
        assert not asking.search(path.read_text("utf-8")), path


def test_the_language_is_found(result: Result) -> None:
    assert result.language == result.document.language.code
    assert text_of(result.language or "") == result.document.text
    assert result.to_dict()["document"]["language"] == result.language


def test_segments_begin_where_the_subject_changes(result: Result) -> None:
    wanted = [0, *seams(result.document)]
    assert [segment.sentences[0] for segment in result.segments] == wanted
    for segment in result.segments:
        assert result.document.text[segment.start : segment.end] == segment.text
    for start, end in result.document.spans.tolist():
        assert result.document.text[start:end].strip() == result.document.text[start:end]


def test_the_text_decides_likewise(result: Result) -> None:
    assert len(analyze(result.document).segments) in {3, 4}


def test_topics_have_no_stop_words(result: Result) -> None:
    stop_words = load_language(result.language).stop_words
    found = {word for topic in result.topics for word, _ in topic.words}
    assert found
    assert found.isdisjoint(stop_words)
    assert not any("'" in word for word in found)


def test_titles_are_made_of_words_of_the_segments(result: Result) -> None:
    glue = load_language(result.language).conjunction
    titles = [segment.title for segment in result.segments]
    assert len(set(titles)) == 3
    for title, segment in zip(titles, result.segments, strict=True):
        quoted = segment.title_source == "opening"
        for part in [title.strip("„“”«»「」 …")] if quoted else title.split(glue):
            assert part.lower() in segment.text.lower()
    if result.language in {"zh", "ja"}:
        assert not any(" " in title for title in titles)


def test_german_nouns_keep_their_capitals() -> None:
    titles = [segment.title for segment in analyze(text_of("de"), k=3, title_threshold=0).segments]
    assert titles == ["Bienen und Königin", "Brot", "Straßenbahn"]


def test_russian_titles_prefer_the_nominative() -> None:
    titles = [segment.title for segment in analyze(text_of("ru"), k=3, title_threshold=0).segments]
    assert titles[2] == "Трамвай и рельсы"


def test_a_language_may_be_given() -> None:
    text = text_of("nl")
    assert analyze(text, language="nl").to_dict()["topics"] == analyze(text).to_dict()["topics"]
    english = analyze(text, language="en")
    assert english.language == "en"
    assert english.notes == ()
    assert analyze(text, preset="paper", k=3).language == "en"


def test_stop_words_may_be_english_or_ones_own() -> None:
    text = text_of("fr")
    names = analyze(text, stop_words="english", k=1).analysis.text.words.names
    assert "dans" in names
    own = analyze(text, stop_words=["miel"], k=1).analysis.text.words.names
    assert "une" in own
    assert "miel" not in own
    assert not any(name.endswith("'") for name in own)


def test_a_language_that_nobody_knows_is_noted() -> None:
    text = "Fladdermusen flyger på natten och den hör det som den inte kan se med ögonen. " * 4
    result = analyze(text)
    assert result.language is None
    assert "none of the languages" in result.notes[0]


def test_a_text_that_does_not_tell_is_noted() -> None:
    text = " ".join(f"Alpha{letter} beta{letter} gamma." for letter in "abcdefghijklmnop")
    result = analyze(text)
    assert result.language == "en"
    assert result.notes[0].startswith("It is not clear which language")
    assert result.cut(2).notes == result.notes


def test_a_missing_segmenter_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("describe", "text.words"):
        monkeypatch.setattr(f"docbats.{module}.is_missing", lambda _: True)
    monkeypatch.setattr("docbats.text.words.find_segmenter", lambda _: None)
    for code, extra in (("zh", "chinese"), ("ja", "japanese")):
        result = analyze(text_of(code), k=3)
        assert f"docbats[{extra}]" in result.notes[0]
        assert [s.sentences[0] for s in result.segments] == [0, *seams(result.document)]


@pytest.mark.integrations("rjieba", "docbats[chinese]")
def test_chinese_words() -> None:
    result = analyze(text_of("zh"), k=3)
    assert result.notes == ()
    assert {"养蜂人", "公共汽车", "面包师"} <= set(result.analysis.text.words.names)


@pytest.mark.integrations("fugashi", "docbats[japanese]")
def test_japanese_words() -> None:
    result = analyze(text_of("ja"), k=3)
    assert result.notes == ()
    assert {"ミツバチ", "路面", "電車", "生地"} <= set(result.analysis.text.words.names)


def test_the_command_and_the_report_say_which_language_it_is() -> None:
    german, english = EXAMPLES / "de.txt", EXAMPLES.parent / "article.txt"
    run = CliRunner().invoke
    assert "German" in run(main, [str(german)]).stdout.partition("Segments")[0]
    assert "English" not in run(main, [str(english)]).stdout
    given = run(main, ["--language", "nl", "--format", "json", str(german)])
    assert json.loads(given.stdout)["document"]["language"] == "nl"
    assert run(main, ["--language", "xx", str(german)]).exit_code == 2
    assert " · German" in analyze(german.read_text()).to_html()


def test_a_file_is_read_in_the_language_that_is_given() -> None:
    page = b"<p>Er kam z. B. im Mai.</p><p>Dann ging er.</p>"
    document = Document.read(page, name="a.html", language="de")
    assert document.sentences == ("Er kam z. B. im Mai.", "Dann ging er.")
    assert analyze(document, k=1).language == "de"
    with pytest.raises(SettingsError, match=r"language must be one of auto, en, .* got 'sv'"):
        Document.from_text("Ja.", language="sv")


@pytest.mark.parametrize("code", OTHERS)
def test_a_tagger_of_ones_own_works_in_any_language(code: str) -> None:
    def tag(words: list[str]) -> list[str]:
        return ["NOUN" if word[0].isupper() else "X" for word in words]

    assert analyze(text_of(code), k=2, tagger=tag).analysis.text.is_tagged
    assert not analyze(text_of(code), k=2).analysis.text.is_tagged
