"""The colours of the report: enough contrast, and topics that can be told apart."""

from __future__ import annotations

import re
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from docbats.render.html import asset


def _colours(theme: str) -> dict[str, tuple[float, float, float]]:
    found = re.findall(r"--([\w-]+): light-dark\(#(\w{6}), #(\w{6})\);", asset("view.css"))
    values = {name: light if theme == "light" else dark for name, light, dark in found}
    return {
        name: (int(value[:2], 16) / 255, int(value[2:4], 16) / 255, int(value[4:], 16) / 255)
        for name, value in values.items()
    }


def _linear(colour: Any) -> Any:
    channels = np.array(colour)
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def _contrast(one: Any, other: Any) -> float:
    weights = [0.2126, 0.7152, 0.0722]
    light, dark = sorted((float(_linear(c) @ weights) for c in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast(theme: str) -> None:
    colours = _colours(theme)
    for ground in ("paper", "panel"):
        for ink in ("ink", "soft", "accent"):
            assert _contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
        for number in range(8):
            assert _contrast(colours[f"c{number}"], colours[ground]) >= 3, (number, ground)
        for number in range(8):  # names are written in the speakers' colours
            assert _contrast(colours[f"v{number}"], colours[ground]) >= 4.5, (number, ground)
    tint = 0.40  # of a word that is pointed at, the strongest behind text
    for number in range(8):
        mixed = tint * np.array(colours[f"c{number}"]) + (1 - tint) * np.array(colours["paper"])
        assert _contrast(colours["ink"], mixed) >= 4.5, number


# Machado, Oliveira and Fernandes 2009, full strength; on linear light.
DEFICIENCIES = {
    "none": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
         [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
         [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
         [0.004733, 0.691367, 0.303900]]
    ),
}  # fmt: skip


def _lab(linear: Any) -> Any:
    xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    ) @ np.clip(linear, 0, 1) / [0.9505, 1, 1.089]  # fmt: skip
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_colours_can_be_told_apart(theme: str, deficiency: str) -> None:
    colours = _colours(theme)
    seen = [_lab(DEFICIENCIES[deficiency] @ _linear(colours[f"c{i}"])) for i in range(8)]
    distance = {(a, b): np.linalg.norm(seen[a] - seen[b]) for a, b in combinations(range(8), 2)}
    assert min(distance.values()) > 15, min(distance, key=lambda pair: distance[pair])
    same_line = [distance[a, a + 4] for a in range(4)]
    assert min(same_line) > 35, same_line


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_speakers_can_be_told_apart(theme: str, deficiency: str) -> None:
    colours = _colours(theme)
    seen = [_lab(DEFICIENCIES[deficiency] @ _linear(colours[f"v{i}"])) for i in range(8)]
    distance = {(a, b): np.linalg.norm(seen[a] - seen[b]) for a, b in combinations(range(8), 2)}
    assert min(distance.values()) > 15, min(distance, key=lambda pair: distance[pair])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_speaker_has_the_colour_of_a_topic(theme: str) -> None:
    colours = {name: _lab(_linear(colour)) for name, colour in _colours(theme).items()}
    for speaker, topic in product(range(8), range(8)):
        distance = np.linalg.norm(colours[f"v{speaker}"] - colours[f"c{topic}"])
        assert distance > 14, (speaker, topic)


def test_speakers_with_one_colour_differ_in_their_lines() -> None:
    css = asset("view.css")
    colour: dict[str, str] = {}
    for names, number in re.findall(r":is\((.*?)\) \{ --v: var\(--v(\d)\)", css):
        colour |= dict.fromkeys(names.split(", "), number)
    (dotted,) = re.findall(r":is\((.*?)\) \{ --rule: dotted", css)
    looks = [(colour[f".v{i}"], f".v{i}" in dotted.split(", ")) for i in range(16)]
    assert len(set(looks)) == 16


def test_topics_with_one_colour_differ_in_their_lines() -> None:
    css = asset("view.css")
    colour: dict[str, str] = {}
    lines: dict[str, str] = {}
    for names, number in re.findall(r":is\((.*?)\) \{ --c: var\(--c(\d)\)", css):
        colour |= dict.fromkeys(names.split(", "), number)
    for names, style in re.findall(r":is\((.*?)\) \{ --line: (\w+)", css):
        lines |= dict.fromkeys(names.split(", "), style)
    looks = [(colour[f".t{i}"], lines.get(f".t{i}", "solid")) for i in range(32)]
    assert len(set(looks)) == 32
