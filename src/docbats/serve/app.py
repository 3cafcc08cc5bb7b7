"""The application: its addresses and what is behind them."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from docbats._version import __version__
from docbats.serve.answers import HealthAnswer, PresetsAnswer
from docbats.serve.assets import Asset, page, static
from docbats.serve.formats import choose_format, media_type
from docbats.serve.guard import Guard, problem_response
from docbats.serve.many import ManyResponse
from docbats.serve.media import FILES, LINES
from docbats.serve.openapi import ANALYZE, MANY, METRICS, describe, problems
from docbats.serve.presets import presets
from docbats.serve.problems import Problem, problem_of_status
from docbats.serve.reading import content_type, not_read, read_body, read_document
from docbats.serve.schema import AnalyzeQuery, problem_of_errors
from docbats.serve.schema import Query as ManyQuery
from docbats.serve.service import Service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

    from fastapi.telemetry import TelemetryConfig

    from docbats.serve.options import Options

__all__ = ["create_app"]

# Newer versions of FastAPI tell of requests to wherever the environment says; ours are nobody's
# business. Older ones ignore this.
_SILENT: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}


def create_app(options: Options) -> FastAPI:
    """Make the application; its worker processes start and end with it."""
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
        telemetry=_SILENT,
    )
    app.state.service = service
    _add_page(app)
    _add_interface(app, service)
    _add_errors(app)
    describe(app, needs_token=options.token is not None)
    paths = {getattr(route, "path", "") for route in app.routes}
    app.add_middleware(Guard, service=service, paths=paths)
    return app


def _add_page(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def index(request: Request) -> Response:
        return _send(page(), request)

    @app.get("/static/{name}", include_in_schema=False)
    async def file(name: str, request: Request) -> Response:
        asset = static().get(name)
        if asset is None:
            raise HTTPException(404)
        return _send(asset, request)


def _add_interface(app: FastAPI, service: Service) -> None:
    options = service.options

    @app.post("/v1/analyze", **ANALYZE)
    async def analyze(request: Request, query: Annotated[AnalyzeQuery, Query()]) -> Response:
        """Find the topics and the segments of one document, a text or a file."""
        format_ = query.format or choose_format(request.headers.get("accept"))
        media, charset = content_type(request)
        with service.place():
            given = read_document(media, charset, await read_body(request, options.max_bytes))
            asked = {"type": FILES.get(media), **query.model_dump(exclude_unset=True)}
            job = service.job_of({**asked, **given}, format_)
            body = await _while_connected(request, service.analyse(job))
        return Response(body, media_type=media_type(format_), headers={"Vary": "Accept"})

    @app.post("/v1/analyze/many", **MANY)
    async def analyze_many(request: Request, query: Annotated[ManyQuery, Query()]) -> Response:
        """Find the topics and the segments of many documents, one on each line.

        Answers come in the order of the lines, each as soon as it is there; read them while you
        send.
        """
        media, _ = content_type(request)
        if media not in LINES:
            raise not_read(media, LINES[0])
        return ManyResponse(service, request.stream(), query.model_dump(exclude_unset=True))

    @app.get("/v1/presets", response_model=PresetsAnswer, responses=problems(401))
    async def list_presets() -> Response:
        """List the presets, what each setting means, and the limits of this service."""
        return JSONResponse(presets(options))

    @app.get("/v1/health", response_model=HealthAnswer)
    async def health() -> Response:
        """Tell whether the service is there; 503 once it is about to stop."""
        stopping = service.stopping.is_set()
        values = {"status": "stopping" if stopping else "ok", "version": __version__}
        return JSONResponse(values, 503 if stopping else 200)

    @app.get("/v1/metrics", **METRICS)
    async def metrics() -> Response:
        """Give the counts of this service in the text format of Prometheus."""
        text = service.metrics.to_text(service.pool)
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(Problem)
    async def problem(_: Request, error: Problem) -> Response:
        return problem_response(error)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        return problem_response(problem_of_errors(error.errors()))

    @app.exception_handler(HTTPException)
    async def other(_: Request, error: HTTPException) -> Response:
        detail = "GET / is the page, and GET /v1/openapi.json describes the addresses."
        problem = problem_of_status(error.status_code, detail)
        problem.headers.update(error.headers or {})
        return problem_response(problem)


def _send(asset: Asset, request: Request) -> Response:
    if request.headers.get("if-none-match") == asset.etag:
        return Response(status_code=304, headers={"ETag": asset.etag})
    return Response(asset.body, media_type=asset.media_type, headers={"ETag": asset.etag})


async def _while_connected(request: Request, work: Coroutine[Any, Any, bytes]) -> bytes:
    """Do the work, unless the client goes away: then a job that waits gives up its place."""
    task = asyncio.create_task(work)
    gone = asyncio.create_task(_disconnected(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            return b""  # to nobody
        return task.result()
    finally:
        task.cancel()
        gone.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
