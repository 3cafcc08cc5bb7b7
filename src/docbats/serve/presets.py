"""The presets and what their settings mean, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.serve.schema import DocumentRequest
from docbats.settings import PRESET_HELP, PRESETS, SETTING_INFOS

if TYPE_CHECKING:
    from docbats.serve.service_options import ServiceOptions

__all__ = ["presets"]


def presets(options: ServiceOptions) -> dict[str, Any]:
    """Return the presets, the settings and the limits as JSON-ready values."""
    properties = DocumentRequest.model_json_schema()["properties"]
    names = [name for name, info in SETTING_INFOS.items() if info.service]
    return {
        "presets": {
            name: {
                "description": PRESET_HELP[name],
                "settings": {key: settings.to_dict()[key] for key in names},
            }
            for name, settings in PRESETS.items()
        },
        "settings": {name: _setting(properties[name]) for name in names},
        "limits": {
            "max_bytes": options.max_bytes,
            "max_sentences": options.max_sentences,
            "timeout": options.timeout,
            "is_local": options.is_loopback,
        },
    }


def _setting(schema: dict[str, Any]) -> dict[str, Any]:
    rest = {k: v for k, v in schema.items() if k not in {"description", "title", "default"}}
    return {"description": schema["description"], "schema": rest}
