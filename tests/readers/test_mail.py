"""E-mail: messages and archives of them."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests import hostile_files as hostile
from tests.growth import takes_linear_time
from tests.readers.blocks_found import found_blocks

from docbats import ReadError
from docbats.readers.mail import split_messages
from docbats.readers.mime import Part
from docbats.readers.read_file import read_file

HEADERS = b"From: Anna <a@example.org>\nTo: ben@example.org\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n"


def test_a_message_has_its_subject_and_its_text() -> None:
    read = read_file(
        HEADERS + b"Subject: =?utf-8?q?Flederm=C3=A4use?=\nMIME-Version: 1.0\n"
        b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: "
        b"quoted-printable\n\nM=E4use fly.\n\n> They said\n> so.\n\nYours\n-- \nAnna\nphone 1\n"
    )
    assert read.kind == "mail"
    assert found_blocks(read) == [
        ("heading", 1, "Fledermäuse"),
        ("paragraph", None, "Mäuse fly."),
        ("quote", None, "They said\nso."),
        ("paragraph", None, "Yours"),
    ]


MULTIPART = (
    HEADERS
    + b"""Subject: Tea
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: multipart/alternative; boundary=y

--y
Content-Type: text/html; charset=utf-8

<html><body><h2>Tea</h2><ul><li>hot</ul></body></html>
--y--
--x
Content-Type: application/octet-stream
Content-Disposition: attachment; filename=a.bin
Content-Transfer-Encoding: base64

AAAA
--x
Content-Type: message/rfc822

From: c@example.org
Subject: Inner

Inner text.
--x--
"""
)


def test_pages_and_messages_in_a_message_are_read_and_attachments_are_not() -> None:
    assert found_blocks(read_file(MULTIPART)) == [
        ("heading", 1, "Tea"),
        ("heading", 2, "Tea"),
        ("list_item", 1, "hot"),
        ("heading", 2, "Inner"),
        ("paragraph", None, "Inner text."),
    ]


def test_an_archive_of_messages() -> None:
    one = HEADERS + b"Subject: Bats\n\nBats fly.\n>From afar.\nFrom here on, too.\n\n"
    two = HEADERS + b"Subject: Tea\n\nTea cools.\n"
    read = read_file(b"From a@example.org Mon Mar 2 2026\n" + one + b"From b Tue\n" + two)
    assert [(kind, text) for kind, _, text in found_blocks(read)] == [
        ("heading", "Bats"),
        ("paragraph", "Bats fly.\nFrom afar.\nFrom here on, too."),
        ("heading", "Tea"),
        ("paragraph", "Tea cools."),
    ]


@pytest.mark.parametrize(
    "text", [b"From: here\nTo: there\n\nBats fly.", b"Note: bats\nSubject: tea\n\nBats."]
)
def test_a_text_that_begins_like_a_message_is_text(text: bytes) -> None:
    assert read_file(text).kind == "text"


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Type: text/plain; charset=klingon\n\nBats \xff fly.",
        b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\nBats fly.",
        b"Content-Transfer-Encoding: base64\n\nQmF0cyBmbHku=====",
        b"Subject: \xff\xfe=?bad?q?x?=\n\nBats fly.",
    ],
)
def test_broken_messages_are_read_as_far_as_they_go(rest: bytes) -> None:
    assert "Bats" in read_file(HEADERS + b"Message-ID: x\n" + rest).text


def test_message_without_text_is_refused() -> None:
    with pytest.raises(ReadError, match="an e-mail without text"):
        read_file(HEADERS + b"\n\n")


@pytest.mark.parametrize(
    "data", [b"From here on bats fly.\n", b"From x\nbats\n\nFrom b\nTo: a\n\nTea\n"]
)
def test_a_text_that_begins_like_an_archive_loses_nothing(data: bytes) -> None:
    messages = split_messages(data)
    assert b"bats" in messages[0]
    assert len(messages) == data.count(b"To: ") + 1


@given(
    st.lists(
        st.sampled_from(["From a Mon", "From b From here", "To: b", "Note: late", "", "Hi all,"])
    )
)
@example(["To: b", "", "Hi all,", "From the start", "Note: we are late.", "Bye"])
@example(["To: b", "", "Hi", "", "From b From here", "To: c", "", "Yo"])
def test_archives_are_split_at_envelopes_after_blank_lines(lines: list[str]) -> None:
    lines = ["From a Mon", *lines]
    wanted: list[list[str]] = [[]]
    for i, line in enumerate(lines):
        is_header_next = ":" in "".join(lines[i + 1 : i + 2])
        if line.startswith("From ") and is_header_next and (i == 0 or lines[i - 1] == ""):
            if i > 0:
                wanted.append([])
        else:
            wanted[-1].append(line)
    for line_end in ("\n", "\r\n"):
        data = "".join(line + line_end for line in lines).encode()
        assert split_messages(data) == [
            "".join(line + line_end for line in message).encode() for message in wanted
        ]


@pytest.mark.parametrize("name", ["a.eml", "A.EML", "box.mbox"])
@pytest.mark.parametrize("envelope", [b"", b"From a@b.example Mon Mar 2 2026\n"])
def test_the_ending_of_the_name_says_that_few_headers_are_a_message(
    name: str, envelope: bytes
) -> None:
    read = read_file(envelope + b"Subject: Bats\n\nBats fly.\n-- \nAnna\n", name=name)
    assert found_blocks(read) == [("heading", 1, "Bats"), ("paragraph", None, "Bats fly.")]
    assert read_file(b"Bats fly.\n\nTea cools.\n", name=name).kind == "text"


LETTERS = st.text(st.sampled_from("ab cäЖ茶🦇=?_.,;:()<>\"'\\-\t"), max_size=60)


@given(LETTERS, st.text(st.sampled_from("abä茶 =.\n-"), max_size=200), st.booleans(), st.data())
def test_messages_are_read_as_python_reads_them(
    subject: str, text: str, with_page: bool, data: st.DataObject
) -> None:
    made = EmailMessage(policy.default)
    made["Subject"] = subject
    made["From"] = "Anna <a@example.org>"
    encoding = data.draw(st.sampled_from(["quoted-printable", "base64", "8bit"]))
    made.set_content(text, cte=encoding)
    if with_page:
        made.add_alternative("<p>Bats</p>", subtype="html")
        page = made.get_body(("html",))
        assert page is not None
        page.add_related(b"abc", "image", "png")
    if data.draw(st.booleans()):
        made.add_attachment(b"abc", "application", "octet-stream", filename="a.bin")
        made.add_attachment(
            message_from_bytes(b"Subject: Inner\n\nInner.\n", policy=policy.default)
        )
    read = Part.parse(made.as_bytes())
    wanted = made.get_body(("plain", "html"))
    found = read.find_text()
    assert wanted is not None
    assert found is not None
    assert found.text.splitlines() == wanted.get_content().splitlines()
    assert read.subject == " ".join(str(made["Subject"]).split())


@pytest.mark.parametrize("build", hostile.MAILS.values(), ids=hostile.MAILS)
def test_headers_and_parts_take_linear_time(build: hostile.Build) -> None:
    assert takes_linear_time(lambda n: _read(build(n)), 400)


def _read(data: bytes) -> None:
    try:
        read_file(data, kind="mail")
    except ReadError as error:
        assert "without text" in str(error)  # noqa: PT017


def test_parts_may_be_within_parts_but_not_forever() -> None:
    assert read_file(hostile.mail_with_nested_parts(15), kind="mail").text == "Bats fly."
    with pytest.raises(ReadError, match="without text"):
        read_file(hostile.mail_with_nested_parts(500), kind="mail")
