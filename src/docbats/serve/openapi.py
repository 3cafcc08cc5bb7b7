"""The parts of the OpenAPI document that FastAPI cannot derive from the routes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.responses import Response

from docbats.serve.media_types import FILES, JSON, LINES, TEXT
from docbats.serve.problems import MEDIA_TYPE
from docbats.serve.response_models import LineAnswer, ProblemAnswer, ResultAnswer
from docbats.serve.schema import DocumentRequest, Line

if TYPE_CHECKING:
    from fastapi import FastAPI
    from pydantic import BaseModel

__all__ = [
    "ANALYZE_MANY_ROUTE",
    "ANALYZE_ROUTE",
    "METRICS_ROUTE",
    "customize_openapi",
    "problem_responses",
]

_DESCRIPTION = """Topics and segments of documents.

Errors are problem+json (RFC 9457), and their `detail` says what to do. Nothing of a document is
kept or logged."""
_STATUS_DESCRIPTIONS = {
    400: "The request cannot be read, or the Host header names another host.",
    401: "The token is missing or wrong.",
    403: "The request comes from a page of another site.",
    406: "The result is not available in a format that the client accepts.",
    408: "The request took too long to arrive.",
    413: "The document is too large.",
    415: "The document has an unsupported type.",
    422: "The settings are invalid, or the document cannot be read or analyzed with them.",
    500: "The analysis failed.",
    503: "The service is busy, or the analysis took too long; see Retry-After.",
}
_MODELS: tuple[type[BaseModel], ...] = (
    DocumentRequest,
    Line,
    LineAnswer,
    ProblemAnswer,
    ResultAnswer,
)
_REF = "#/components/schemas/{model}"
_TEXT = {"schema": {"type": "string"}}
_FILE = {"schema": {"type": "string", "format": "binary"}}


def _ref(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _REF.format(model=model.__name__)}


def problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the descriptions of the errors that a route may respond with."""
    content = {MEDIA_TYPE: {"schema": _ref(ProblemAnswer)}}
    return {
        status: {"description": _STATUS_DESCRIPTIONS[status], "content": content}
        for status in statuses
    }


ANALYZE_ROUTE: dict[str, Any] = {
    "response_class": Response,
    "responses": {
        200: {
            "description": "The result.",
            "content": {
                JSON: {"schema": _ref(ResultAnswer)},
                "text/markdown": _TEXT,
                "text/csv": _TEXT,
                "text/html": _TEXT,
            },
        },
        **problem_responses(400, 401, 403, 406, 408, 413, 415, 422, 500, 503),
    },
    "openapi_extra": {
        "requestBody": {
            "required": True,
            "content": {
                JSON: {"schema": _ref(DocumentRequest)},
                TEXT: _TEXT,
                **dict.fromkeys(FILES, _FILE),
            },
        }
    },
}
ANALYZE_MANY_ROUTE: dict[str, Any] = {
    "response_class": Response,
    "responses": {
        200: {
            "description": "A line for each line, in the same order: a LineAnswer with the result "
            "or the error. Blank lines have no answer.",
            "content": {LINES[0]: _TEXT},
        },
        **problem_responses(400, 401, 403, 415, 422, 503),
    },
    "openapi_extra": {
        "requestBody": {
            "description": "One Line on each line.",
            "required": True,
            "content": {LINES[0]: _TEXT},
        }
    },
}
METRICS_ROUTE: dict[str, Any] = {
    "response_class": Response,
    "responses": {200: {"description": "The counts.", "content": {"text/plain": _TEXT}}}
    | problem_responses(400, 401),
}


def customize_openapi(app: FastAPI, *, needs_token: bool) -> None:
    """Add all models to the OpenAPI document, and the token if one is needed."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title, version=app.version, description=_DESCRIPTION, routes=app.routes
            )
            _, models = models_json_schema(
                [(model, "validation") for model in _MODELS], ref_template=_REF
            )
            components = schema.setdefault("components", {})
            components.setdefault("schemas", {}).update(models["$defs"])
            if needs_token:
                components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
                schema["security"] = [{"token": []}]
                schema["paths"]["/v1/health"]["get"]["security"] = []
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
