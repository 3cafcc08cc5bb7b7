"""The application: its routes and what they do."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from docbats._version import __version__
from docbats.serve.json_lines import JsonLinesResponse
from docbats.serve.media_types import FILES, LINES
from docbats.serve.openapi import (
    ANALYZE_MANY_ROUTE,
    ANALYZE_ROUTE,
    METRICS_ROUTE,
    customize_openapi,
    problem_responses,
)
from docbats.serve.presets import presets
from docbats.serve.problems import Problem, problem_of_status
from docbats.serve.request_body import (
    parse_body,
    parse_content_type,
    read_body,
    unsupported_type,
)
from docbats.serve.response_formats import choose_format, media_type
from docbats.serve.response_models import HealthAnswer, PresetsAnswer
from docbats.serve.schema import AnalyzeQuery, problem_of_errors
from docbats.serve.schema import Query as ManyQuery
from docbats.serve.security import SecurityMiddleware, problem_response
from docbats.serve.service import Service
from docbats.serve.static_files import StaticFile, index_page, static_files

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

    from fastapi.telemetry import TelemetryConfig

    from docbats.serve.service_options import ServiceOptions

__all__ = ["create_app"]

# Newer versions of FastAPI report requests to wherever the environment says; nothing about requests
# may leave this service. Older versions ignore this.
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
        await service.pool.start()
        try:
            yield
        finally:
            await service.pool.close()

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
        return _send(index_page(), request)

    @app.get("/static/{name}", include_in_schema=False)
    async def static_file(name: str, request: Request) -> Response:
        file = static_files().get(name)
        if file is None:
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
                **parse_body(media, charset, body),
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
        """Return how far the analysis is that was sent with this name."""
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
    """Return what `work` returns; cancel it if the client goes away, which frees its place."""
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
