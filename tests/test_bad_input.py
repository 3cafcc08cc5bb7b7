from __future__ import annotations

import io
import json
import random
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from click.testing import CliRunner

import docbats
from docbats.cli import main
from docbats.render.segments_csv import to_csv

if TYPE_CHECKING:
    from pathlib import Path

TEXT = (
    "Bats hunt moths by night. Moths hear the bats and dive. Bats follow the moths. "
    "Tea needs hot water. Hot tea cools in the cup. A cup of tea wants water."
)
REPEATED = "Bats hunt moths near rivers. "

HOSTILE = {
    "less than": "<" * 10**5,
    "tags left open": "<a " * 10**5,
    "tags": "<p>" * 10**5,
    "comments": "<!-- bats -->" * 10**4,
    "at signs": "@" * 10**5,
    "half addresses": "a@" * 10**5,
    "addresses": "a@b.com " * 10**4,
    "schemes": "http://" * 10**4,
    "www": "www." * 10**5,
    "full stops": "." * 10**6,
    "question and exclamation marks": "?!" * 10**5,
    "closing brackets": "a.)" * 10**5,
    "spaced full stops": ". " * 10**5,
    "initials": "A. " * 10**5,
    "letters and full stops": "a." * 10**5,
    "ampersands": "&" * 10**5,
    "entities": "&amp;" * 10**4,
    "commands": "\\a" * 10**5,
    "hyphens": "-\n" * 10**5,
    "list items": "- a\n" * 10**4,
    "headings": "# a\n" * 10**4,
    "apostrophes": "a'" * 10**5,
    "brackets": "(" * 10**5,
    "quotation marks": '"' * 10**5,
    "ideographic full stops": "。" * 10**5 + "茶",
    "accents": "e" + "\u0301" * 10**5,
    "leading blanks": " " * 10**6 + "a",
    "inner blanks": "a" + "\t" * 10**6 + "a",
    "blank lines": "a" + "\n " * 10**5 + "a",
    "carriage returns": "a\r" * 10**5,
    "zero characters": "\0" * 10**5,
    "one long word": "a" * 10**6,
    "no full stop": "bats hunt moths near rivers " * 36_000,
    "one long line of Chinese": "茶" * 10**5,
    "emoji": "🦇" * 10**5,
    "joiners": "👩\u200d" * 10**5,
    "combining marks alone": "\u0301" * 10**5,
    "surrogates": "\ud800" * 10**5,
}

SCRIPTS = {
    "Hebrew": "העטלפים יוצאים בלילה. העטלפים צדים עש. התה חם מאוד. התה מתקרר בכוס.",
    "Arabic": "تطير الخفافيش ليلا. تصطاد الخفافيش العث. هل الشاي ساخن؟ يبرد الشاي سريعا.",
    "Chinese": "蝙蝠在夜里飞行。蝙蝠捕食飞蛾。热茶需要开水。热茶会变凉。",
    "Japanese": "コウモリは夜に飛ぶ。コウモリは蛾を食べる。お茶には熱い湯が要る。お茶は冷める。",
    "Hindi": "चमगादड़ रात में उड़ते हैं। चमगादड़ पतंगे खाते हैं। चाय गरम है। चाय ठंडी होती है।",
    "Thai": "ค้างคาว บินตอนกลางคืน\n\nค้างคาว กินแมลง\n\nน้ำชา ร้อนมาก\n\nน้ำชา เย็นลง",
}


def _check(result: docbats.Result, text: str, k: int) -> None:
    """Check that the segments tile the text and that every rendering works."""
    assert len(result.segments) == k
    assert "".join(segment.text for segment in result.segments) == text
    for segment in result.segments:
        assert text[segment.start : segment.end] == segment.text
    written = result.to_json().encode("utf-8")
    assert [segment["text"] for segment in json.loads(written)["segments"]] == [
        segment.text for segment in result.segments
    ]
    assert result.to_markdown(title="document").startswith("# document\n")
    assert to_csv([("document", result)])


def _command(path: Path, text: str | bytes, *args: str) -> tuple[int, str, str]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = CliRunner().invoke(main, [str(path), *args])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


# Too little text


@pytest.mark.parametrize("blank", ["", " ", "\n" * 10**6, " \t\r\n\x0b\x0c\x1c\x85\u2028\u3000"])
@pytest.mark.parametrize("sentences", ["auto", "lines"])
def test_blank_text_is_refused(blank: str, sentences: str, tmp_path: Path) -> None:
    with pytest.raises(docbats.EmptyDocumentError, match="give a text with at least one sentence"):
        docbats.analyze(blank, k=1, sentences=sentences)
    code, stdout, stderr = _command(tmp_path / "a", blank, "-k", "1", "--sentences", sentences)
    assert (code, stdout) == (1, "")
    assert "give a text with at least one sentence" in stderr


@pytest.mark.parametrize("sentences", [[], [""], ["", "  ", "\n"], ()])
def test_list_without_any_text_is_refused(sentences: list[str]) -> None:
    with pytest.raises(docbats.EmptyDocumentError, match="give a text"):
        docbats.analyze(sentences, k=1)


@pytest.mark.parametrize("text", ["Bats", "a", ".", "7", "Bats hunt moths by night.", "\0", "🦇"])
def test_one_word_or_sentence_is_one_segment(text: str, tmp_path: Path) -> None:
    result = docbats.analyze(text, k=1)
    _check(result, text, 1)
    assert result.topics == ()
    code, stdout, _ = _command(tmp_path / "a", text, "-k", "1", "--encoding", "utf-8")
    assert code == 0
    assert "1 sentence, 1 segment, 0 topics" in " ".join(stdout.split())


@pytest.mark.parametrize("text", ["Bats", "Bats hunt moths by night."])
def test_one_sentence_cannot_be_two_segments(text: str, tmp_path: Path) -> None:
    with pytest.raises(docbats.TooFewSentencesError, match="sentences, which is 1, got 2: "):
        docbats.analyze(text, k=2)
    assert _command(tmp_path / "a", text, "-k", "2")[0] == 1


def test_more_segments_than_sentences_are_refused(tmp_path: Path) -> None:
    with pytest.raises(docbats.TooFewSentencesError, match="sentences, which is 6, got 7: "):
        docbats.analyze(TEXT, k=7)
    code, _, stderr = _command(tmp_path / "a", TEXT, "-k", "7")
    assert code == 1
    assert "which is 6, got 7: give a smaller k" in stderr


@pytest.mark.parametrize("k", range(1, 7))
def test_every_k_up_to_the_sentences_works(k: int) -> None:
    _check(docbats.analyze(TEXT, k=k), TEXT, k)


def test_fewer_kept_words_than_k_give_fewer_topics_and_a_note(tmp_path: Path) -> None:
    text = "Bats hunt. Bats fly. Tea cools. Bats sleep."
    result = docbats.analyze(text, k=3)
    _check(result, text, 3)
    assert len(result.topics) == 1
    assert len(result.notes) == 1
    code, stdout, _ = _command(tmp_path / "a", text, "-k", "3")
    assert code == 0
    assert result.notes[0][:30] in stdout


@pytest.mark.parametrize(
    "text", ["Bats hunt. Tea cools.", "It is. Are they? We were.", "1 2. 1 2."]
)
def test_no_kept_word_is_one_segment_without_topics(text: str, tmp_path: Path) -> None:
    result = docbats.analyze(text, k=1)
    _check(result, text, 1)
    assert result.topics == ()
    assert result.segments[0].topic is None
    assert result.notes
    with pytest.raises(
        docbats.NoKeptWordsError, match=r"give a longer text, a k of 1, or set min_sentences to 1"
    ):
        docbats.analyze(["Bats hunt.", "Tea cools."], k=2)
    assert _command(tmp_path / "a", text, "-k", "1")[0] == 0


def test_no_kept_word_gives_empty_vectors() -> None:
    vectors = docbats.analyze("Bats hunt. Tea cools.", k=1, vectors=True).vectors
    assert vectors is not None
    assert vectors.words.shape == (0, 1)
    assert vectors.sentences.shape == (2, 1)
    assert np.isfinite(vectors.singular_values).all()


@pytest.mark.parametrize("k", [1, 2, 7, 50])
@pytest.mark.parametrize("laplacian", ["regularized", "plain", "none"])
def test_one_repeated_sentence_is_cut_into_k(k: int, laplacian: str) -> None:
    result = docbats.analyze(REPEATED * 50, k=k, laplacian=laplacian)
    _check(result, REPEATED * 50, k)
    assert len(result.topics) == min(k, 4)


def test_blank_sentences_of_a_list_stay_sentences() -> None:
    sentences = ["Bats hunt.", "", "Bats fly.", "  ", "Tea cools.", "Tea."]
    result = docbats.analyze(sentences, k=2)
    _check(result, "\n".join(sentences), 2)
    assert len(result.document) == 6


# Wrong arguments


@pytest.mark.parametrize(
    "k", [0, -1, True, False, "3", 2.0, float("nan"), float("inf"), [2], b"2", 2j, np.array([2, 3])]
)
def test_k_that_is_no_count_is_refused(k: Any) -> None:
    with pytest.raises(docbats.SettingsError, match="k must be a whole number, at least 1, or "):
        docbats.analyze(TEXT, k=k)


@pytest.mark.parametrize("k", [2, np.int64(2), np.uint8(2)])
def test_k_of_any_whole_type_is_taken(k: int) -> None:
    result = docbats.analyze(TEXT, k=k)
    assert result.settings.k == 2
    assert result.to_json()


@pytest.mark.parametrize(
    "source", [b"Bats.", bytearray(b"Bats."), None, 3, 2.5, {"Bats": 1}, {"Bats"}, object(), str]
)
def test_source_of_another_type_is_refused(source: Any) -> None:
    with pytest.raises(docbats.InputError, match="expected a string, a list of sentences or a "):
        docbats.analyze(source, k=1)


@pytest.mark.parametrize(
    ("sentences", "kind"),
    [
        (["Bats.", None], "NoneType"),
        (["Bats.", 3], "int"),
        (["Bats.", b"Tea."], "bytes"),
        (["Bats.", ["Tea."]], "list"),
    ],
)
def test_list_with_more_than_strings_is_refused(sentences: Any, kind: str) -> None:
    with pytest.raises(docbats.InputError, match=f"sentence 1 must be a string, got {kind}: "):
        docbats.analyze(sentences, k=1)


def test_a_window_wider_than_the_text_is_the_whole_text() -> None:
    wide = docbats.analyze(TEXT, k=2, window=10**9)
    assert wide.to_dict()["segments"] == docbats.analyze(TEXT, k=2, window=5).to_dict()["segments"]


def test_a_string_is_not_many_documents() -> None:
    with pytest.raises(docbats.InputError, match="expected several documents, got one str: "):
        docbats.BATS(docbats.Settings(k=1)).many(TEXT)
    with pytest.raises(docbats.SettingsError, match=r"expected docbats.Settings\(...\), got int"):
        docbats.BATS(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"preset": []}, "preset must be one of sharp, paper, got []"),
        ({"preset": "best"}, "preset must be one of sharp, paper, got 'best'"),
        ({"windw": 3}, "there is no setting 'windw': the settings are k, "),
        ({"stop_words": "the"}, "or a set of words, got 'the'"),
        ({"stop_words": [1]}, "or a set of words, got [1]"),
        ({"tagger": "nltk"}, '"spacy:NAME", a function, or None'),
        ({"tagger": 3}, "a function, or None, got 3"),
        ({"tagger": "spacy:"}, "a function, or None, got 'spacy:'"),
        ({"sentences": "words"}, "sentences must be one of auto, lines, got 'words'"),
        ({"laplacian": None}, "laplacian must be one of regularized, plain, none"),
        ({"vectors": "yes"}, "vectors must be True or False, got 'yes'"),
        ({"decay": 1.5}, "decay must be a number between 0 and 1, got 1.5"),
        ({"award": float("inf")}, "award must be a number between 0 and 1000000000, got inf"),
        ({"award": 1e308}, "award must be a number between 0 and 1000000000, got 1e"),
        ({"tau_p": "auto"}, "tau_p must be a number between 0 and 1000000000, or None"),
        ({"seed": 10**400}, "seed must be at most 9223372036854775807, got 1000"),
        ({"seed": 10**5000}, "seed must be at most 9223372036854775807, got a very large int"),
    ],
)
def test_wrong_setting_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(docbats.SettingsError, match=re.escape(message)):
        docbats.analyze(TEXT, k=2, **settings)


# Odd characters


@pytest.mark.parametrize("script", SCRIPTS)
def test_other_scripts_are_cut_where_the_subject_changes(script: str, tmp_path: Path) -> None:
    text = SCRIPTS[script]
    result = docbats.analyze(text, k=2, window=1)
    _check(result, text, 2)
    assert result.segments[0].sentences == (0, 2)
    assert len(result.topics) == 2
    code, stdout, _ = _command(tmp_path / "a", text, "-k", "2")
    assert code == 0
    assert result.topics[0].words[0].word in stdout


def test_emoji_are_no_words() -> None:
    text = "🦇🌙 fly. 🍵💧 cool. 👩\u200d👩\u200d👧 🦇!"
    _check(docbats.analyze(text, k=1), text, 1)
    with pytest.raises(docbats.NoKeptWordsError):
        docbats.analyze(["🦇🍵", "🦇🍵"], k=2)


@pytest.mark.parametrize(
    "odd",
    [
        "\0",
        "\x1b",
        "\x07",
        "\r",
        "\x85",
        "\x7f",
        "\u202e",
        "\u200b",
        "\ufeff",
        "\ufffe",
        "\ue000",
    ],
)
def test_control_characters_stay_in_the_text_and_out_of_the_words(odd: str) -> None:
    text = f"{odd}Bats{odd} hunt. {odd}Bats fly{odd}. Tea {odd} cools.{odd} Tea.{odd}"
    result = docbats.analyze(text, k=2)
    _check(result, text, 2)
    words = [word for topic in result.topics for word, _ in topic.words]
    assert all(word.isalpha() for word in words)


def test_lone_surrogates_survive_json() -> None:
    text = "\ud800Bats hunt \udfff. Bats \udc80 fly. \ud83d Tea cools. Tea\udead."
    result = docbats.analyze(text, k=2)
    _check(result, text, 2)
    sentences = ["\ud800 Bats", "Bats \udfff", "Tea \udc80", "Tea"]
    _check(docbats.analyze(sentences, k=2), "\n".join(sentences), 2)


def test_hostile_html_leaves_no_word() -> None:
    text = (
        "<script>alert('bats')</script> Bats hunt. <img src=x onerror=alert(1)> Bats fly. "
        '<a href="javascript:evil()">Tea</a> cools. &lt;b&gt; Tea &amp; water. <!-- bats --> Bats.'
    )
    result = docbats.analyze(text, k=2)
    _check(result, text, 2)
    words = {word for topic in result.topics for word, _ in topic.words}
    assert words.isdisjoint({"script", "img", "src", "href", "javascript", "amp", "lt", "onerror"})


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("sentences", ["auto", "lines"])
def test_hostile_runs_are_one_segment(name: str, sentences: str) -> None:
    text = HOSTILE[name]
    result = docbats.analyze(text, k=1, sentences=sentences)
    assert [segment.text for segment in result.segments] == [text]
    assert result.to_markdown()


@pytest.mark.parametrize(
    "name", ["less than", "full stops", "www", "one long word", "no full stop"]
)
def test_hostile_runs_pass_through_the_command(name: str, tmp_path: Path) -> None:
    code, stdout, stderr = _command(tmp_path / "a", HOSTILE[name], "-k", "1")
    assert (code, stderr) == (0, "")
    assert max(map(len, stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("data", "message"),
    [(bytes(range(256)) * 100, "binary"), (b"\x89PNG\r\n\x1a\n\0\0", "binary")],
)
def test_binary_files_are_refused(data: bytes, message: str, tmp_path: Path) -> None:
    code, stdout, stderr = _command(tmp_path / "a", data, "-k", "1")
    assert (code, stdout) == (1, "")
    assert message in stderr


# Much text


def test_twenty_megabytes_are_analysed() -> None:
    text = _natural(20_000_000)
    result = docbats.analyze(text, k=4, restarts=1)
    assert "".join(segment.text for segment in result.segments) == text
    assert len(result.topics) == 4


def _natural(size: int) -> str:
    """Write sentences whose words follow Zipf's law, on four themes one after the other."""
    rng = random.Random(0)
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    words = ["".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(4000)]
    themes = [words[start::4] for start in range(4)]
    weights = [1 / rank for rank in range(1, len(themes[0]) + 1)]
    text = io.StringIO()
    for theme in themes:
        page = [
            " ".join(["The", *rng.choices(theme, weights, k=40), "of", rng.choice(words)])
            for _ in range(1000)
        ]
        paragraph = ". ".join(page) + ".\n\n"
        text.write(paragraph * (size // 4 // len(paragraph) + 1))
    return text.getvalue()
