"""What is not seen in a text: marks of Markdown, scanned once, of terminals, and of spelling."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category, combining, is_normalized, normalize

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_LINE_MARKS = re.compile(
    r"""^(?:
        (?P<heading>\#{1,6}[ ]+\S[^\n]*)
      | (?P<comment>\#[^\n]*)
      | (?P<fence>(?:```|~~~)[^\n]*)
      | (?P<table>[ ]{0,3}(?:\|[ ]*)?:?-{3,}:?[ ]*(?:\|[ ]*:?-{3,}:?[ ]*)+\|?[ \t]*$)
    )""",
    re.MULTILINE | re.VERBOSE,
)
_BEFORE_BLANK_LINE = re.compile(r"\n[ \t]*(?:\n|\Z)|\Z")
_ENDS_NO_HEADING = tuple(".,:;(){}")
_TITLE = re.compile(r"#{1,6} +\S[^\n]*+\n[ \t]*+\n")
_SUBHEADING = re.compile(r"^#{2,6} +\S", re.MULTILINE)
_MIN_HEADINGS = 2  # unless one is the first line; with one, a comment in code may be enough
_MIN_FENCES = 2
_RULE_SLACK = 2  # characters by which a rule may be shorter or longer than its title


def looks_like_markdown(text: str) -> bool:
    r"""Whether a text has headings, code or tables as Markdown has them.

    A heading has a blank line before it; with a single ``#`` also after it, since comments in code
    look like that, and most lines with such signs are headings. A title in the first line needs
    neither if a lower heading follows.

    >>> looks_like_markdown("# Bats\n\nThey fly.\n\n## Food\n\nMoths.\n")
    True
    >>> looks_like_markdown("Say it twice:\n\n# first\nprint(1)\n\n# second\nprint(2)\n")
    False
    """
    if not any(mark in text for mark in ("# ", "```", "~~~", "---")):
        return False
    text = text.lstrip("\ufeff \t\r\n")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if _TITLE.match(text) or (text.startswith("# ") and _SUBHEADING.search(text)):
        return True
    counts = {"heading": 0, "comment": 0, "fence": 0}
    for match in _LINE_MARKS.finditer(text):
        kind = match.lastgroup or ""
        if kind == "table":
            if _has_header(text, match):
                return True
            continue
        if kind == "heading" and not _is_set_off(text, match):
            kind = "comment"
        counts[kind] += kind != "fence" or not _underlines_title(text, match)
        if counts["fence"] >= _MIN_FENCES:
            return True
    return counts["heading"] >= max(_MIN_HEADINGS, counts["comment"])


def _is_set_off(text: str, heading: re.Match[str]) -> bool:
    """Whether blank lines set a heading off as they would not a comment in code."""
    line, start = heading[0], heading.start()
    before = text[max(0, start - 100) : start].rstrip(" \t")
    if start and not before.removesuffix("\n").rstrip(" \t").endswith("\n"):
        return False
    if line.startswith("##"):
        return True
    is_last = _BEFORE_BLANK_LINE.match(text, heading.end()) is not None
    return is_last and not line.rstrip().endswith(_ENDS_NO_HEADING)


def _has_header(text: str, rule: re.Match[str]) -> bool:
    """Whether the line over the rule of a table has columns, too."""
    above = text[max(0, rule.start() - 1000) : rule.start()].rstrip("\n")
    header = above.rpartition("\n")[2]
    return "|" in header and any(map(str.isalnum, header))


def _underlines_title(text: str, fence: re.Match[str]) -> bool:
    """Whether a row of signs is about as long as the only line over it, as in reStructuredText."""
    rule, end = fence[0].rstrip(), fence.start()
    if rule.strip(rule[0]):
        return False  # names a language
    first = max(0, end - len(rule) - 2 * _RULE_SLACK)
    *above, title = ("\n" * (not first) + text[first:end]).splitlines() or [""]
    is_alone = bool(above) and above[-1].strip()[-1:] in {"", "]"}  # "[[anchor]]" of AsciiDoc
    is_title = bool(title.strip()) and not title.rstrip().endswith(_ENDS_NO_HEADING)
    return is_alone and is_title and abs(len(title.strip()) - len(rule)) <= _RULE_SLACK


class InlineMarkup(NamedTuple):
    """Marks around words, ``written[words_start:words_end]``; a tag, for one, has no words."""

    kind: str
    start: int
    words_start: int
    words_end: int
    end: int


_TARGET = r"\((?:[^()\\]|\\.|\([^()]{0,300}\)){0,1000}\)|\[[^\[\]]{0,200}\]"
# Of pandoc, Quarto and kramdown: ``{#id .class key=value}``, and ``{=html}`` of raw text.
_ATTRIBUTES = r"\{(?:[#.:=]|[\w-]{1,50}=)[^{}]{0,200}\}"
# Each kind with a string that is in every match, and its pattern: the opening mark in group 1, the
# words in group 2. What these match is opaque to all patterns after them.
_OPAQUE = (
    (
        "reference",  # of MyST, with its target
        "}`",
        re.compile(r"(\{[a-z:]{1,40}\}`)([^`<>]{1,500})<[^`<>]{1,500}>`(?!`)"),
    ),
    ("code", "`", re.compile(r"(?<![`\\])(`{1,3})(?!`)([^`]{1,1000})(?<!`)\1(?!`)")),
    ("escape", "\\", re.compile(r"(\\)([!-/:-@\[-`{-~])")),
    ("url", "<", re.compile(r"(<)((?:https?|ftp|mailto):[^<>\s]{0,2000})>")),
    ("comment", "<!--", re.compile(r"(<!--.*?(?:-->|\Z))()", re.DOTALL)),
    ("tag", "<", re.compile(r"(</?[a-zA-Z][a-zA-Z0-9-]*(?:[\s/][^<>]{0,2000})?>)()")),
    ("macro", "{{", re.compile(r"(\{\{[^{}]{0,200}\}\})()")),
    ("role", "}\ue000", re.compile("(\\{[a-z:]{1,40}\\}(?=\ue000))()")),  # of a code span
    (
        "attributes",  # of a code span, or of the whole block
        "{",
        re.compile(
            rf"((?<=\ue000){_ATTRIBUTES}|(?:(?<![ \t])[ \t]++|(?<![\] \t]))"
            r"\{(?:[#.:][^{}]{0,200}|-)\}\Z)()"
        ),
    ),
    ("citation", "@", re.compile(r"(\[)(-?@\w[^\[\]]{0,200})\](?![(\[])")),
    ("footnote", "[^", re.compile(r"(\[\^)([^\[\]\s]{1,100})\](?::(?=\s))?")),
    ("alert", "[!", re.compile(r"(\[!)([^\[\]\s]{1,100})\]")),
    ("break", "\n", re.compile(r"(\\|(?<! ) {2,}+)(\r\n?|\n)")),  # a line end that is kept
)
# The words of these may have marks inside them; longer marks come before shorter ones.
_TRANSPARENT = (
    ("image", "![", re.compile(rf"(!\[)([^\[\]]{{0,500}})\](?:{_TARGET})(?:{_ATTRIBUTES})?")),
    ("span", "]{", re.compile(rf"(\[)([^\[\]]{{0,500}})\]{_ATTRIBUTES}")),
    (
        "link",
        "[",
        re.compile(
            rf"(\[)((?:[^\[\]]|\[[^\[\]]{{0,200}}\]){{0,1000}})\](?:{_TARGET})(?:{_ATTRIBUTES})?"
        ),
    ),
    (
        "strong emphasis",
        "***",
        re.compile(r"(\*{3})(?=[^\s*])((?:(?!\*{3}).){1,2000})(?<=[^\s*])\*{3}", re.DOTALL),
    ),
    ("strong", "**", re.compile(r"(\*\*)(?=\S)((?:(?!\*\*).){1,2000})(?<=\S)\*\*", re.DOTALL)),
    (
        "strong",
        "__",
        re.compile(r"(?<!\w)(__)(?=\S)((?:(?!__).){1,2000})(?<=\S)__(?!\w)", re.DOTALL),
    ),
    ("deleted", "~~", re.compile(r"(~~)(?=\S)((?:(?!~~).){1,2000})(?<=\S)~~", re.DOTALL)),
    ("emphasis", "*", re.compile(r"(?<!\*)(\*)(?=[^\s*])([^*]{1,2000})(?<=\S)\*(?!\*)")),
    (
        "emphasis",
        "_",
        re.compile(r"(?<!\w)(_)(?=[^\s_])((?:[^_]|(?<=\w)_(?=\w)){1,2000})(?<=\S)_(?!\w)"),
    ),
)
_TAKEN = "\ue000"  # replaces what has been matched; no pattern sees a mark or white space in it
# What they hold is not prose, and is left out of titles.
_NOT_WORDS = frozenset({"url", "footnote", "alert", "citation", "image"})
_BLANKED = _NOT_WORDS | {"comment", "tag", "macro", "attributes"}


def scan_inline(written: str) -> Iterator[InlineMarkup]:
    r"""Yield the inline markup of a block of Markdown; links and emphasis may be nested.

    >>> text = "**Bats** and `tea*`"
    >>> [(m.kind, text[m.words_start : m.words_end]) for m in scan_inline(text)]
    [('code', 'tea*'), ('strong', 'Bats')]
    """
    rest = written.replace(_TAKEN, "\ue001")
    for kind, sign, pattern in _OPAQUE:
        if sign in rest and (matches := list(pattern.finditer(rest))):
            yield from (_inline(kind, found) for found in matches)
            rest = pattern.sub(lambda found: _TAKEN * len(found[0]), rest)
    for kind, sign, pattern in _TRANSPARENT:
        if sign in rest and (matches := list(pattern.finditer(rest))):
            yield from (_inline(kind, found) for found in matches)
            rest = pattern.sub(_without_marks, rest)


def _inline(kind: str, found: re.Match[str]) -> InlineMarkup:
    return InlineMarkup(kind, found.start(), found.start(2), found.end(2), found.end())


def _without_marks(found: re.Match[str]) -> str:
    opening, closing = found.start(2) - found.start(), found.end() - found.end(2)
    return _TAKEN * opening + found[2] + _TAKEN * closing


def plain_text(written: str, start: int = 0, end: int | None = None) -> str:
    r"""Return a block of Markdown, or a part of it, on one line and without inline markup.

    >>> plain_text("**Install** with [`pip`](https://pypi.org) {#install}")
    'Install with pip'
    >>> plain_text("`Box<T>` and `__init__`, *args and **kwargs")
    'Box<T> and __init__, *args and **kwargs'
    """
    end = len(written) if end is None else end
    hidden = [(start, start), (end, end)]
    for found in scan_inline(written.rstrip()):
        if found.kind in _NOT_WORDS:
            hidden.append((found.start, found.end))
        else:
            hidden += [(found.start, found.words_start), (found.words_end, found.end)]
    parts, done = [], start
    for first, last in sorted(hidden):
        parts.append(written[done : min(first, end)])
        done = max(done, last)
    return " ".join("".join(parts).split())


def inline_non_prose(written: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a block of Markdown that are not prose: images, link targets, tags."""
    for found in scan_inline(written):
        if found.kind in {"footnote", "alert"}:
            yield found.start, found.words_end + 1
        elif found.kind == "reference":
            yield found.words_end, found.end - 1
        elif found.kind in _BLANKED:
            yield found.start, found.end
        elif found.kind == "span":
            yield found.start, found.words_start
            yield found.words_end, found.end
        elif found.kind == "link":
            is_target = written[found.end - 1] == ")"  # rather than a label or attributes
            yield found.words_end + 1 + is_target, found.end - is_target


# Colours and links; characters printed over each other, for bold and underlined ones, of which the
# last counts; and what tells the program `info` of an index or an image.
_TERMINAL_MARK = re.compile(
    r"\x00\x08\[(?:index|image)[^\x00]{0,1000}\x00\x08\]"
    r"|\x1b\[[0-?]{0,40}[ -/]{0,4}[@-~]"
    r"|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)"
    r"|\x1b[()][0-9A-Z]"
    r"|[^\n\x08]?\x08"
)


def terminal_marks(text: str) -> Iterator[re.Match[str]]:
    """Yield the marks in a text, in order."""
    has_marks = "\x1b" in text or "\x08" in text
    return _TERMINAL_MARK.finditer(text) if has_marks else iter(())


def without_terminal_marks(text: str) -> str:
    r"""Return what a text looks like on a screen.

    >>> without_terminal_marks("\x1b[1mN\bNA\bAM\bME\bE\x1b[0m of a _\bb_\ba_\bt")
    'NAME of a bat'
    """
    has_marks = "\x1b" in text or "\x08" in text
    return _TERMINAL_MARK.sub("", text) if has_marks else text


# Spelling: texts that look the same are the same.

_LONG_STRETCH = re.compile(r"\S{200,}")
# Python sorts a run of accents by insertion: a run as long as a file would take minutes. No script
# has more than a few in a row, and Unicode's stream-safe format allows thirty.
_MAX_ACCENTS = 100
_MANY_MARKS = re.compile(r"[^\x00-\u02ff\w\s]{100}")  # accents are among them
_UNSEEN = re.compile("[\xad\u2060]")  # soft hyphens and word joiners
_ACCENTED = re.compile(r"\S?[^\x00-\u02ff\s]+")
_JAMO = range(0x1160, 0x1200)  # vowels and final consonants, which join the letter before them


def compose(text: str) -> str:
    r"""Compose letters and their accents; what has far too many accents in a row stays as it is.

    >>> compose("Cafe\u0301") == "Caf\xe9"
    True
    """
    if text.isascii():
        return text
    pieces: list[str] = []
    done = 0
    for start, end in _accent_runs(text):
        pieces += [normalize("NFC", text[done:start]), text[start:end]]
        done = end
    return "".join([*pieces, normalize("NFC", text[done:])])


def has_accent_run(text: str) -> bool:
    """Whether there are too many accents in a row, for which other libraries take minutes."""
    return next(_accent_runs(text), None) is not None


def _accent_runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans without a blank that have too many accents in a row."""
    if text.isascii() or _MANY_MARKS.search(text) is None:
        return
    for found in _LONG_STRETCH.finditer(text):
        run = 0
        for letter in "" if found[0].isascii() else found[0]:
            run = run + 1 if combining(letter) else 0
            if run > _MAX_ACCENTS:
                yield found.span()
                break


def spelled(text: str) -> str:
    r"""Return a text with composed letters and without soft hyphens.

    >>> spelled("Cafe\u0301 is op\xaden") == "Caf\xe9 is open"
    True
    """
    found = respell(text)
    return text if found is None else found.text


class Respelled(NamedTuple):
    """A text in another spelling, and the half-open span of each character as it was written."""

    text: str
    start: NDArray[np.int64]
    end: NDArray[np.int64]


def respell(text: str) -> Respelled | None:
    """Respell a text like :func:`spelled`; None if that changes nothing."""
    if text.isascii():
        return None
    dropped = [sign.start() for sign in _UNSEEN.finditer(text)]
    shown = _UNSEEN.sub("", text) if dropped else text
    is_composed = has_accent_run(shown) or is_normalized("NFC", shown)
    if is_composed and not dropped:
        return None
    start = np.delete(np.arange(len(text)), dropped)
    if is_composed:
        return Respelled(shown, start, start + 1)
    composed, first, last = _compose_with_places(shown)
    return Respelled(composed, start[first], start[last] + 1)


def _compose_with_places(text: str) -> tuple[str, NDArray[np.int64], NDArray[np.int64]]:
    """Return the composed text, and the first and the last character of each as it was written."""
    pieces: list[str] = []
    done = 0
    dropped: list[int] = []
    last = np.arange(len(text))
    for begin, stop in _clusters(text):
        composed = normalize("NFC", text[begin:stop])
        kept = begin + len(composed)
        if kept > stop:
            continue  # a few letters have no composed form
        pieces += [text[done:begin], composed]
        done = stop
        last[kept - 1] = stop - 1
        dropped += range(kept, stop)
    composed = "".join([*pieces, text[done:]])
    return composed, np.delete(np.arange(len(text)), dropped), np.delete(last, dropped)


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of letters with their accents, where these may be composed."""
    for found in _ACCENTED.finditer(text):
        if is_normalized("NFC", found[0]):
            continue
        begin, end = found.span()
        for at in range(begin + 1, end + 1):
            joins = at < end and (category(text[at])[0] == "M" or ord(text[at]) in _JAMO)
            if not joins:
                if not is_normalized("NFC", text[begin:at]):
                    yield begin, at
                begin = at
