"""Every setting of the method, declared once: with its default, its help and its limits.

The options of the command, the schema of the service and the settings page of the docs are made
from what :mod:`docbats.settings.settings` declares.
"""

from docbats.settings.field import SettingInfo
from docbats.settings.presets import PRESET_HELP, PRESETS, describe_presets, resolve_settings
from docbats.settings.settings import (
    SETTING_INFOS,
    Cut,
    Embeddings,
    Laplacian,
    Ranking,
    Sentences,
    Settings,
    Tagger,
    Unit,
)

__all__ = [
    "PRESETS",
    "PRESET_HELP",
    "SETTING_INFOS",
    "Cut",
    "Embeddings",
    "Laplacian",
    "Ranking",
    "Sentences",
    "SettingInfo",
    "Settings",
    "Tagger",
    "Unit",
    "describe_presets",
    "resolve_settings",
]
