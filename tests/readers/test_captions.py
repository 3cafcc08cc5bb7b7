from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import takes_linear_time

import docbats
from docbats import Document, InputError, ReadError
from docbats.readers.read_file import read_file
from docbats.render.chapters import chapters, to_vtt, to_youtube

VTT = """\ufeffWEBVTT - a talk

STYLE
::cue { color: red }

NOTE nobody says this

intro
00:01.000 --> 00:04.000 align:start
<v Ann>Bats <i>hunt</i> &amp; eat

00:00:04.000 --> 00:00:06.500
moths. [Music]

01:00:00.000 --> 01:00:02.000
<v Bob>♪ ♪
<v Bob>Tea cools.
"""


def _talk(files: Any) -> list[str]:
    return [*files.bats, *files.tea, *files.ships]


def test_what_is_said_is_read_and_when() -> None:
    read = read_file(VTT.encode())
    assert read.kind == "vtt"
    assert read.text == "Ann: Bats hunt & eat moths.\n\nBob: Tea cools."
    assert read.places is not None
    assert [(c.begins, c.ends, read.text[c.start : c.end]) for c in read.places.cues] == [
        (1, 4, "Ann: Bats hunt & eat"),
        (4, 6.5, "moths."),
        (3600, 3602, "Bob: Tea cools."),
    ]


def test_srt_is_recognized_by_its_content(files: Any) -> None:
    read = read_file(files.srt(files.bats).encode())
    assert read.kind == "srt"
    assert read.text == " ".join(files.bats)


def test_srt_without_blank_lines_is_read(files: Any) -> None:
    packed = files.srt(files.bats).replace("\n\n", "\n")
    assert read_file(packed.encode()).text == " ".join(files.bats)


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_any_line_end_will_do(files: Any, line_end: str) -> None:
    text = files.vtt(files.bats).replace("\n", line_end)
    assert read_file(text.encode()).text == " ".join(files.bats)


def test_segments_know_their_times(files: Any) -> None:
    result = docbats.analyze(Document.read(files.vtt(_talk(files)).encode()), k=3)
    times = [s.place.seconds for s in result.segments if s.place]
    assert times == [(0, 20), (20, 40), (40, 60)]
    assert result.to_dict()["segments"][1]["place"] == {"seconds": [20.0, 40.0]}


def test_sentence_amid_a_caption_begins_amid_its_time() -> None:
    vtt = b"WEBVTT\n\n00:00.000 --> 00:10.000\nBats fly. Tea cools.\n"
    document = Document.read(vtt)
    place = document.place(*document.spans[1].tolist())
    assert place is not None
    assert place.seconds == (5.0, 10.0)


def test_captions_that_roll_up_are_read_once() -> None:
    lines = ["bats hunt", "moths by night", "and moths", "dive deep"]
    vtt = "WEBVTT\n\n" + "".join(
        f"00:0{i}.000 --> 00:0{i + 1}.000\n{a}\n{b}\n\n" for i, (a, b) in enumerate(pairwise(lines))
    )
    assert read_file(vtt.encode()).text == " ".join(lines)


def test_speech_without_full_stops_gets_sentences_of_captions(files: Any) -> None:
    words = [sentence.lower().strip(".") for sentence in _talk(files) * 5]
    document = Document.read(files.srt(words).encode())
    assert 5 < len(document) < len(words)
    lengths = [len(sentence.split()) for sentence in document.sentences]
    assert max(lengths) < 30


def test_lines_are_captions(files: Any) -> None:
    document = Document.read(files.srt(files.tea).encode(), sentences="lines")
    assert list(document.sentences) == files.tea


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("WEBVTT\n", "without captions: check"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n[Music]\n", "nothing is said"),
    ],
)
def test_transcripts_without_words_are_refused(text: str, message: str) -> None:
    with pytest.raises(ReadError, match=message):
        read_file(text.encode())


@given(
    st.lists(
        st.tuples(st.floats(0, 9000), st.floats(0, 60), st.text("ab .?\n<>[]-", max_size=30)),
        min_size=1,
        max_size=20,
    )
)
def test_times_run_forward_for_any_captions(captions: list[tuple[float, float, str]]) -> None:
    vtt = "WEBVTT\n\n" + "".join(
        f"{int(t // 3600)}:{int(t // 60 % 60):02}:{t % 60:06.3f} --> 9:00:00.000\n{text}\n\n"
        for t, _, text in captions
    ).replace("60.000", "59.999")
    try:
        read = read_file(vtt.encode())
    except ReadError:
        return
    assert read.places is not None
    cues = read.places.cues
    assert all(a.begins <= b.begins and a.end < b.start for a, b in pairwise(cues))
    assert all(read.text[cue.start : cue.end].strip() for cue in cues)


# Chapters


def test_chapters_follow_each_other(files: Any) -> None:
    result = docbats.analyze(Document.read(files.vtt(_talk(files)).encode()), k=3)
    found = chapters(result)
    assert [(c.begins, c.ends) for c in found] == [(0, 20), (20, 40), (40, 60)]
    assert [c.title for c in found] == [s.title for s in result.segments]


def test_chapters_are_a_vtt_file_that_we_read_again(files: Any) -> None:
    result = docbats.analyze(Document.read(files.vtt(_talk(files)).encode()), k=3)
    written = to_vtt(result)
    assert written.startswith("WEBVTT\n\n1\n00:00:00.000 --> 00:00:20.000\n")
    read = read_file(written.encode())
    assert read.places is not None
    assert [(cue.begins, cue.ends) for cue in read.places.cues] == [(0, 20), (20, 40), (40, 60)]


def test_youtube_gets_lines_from_zero_on(files: Any) -> None:
    late = files.vtt(_talk(files), 400).replace("00:00:00.000", "00:00:03.000")
    lines = to_youtube(docbats.analyze(Document.read(late.encode()), k=3)).splitlines()
    assert [line.split()[0] for line in lines] == ["0:00", "26:40", "53:20"]


@pytest.mark.parametrize(
    ("k", "seconds", "message"),
    [
        (2, 5, "requires at least 3 chapters, got 2: use -k 3"),
        (8, 3, "chapters of at least 10 seconds, and “.*” has .: use -k 3"),
        (3, 0.5, "no other number of chapters fits"),
    ],
)
def test_chapters_that_youtube_would_ignore_are_refused(
    files: Any, k: int, seconds: float, message: str
) -> None:
    result = docbats.analyze(Document.read(files.vtt(_talk(files), seconds).encode()), k=k)
    with pytest.raises(InputError, match=message):
        to_youtube(result)


def test_text_without_times_has_no_chapters(files: Any) -> None:
    with pytest.raises(InputError, match="chapters need times, and this document has none"):
        to_vtt(docbats.analyze(" ".join(_talk(files)), k=3))


# Turns


def _turns(text: str) -> list[tuple[str, str | None, tuple[float, float] | None]]:
    read = read_file(text.encode())
    assert all(block.kind == "turn" for block in read.blocks)
    return [(read.text[b.start : b.end], b.speaker, b.seconds) for b in read.blocks]


def test_captions_are_joined_until_another_one_speaks() -> None:
    assert _turns(VTT) == [
        ("Ann: Bats hunt & eat moths.", "Ann", (1, 6.5)),
        ("Bob: Tea cools.", "Bob", (3600, 3602)),
    ]


@pytest.mark.parametrize(
    ("time", "seconds"), [("0:01.000", 1), ("1:02:03.000", 3723), ("01:02.500", 62.5)]
)
def test_hours_need_no_padding_and_may_lack(time: str, seconds: float) -> None:
    text = f"WEBVTT\n\n{time} --> 9:00:00.000\nBats fly.\n"
    assert _turns(text) == [("Bats fly.", None, (seconds, 32400))]


def test_notes_styles_and_regions_are_left_out() -> None:
    text = "WEBVTT\n\nREGION\nid:fred\n\nNOTE\nnobody\n\n0:01.000 --> 0:02.000\nBats fly.\n"
    assert read_file(text.encode()).text == "Bats fly."


@pytest.mark.parametrize(
    ("first", "second"), [("ANN: Bats.", "BOB: Tea."), (">> ANN: Bats.", ">> BOB: Tea.")]
)
def test_names_before_colons_speak_but_are_no_prose(first: str, second: str) -> None:
    cues = [first, second, first, second]
    text = "WEBVTT\n\n" + "".join(
        f"0:0{i}.000 --> 0:0{i + 1}.000\n{cue}\n\n" for i, cue in enumerate(cues)
    )
    assert [(said, speaker) for said, speaker, _ in _turns(text)] == [
        ("ANN: Bats.", "ANN"),
        ("BOB: Tea.", "BOB"),
    ] * 2
    read = read_file(text.encode())
    assert read.prose is not None
    assert len(read.prose) == len(read.text)
    assert read.prose.split() == ["Bats.", "Tea."] * 2


def test_word_before_a_colon_that_does_not_recur_is_no_name() -> None:
    text = "WEBVTT\n\n0:01.000 --> 0:02.000\nRemember: bats fly.\n"
    assert _turns(text) == [("Remember: bats fly.", None, (1, 2))]


def test_two_speakers_in_a_caption_share_its_time() -> None:
    text = "WEBVTT\n\n0:00.000 --> 0:10.000\n- Bats fly.\n- Tea cool.\n"
    assert [seconds for _, _, seconds in _turns(text)] == [(0, 5), (5, 10)]


@pytest.mark.parametrize(
    ("words", "pause", "n_turns"),
    [("Bats fly.", 2.5, 2), ("Bats fly.", 1.5, 1), ("Bats", 2.5, 1), ("Bats", 5.5, 2)],
)
def test_pause_after_a_sentence_or_silence_ends_a_turn(
    words: str, pause: float, n_turns: int
) -> None:
    text = (
        f"WEBVTT\n\n0:00.000 --> 0:01.000\n{words}\n\n0:0{1 + pause}00 --> 0:09.000\nTea cools.\n"
    )
    assert len(_turns(text)) == n_turns


def test_long_turn_is_divided_where_a_sentence_ends() -> None:
    said = ["Bats fly and", "eat moths.", "Moths hear", "them come.", "Tea is", "hot."]
    text = "WEBVTT\n\n" + "".join(
        f"0:{10 * i:02}.000 --> 0:{10 * i + 9:02}.900\n{words}\n\n" for i, words in enumerate(said)
    )
    assert [(turn[0], turn[2]) for turn in _turns(text)] == [
        ("Bats fly and eat moths. Moths hear them come.", (0, 39.9)),
        ("Tea is hot.", (40, 59.9)),
    ]


def test_sentences_do_not_cross_turns_without_full_stops(files: Any) -> None:
    words = [sentence.lower().strip(".") for sentence in _talk(files) * 5]
    read = read_file(files.srt(words).encode())
    assert read.spans is not None
    starts = {start for start, _ in read.spans}
    assert len(read.blocks) > 1
    assert all(block.start in starts for block in read.blocks)


@pytest.mark.parametrize("kind", ["vtt", "srt"])
def test_many_cues_take_linear_time(kind: str) -> None:
    def read(size: int) -> object:
        head, point = ("WEBVTT\n\n", ".") if kind == "vtt" else ("", ",")
        rows = (
            f"{i}\n{i // 3600:02}:{i // 60 % 60:02}:{i % 60:02}{point}000 --> "
            f"{i // 3600:02}:{i // 60 % 60:02}:{i % 60:02}{point}900\nI see you, number {i}.\n\n"
            for i in range(1, size)
        )
        return Document.read((head + "".join(rows)).encode(), name=f"talk.{kind}", language="en")

    assert takes_linear_time(read, 300)
