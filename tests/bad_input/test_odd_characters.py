"""Other scripts, emoji, control characters, surrogates, markup and bytes that are not text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.bad_input.outcome import check, command

import docbats

if TYPE_CHECKING:
    from pathlib import Path

SCRIPTS = {
    "Hebrew": "העטלפים יוצאים בלילה. העטלפים צדים עש. התה חם מאוד. התה מתקרר בכוס.",
    "Arabic": "تطير الخفافيش ليلا. تصطاد الخفافيش العث. هل الشاي ساخن؟ يبرد الشاي سريعا.",
    "Chinese": "蝙蝠在夜里飞行。蝙蝠捕食飞蛾。热茶需要开水。热茶会变凉。",
    "Japanese": "コウモリは夜に飛ぶ。コウモリは蛾を食べる。お茶には熱い湯が要る。お茶は冷める。",
    "Hindi": "चमगादड़ रात में उड़ते हैं। चमगादड़ पतंगे खाते हैं। चाय गरम है। चाय ठंडी होती है।",
    "Thai": "ค้างคาว บินตอนกลางคืน\n\nค้างคาว กินแมลง\n\nน้ำชา ร้อนมาก\n\nน้ำชา เย็นลง",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_other_scripts_are_cut_where_the_subject_changes(script: str, tmp_path: Path) -> None:
    text = SCRIPTS[script]
    result = docbats.analyze(text, k=2, n_topics=2, window=1)
    check(result, text, 2)
    assert result.segments[0].sentences == (0, 2)
    assert len(result.topics) == 2
    code, stdout, _ = command(tmp_path / "a", text, "-k", "2", "--n-topics", "2")
    assert code == 0
    assert result.topics[0].words[0].word in stdout


def test_emoji_are_no_words() -> None:
    text = "🦇🌙 fly. 🍵💧 cool. 👩\u200d👩\u200d👧 🦇!"
    check(docbats.analyze(text, k=1), text, 1)
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
    check(result, text, 2)
    words = [word for topic in result.topics for word, _ in topic.words]
    assert all(word.isalpha() for word in words)


def test_lone_surrogates_survive_json() -> None:
    text = "\ud800Bats hunt \udfff. Bats \udc80 fly. \ud83d Tea cools. Tea\udead."
    result = docbats.analyze(text, k=2)
    check(result, text, 2)
    sentences = ["\ud800 Bats", "Bats \udfff", "Tea \udc80", "Tea"]
    check(docbats.analyze(sentences, k=2), "\n".join(sentences), 2)


def test_hostile_html_leaves_no_word() -> None:
    text = (
        "<script>alert('bats')</script> Bats hunt. <img src=x onerror=alert(1)> Bats fly. "
        '<a href="javascript:evil()">Tea</a> cools. &lt;b&gt; Tea &amp; water. <!-- bats --> Bats.'
    )
    result = docbats.analyze(text, k=2)
    check(result, text, 2)
    words = {word for topic in result.topics for word, _ in topic.words}
    assert words.isdisjoint({"script", "img", "src", "href", "javascript", "amp", "lt", "onerror"})


@pytest.mark.parametrize(
    ("data", "message"),
    [(bytes(range(256)) * 100, "binary"), (b"\x89PNG\r\n\x1a\n\0\0", "binary")],
)
def test_binary_files_are_refused(data: bytes, message: str, tmp_path: Path) -> None:
    code, stdout, stderr = command(tmp_path / "a", data, "-k", "1")
    assert (code, stdout) == (1, "")
    assert message in stderr
