"""Plots as PNG files."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from docbats.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PANEL_INCHES = 3.4


@contextmanager
def plot_panels(path: Path, panels: int, columns: int | None = None) -> Iterator[list[Any]]:
    """Yield the axes of some panels, then save them as PNG without a date or version inside."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        msg = "plots need matplotlib: pip install docbats-lab"
        raise MissingExtraError(msg) from error
    columns = columns or panels
    rows = -(-panels // columns)
    drawing = Figure(figsize=(_PANEL_INCHES * columns, _PANEL_INCHES * rows), layout="constrained")
    FigureCanvasAgg(drawing)
    axes = drawing.subplots(rows, columns, squeeze=False).ravel()
    yield list(axes[:panels])
    for unused in axes[panels:]:
        unused.set_axis_off()
    drawing.savefig(path, dpi=75, metadata={"Software": None})
