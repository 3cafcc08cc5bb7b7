"""What the OpenAPI document says beyond what the routes themselves tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.responses import Response

from docbats.serve.answers import LineAnswer, ProblemAnswer, ResultAnswer
from docbats.serve.media import FILES, JSON, LINES, TEXT
from docbats.serve.problems import MEDIA_TYPE
from docbats.serve.schema import DocumentRequest, Line

if TYPE_CHECKING:
    from fastapi import FastAPI
    from pydantic import BaseModel

__all__ = ["ANALYZE", "MANY", "METRICS", "describe", "problems"]

_DESCRIPTION = """Topics and segments of documents.

Errors are problem+json (RFC 9457), and their `detail` says what to do. Nothing of a document is
kept or logged."""
_MEANINGS = {
    400: "The request cannot be read, or the Host header names another machine.",
    401: "The token is missing or wrong.",
    403: "The request comes from a page of another site.",
    406: "The answer cannot be given in a form that the client accepts.",
    408: "The request took too long to arrive.",
    413: "The document is too large.",
    415: "The document is in a form that is not read here.",
    422: "The settings make no sense, or the document cannot be read or analysed as asked.",
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


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Describe the errors that a route may answer with."""
    content = {MEDIA_TYPE: {"schema": _ref(ProblemAnswer)}}
    return {status: {"description": _MEANINGS[status], "content": content} for status in statuses}


ANALYZE: dict[str, Any] = {
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
        **problems(400, 401, 403, 406, 408, 413, 415, 422, 500, 503),
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
MANY: dict[str, Any] = {
    "response_class": Response,
    "responses": {
        200: {
            "description": "A line for each line, in their order: a LineAnswer with the result or "
            "the error. Blank lines have no answer.",
            "content": {LINES[0]: _TEXT},
        },
        **problems(400, 401, 403, 415, 422, 503),
    },
    "openapi_extra": {
        "requestBody": {
            "description": "A Line on each line.",
            "required": True,
            "content": {LINES[0]: _TEXT},
        }
    },
}
METRICS: dict[str, Any] = {
    "response_class": Response,
    "responses": {200: {"description": "The counts.", "content": {"text/plain": _TEXT}}}
    | problems(400, 401),
}


def describe(app: FastAPI, *, needs_token: bool) -> None:
    """Have the OpenAPI document hold all models, and the token if one is needed."""

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
                for path in ("/v1/health",):
                    schema["paths"][path]["get"]["security"] = []
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
