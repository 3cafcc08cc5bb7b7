"""Documents made for the tests: their parts have words of their own, and are short or long."""

from __future__ import annotations

import random

SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]


def made_up_words(count: int, rng: random.Random) -> list[str]:
    return ["".join(rng.choices(SYLLABLES, k=3)) for _ in range(count)]


def sentence(words: list[str], rng: random.Random) -> str:
    return " ".join(rng.choices(words, k=9)).capitalize() + "."


def make_parts(seed: int, n_parts: int, n_sentences: int = 6) -> list[list[str]]:
    """Return the sentences of each part; half of its words are its own."""
    rng = random.Random(seed)
    shared = made_up_words(30, rng)
    parts = []
    for _ in range(n_parts):
        words = [*rng.choices(shared, k=12), *made_up_words(12, rng)]
        n = n_sentences + rng.randint(-1, 1)
        parts.append([sentence(words, rng) for _ in range(n)])
    return parts


def with_paragraphs(part: list[str]) -> str:
    """Return a part with a blank line after every second sentence."""
    return "\n\n".join(" ".join(part[i : i + 2]) for i in range(0, len(part), 2))


def make_markdown(parts: list[list[str]]) -> str:
    """Return a document with a heading above each part."""
    sections = (f"## Part {i}\n\n{with_paragraphs(part)}" for i, part in enumerate(parts, 1))
    return "\n\n".join(["# A document", *sections]) + "\n"


def many_short_parts(n: int) -> list[list[list[str]]]:
    return [make_parts(seed, 12 + seed % 5) for seed in range(n)]


def without_signal(n: int) -> list[list[list[str]]]:
    """Return documents on one subject each, cut anywhere into any number of parts."""
    found = []
    for seed in range(n):
        rng = random.Random(seed)
        words = made_up_words(40, rng)
        places = sorted(rng.sample(range(1, 40), rng.randint(1, 12)))
        sentences = [sentence(words, rng) for _ in range(40)]
        found.append([sentences[a:b] for a, b in zip([0, *places], [*places, 40], strict=True)])
    return found
