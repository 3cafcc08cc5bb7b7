"""Look for regular expressions of docbats that take more than linear time.

Every pattern that a module of docbats, or a language in it, holds is tried in the ways in which the
source uses it, on strings of the pattern's own characters: one repeated, two in turn, each with a
beginning that the pattern asks for and an end that it does not. The length is doubled until the
time can be measured; the exponent of its growth over the last two doublings is what counts. Prints
those above ``--exponent`` as JSON, the worst first, and ends with 1 if there are some that are not
listed in BOUNDED with what bounds their input.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import re
import signal
import sys
import time
from dataclasses import dataclass, fields, is_dataclass
from itertools import islice, permutations, product
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docbats
from docbats.text.languages import LANGUAGES, load_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

codes: Any = importlib.import_module("re._constants")
parser: Any = importlib.import_module("re._parser")

ENOUGH_SECONDS = 0.02  # of one call: from here on its growth can be told
MAX_LENGTH = 1 << 14
MAX_SECONDS = 5.0  # of one call; longer ones are broken off and count as worse than cubic
MAX_CHARACTERS = 6  # of a pattern, that strings are made of
WAYS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
BOUNDED = {
    "docbats.text.headings._PLAIN_NUMBER": "_MAX_LENGTH of a heading",
    "docbats.readers.html._SHORT_TAG": "the last > of the page: a tag has an end",
    "docbats.readers.html._TAG": "_MAX_TAG_LENGTH",
    "docbats.readers.pdf._LAST_LETTERS": "_MAX_WORD",
    "docbats.text.sentences._BEFORE": "_MAX_LOOKBEHIND",
    "docbats.text.structure._PAGE": "_MAX_ENTRY of a line",
    "docbats.text.speakers._STAMP_AT_END": "_MAX_NAME and 20 characters",
}
"""What bounds the input of a pattern whose time grows faster than its input."""


@dataclass(frozen=True)
class Found:
    """A pattern, where it is and how it is used."""

    name: str
    pattern: re.Pattern[Any]
    ways: tuple[str, ...]


def main() -> int:
    """Try all patterns, print what is slow."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--exponent", type=float, default=1.6)
    options.add_argument("--only", default="", help="Patterns whose name contains this.")
    arguments = options.parse_args()
    signal.signal(signal.SIGPROF, _give_up)
    found = [f for f in find_patterns() if arguments.only in f.name]
    slow = []
    for each in found:
        worst = max(try_pattern(each), key=lambda row: row["exponent"], default=None)
        if worst is not None and worst["exponent"] >= arguments.exponent:
            reason = BOUNDED.get(each.name)
            slow.append({"name": each.name, **worst, **({"bounded by": reason} if reason else {})})
            print(each.name, worst["exponent"], file=sys.stderr, flush=True)
    slow.sort(key=lambda row: -row["exponent"])
    print(json.dumps({"patterns": len(found), "slow": slow}, indent=1, ensure_ascii=False))
    return 1 if any("bounded by" not in row for row in slow) else 0


def find_patterns() -> Iterator[Found]:
    """Give each pattern of each module that can be imported here, once."""
    source = "\n".join(path.read_text() for path in Path(docbats.__path__[0]).rglob("*.py"))
    seen = set()
    for module in sorted(info.name for info in pkgutil.walk_packages(docbats.__path__, "docbats.")):
        if module.endswith("__main__"):
            continue
        try:
            loaded = importlib.import_module(module)
        except ImportError as error:
            print(f"{module}: left out: {error}", file=sys.stderr)
            continue
        for name, value in vars(loaded).items():
            for place, pattern in _patterns_in(value, name):
                key = (pattern.pattern, pattern.flags)
                if key not in seen:
                    seen.add(key)
                    own = Path(loaded.__file__ or "").read_text()
                    # One of several is used under another name, somewhere in the module.
                    uses = (
                        _ways(name, own)
                        or _ways(r"(?:pattern\w*|continuation)", own)
                        or _ways(name, source)
                    )
                    uses = uses or {"finditer"}
                    yield Found(f"{module}.{place}", pattern, tuple(sorted(uses)))


def _ways(name: str, source: str) -> set[str]:
    return set(re.findall(rf"\b{name}(?:\(\w+\))?\.(\w+)", source)) & WAYS


def _patterns_in(value: Any, name: str, depth: int = 3) -> Iterator[tuple[str, re.Pattern[Any]]]:
    if isinstance(value, re.Pattern):
        yield name, value
    elif _makes_pattern(value):  # for each language, once
        for code in LANGUAGES:
            yield f"{name}({code!r})", value(load_language(code))
    elif depth and isinstance(value, dict):
        for key, inner in value.items():
            yield from _patterns_in(inner, f"{name}[{key!r}]", depth - 1)
    elif depth and isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _patterns_in(inner, f"{name}[{number}]", depth - 1)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _patterns_in(getattr(value, field.name), f"{name}.{field.name}", depth - 1)


def _makes_pattern(value: Any) -> bool:
    function = getattr(value, "__wrapped__", None)
    hints = getattr(function, "__annotations__", {})
    makes_one = str(hints.get("return", "")).startswith("re.Pattern")
    return hasattr(value, "cache_info") and makes_one and [*hints] == ["language", "return"]


def try_pattern(found: Found) -> Iterator[dict[str, Any]]:
    """Time a pattern on strings that are made for it; give those whose time can be told."""
    for way, (start, unit, end) in product(found.ways, strings_for(found.pattern)):
        times: list[float] = []
        length = 256
        while length <= MAX_LENGTH:
            text = start + unit * (length // len(unit)) + end
            times.append(_time(found.pattern, way, text))
            for _ in range(2 if 0.001 < times[-1] < MAX_SECONDS else 0):  # not by chance
                times[-1] = min(times[-1], _time(found.pattern, way, text))
            if times[-1] > ENOUGH_SECONDS and len(times) > 2:
                break
            length *= 2
        if times[-1] > ENOUGH_SECONDS:
            growth = 4.0 if times[-1] >= MAX_SECONDS else log2(times[-1] / max(times[-3], 1e-5)) / 2
            yield {
                "exponent": round(growth, 2),
                "way": way,
                "string": [start, unit, end],
                "length": length,
                "seconds": round(times[-1], 3),
                "pattern": str(found.pattern.pattern),
            }


def strings_for(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Give beginnings, repeated parts and ends of strings, made of the pattern's characters."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    characters = list(dict.fromkeys([*islice(_characters(tree), 20), " ", "\n", "a", "1", "."]))
    some = characters[:MAX_CHARACTERS]
    units = [*characters, *map("".join, permutations(some, 2))]
    starts = dict.fromkeys(["", some[0], _shortest(tree)])
    for unit, start, end in product(units, starts, ("", "\0")):
        yield start, unit, end


def _characters(tree: Iterable[Any]) -> Iterator[str]:
    """Give a character or two of each literal and each class in a pattern."""
    for code, argument in tree:
        if code is codes.LITERAL:
            yield chr(argument)
        elif code is codes.NOT_LITERAL:
            yield "~" if argument != ord("~") else "-"
        elif code is codes.IN:
            yield from _of_class(argument)
        elif code is codes.ANY:
            yield "x"
        else:
            for inner in _inner(code, argument):
                yield from _characters(inner)


def _inner(code: Any, argument: Any) -> Iterator[Any]:
    """Give the patterns inside a part of a pattern."""
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}:
        yield argument[2]
    elif code is codes.SUBPATTERN:
        yield argument[3]
    elif code is codes.BRANCH:
        yield from argument[1]
    elif code in {codes.ASSERT, codes.ASSERT_NOT}:
        yield argument[1]
    elif code is codes.ATOMIC_GROUP:
        yield argument
    elif code is codes.GROUPREF_EXISTS:
        yield from (part for part in argument[1:] if part)


def _of_class(items: list[tuple[Any, Any]]) -> Iterator[str]:
    if items[0][0] is codes.NEGATE:
        excluded = {chr(value) for code, value in items[1:] if code is codes.LITERAL}
        yield from [c for c in "x ~1" if c not in excluded][:2]
        return
    categories = {codes.CATEGORY_DIGIT: "1", codes.CATEGORY_SPACE: " ", codes.CATEGORY_WORD: "w"}
    for code, value in items:
        if code is codes.LITERAL:
            yield chr(value)
        elif code is codes.RANGE:
            yield chr(value[0])
        elif code is codes.CATEGORY:
            yield categories.get(value, "~")


def _shortest(tree: Iterable[Any]) -> str:
    """Return the beginning of a string that the pattern matches: what it must have at first."""
    made = ""
    for code, argument in tree:
        if code is codes.AT:
            continue
        found = next(_characters([(code, argument)]), "")
        if code in {codes.MAX_REPEAT, codes.MIN_REPEAT}:
            if argument[0] == 0:
                break
            found *= argument[0]
        made += found
    return made[:20]


def _time(pattern: re.Pattern[Any], way: str, text: str) -> float:
    """Return the seconds of a call; at most those that it may take."""
    subject: Any = text.encode("utf-8", "replace") if isinstance(pattern.pattern, bytes) else text
    began = time.perf_counter()
    signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
    try:
        if way in {"match", "fullmatch", "search"}:
            getattr(pattern, way)(subject)
        else:
            for _ in pattern.finditer(subject):
                pass
    except TimeoutError:
        return MAX_SECONDS
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.perf_counter() - began


def _give_up(*_: object) -> None:
    raise TimeoutError


if __name__ == "__main__":
    sys.exit(main())
