"""The presets and what their settings mean, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docbats.serve.schema import DocumentRequest, Knobs
from docbats.settings import PRESETS

if TYPE_CHECKING:
    from docbats.serve.service_options import ServiceOptions

__all__ = ["presets"]

_DESCRIPTIONS = {
    "sharp": "The better segments and topics; the default.",
    "paper": "BATS as published (Wu et al., 2020).",
}


def presets(options: ServiceOptions) -> dict[str, Any]:
    """Give the presets, the settings and the limits as JSON-ready values."""
    properties = DocumentRequest.model_json_schema()["properties"]
    names = [name for name in (*Knobs.model_fields, "stop_words") if name != "preset"]
    return {
        "presets": {
            name: {
                "description": _DESCRIPTIONS[name],
                "settings": {key: settings.to_dict()[key] for key in names},
            }
            for name, settings in PRESETS.items()
        },
        "settings": {name: _setting(properties[name]) for name in names},
        "limits": {
            "max_bytes": options.max_bytes,
            "max_sentences": options.max_sentences,
            "timeout": options.timeout,
        },
    }


def _setting(schema: dict[str, Any]) -> dict[str, Any]:
    rest = {k: v for k, v in schema.items() if k not in {"description", "title", "default"}}
    return {"description": schema["description"], "schema": rest}
