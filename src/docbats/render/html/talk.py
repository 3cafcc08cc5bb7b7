"""The parts of a report that show who speaks: names and times, shares, the filter, the player."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from docbats.places import clock
from docbats.render.html.markup import Markup, bdi, element, joined
from docbats.render.one_line import one_line
from docbats.render.speakers import room_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docbats.render.html.report_context import ReportContext
    from docbats.render.media import Recording
    from docbats.render.speakers import Share, Talk, Turn

_MAX_LISTED = 12  # speakers; the others can be opened, so that the text begins on the first screen
_MAX_VOICES = 200  # in the list that can be opened; more would make the page too large
_MAX_NAMED = 3  # speakers of a segment; if larger, they take more lines than its title
_MAX_NAMED_IN_OUTLINE = 2
_COLOURS = 16  # eight, each with a solid and a dotted line
_BAR_WIDTH = 1000  # units


def speaker_class(speaker: int | None) -> str:
    """Return the class of a speaker's colour; empty if nobody is named."""
    return "" if speaker is None else f"v{speaker % _COLOURS}"


def turn_label(talk: Talk, turn: Turn, seconds: float | None, *, is_first: bool) -> Markup | None:
    """Return the name and the time beside a part of a turn.

    The name of who goes on, and the time of a later part, are shown where a segment begins.
    """
    time = "" if seconds is None else clock(seconds)
    if turn.speaker is None and not time:
        return None
    return element(
        "span",
        None if turn.speaker is None else bdi(talk.short_names[turn.speaker]),
        " " if turn.speaker is not None and time else None,
        element("span", time, class_="time") if time else None,
        class_="by again" if turn.goes_on or not is_first else "by",
    )


def speaker_list(context: ReportContext) -> Markup | None:
    """Return the speakers with their shares, and a line for what the filter shows."""
    talk = context.talk
    if talk is None or not talk.names:
        return None
    shares = talk.shares(0, len(context.result.document.text))
    listed, others = shares[:_MAX_LISTED], shares[_MAX_LISTED:_MAX_VOICES]
    n_left = max(0, len(shares) - _MAX_VOICES)
    return joined(
        context.section(
            "Speakers",
            _shares_bar(shares),
            _voices(talk, listed),
            element(
                "details",
                element("summary", f"and {len(others) + n_left} more"),
                _voices(talk, others),
                element("p", f"The {n_left} who say least are not listed.", class_="hint")
                if n_left
                else None,
            )
            if others
            else None,
            element("p", "Press a name to read only what that speaker says.", class_="hint",
                    hidden=True)
            if context.has_filter
            else None,
            class_="speakers",
        ),
        element(
            "p",
            element("span"),
            " ",
            element("button", "Show all", type="button", class_="show-all"),
            class_="only",
            hidden=True,
            data_keep_hidden=True,
        ),
    )  # fmt: skip


def _voices(talk: Talk, shares: Sequence[Share]) -> Markup:
    return element("ul", *(element("li", _voice(talk, share)) for share in shares))


def _voice(talk: Talk, share: Share) -> Markup:
    name, short = talk.names[share.speaker], talk.short_names[share.speaker]
    return element(
        "span",
        bdi(short),
        " ",
        element("span", share.shown, class_="percent"),
        class_=f"voice {speaker_class(share.speaker)}",
        title=one_line(name) if one_line(name) != short else None,
    )


def _shares_bar(shares: Sequence[Share]) -> Markup:
    """Return the shares of all speakers as parts of one bar."""
    parts, at = [], 0
    for share in shares:
        width = (share.percent or 0) * _BAR_WIDTH // 100
        if width:
            name = speaker_class(share.speaker)
            parts.append(element("rect", x=at, width=width, height=10, class_=name))
        at += width
    return element(
        "svg", *parts, class_="shares", viewBox=f"0 0 {_BAR_WIDTH} 10",
        preserveAspectRatio="none", aria_hidden="true",
    )  # fmt: skip


def voices(
    context: ReportContext, first: int, end: int, *, in_outline: bool = False
) -> Markup | None:
    """Return who speaks in some sentences, those who say most first; None if nobody is named."""
    talk = context.talk
    if talk is None or not talk.names:
        return None
    shares = talk.shares(*context.offsets(first, end))
    most = room_for(len(shares), _MAX_NAMED_IN_OUTLINE if in_outline else _MAX_NAMED)
    parts: list[object] = []
    for share in shares[:most]:
        name = bdi(talk.short_names[share.speaker])
        class_ = f"voice {speaker_class(share.speaker)}"
        parts += [", ", element("span", name, f" {share.shown}".rstrip(), class_=class_)]
    more = f" and\xa0{len(shares) - most}\xa0more" if len(shares) > most else None
    return element("span", *parts[1:], more, class_="voices")


def talk_data(context: ReportContext) -> dict[str, Any] | None:
    """Return what the script needs: the speakers, their words piece by piece, and the turns."""
    talk = context.talk
    if talk is None:
        return None
    pieces = [*context.cuts.pieces, len(context.result.document)]
    words = [
        [value for pair in talk.words(*context.offsets(*span)).items() for value in pair]
        for span in pairwise(pieces)
    ]
    return {
        "names": talk.short_names,
        "words": words if talk.names else [],
        "turns": [turn.speaker for turn, _ in context.text.turns],
        "times": [_number(seconds) for _, seconds in context.text.turns],
        "filter": context.has_filter,
    }


def _number(seconds: float | None) -> float | int | None:
    """Return whole seconds as an integer, which takes less space."""
    return int(seconds) if seconds is not None and seconds == int(seconds) else seconds


def player(recording: Recording) -> Markup:
    """Return the player of a recording; without a script it plays, and the text stays put."""
    return element(
        "div",
        element(
            "video" if recording.is_video else "audio",
            src=recording.url,
            controls=True,
            preload="metadata",
        ),
        class_="player",
        role="group",
        aria_label="Recording",
    )
