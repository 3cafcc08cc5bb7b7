"""Split text into sentences."""

from __future__ import annotations

import re
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from docbats.text.languages.english import LANGUAGE as ENGLISH

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from docbats.blocks import Block
    from docbats.text.languages.language import Language

# A stop with closing marks, and the white space up to the next sentence; then whatever may precede
# its first letter. The search never starts inside a row of stops, which would take long.
_STOP = re.compile(
    r"""
    (?<![.!?…]) ([.!?…]++) (?: \s?[»›](?=\s) | ["'”’“«‹»›)\]*_] )*+
    (\s++)
    (?: ["'”’“„‚«‹»›¿¡(\[*_–—-]++ \s*+ )?
    """,
    re.VERBOSE,
)
_BEFORE = re.compile(r"(?:[^\W_]+[.\-’'])*[^\W_]+$")
_APOSTROPHE = re.compile("['’]")
_MAX_LOOKBEHIND = 40  # characters before a full stop that matter
_DOTTED = re.compile(r"[^\W\d_]{1,4}(?:\.[^\W\d_]{1,4})+")  # as "z.B" and "т.е"
_ROMAN = re.compile(r"[IVX]+")
_MAX_ORDINAL_DIGITS = 2
_UNIT = re.compile(r"\d\s?[^\W\d_]$")  # as in "18 h." and "1990 r."
_NUMBERED = re.compile(r"\.\s?\d+$|\d,\d+$")  # as in "S. 12." and "3,1."
_MAX_ABBREVIATION = 6  # letters of a word that is rather an abbreviation if a number follows

_OPENING, _CLOSING = "「『（“‘《", "」』）”’》"
_IDEOGRAPHIC = re.compile(rf"[{_OPENING}]|[{_CLOSING}]|[。！？｡]++|．(?!\w)|\n")
_MAX_QUOTE = 300  # characters; a longer quotation was never closed
_QUOTE_CONTINUATION = "[，、；：,]"  # in any language
_NEVER = "(?!)"  # matches nothing


def starts_after_stops(text: str, language: Language) -> Iterator[int]:
    """Yield where a sentence begins after a full stop, a question mark or the like."""
    for stop in _STOP.finditer(text):
        following = text[stop.end() : stop.end() + 1]
        if following.islower() or following in {"", ",", ";"}:
            continue
        if stop[1] == "." and _goes_on(text, stop.start(), following, language):
            continue
        yield stop.end(2)


def _goes_on(text: str, stop: int, following: str, language: Language) -> bool:
    """Whether a full stop belongs to the word before it and the sentence goes on."""
    before = text[max(0, stop - _MAX_LOOKBEHIND) : stop]
    found = _BEFORE.search(before)
    if found is None:
        return False
    word = found[0]
    name = _APOSTROPHE.split(word.lower())[-1]
    may_end = _spaced_list_ending(language).search(before) or _UNIT.search(before)
    if may_end or name in language.list_endings:
        return not following.isupper()
    if name in language.abbreviations or _DOTTED.fullmatch(word):
        return True
    longest = _MAX_ABBREVIATION if following.isdecimal() else 1
    if word.isalpha() and len(word) <= longest:
        return True
    return language.has_ordinal_stops and _is_ordinal(word, before)


@cache
def _spaced_list_ending(language: Language) -> re.Pattern[str]:
    """Return the pattern of list endings that may have a space inside, such as "т. д."."""
    dotted = [ending.split(".") for ending in sorted(language.list_endings) if "." in ending]
    endings = (r"\.\s?".join(map(re.escape, parts)) for parts in dotted)
    return re.compile(rf"\b(?:{'|'.join(endings)})$" if dotted else _NEVER)


def _is_ordinal(word: str, before: str) -> bool:
    short = word.isdecimal() and len(word) <= _MAX_ORDINAL_DIGITS
    return _ROMAN.fullmatch(word) is not None or (short and not _NUMBERED.search(before))


def ideographic_starts(text: str, language: Language) -> Iterator[int]:
    """Yield where a sentence begins in Chinese or Japanese; a quotation is not cut."""
    continues = _quote_continuation(language).match
    depth = opened = 0
    ended = False  # whether a sentence ended inside the quotation that now closes
    for mark in _IDEOGRAPHIC.finditer(text):
        sign = mark[0]
        if depth and mark.start() - opened > _MAX_QUOTE:
            depth = 0
        if sign in _OPENING:
            opened = opened if depth else mark.start()
            depth += 1
            ended = False
        elif sign == "\n":
            depth = 0
        elif sign in _CLOSING:
            depth = max(0, depth - 1)
            if ended and not depth and not continues(text, mark.end()):
                yield mark.end()
            ended = False
        elif depth:
            ended = True
        elif text[mark.end() : mark.end() + 1] not in _CLOSING:
            yield mark.end()


@cache
def _quote_continuation(language: Language) -> re.Pattern[str]:
    """Return the pattern of what continues a sentence after a quotation."""
    return re.compile(rf"\s*(?:{_QUOTE_CONTINUATION}|{language.quote_continuation or _NEVER})")


# Ends that neither nupunkt nor the rules look for: a blank line (so that a heading is not part of
# the sentence under it), a line that opens a list item or a heading, a new page, and the full stops
# of other scripts, with the marks that close after them. A pattern that opens with one character is
# searched for much faster than all of them in one.
_LINE_END = re.compile(r"\n(?:[^\S\n]*\n\s*+|(?=[^\S\n]*(?:[-*•]|\#{1,6})[ ]))")
_PAGE_END = re.compile(r"\f")
_FOREIGN_END = re.compile(r"[。！？｡।॥؟۔]++[”’」』）》]*+\s*+")

# nupunkt takes quadratic time over a run of its full stops without white space, as in minified or
# binary rubbish, and finds nothing there: such marks are hidden from it.
_LONG_RUN = re.compile(r"(?<!\S)\S{1000,}(?=\S)")
_FULL_STOP = re.compile(r"[.?!]")
_SPACE = re.compile(r"\s")


def split_sentences(text: str, language: Language = ENGLISH) -> list[tuple[int, int]]:
    """Return the half-open spans of the sentences of `text`, without white space around them."""
    found = _punkt_starts(text) if language.has_punkt_model else _rule_starts(text, language)
    starts = {0, *found}
    other_ends = [_LINE_END, _PAGE_END]
    if language.writes_spaces and not text.isascii():
        other_ends.append(_FOREIGN_END)
    for pattern in other_ends:
        starts.update(match.end() for match in pattern.finditer(text))
    edges = [*sorted(starts), len(text)]
    spans = (_trim(text, start, end) for start, end in pairwise(edges))
    return [(start, end) for start, end in spans if start < end]


def _rule_starts(text: str, language: Language) -> Iterable[int]:
    starts = starts_after_stops(text, language)
    return starts if language.writes_spaces else chain(starts, ideographic_starts(text, language))


def _punkt_starts(text: str) -> Iterable[int]:
    from nupunkt import load

    plain = text
    if _may_have_long_run(text):
        plain = _LONG_RUN.sub(lambda run: _FULL_STOP.sub("x", run[0]), text)
    return (start for start, _ in load("default").span_tokenize(plain))


def _may_have_long_run(text: str) -> bool:
    """Whether any 500 characters from a multiple of 500 on lack white space.

    Any run of 1,000 characters has such 500 in it.
    """
    blocks = range(0, len(text) - 499, 500)
    return not all(_SPACE.search(text, begin, begin + 500) for begin in blocks)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Narrow a span until it neither begins nor ends with white space."""
    piece = text[start:end].rstrip()
    return start + len(piece) - len(piece.lstrip()), start + len(piece)


# Speech with more words than this per full stop counts as unpunctuated: its sentences have this
# many words, or end at a pause. A shorter text may be a list.
_MAX_WORDS_PER_STOP = 40
_UNPUNCTUATED_WORDS = 14
_MIN_UNPUNCTUATED_WORDS = 60
_FINAL = re.compile(r"[.?!。！？…।؟۔](?=[\s\"'”’»)\]]|$)")
_WORD = re.compile(r"\S+")

UNPUNCTUATED_REMARK = (
    "nearly without full stops, so that its sentences are lines, or about "
    f"{_UNPUNCTUATED_WORDS} words up to a pause"
)
"""What a note says of it, after "The text is" or "The file is"."""


def is_unpunctuated(
    text: str, n_sentences: int = 0, min_words: int = _MIN_UNPUNCTUATED_WORDS
) -> bool:
    """Whether a text of many words has hardly any full stops, and so far as few sentences."""
    if n_sentences * _MAX_WORDS_PER_STOP > text.count(" ") + text.count("\n") + 1:
        return False  # which is quick to tell
    n_words = len(text.split())
    few = n_words // _MAX_WORDS_PER_STOP
    return n_words >= min_words and n_sentences <= few and len(_FINAL.findall(text)) <= few


def split_unpunctuated(
    prose: str, pieces: Sequence[tuple[int, int]], pauses: Collection[int]
) -> list[tuple[int, int]]:
    """Return sentences of a usual number of words, made of lines or captions.

    A sentence also begins with each piece that is among the `pauses`, by its number. A piece of
    more than twice that number is divided.
    """
    spans: list[tuple[int, int]] = []
    n_words = _UNPUNCTUATED_WORDS
    for number, (start, end) in enumerate(pieces):
        words = list(_WORD.finditer(prose, start, end))
        if not words:
            continue
        if n_words < _UNPUNCTUATED_WORDS and number not in pauses:
            spans[-1] = spans[-1][0], words[-1].end()
            n_words += len(words)
        else:
            spans.append((words[0].start(), words[-1].end()))
            n_words = len(words)
        if n_words > 2 * _UNPUNCTUATED_WORDS:
            inside = list(_WORD.finditer(prose, *spans.pop()))
            n_parts = round(len(inside) / _UNPUNCTUATED_WORDS)
            edges = [len(inside) * part // n_parts for part in range(n_parts + 1)]
            spans += [(inside[a].start(), inside[b - 1].end()) for a, b in pairwise(edges)]
    return spans


LINE = re.compile(r"\S(?:[^\n\r\v\f\x85\u2028\u2029]*\S)?")
"""The visible part of a line."""


def fit_to_blocks(
    text: str,
    prose: str,
    blocks: Sequence[Block],
    spans: Sequence[tuple[int, int]],
    breaks: Sequence[int] = (),
) -> list[tuple[int, int]]:
    """Return sentences that cross no edge of a block, with at least one for each block."""
    edges = [edge for block in blocks for edge in (block.start, block.end)]
    pieces = split_at_breaks(prose, spans, [*breaks, *edges])
    fitted: list[tuple[int, int]] = []
    done = 0
    for block in blocks:
        first = done
        while first < len(pieces) and pieces[first][0] < block.start:
            first += 1  # between blocks
        last = first
        while last < len(pieces) and pieces[last][0] < block.end:
            last += 1
        fitted += pieces[done:first]
        fitted += _block_spans(text, block, pieces[first:last])
        done = last
    return fitted + pieces[done:]


def _block_spans(text: str, block: Block, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the sentences of a block: a heading is one, and non-prose has one on each line.

    The first begins where the block does, so that the marks of a block belong to it.
    """
    start, end = _trim(text, block.start, block.end)
    if start >= end:
        return []
    if block.kind == "heading":
        found = []
    elif not found or not block.is_prose:
        lines = LINE.finditer(text, block.start, block.end)
        found = [line.span() for line in lines if any(map(str.isalnum, line[0]))]
    return [(start, found[0][1]), *found[1:]] if found else [(start, end)]


def split_at_breaks(
    text: str, spans: Sequence[tuple[int, int]], breaks: Sequence[int]
) -> list[tuple[int, int]]:
    """Split spans at the breaks inside them, and leave out pieces without a letter or digit."""
    pieces, next_break = [], 0
    ends = sorted(breaks)
    for start, end in spans:
        while next_break < len(ends) and ends[next_break] <= start:
            next_break += 1
        piece_start = start
        while next_break < len(ends) and ends[next_break] < end:
            pieces.append((piece_start, ends[next_break]))
            piece_start = ends[next_break]
            next_break += 1
        pieces.append((piece_start, end))
    visible = (span for span in pieces if any(map(str.isalnum, text[slice(*span)])))
    return [_trim(text, *span) for span in visible]
