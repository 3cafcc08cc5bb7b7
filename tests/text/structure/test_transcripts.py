"""Transcripts with what exporters put around and between turns."""

from __future__ import annotations

import pytest
from tests.growth import takes_linear_time

from docbats import Document

TRANSCRIPTS = {
    "Otter, with a header": (
        ("Weekly sync\nTue, Mar 12, 2024 9:15AM • 45:12\n\nSUMMARY KEYWORDS\nferry, roof\n\n"
        "SPEAKERS\nAnna Lee, Ben\n\nAnna Lee  00:03\nGood morning. Shall we begin?\n\n"
        "Ben  00:09\nYes. I have the draft.\n\nAnna Lee  00:15\nWhat do you think?\n\n"
        "Ben  00:21\nToo much.\n\nTranscribed by https://otter.ai"),
        ["Anna Lee 3", "Ben 9", "Anna Lee 15", "Ben 21", "None None"],
    ),
    "Teams, with a header": (
        ("Weekly sync-20240312-Meeting Recording\nMarch 12, 2024, 9:15AM\n45m 12s\n\n"
        "Anna Lee   0:03\nGood morning. Shall we begin?\n\nBen   0:09\nYes.\nAnd the costs.\n\n"
        "Anna Lee   0:15\nNine thousand, I am told."),
        ["Anna Lee 3", "Ben 9", "Anna Lee 15"],
    ),
    "one speaker": (
        ("Anna Lee  0:03\nToday we talk about bats, and I show you how they hunt.\n\n"
        "Anna Lee  0:45\nThey hear the walls of the cave. You can hear them, too.\n\n"
        "Anna Lee  1:30\nThat is all for today. Thank you."),
        ["Anna Lee 3", "Anna Lee 45", "Anna Lee 90"],
    ),
    "IRC, with those who come and go": (
        ("09:15 -!- anna [~anna@host.example] has joined #ferry\n09:15 < anna> hello all\n"
        "09:16 <@ben> hi anna, how are you?\n09:16 -!- carl [~c@x] has quit [Ping timeout]\n"
        "09:17 < anna> I am fine\n09:17  * ben sighs\n09:18 < anna> yes"),
        ["anna 33300", "ben 33360", "anna 33420", "ben 33420", "anna 33480"],
    ),
    "WhatsApp, past midnight": (
        ("12/03/2024, 09:15 - Anna Lee: Hello all\n12/03/2024, 09:15 - Anna Lee: <Media omitted>\n"
        "12/03/2024, 09:16 - Ben: Thanks!\nHere is the list:\n- apples\n- bread\n"
        "12/03/2024, 09:18 - Ben added Carl\n12/03/2024, 23:59 - Ben: good night\n"
        "13/03/2024, 00:01 - Anna Lee: night"),
        ["Anna Lee 33300", "Ben 33360", "Ben 86340", "Anna Lee 86460"],
    ),
    "captions with rare names": (
        ("1\n00:00:01,000 --> 00:00:03,000\nANNA: Good morning.\nShall we begin?\n\n"
        "2\n00:00:03,500 --> 00:00:05,000\nBEN: Yes, if you like.\n\n"
        "3\n00:00:08,500 --> 00:00:10,000\nANNA: I see.\n"),
        ["ANNA 1", "BEN 3.5", "ANNA 8.5"],
    ),
    "Slack, with marks of the page": (
        ("Anna Lee\n  9:15 AM\nhello all (edited)\n:wave: 2\nBen\n  9:20 AM\nhi. see "
        "https://x.example/a:b\n2 replies\nLast reply today at 10:01 AM\nAnna Lee\n  9:31 AM\n"
        "do you have the draft?\nBen\n  9:32 AM\nI do"),
        ["Anna Lee 33300", "Ben 33600", "Anna Lee 34260", "Ben 34320"],
    ),
    "past noon": (
        ("Anna  11:59 AM\nare you there?\nBen  12:01 PM\nyes\nAnna  12:59 PM\ngood\n"
        "Ben  1:00 PM\nI wait"),
        ["Anna 43140", "Ben 43260", "Anna 46740", "Ben 46800"],
    ),
    "past midnight, without dates": (
        "[23:58] <anna> are you there?\n[23:59] <ben> yes\n[00:01] <anna> good\n[00:02] <ben> go",
        ["anna 86280", "ben 86340", "anna 86460", "ben 86520"],
    ),
    "captions of a narrator, who addresses nobody": (
        ("1\n00:00:00,000 --> 00:00:04,000\nThe glacier moves a few metres each year.\n\n"
        "2\n00:00:04,000 --> 00:00:08,000\nBeneath it, water carves long tunnels.\n\n"
        "3\n00:00:40,000 --> 00:00:44,000\nTerns nest on the gravel around the lake.\n"),
        ["None 0", "None 40"],
    ),
    "people called by letters": (
        ("A: Well, did you see the crane?\nB: I did. It is new.\nA: Is it yours?\nB: It is now.\n"
        "A: Then you can lift the boat."),
        ["A None", "B None", "A None", "B None", "A None"],
    ),
    "an assistant": (
        ("You said:\nHow do bats hunt?\n\nChatGPT said:\nThey call and listen.\n\n"
        "You said:\nAnd moths?\n\nChatGPT said:\nThey dive."),
        ["You None", "ChatGPT None", "You None", "ChatGPT None"],
    ),
    "a word that may be half of a day": (
        ("0:00 hello and welcome I\n0:03 am glad you are here\n0:07 am too tired to tell you\n"
        "0:11 pm is the end of it I think"),
        ["None 0"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcripts_as_people_have_them(name: str) -> None:
    text, wanted = TRANSCRIPTS[name]
    document = Document.of(text)
    found = [
        f"{block.speaker} {None if block.seconds is None else format(block.seconds[0], 'g')}"
        for block in document.blocks
        if block.kind == "turn"
    ]
    assert found == wanted
    assert document.text == text


NOTES = {
    "irssi": (
        ("--- Log opened Mon Mar 25 09:00:00 2024\n"
        "09:15 -!- anna [~anna@host.example] has joined #ferry\n"
        "09:15 < anna> hello, are you there\n"
        "09:16 <@ben> hi anna, I am\n09:16 -!- ben is now known as ben_\n"
        "--- Day changed Tue Mar 26 2024\n09:17 < anna> I left the keys here\n"
        "09:18 -!- mode/#ferry [+o anna] by ChanServ\n--- Log closed Tue Mar 26 2024"),
        ["hello, are you there", "hi anna, I am", "I left the keys here"],
    ),
    "WeeChat": (
        ("2024-03-25 09:15:01\t-->\tanna (~anna@x.example) has joined #ferry\n"
        "2024-03-25 09:15:10\tanna\tdo you see it?\n2024-03-25 09:15:20\t@ben\tyes, I do\n"
        "2024-03-25 09:15:25\t<--\tcarl (~c@host) has quit (Quit: leaving)\n"
        "2024-03-25 09:15:30\t *\tanna waves to you\n2024-03-25 09:15:31\tben\tbye"),
        ["do you see it?", "yes, I do", "waves to you", "bye"],
    ),
    "stars": (
        ("[09:15:01] *** Joins: anna (~anna@x.example)\n[09:15:10] <anna> do you see it?\n"
        "[09:15:20] <ben> yes, I do\n[09:15:25] *** ben sets mode: +o anna\n"
        "[09:15:26] * ben has left #ferry\n[09:15:30] <anna> I have *** stars"),
        ["do you see it?", "yes, I do", "I have *** stars"],
    ),
    "WhatsApp": (
        ("[25/03/2024, 09:15:01] Nachrichten sind verschlüsselt.\n"
        "[25/03/2024, 09:15:10] Anna: did you see it? \u200e<This message was edited>\n"
        "[25/03/2024, 09:15:20] Ben: I did\n[25/03/2024, 09:15:25] Anna: \u200eimage omitted\n"
        "[25/03/2024, 09:15:30] Anna: you left it here\n[25/03/2024, 09:15:32] Carl joined"),
        ["did you see it?", "I did", "you left it here"],
    ),
    "Slack": (
        ("Anna Lee  9:15 AM\ndid you see it? (edited)\n\nBen  9:16 AM\nI did (edited) \n"
        "it is (edited by me) fine\n"
        "2 replies\n:+1: 3\n\nCarl  9:17 AM\njoined #ferry.\n\nAnna Lee  9:18 AM\nyou are right"),
        ["did you see it?", "I did it is (edited by me) fine", "you are right"],
    ),
    "Discord": (
        ("[25.03.2024 09:15] anna\ndid you see it? (edited)\n\n[25.03.2024 09:16] ben\nI did\n\n"
        "[25.03.2024 09:17] carl\nJoined the server.\n\n[25.03.2024 09:18] ben\n"
        "Pinned a message.\n\n[25.03.2024 09:19] anna\nyou see"),
        ["did you see it?", "I did", "you see"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTES)
def test_what_the_program_wrote_into_a_chat_is_not_text(name: str) -> None:
    text, wanted = NOTES[name]
    document = Document.of(text)
    said = [document.without_marks(b.start, b.end) for b in document.blocks if b.kind == "turn"]
    assert [" ".join(each.split()) for each in said if each.strip()] == wanted
    assert document.text == text
    assert document.prose is not None
    assert " ".join(document.prose.split()) == " ".join(wanted)


def test_in_a_talk_without_days_such_words_are_said() -> None:
    text = (
        "0:00\nI left the server.\n0:04\nyou joined #ferry\n0:09\nand it was (edited)\n0:14\nby you"
    )
    document = Document.of(text)
    assert "(edited)" in (document.prose or "")
    assert "joined" in (document.prose or "")


@pytest.mark.parametrize(
    ("dates", "days"),
    [
        (["12/03/2024", "13/03/2024"], 1),
        (["3/12/24", "3/13/24"], 1),
        (["01/02/2024", "02/02/2024"], 1),
        (["2024-02-28", "2024-03-01"], 2),
        (["31.12.23", "01.01.24"], 1),
        (["12-Mar-24", "14-Mar-24"], 2),
        (["Mar 12, 2024", "Apr 12, 2024"], 31),
        (["Yesterday", "Today"], 1),
        (["99/99/9999", "98/98/9998"], 1),
    ],
)
def test_dates_are_read_in_the_order_that_fits(dates: list[str], days: int) -> None:
    rows = [f"[{date} 09:15] {who}: do you hear me?" for date in dates for who in ("anna", "ben")]
    blocks = Document.of("\n".join(rows)).blocks
    assert [block.seconds[0] if block.seconds else None for block in blocks] == [
        33300, 33300, 33300 + 86400 * days, 33300 + 86400 * days,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "row",
    [
        "00:{m:02}:{s:02}.000 --> 00:{m:02}:{s:02}.900\n<v Anna>I see you, number {i}.\n\n",
        "[09:{m:02}:{s:02}] <anna> I see you, number {i}.\n[09:{m:02}:{s:02}] *** ben left\n",
    ],
    ids=["captions", "a chat with notes"],
)
def test_long_talk_takes_linear_time(row: str) -> None:
    def read(size: int) -> object:
        return Document.of(
            "".join(row.format(m=i // 60 % 60, s=i % 60, i=i) for i in range(size)), language="en"
        )

    assert takes_linear_time(read, 300)
