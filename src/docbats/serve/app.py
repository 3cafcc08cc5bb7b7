"""The application: its routes, its OpenAPI document and its page."""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from docbats.readers.kinds import SUFFIXES
from docbats.render.html import asset
from docbats.render.html.markup import element, joined
from docbats.runtime import __version__
from docbats.serve.json_lines import JsonLinesResponse
from docbats.serve.problems import MEDIA_TYPE, Problem, problem_of_status
from docbats.serve.requests import parse_body, parse_content_type, read_body, unsupported_type
from docbats.serve.responses import (
    FILES,
    JSON,
    LINES,
    TEXT,
    HealthAnswer,
    LineAnswer,
    PresetsAnswer,
    ProblemAnswer,
    ResultAnswer,
    choose_format,
    media_type,
)
from docbats.serve.schema import AnalyzeQuery, DocumentLine, DocumentRequest, problem_of_errors
from docbats.serve.schema import Query as ManyQuery
from docbats.serve.security import SecurityMiddleware, problem_response
from docbats.serve.service import Service
from docbats.settings import PRESET_HELP, PRESETS, SETTING_INFOS
from docbats.text.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

    from fastapi.telemetry import TelemetryConfig
    from pydantic import BaseModel

    from docbats.serve.service import ServiceOptions

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
    DocumentLine,
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
            "description": "One DocumentLine on each line.",
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


_MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True)
class StaticFile:
    """A file as it is sent."""

    body: bytes
    media_type: str
    etag: str


@cache
def static_files() -> dict[str, StaticFile]:
    """Return the page, index.html, and everything that it loads, by name."""
    folder = files("docbats.serve").joinpath("static")
    bodies = {file.name: file.read_bytes() for file in folder.iterdir()}
    options = joined(*(element("option", name, value=code) for code, name in LANGUAGES.items()))
    page = bodies["index.html"].replace(b"<!-- languages -->", options.encode())
    bodies["index.html"] = page.replace(b"SUFFIXES", ",".join(sorted(SUFFIXES)).encode())
    bodies |= {name: asset(name).encode() for name in ("view.css", "view.js")}
    return {
        name: StaticFile(
            body, _MEDIA_TYPES[name.rpartition(".")[2]],
            etag=f'"{hashlib.sha256(body).hexdigest()[:20]}"',
        )
        for name, body in bodies.items()
    }  # fmt: skip


# Newer versions of FastAPI can report requests to other hosts, but nothing about requests may leave
# this service. Older versions ignore this.
_NO_TELEMETRY: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}


def create_app(options: ServiceOptions) -> FastAPI:
    """Return the application; its worker processes start and end with it."""
    service = Service(options)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            await asyncio.wrap_future(service.pool.start())
            yield
        finally:
            service.pool.close()

    app = FastAPI(
        title="docbats",
        version=__version__,
        lifespan=lifespan,
        openapi_url="/v1/openapi.json",
        docs_url=None,  # they load scripts from another host
        redoc_url=None,
        telemetry=_NO_TELEMETRY,
    )
    app.state.service = service
    _add_page(app)
    _add_api(app, service)
    _add_error_handlers(app)
    customize_openapi(app, needs_token=options.token is not None)
    paths = {getattr(route, "path", "") for route in app.routes}
    app.add_middleware(SecurityMiddleware, service=service, paths=paths)
    return app


def _add_page(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def index(request: Request) -> Response:
        return _send(static_files()["index.html"], request)

    @app.get("/static/{name}", include_in_schema=False)
    async def static_file(name: str, request: Request) -> Response:
        file = static_files().get(name)
        if file is None or name == "index.html":
            raise HTTPException(404)
        return _send(file, request)


def _add_api(app: FastAPI, service: Service) -> None:
    options = service.options

    @app.post("/v1/analyze", **ANALYZE_ROUTE)
    async def analyze(request: Request, query: Annotated[AnalyzeQuery, Query()]) -> Response:
        """Find the topics and the segments of one document, a text or a file."""
        format_ = query.format or choose_format(request.headers.get("accept"))
        media, charset = parse_content_type(request)
        with service.hold_place():
            body = await read_body(request, options.max_bytes)
            values = {
                "type": FILES.get(media),
                **query.model_dump(exclude_unset=True),
                # In a thread: others are answered while a large body is parsed.
                **await asyncio.to_thread(parse_body, media, charset, body),
            }
            job = service.make_job(values, format_)
            with service.follow(query.progress) as on_progress:
                work = service.analyze(job, on_progress=on_progress)
                result = await _while_connected(request, work)
        return Response(result, media_type=media_type(format_), headers={"Vary": "Accept"})

    @app.post("/v1/analyze/many", **ANALYZE_MANY_ROUTE)
    async def analyze_many(request: Request, query: Annotated[ManyQuery, Query()]) -> Response:
        """Find the topics and the segments of many documents, one on each line.

        Answers come in the order of the lines, each as soon as it is ready; read them while you
        send.
        """
        media, _ = parse_content_type(request)
        if media not in LINES:
            raise unsupported_type(media, LINES[0])
        return JsonLinesResponse(service, request.stream(), query.model_dump(exclude_unset=True))

    @app.get("/v1/progress/{name}", include_in_schema=False)
    async def progress(name: str) -> Response:
        """Return the progress of the analysis that was sent with this name."""
        told = service.progress.get(name)
        return JSONResponse({"stage": told and told.stage, "share": told and told.share})

    @app.get("/v1/presets", response_model=PresetsAnswer, responses=problem_responses(401))
    async def list_presets() -> Response:
        """List the presets, what each setting means, and the limits of this service."""
        return JSONResponse(presets(options))

    @app.get("/v1/health", response_model=HealthAnswer)
    async def health() -> Response:
        """Check that the service is up; 503 once it is about to stop."""
        stopping = service.stopping.is_set()
        values = {"status": "stopping" if stopping else "ok", "version": __version__}
        return JSONResponse(values, 503 if stopping else 200)

    @app.get("/v1/metrics", **METRICS_ROUTE)
    async def metrics() -> Response:
        """Get the metrics of this service in the text format of Prometheus."""
        text = service.metrics.to_text(service.pool)
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


def _add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(Problem)
    async def problem(_: Request, error: Problem) -> Response:
        return problem_response(error)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        return problem_response(problem_of_errors(error.errors()))

    @app.exception_handler(HTTPException)
    async def other(_: Request, error: HTTPException) -> Response:
        detail = "GET / is the page, and GET /v1/openapi.json describes the API."
        problem = problem_of_status(error.status_code, detail)
        problem.headers.update(error.headers or {})
        return problem_response(problem)


def _send(file: StaticFile, request: Request) -> Response:
    if request.headers.get("if-none-match") == file.etag:
        return Response(status_code=304, headers={"ETag": file.etag})
    return Response(file.body, media_type=file.media_type, headers={"ETag": file.etag})


async def _while_connected(request: Request, work: Coroutine[Any, Any, bytes]) -> bytes:
    """Return the result of `work`; cancel it if the client goes away, which frees its place."""
    task = asyncio.create_task(work)
    disconnect = asyncio.create_task(_wait_for_disconnect(request))
    try:
        await asyncio.wait({task, disconnect}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            return b""  # nobody receives it
        return task.result()
    finally:
        task.cancel()
        disconnect.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
