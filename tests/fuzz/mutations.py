"""Random texts, settings and damaged bytes, each from its own random generator."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docbats.settings import SETTING_INFOS, Flag, OneOf, RealNumber, WholeNumber, WordSet

if TYPE_CHECKING:
    from random import Random

__all__ = ["damage", "make_chunk_options", "make_markdown", "make_settings", "make_text"]

PIECES = (
    "Bats hunt moths by night. Moths hear the bats and dive. ",
    "Tea needs hot water. Hot tea cools in the cup. ",
    "L'eau de l'école est à l'ombre. Qu'il n'ait d'amis qu'ici. ",
    "Die Fledermäuse fliegen über die Dächer. Der Tee ist heiß. ",
    "Летучие мыши охотятся ночью. Чай горячий. ",
    "蝙蝠在夜里飞行。茶是热的。",
    "コウモリは夜に飛ぶ。お茶は熱い。",
    "# Bats\n\n", "## 1.2 Tea\n", "CHAPTER IV\n\n", "- one\n- two\n", "1. one\n2. two\n",
    "ANNA: We saw bats.\nBORIS: No, tea.\n", "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "```\ncode()\n```\n", "Table of contents\nBats ..... 3\nTea ...... 9\n",
    "<p>tags &amp; &#233;</p>", "http://bats.example/a?b=c ", "a@b.com ", "\\emph{x} ", "'s ",
    "e\u0301", "\u200d", "\ufeff", "\ud800", "\udfff", "\0", "\x1b", "\r", "\r\n", "\u2028", "\x85",
    "\U0001f987\u200d\U0001f9b0", " ", "  ", "\t", "\n", "\n\n", ".", "...", "?!", "“", "”", "—",
    "(", ")", "=", "@", "+", "-", "\u0600", "\u202e", "x" * 300, "9" * 60, "A. B. C. ", "Dr. ", "…",
)  # fmt: skip
MARKDOWN = (
    "# ", "## ", "### ", "**", "*", "_", "~~", "`", "``` ", "```\n", "~~~\n", "[", "](x)", "![",
    "](", "<b>", "</b>", "<br>", "<!-- x -->", "<!--", "-->", "{{x}}", "{#x}", "[^1]", "[^1]: ",
    "\\", "> ", "- ", "1. ", "- [x] ", "| a | b |\n", "|---|---|\n", "|", "---\n", "===\n",
    "***\n", "    ", "  \n", "\\\n", "\n", "\n\n", " ", "$x$", "<https://bats.example>", "&amp;",
    "@anna ", "Bats fly at night. ", "Moths hear bats.", "Tea is hot. ", "The cup",
    " of tea cools. ", "Bats",
)  # fmt: skip
NUMBERS = (0, 1, 2, 3, 5, 7, 10, 50, 1000, 10**6, 10**9, 2**31, 2**63, 2**70, -1, 10**400)
ODD: tuple[Any, ...] = (
    None,
    True,
    "",
    "auto",
    "\ud800",
    0.5,
    -0.0,
    1e308,
    float("nan"),
    float("inf"),
    b"x",
    [],
    {},
)
SMALL = {"restarts": 3, "window": 20, "n_topics": 20}  # larger ones are slow, not wrong
_FLIPS = (0, 1, 2, 8, 40)


def make_text(chance: Random) -> str:
    """Return a text of known pieces, with some letters changed."""
    pieces = chance.choices(PIECES, k=int(chance.paretovariate(0.7)) % 40 + 1)
    text = "".join(pieces)
    for _ in range(chance.choice((0, 0, 1, 3))):
        at = chance.randrange(len(text) + 1)
        letter = chr(chance.choice((chance.randrange(0x250), chance.randrange(0x10FFFF))))
        text = text[:at] + letter + text[at + chance.randrange(2) :]
    return text


def make_markdown(chance: Random) -> str:
    """Return a text of sentences among marks of Markdown."""
    return "".join(chance.choices(MARKDOWN, k=int(chance.paretovariate(0.6)) % 80 + 2))


def make_settings(chance: Random) -> dict[str, Any]:
    """Return some settings, most of them allowed, with some that are not."""
    names = [name for name in SETTING_INFOS if name not in {"embeddings", "tagger"}]
    return {
        name: _make_value(chance, name)
        for name in chance.sample(names, chance.choice((0, 1, 1, 2, 3, 5)))
    }


def _make_value(chance: Random, name: str) -> Any:  # noqa: PLR0911  (one for each kind)
    if chance.random() < 0.05:
        return chance.choice((*ODD, *NUMBERS))
    match SETTING_INFOS[name].value:
        case OneOf(choices=choices):
            return chance.choice(choices)
        case WholeNumber():
            return chance.choice((1, 2, 3, 4, chance.randrange(SMALL.get(name, 30)) + 1))
        case RealNumber(maximum=maximum):
            return chance.choice((0, 1, chance.random(), chance.random() * maximum))
        case Flag():
            return chance.random() < 0.5
        case WordSet():
            return chance.choice(("auto", "english", ["bats"], []))
        case _:
            return {"NOUN": chance.random(), "VERB": 0}


def make_chunk_options(chance: Random) -> dict[str, Any]:
    """Return options of a chunker, most of them allowed."""
    size = chance.choice((1, 2, 5, 20, 100, 1000, chance.randrange(1, 400)))
    options: dict[str, Any] = {
        "chunk_size": size,
        "chunk_overlap": chance.choice((0, 0, 0, size // 4, max(0, size - 1))),
        "size_unit": chance.choice(("characters", "words", *_MEASURES)),
        "context": chance.choice(("none", "headings", "headings", "title")),
        "strip": chance.random() < 0.7,
    }
    if chance.random() < 0.1:
        options[chance.choice(list(options))] = chance.choice((*ODD, *NUMBERS))
    return options


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _pieces(text: str) -> int:
    """Return the number of tokens of a tokenizer with two special ones."""
    return 2 + len(re.findall(r"\w{1,4}|\S", text))


_MEASURES = (_bytes, _pieces)


def damage(chance: Random, data: bytes, others: list[bytes]) -> bytes:
    """Return bytes with some flipped, cut, doubled, spliced or replaced by hostile ones."""
    made = bytearray(data)
    for _ in range(chance.choice(_FLIPS)):
        made[chance.randrange(len(made))] ^= 1 << chance.randrange(8)
    for _ in range(chance.choice((0, 0, 1, 2))):
        start = chance.randrange(len(made) + 1)
        end = min(len(made), start + int(chance.paretovariate(0.5)))
        match chance.randrange(5):
            case 0:
                del made[start:end]
            case 1:
                made[start:start] = made[start:end] * chance.randrange(1, 30)
            case 2:
                other = chance.choice(others)
                at = chance.randrange(len(other) + 1)
                made[start:end] = other[at : at + 200]
            case 3:
                made[start:end] = chance.choice(_HOSTILE)
            case _:
                made[start:end] = bytes(chance.randrange(256) for _ in range(chance.randrange(20)))
        if not made:
            return b""
    return bytes(made[:2_000_000])


_HOSTILE = (
    b"9" * 5000, b"&#" + b"9" * 5000 + b";", b"http://[", b"[" * 3000, b"<" * 3000, b"<a " * 900,
    b"\0" * 50, b" " * 3000, b"\n" * 3000, b"> " * 900, b"- " * 900, b"{\\b" * 900, b"\xff" * 20,
    b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"%n%s", b"\xef\xbb\xbf", b"\xff\xfe", b"PK\x03\x04",
    b"<meta charset=punycode>", b"99999999999:00:01.000 --> 0:0.0", b"(" * 900, b"e\xcc\x81" * 200,
)  # fmt: skip
