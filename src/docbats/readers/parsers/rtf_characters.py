"""The characters of RTF: those with names, and the encodings of all others."""

from __future__ import annotations

import codecs

__all__ = ["CHARACTERS", "CHARSETS", "SYMBOLS", "code_page_encoding", "join_pieces"]

CHARACTERS = {
    b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
    b"rdblquote": "”", b"bullet": "•", b"emspace": " ", b"enspace": " ", b"qmspace": " ",
    b"tab": "\t", b"line": "\n", b"softline": "\n", b"lbr": "\n",
}  # fmt: skip
"""Control words that stand for a character."""
SYMBOLS = {b"~": "\xa0", b"_": "-", b"-": "", b"\\": "\\", b"{": "{", b"}": "}", b"\t": "\t"}
"""What stands for a character after a backslash."""
CHARSETS = {
    77: "mac-roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030",
    136: "big5hkscs", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256",
    186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 255: "cp437",
}  # fmt: skip
"""Encodings by the numbers of the character sets of fonts."""

_CODE_PAGES = {10000: "mac-roman", 936: "gb18030", 950: "big5hkscs", 65001: "utf-8"}


def code_page_encoding(number: int) -> str:
    """Return Python's name of a code page; that of Western Europe if it has none."""
    try:
        return codecs.lookup(_CODE_PAGES.get(number, f"cp{number}")).name
    except LookupError:
        return "cp1252"


def join_pieces(pieces: list[str]) -> str:
    """Join pieces; halves of a character that is written as two become whole."""
    text = "".join(pieces)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").strip()
