"""The path of the data through the stages."""

from __future__ import annotations

from drawing import COLOURS, GREY, WIDTH, Card


def path() -> Card:
    """Show which stage feeds which."""
    card = Card(334, "From the text to topics, segments and titles, stage by stage")
    left, middle, right = 8, 140, 272

    def box(x: float, y: float, title: str, note: str, colour: str) -> None:
        width = 120
        card.rect(x, y, width, 40, "#fff", stroke=colour, stroke_width=1.5, rx=5)
        card.text(x + width / 2, y + 17, title, "strong middle")
        card.text(x + width / 2, y + 31, note, "small note middle")

    def arrow(*points: tuple[float, float]) -> None:
        card.line(points, GREY, stroke_width=1.5)
        x, y = points[-1]
        card.add("path", d=f"M{x - 4} {y - 6}h8l-4 6z", fill=GREY)

    shared, paper, sharp = GREY, COLOURS[1], COLOURS[0]
    box(middle, 8, "text", "sentences, tokens", shared)
    arrow((200, 48), (200, 64))
    box(middle, 64, "words and classes", "names, nouns, verbs", shared)
    arrow((140, 84), (68, 84), (68, 120))
    arrow((200, 104), (200, 120))
    arrow((260, 84), (332, 84), (332, 120))
    box(left, 120, "matrix", "eq. 1, bonding eq. 2", shared)
    box(middle, 120, "evidence", "roots and openings", shared)
    box(right, 120, "phrases", "runs of nouns", sharp)
    arrow((68, 160), (68, 176))
    arrow((200, 160), (200, 176))
    box(left, 176, "spectrum", "eqs. 3, 4, 5", shared)
    box(middle, 176, "choice of k", "gain and penalty", shared)
    arrow((68, 216), (68, 232))
    arrow((200, 216), (200, 232))
    box(left, 232, "topics", "cores, or eq. 13", shared)
    box(middle, 232, "segments", "likelihood, or eq. 14", shared)
    detour = [(128, 196), (134, 196), (134, 244), (140, 244)]
    card.line(detour, paper, stroke_width=1.5, stroke_dasharray="3 2")
    arrow((332, 160), (332, 232))
    box(right, 232, "titles, labels", "phrases of the text", sharp)
    arrow((68, 272), (68, 288))
    arrow((200, 272), (200, 288))
    arrow((332, 272), (332, 288))
    card.rect(left, 288, WIDTH - 2 * left, 24, "#f1f1f1", rx=5)
    card.text(WIDTH / 2, 304, "result: topics, segments, outline, summary", "middle")
    card.text(left, 328, "blue: only sharp", "small", style=f"fill:{sharp}")
    card.text(WIDTH - left, 328, "dashed: the cut of paper", "small end", style=f"fill:{paper}")
    return card
