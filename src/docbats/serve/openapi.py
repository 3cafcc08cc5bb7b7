"""The OpenAPI document: what each route takes and returns, with examples."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.responses import Response

from docbats.serve.analysis_job import run_job
from docbats.serve.problems import MEDIA_TYPE, Kind, Problem
from docbats.serve.requests import MAX_PARTS
from docbats.serve.responses import (
    ANY_FILE,
    FILES,
    FORM,
    JSON,
    LINES,
    TEXT,
    ChunksAnswer,
    ChunksLineAnswer,
    LineAnswer,
    ProblemAnswer,
    ResultAnswer,
)
from docbats.serve.schema import (
    NOT_BLANK,
    ChunkLine,
    ChunkRequest,
    DocumentLine,
    DocumentRequest,
)
from docbats.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI
    from pydantic import BaseModel

    from docbats.serve.analysis_job import AnalysisJob, ChunkJob
    from docbats.serve.service import Service

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
    ChunkLine,
    ChunkRequest,
    ChunksAnswer,
    ChunksLineAnswer,
    DocumentLine,
    DocumentRequest,
    LineAnswer,
    ProblemAnswer,
    ResultAnswer,
)
_FORMS = {"DocumentForm": DocumentRequest, "ChunkForm": ChunkRequest}
_REF = "#/components/schemas/{model}"
_TEXT = {"schema": {"type": "string"}}
_FILE = {"schema": {"type": "string", "format": "binary"}}

EXAMPLE_TEXT = (
    "# Bats\n\nBats hunt moths at night. A bat hears the echo of its own call.\n\n"
    "# Tea\n\nTea needs hot water. Green tea tastes bitter if the water boils."
)
_ANALYZE_EXAMPLE = {"text": EXAMPLE_TEXT, "k": 2, "name": "notes.md"}
_EXAMPLE_SETTINGS = Settings(k=2)  # no namer, which might ask a model
_CHUNK_EXAMPLE = {
    "text": EXAMPLE_TEXT,
    "chunk_size": 100,
    "context": "headings",
    "name": "notes.md",
}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": _REF.format(model=name)}


def problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the descriptions of the errors that a route may respond with."""
    problem = Problem(Kind.BUSY, "Too many documents are waiting: try again in a few seconds.")
    content = {MEDIA_TYPE: {"schema": _ref("ProblemAnswer")}}
    responses: dict[int | str, dict[str, Any]] = {
        status: {"description": _STATUS_DESCRIPTIONS[status], "content": content}
        for status in statuses
    }
    if 503 in responses:
        busy = {MEDIA_TYPE: {**content[MEDIA_TYPE], "example": problem.to_dict()}}
        responses[503] = {**responses[503], "content": busy}
    return responses


def _one_document(
    request: str, form: str, example: dict[str, Any], answers: dict[str, Any], text: dict[str, Any]
) -> dict[str, Any]:
    """Return what a route takes and returns whose body is a document."""
    return {
        "response_class": Response,
        "responses": {
            200: {"description": "The result.", "content": answers},
            **problem_responses(400, 401, 403, 406, 408, 413, 415, 422, 500, 503),
        },
        "openapi_extra": {
            "requestBody": {
                "required": True,
                "content": {
                    JSON: {"schema": _ref(request), "example": example},
                    FORM: {"schema": _ref(form)},
                    TEXT: {**text, "example": EXAMPLE_TEXT},
                    **dict.fromkeys([name for name in FILES if name != ANY_FILE], _FILE),
                    ANY_FILE: _FILE,  # the last one, which generated clients send a file as
                },
            }
        },
    }


def _many_documents(line: str, answer: str, example: dict[str, Any]) -> dict[str, Any]:
    """Return what a route takes and returns whose body is a document on each line."""
    lines = "".join(json.dumps({"id": name, **example}) + "\n" for name in ("a", "b"))
    return {
        "response_class": Response,
        "responses": {
            200: {
                "description": f"A line for each line, in the same order: a {answer} with the "
                "result or the error. Blank lines have no answer.",
                "content": {LINES[0]: _TEXT},
            },
            **problem_responses(400, 401, 403, 415, 422, 503),
        },
        "openapi_extra": {
            "requestBody": {
                "description": f"One {line} on each line.",
                "required": True,
                # Generated clients can send bytes, but few know the type of lines.
                "content": {LINES[0]: {**_TEXT, "example": lines}, ANY_FILE: _FILE},
            }
        },
    }


ANALYZE_ROUTE = _one_document(
    "DocumentRequest",
    "DocumentForm",
    _ANALYZE_EXAMPLE,
    {
        JSON: {"schema": _ref("ResultAnswer")},
        "text/markdown": _TEXT,
        "text/csv": _TEXT,
        "text/html": _TEXT,
    },
    {"schema": {"type": "string", "pattern": NOT_BLANK}},
)
CHUNK_ROUTE = _one_document(
    "ChunkRequest",
    "ChunkForm",
    _CHUNK_EXAMPLE,
    {JSON: {"schema": _ref("ChunksAnswer")}, LINES[0]: _TEXT},
    _TEXT,
)
ANALYZE_MANY_ROUTE = _many_documents("DocumentLine", "LineAnswer", _ANALYZE_EXAMPLE)
CHUNK_MANY_ROUTE = _many_documents("ChunkLine", "ChunksLineAnswer", _CHUNK_EXAMPLE)
METRICS_ROUTE: dict[str, Any] = {
    "response_class": Response,
    "responses": {200: {"description": "The counts.", "content": {"text/plain": _TEXT}}}
    | problem_responses(400, 401),
}


def customize_openapi(app: FastAPI, service: Service) -> None:
    """Add all models, the examples, and the token if one is needed, to the OpenAPI document."""

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
            components["schemas"].update(
                {name: _form(components["schemas"][of.__name__]) for name, of in _FORMS.items()}
            )
            if service.options.token is not None:
                components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
                schema["security"] = [{"token": []}]
                schema["paths"]["/v1/health"]["get"]["security"] = []
            for parameter in _parameters(schema["paths"]):
                parameter["schema"] = _not_null(parameter["schema"])
            _add_answers(schema["paths"], service)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _form(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a form: the fields of a JSON request, and a file for its text."""
    fields = {name: _not_null(field) for name, field in schema["properties"].items()}
    del fields["text"]
    for field in fields.values():
        if field.get("type") == "array":
            field["maxItems"] = min(field["maxItems"], MAX_PARTS // 4)  # each is a part of its own
    file = {"type": "string", "format": "binary", "description": "The document, a file."}
    return {
        "type": "object",
        "description": "A file and what to do with it; these values override the query.",
        "properties": {"file": file, **fields},
        "required": ["file"],
        "additionalProperties": False,
    }


def _parameters(paths: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the parameters of all operations."""
    for path in paths.values():
        for operation in path.values():
            yield from operation.get("parameters", ())


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a value that is left out rather than null."""
    kept = [option for option in schema.get("anyOf", ()) if option.get("type") != "null"]
    rest = {name: value for name, value in schema.items() if name != "anyOf" and value is not None}
    if len(kept) == 1:
        rest |= kept[0]
    elif kept:
        rest["anyOf"] = kept
    return rest


def _add_answers(paths: dict[str, Any], service: Service) -> None:
    """Add the answers to the examples: what the library makes of them now."""
    jobs: dict[str, AnalysisJob | ChunkJob] = {
        "/v1/analyze": replace(service.make_job(_ANALYZE_EXAMPLE), settings=_EXAMPLE_SETTINGS),
        "/v1/chunk": service.make_chunk_job(_CHUNK_EXAMPLE),
    }
    for path, job in jobs.items():
        answer = run_job(job)
        if isinstance(answer, bytes):
            content = paths[path]["post"]["responses"]["200"]["content"][JSON]
            content["example"] = json.loads(answer)
