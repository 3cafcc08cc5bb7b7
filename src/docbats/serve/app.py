"""The application: its routes and its page."""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from docbats.chunks.options import chunk_options
from docbats.readers.kinds import SUFFIXES
from docbats.render.html import asset
from docbats.render.html.markup import element, joined
from docbats.runtime import __version__
from docbats.serve.json_lines import JsonLinesResponse
from docbats.serve.openapi import (
    ANALYZE_MANY_ROUTE,
    ANALYZE_ROUTE,
    CHUNK_MANY_ROUTE,
    CHUNK_ROUTE,
    METRICS_ROUTE,
    customize_openapi,
    problem_responses,
)
from docbats.serve.problems import Problem, problem_of_status
from docbats.serve.requests import parse_content_type, parse_values, read_body, unsupported_type
from docbats.serve.responses import (
    LINES,
    HealthAnswer,
    PresetsAnswer,
    choose_chunk_format,
    choose_format,
    media_type,
)
from docbats.serve.schema import (
    AnalyzeQuery,
    ChunkLine,
    ChunkManyQuery,
    ChunkQuery,
    ChunkRequest,
    DocumentLine,
    DocumentRequest,
    problem_of_errors,
)
from docbats.serve.schema import Query as ManyQuery
from docbats.serve.security import SecurityMiddleware, problem_response
from docbats.serve.service import Service, ServiceOptions
from docbats.settings import PRESET_HELP, PRESETS, SETTING_INFOS
from docbats.text.languages import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable

    from fastapi.telemetry import TelemetryConfig
    from pydantic import BaseModel

    from docbats.serve.analysis_job import AnalysisJob, ChunkJob


def presets(options: ServiceOptions) -> dict[str, Any]:
    """Return the presets, all settings and options, and the limits as JSON-ready values."""
    names = [name for name, info in SETTING_INFOS.items() if info.service]
    return {
        "presets": {
            name: {
                "description": PRESET_HELP[name],
                "settings": {key: settings.to_dict()[key] for key in names},
            }
            for name, settings in PRESETS.items()
        },
        "settings": _described(DocumentRequest, names),
        "chunk_options": _described(ChunkRequest, chunk_options()),
        "tokenizers": list(options.tokenizers),
        "limits": {
            "max_bytes": options.max_bytes,
            "max_sentences": options.max_sentences,
            "timeout": options.timeout,
            "is_local": options.is_loopback,
        },
    }


def _described(model: type[BaseModel], names: Iterable[str]) -> dict[str, Any]:
    """Return the description and the JSON Schema of fields of a model."""
    properties = model.model_json_schema()["properties"]
    other = {"description", "title", "default"}
    return {
        name: {
            "description": properties[name]["description"],
            "schema": {k: v for k, v in properties[name].items() if k not in other},
        }
        for name in names
    }


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


def create_app(options: ServiceOptions | None = None) -> FastAPI:
    """Return the application, for any ASGI server.

    Its worker processes start and end with it; inside another application, which does not start
    what it mounts, they start with the first request.

    Parameters
    ----------
    options
        The options of ``docbats serve``; by default, its defaults beyond this machine. The server
        itself decides on the address, so `host` only decides which hosts are accepted by default.
    """
    service = Service(options or ServiceOptions())
    options = service.options

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
        generate_unique_id_function=lambda route: route.name,
        telemetry=_NO_TELEMETRY,
    )
    app.state.service = service
    _add_page(app)
    _add_api(app, service)
    _add_state(app, service)
    _add_error_handlers(app)
    customize_openapi(app, service)
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

    async def run(
        request: Request,
        query: BaseModel,
        model: type[BaseModel],
        make_job: Callable[[dict[str, Any]], AnalysisJob | ChunkJob],
        progress: str | None = None,
    ) -> Response:
        """Answer a request with one document by its job."""
        type_ = parse_content_type(request)
        with service.hold_place():
            body = await read_body(request, options.max_bytes)
            given = query.model_dump(exclude_unset=True)
            # In a thread: others are answered while a large body is parsed.
            job = make_job(await asyncio.to_thread(parse_values, type_, body, model, given))
            with service.follow(progress) as on_progress:
                work = service.run(job, on_progress=on_progress)
                result = await _while_connected(request, work)
        return Response(result, media_type=media_type(job.format), headers={"Vary": "Accept"})

    def run_many(
        request: Request,
        query: BaseModel,
        model: type[BaseModel],
        make_job: Callable[[dict[str, Any]], AnalysisJob | ChunkJob],
    ) -> Response:
        """Answer a request with a document on each line by their jobs."""
        media = parse_content_type(request).media
        if media not in LINES:
            raise unsupported_type(media, LINES[0])
        given = query.model_dump(exclude_unset=True)
        return JsonLinesResponse(
            service, request.stream(), model, lambda values: make_job({**given, **values})
        )

    @app.post("/v1/analyze", **ANALYZE_ROUTE)
    async def analyze(request: Request, query: Annotated[AnalyzeQuery, Query()]) -> Response:
        """Find the topics and the segments of one document, a text or a file."""
        format_ = query.format or choose_format(request.headers.get("accept"))
        make_job = partial(service.make_job, format_=format_)
        return await run(request, query, DocumentRequest, make_job, query.progress)

    @app.post("/v1/analyze/many", **ANALYZE_MANY_ROUTE)
    async def analyze_many(request: Request, query: Annotated[ManyQuery, Query()]) -> Response:
        """Find the topics and the segments of many documents, one on each line.

        Answers come in the order of the lines, each as soon as it is ready; read them while you
        send.
        """
        return run_many(request, query, DocumentLine, service.make_job)

    @app.post("/v1/chunk", **CHUNK_ROUTE)
    async def chunk(request: Request, query: Annotated[ChunkQuery, Query()]) -> Response:
        """Cut one document, a text or a file, into chunks for search.

        Paragraphs, lists, tables and code stay whole unless one alone is too large for a chunk, and
        headings stay with the text after them. A blank text has no chunks.
        """
        format_ = query.format or choose_chunk_format(request.headers.get("accept"))
        make_job = partial(service.make_chunk_job, format_=format_)
        return await run(request, query, ChunkRequest, make_job)

    @app.post("/v1/chunk/many", **CHUNK_MANY_ROUTE)
    async def chunk_many(request: Request, query: Annotated[ChunkManyQuery, Query()]) -> Response:
        """Cut many documents into chunks, one document on each line.

        Answers come in the order of the lines, each as soon as it is ready; read them while you
        send.
        """
        return run_many(request, query, ChunkLine, service.make_chunk_job)


def _add_state(app: FastAPI, service: Service) -> None:
    @app.get("/v1/progress/{name}", include_in_schema=False)
    async def progress(name: str) -> Response:
        """Return the progress of the analysis that was sent with this name."""
        told = service.progress.get(name)
        return JSONResponse({"stage": told and told.stage, "share": told and told.share})

    @app.get("/v1/presets", response_model=PresetsAnswer, responses=problem_responses(401))
    async def list_presets() -> Response:
        """List the presets, what each setting means, and the limits of this service."""
        return JSONResponse(presets(service.options))

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
