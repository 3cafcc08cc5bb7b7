"""The report of a talk: names and times beside the text, shares, the recording."""

from __future__ import annotations

import io
import re
from itertools import groupby
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from rich.console import Console
from tests.render.html_tree import Node, Tree
from tests.talks import MARIT, PIET, chat, talk_vtt

import docbats
from docbats.blocks import Block
from docbats.render.html import render_article
from docbats.render.speakers import Talk

GOLDEN = Path(__file__).parents[1] / "golden"
RIGHT_TO_LEFT = "مريم العلي"
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"


def talk(*names: str, rounds: int = 4, k: int = 2) -> docbats.Result:
    text = talk_vtt(names or (MARIT, PIET), rounds=rounds)
    return docbats.analyze(docbats.Document.read(text.encode(), name="talk.vtt"), k=k)


def spoken_by(name: str) -> docbats.Result:
    """Let somebody with this name speak after somebody else."""
    turns = [(MARIT, "Bats hunt moths by night."), (name, "Tea needs hot water. Tea cools.")] * 3
    blocks = [{"kind": "turn", "speaker": who, "text": text} for who, text in turns]
    return docbats.analyze(docbats.Document.from_blocks(blocks), k=2)


def labels(tree: Tree) -> list[str]:
    return [node.text for node in tree.of_class("by")]


def test_each_turn_has_its_speaker_and_its_time() -> None:
    result = talk()
    tree = Tree(result.to_html("talk.vtt"))
    turns = Talk.of(result)
    assert turns is not None
    names = [turns.short_names[turn.speaker or 0] for turn in turns.turns]
    times = [turn.time for turn in turns.turns]
    parts = tree.of_class("spoken")  # a turn has several where segments may begin
    shown = zip(labels(tree), parts, strict=True)
    whole = [label for label, part in shown if "on" not in part.classes]
    assert whole == [f"{name} {time}" for name, time in zip(names, times, strict=True)]
    assert tree.document_text == result.document.text
    numbers = [int(name[1:]) for node in parts for name in node.classes if name in {"v0", "v1"}]
    assert numbers == tree.data["talk"]["turns"]
    begun = zip(tree.data["talk"]["times"], parts, strict=True)
    found = [time for time, part in begun if "on" not in part.classes]
    assert found == [turn.seconds for turn in turns.turns]
    assert tree.data["talk"]["times"] == sorted(tree.data["talk"]["times"])


@pytest.mark.parametrize("kind", ["vtt", "chat", "times"])
def test_the_text_is_all_there(kind: str) -> None:
    if kind == "chat":
        document = docbats.Document.read(chat((MARIT, PIET, "Zoë"), 60).encode(), name="chat.txt")
    else:
        text = talk_vtt()
        text = re.sub(r"</?v[^>]*>", "", text) if kind == "times" else text
        document = docbats.Document.read(text.encode(), name="talk.vtt")
    result = docbats.analyze(document, k=3)
    tree = Tree(result.to_html(kind))
    assert tree.document_text == result.document.text
    assert tree.of_class("spoken")
    assert bool(tree.of_class("speakers")) == (kind != "times")
    for cut in tree.data["cuts"]:
        assert len(cut["titles"]) == len(cut["pieces"])


def test_what_is_written_before_the_text_is_shown_once() -> None:
    document = docbats.Document.read(chat(("Mr. Olsen", "Zoë"), 40).encode(), name="chat.txt")
    tree = Tree(docbats.analyze(document, k=2).to_html())
    for written, label in zip(tree.of_class("who"), labels(tree), strict=True):
        name, time = label.rsplit(" ", 1)
        assert written.text == f"[0{time}] {name}: "


def is_inside(node: Node, other: Node) -> bool:
    above = node.parent
    while above is not None and above is not other:
        above = above.parent
    return above is other


@pytest.mark.parametrize(
    ("text", "prose", "markup", "hidden"),
    [
        ("Ada Lee: Bats hunt.", "         Bats hunt.", None, ["Ada Lee: "]),
        ("Ada Lee\n9:15 AM\nBats hunt.", "       \n       \nBats hunt.", None,
         ["Ada Lee\n9:15 AM"]),
        ("Ada Lee 0:00 Bats\n0:03 hunt.", "             Bats\n     hunt.", None,
         ["Ada Lee 0:00 ", "0:03"]),
        ("Bats hunt.", "Bats hunt.", None, []),
        ("**Ada Lee:** Bats hunt.", "             Bats hunt.", "markdown", ["Ada Lee:", " "]),
        ("**Ada Lee** [0:42]: Bats hunt.", "                    Bats hunt.", "markdown",
         ["Ada Lee", " [0:42]: "]),
        # An address is blank in the prose, too, and no part of the name.
        ("Ada Lee: <https://a.org/b> Bats.", "                           Bats.", "markdown",
         ["Ada Lee: "]),
        ("Ada Lee: ![moth](a.png) Bats.", "                        Bats.", "markdown",
         ["Ada Lee: "]),
    ],
)  # fmt: skip
def test_names_and_times_in_the_text_are_hidden_and_nothing_else(
    text: str, prose: str, markup: Literal["markdown"] | None, hidden: list[str]
) -> None:
    turn = Block("turn", 0, len(text), speaker="Ada Lee")
    spans = np.array([[0, len(text)]])
    document = docbats.Document(text, spans, prose=prose, blocks=(turn,), markup=markup)
    tree = Tree(docbats.analyze(document, k=1).to_html())
    assert [node.text for node in tree.of_class("who")] == hidden
    assert tree.document_text == text
    assert labels(tree) == ["Ada Lee"]


def test_heads_and_the_outline_say_who_speaks() -> None:
    result = talk("Ada", "Bo", "Cy", "Di", "Ed", rounds=10)
    tree = Tree(result.to_html())
    turns = Talk.of(result)
    assert turns is not None
    named = [node.text.replace("\xa0", " ") for node in tree.of_class("voices")]
    expected = [
        turns.named(segment.start, segment.end, most)
        for most in (2, 3)
        for segment in result.segments
    ]
    assert named == expected
    assert all(re.fullmatch(r"\w+ \d+%, \w+ \d+%(, \w+ \d+%)? and \d more", n) for n in named)


def test_words_of_pieces_add_up_to_those_of_the_speakers() -> None:
    result = talk("Ada", "Bo", "Cy")
    tree = Tree(result.to_html())
    turns = Talk.of(result)
    assert turns is not None
    words = dict.fromkeys(range(3), 0)
    for row in tree.data["talk"]["words"]:
        for speaker, number in zip(row[::2], row[1::2], strict=True):
            words[speaker] += number
    assert words == turns.words(0, len(result.document.text))
    percents = [int(node.text.rstrip("%")) for node in tree.of_class("percent")][:3]
    assert sum(percents) == 100


def test_many_speakers_can_be_opened() -> None:
    document = docbats.Document.read(
        chat(tuple(f"Speaker {chr(65 + i)}" for i in range(17)), 400).encode(), name="chat.txt"
    )
    tree = Tree(docbats.analyze(document, k=2).to_html())
    (panel,) = tree.of_class("speakers")
    (more,) = (node for node in tree.nodes if node.tag == "details" and is_inside(node, panel))
    voices = [node for node in tree.of_class("voice") if is_inside(node, panel)]
    hidden = [node for node in voices if is_inside(node, more)]
    assert f"and {len(hidden)} more" in more.text
    assert len(voices) - len(hidden) == 12
    assert len({node.text for node in voices}) == len(voices)


def test_hundreds_of_speakers_are_not_all_listed() -> None:
    blocks = [
        {"kind": "turn", "speaker": f"Speaker {i}", "text": "Bats hunt moths. " * (1 + i // 100)}
        for i in range(300)
    ]
    tree = Tree(docbats.analyze(docbats.Document.from_blocks(blocks), k=2).to_html())
    (panel,) = tree.of_class("speakers")
    assert sum(is_inside(node, panel) for node in tree.of_class("voice")) == 200
    assert "and 288 more" in panel.text
    assert "The 100 who say least are not listed." in panel.text


@pytest.mark.parametrize("name", [HOSTILE, "</script></article>", "a\x00b\ud800\u202e"])
def test_names_never_become_markup(name: str) -> None:
    page, tame = Tree(spoken_by(name).to_html(name)), Tree(spoken_by("Tame").to_html("Tame"))
    assert [n.tag for n in page.nodes] == [n.tag for n in tame.nodes]
    assert page.odd == []
    assert {a for n in page.nodes for a in n.attributes} <= {
        *(a for n in tame.nodes for a in n.attributes), "title",
    }  # fmt: skip


def test_names_from_right_to_left_stay_apart() -> None:
    tree = Tree(spoken_by(RIGHT_TO_LEFT).to_html())
    holders = [n for n in tree.nodes if n.text == RIGHT_TO_LEFT and n.tag != "span"]
    assert len(holders) > 5
    assert {node.tag for node in holders} == {"bdi"}
    outside = re.sub(f"<bdi>{RIGHT_TO_LEFT}</bdi>", "", render_article(spoken_by(RIGHT_TO_LEFT)))
    assert RIGHT_TO_LEFT not in outside


def test_long_names_are_whole_once() -> None:
    name = "Baron " + "von und zu " * 1000
    page = spoken_by(name.strip()).to_html()
    assert page.count(name.strip()) == 1
    (voice,) = (node for node in Tree(page).nodes if node.attributes.get("title") == name.strip())
    assert "voice" in voice.classes
    assert len(max(labels(Tree(page)), key=len)) <= 41


def test_thousands_of_turns_are_named_one_by_one() -> None:
    blocks = [
        {"kind": "turn", "speaker": "Ada" if i % 2 else "Bo", "text": "Bats hunt. Moths flee."}
        for i in range(6_500)
    ]
    document = docbats.Document.from_blocks(blocks)
    tree = Tree(docbats.analyze(document, k=2, preset="paper").to_html())
    assert tree.document_text == document.text
    # Where a segment begins amid a turn, its name comes again.
    assert [name for name, _ in groupby(labels(tree))] == ["Bo", "Ada"] * 3_250
    assert tree.data["talk"]["filter"] is True


def test_too_many_turns_are_not_named_one_by_one() -> None:
    blocks = [
        {"kind": "turn", "speaker": "Ada" if i % 2 else "Bo", "text": "Bats hunt."}
        for i in range(20_100)
    ]
    document = docbats.Document.from_blocks(blocks)
    tree = Tree(docbats.analyze(document, k=2, preset="paper").to_html())
    assert tree.document_text == document.text
    assert not tree.of_class("by")
    assert "50%" in tree.of_class("speakers")[0].text
    assert tree.data["talk"]["filter"] is False


def test_the_recording_is_linked_and_nothing_else() -> None:
    result = talk()
    tree = Tree(result.to_html("talk.vtt", media="my talk.mp3"))
    (audio,) = (node for node in tree.nodes if node.tag == "audio")
    assert audio.attributes["src"] == "my%20talk.mp3"
    assert [n for n in tree.nodes if "src" in n.attributes] == [audio]
    (policy,) = (n.attributes["content"] for n in tree.nodes if n.attributes.get("http-equiv"))
    assert policy is not None
    assert "; media-src 'self'; " in policy
    assert policy.replace("media-src 'self'; ", "") == next(
        n.attributes["content"]
        for n in Tree(result.to_html("talk.vtt")).nodes
        if n.attributes.get("http-equiv")
    )
    video = Tree(result.to_html("talk.vtt", media=Path("/talks/a.mp4")))
    assert [n.attributes["src"] for n in video.nodes if n.tag == "video"] == ["file:///talks/a.mp4"]
    (policy,) = (n.attributes["content"] for n in video.nodes if n.attributes.get("http-equiv"))
    assert policy is not None
    assert "; media-src file:; " in policy


def test_plain_documents_have_nothing_of_it() -> None:
    article = render_article(docbats.analyze("Bats hunt. Bats hear. Tea cools. Tea is hot.", k=2))
    assert not re.search('class="[^"]*(turns|spoken|by|voices?|only|player)[ "]|"talk"', article)


def test_same_names_in_the_same_colours() -> None:
    assert talk().to_html() == talk().to_html()


@pytest.mark.parametrize("name", ["talk.html", "talk.md", "talk-80.txt", "talk-40.txt"])
def test_golden_talk(name: str) -> None:
    """Where a change alters these on purpose, delete the file: the next run writes it anew."""
    result = talk("Ada", "Bo", RIGHT_TO_LEFT, "Right Hon. Judith M. Arkwright-Smythe of Holm")
    if name == "talk.html":
        article = render_article(result, "talk.vtt", level=1)
        (found,) = re.findall(
            '<section[^>]+class="speakers".*(?=<div class="rail">)', article, re.DOTALL
        )
        found = found.replace("<div", "\n<div")
    elif name == "talk.md":
        found = result.to_markdown(title="talk.vtt")
    else:
        console = Console(file=io.StringIO(), width=int(name[5:7]))
        with console.capture() as capture:
            console.print(result)
        found = capture.get()
    path = GOLDEN / name
    if not path.exists():
        path.write_text(found, encoding="utf-8")
        pytest.fail(f"{path} was missing and is written now: look at it and commit it")
    assert found == path.read_text(encoding="utf-8")
