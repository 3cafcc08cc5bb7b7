"""Named settings to start from."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from docbats.errors import SettingsError
from docbats.settings.settings import SETTING_INFOS, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PRESETS", "PRESET_HELP", "describe_presets", "resolve_settings"]

PRESETS: Mapping[str, Settings] = MappingProxyType(
    {
        "sharp": Settings(),
        "paper": Settings(
            language="en",
            cut="linkage",
            ranking="kmeans",
            window=5,
            decay=0.7,
            structure="ignore",
        ),
    }
)
"""Named settings: ``"sharp"`` finds the better segments and topics, ``"paper"`` is BATS as
published."""

PRESET_HELP: Mapping[str, str] = MappingProxyType(
    {
        "sharp": "The better segments and topics; the default.",
        "paper": "BATS as published (Wu et al., 2020).",
    }
)
"""What each preset is for, in one sentence."""


def describe_presets() -> str:
    """Return what the choice of a preset means, for the command and the service."""
    presets = [f"{name}: {text}" for name, text in PRESET_HELP.items()]
    return " ".join(["Settings to start from.", *presets])


def resolve_settings(preset: str, **changes: Any) -> Settings:
    """Return the settings of a preset with some of them changed."""
    if not isinstance(preset, str) or preset not in PRESETS:
        msg = f"preset must be one of {', '.join(PRESETS)}, got {preset!r}"
        raise SettingsError(msg)
    for name in changes:
        if name not in SETTING_INFOS:
            msg = f"there is no setting {name!r}: the settings are {', '.join(SETTING_INFOS)}"
            raise SettingsError(msg)
    return replace(PRESETS[preset], **changes)
