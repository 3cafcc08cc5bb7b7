"""The scores of the numbers of segments, as a curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.render.html.markup import Markup, element, joined

if TYPE_CHECKING:
    from docbats.segments.choose_k import Choice

__all__ = ["choice_curve"]


def choice_curve(choice: Choice) -> Markup:
    """Draw the scores of 1, 2, ... segments, with the number chosen."""
    scores = choice.scores[: 2 * choice.k + 10]
    low, high = min(scores), max(scores)
    left, top, width, height = 8, 16, 284, 68

    def place(k: int) -> tuple[float, float]:
        x = left + width * (k - 1) / max(1, len(scores) - 1)
        y = top + height * (1 - (scores[k - 1] - low) / ((high - low) or 1))
        return round(x, 1), round(y, 1)

    points = [place(k) for k in range(1, len(scores) + 1)]
    x, y = place(choice.k)
    base = top + height + 16
    ends = sorted({1, choice.k, len(scores)})
    return element(
        "svg",
        element("path", class_="line", d="M" + "L".join(f"{x:g} {y:g}" for x, y in points)),
        *(element("circle", cx=x, cy=y, r=2) for x, y in points),
        element("circle", class_="chosen", cx=x, cy=y, r=5),
        joined(*(element("text", k, x=place(k)[0], y=base, text_anchor="middle") for k in ends)),
        class_="curve",
        viewBox=f"0 0 300 {base + 6}",
        width=300,
        height=base + 6,
        role="img",
        aria_label=(
            f"Scores of 1 to {len(scores)} segments: {choice.k} has the best, "
            f"{scores[choice.k - 1]:.1f}; one segment has {scores[0]:.1f}."
        ),
    )
