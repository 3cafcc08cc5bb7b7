"""Every setting of the method, declared once: with its default, its help and its limits.

The options of the command, the schema of the service and the settings page of the docs are made
from what :mod:`docbats.settings.settings` declares.
"""

from docbats.settings.field import SettingInfo
from docbats.settings.presets import PRESET_HELP, PRESETS, describe_presets, resolve_settings
from docbats.settings.setting_types import (
    Cut,
    Embeddings,
    Granularity,
    Laplacian,
    Ranking,
    Sentences,
    Tagger,
    Unit,
)
from docbats.settings.settings import SETTING_INFOS, Settings

__all__ = [
    "PRESETS",
    "PRESET_HELP",
    "SETTING_INFOS",
    "Cut",
    "Embeddings",
    "Granularity",
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
