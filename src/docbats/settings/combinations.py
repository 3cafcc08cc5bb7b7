"""Which settings go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbats.settings.values import refuse

if TYPE_CHECKING:
    from docbats.settings.settings import Settings

__all__ = ["check_combinations"]


def check_combinations(settings: Settings) -> None:
    """Refuse settings of which each is fine, but not with the others."""
    _check_sizes(settings)
    _check_regularization(settings)
    _check_what_the_cut_supports(settings)


def _check_sizes(settings: Settings) -> None:
    if settings.max_size is None:
        return
    if settings.min_size > settings.max_size:
        expected = f"at most max_size, which is {settings.max_size}"
        refuse("min_size", settings.min_size, expected, "lower it, or raise max_size")
    if settings.overlap >= settings.max_size:
        expected = f"less than max_size, which is {settings.max_size}"
        refuse("overlap", settings.overlap, expected, "lower it, or raise max_size")


def _check_regularization(settings: Settings) -> None:
    if settings.laplacian == "regularized":
        return
    for name, tau in [("tau_p", settings.tau_p), ("tau_o", settings.tau_o)]:
        if tau is not None:
            expected = f'None with laplacian="{settings.laplacian}", which has no τ'
            refuse(name, tau, expected, 'leave it out, or set laplacian="regularized"')


def _check_what_the_cut_supports(settings: Settings) -> None:
    has_sizes = settings.min_size > 0 or settings.max_size is not None
    if not has_sizes and settings.embeddings is None:
        return
    from docbats.segments.cuts import find_cut

    cut = find_cut(settings.cut)
    shown = settings.cut if isinstance(settings.cut, str) else type(settings.cut).__name__
    advice = 'leave it out, or set cut="likelihood"'
    if has_sizes and not cut.keeps_sizes:
        name, unset = ("min_size", 0) if settings.min_size else ("max_size", None)
        expected = f'{unset} with cut="{shown}", which does not keep to sizes'
        refuse(name, getattr(settings, name), expected, advice)
    if settings.embeddings is not None and not cut.uses_embeddings:
        expected = f'None with cut="{shown}", which does not use them'
        refuse("embeddings", settings.embeddings, expected, advice)
