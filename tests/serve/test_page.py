from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from docbats.cli import main
from docbats.serve.app import create_app
from docbats.serve.service import ServiceOptions

if TYPE_CHECKING:
    import httpx

SCRIPTS = (
    "address.js", "app.js", "decode.js", "dom.js", "editing.js", "library.js", "progress.js",
    "recordings.js", "service.js", "settings.js", "theme.js",
)  # fmt: skip


def test_the_page_loads_everything_from_here_and_nothing_is_inline(client: httpx.Client) -> None:
    response = client.get("/")
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    links = re.findall(r'(?:src|href)="([^"]+)"', response.text)
    files = [link for link in links if not link.startswith("#")]
    assert "static/view.js" in files
    for file in files:
        assert file.startswith(("static/", "v1/"))  # so that a proxy may offer them anywhere
        assert client.get(file).status_code == 200
    assert not re.search(r"<style|\sstyle=|\son\w+=", response.text)
    assert re.findall(r"<script[^>]*>([^<]*)", response.text) == ["", ""]
    for file in ("app.css", *SCRIPTS):
        assert "http" not in client.get(f"/static/{file}").text


def test_every_module_that_a_script_imports_is_sent(client: httpx.Client) -> None:
    scripts = [client.get(f"/static/{name}").text for name in SCRIPTS]
    imported = {name for text in scripts for name in re.findall(r'"\./([^"]+)"', text)}
    assert imported == set(SCRIPTS) - {"app.js"}


def test_files_are_not_sent_twice(client: httpx.Client) -> None:
    etag = client.get("/static/app.js").headers["etag"]
    response = client.get("/static/app.js", headers={"If-None-Match": etag})
    assert response.status_code == 304
    assert response.content == b""


def test_every_id_that_the_scripts_use_is_on_the_page(client: httpx.Client) -> None:
    ids = set(re.findall(r'\bid="([^"]+)"', client.get("/").text))
    scripts = "".join(client.get(f"/static/{name}").text for name in SCRIPTS)
    used = set(re.findall(r'\bbyId\("([^"]+)"\)', scripts))
    assert {"text", "token-dialog", "theme"} <= used <= ids


def test_presets_and_metrics_and_health(client: httpx.Client) -> None:
    from docbats import PRESETS

    assert client.get("/v1/health").json()["status"] == "ok"
    values = client.get("/v1/presets").json()
    assert values["limits"] == {
        "max_bytes": 20000,
        "max_sentences": 120,
        "timeout": 900,
        "is_local": True,
    }
    assert set(values["presets"]) == set(PRESETS)
    for name, preset in values["presets"].items():
        assert set(preset["settings"]) == set(values["settings"])
        for setting, value in preset["settings"].items():
            assert PRESETS[name].to_dict()[setting] == value
    assert all(setting["description"] for setting in values["settings"].values())


def test_metrics_are_as_prometheus_reads_them(client: httpx.Client) -> None:
    client.post("/v1/analyze", json={"text": "Red cars. Fast cars."})
    response = client.get("/v1/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    sample = r'docbats_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [0-9.e+-]+'
    kinds = {}
    for line in response.text.splitlines():
        if line.startswith("# TYPE"):
            _, _, name, kind = line.split()
            kinds[name] = kind
        elif not line.startswith("# HELP"):
            assert re.fullmatch(sample, line), line
            name = line.split("{")[0].split()[0]
            assert name in kinds or re.sub("_(bucket|sum|count)$", "", name) in kinds
    counts = [int(n) for n in re.findall(r'seconds_bucket\{le="[^"]+"\} (\d+)', response.text)]
    assert counts == sorted(counts)
    assert f"docbats_document_seconds_count {counts[-1]}\n" in response.text


def test_the_command_explains_itself() -> None:
    result = CliRunner().invoke(main, ["serve", "--help"])
    assert result.exit_code == 0
    for option in ("--host", "--port", "--workers", "--max-bytes", "--timeout", "--token"):
        assert option in result.output
    assert "serve" in CliRunner().invoke(main, ["--help"]).output


@pytest.mark.parametrize("token", ["", " ", "ä", "a\nb"])
def test_a_token_that_cannot_be_sent_is_refused(token: str) -> None:
    result = CliRunner().invoke(main, ["serve", "--token", token])
    assert result.exit_code == 2


def test_other_commands_load_nothing_of_the_service() -> None:
    code = (
        "import sys; from docbats.cli import main\n"
        "try: main(['examples/article.txt', '--format', 'json', '-o', '/dev/null'])\n"
        "except SystemExit: pass\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('fastapi', 'starlette', 'uvicorn', "
        "'pydantic') or m.startswith('docbats.serve')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "docbats.serve.server", raising=False)
    result = CliRunner().invoke(main, ["serve"])
    assert result.exit_code == 1
    assert 'pip install "docbats[serve]"' in result.output


def test_nothing_is_told_to_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the environment asks of the framework, it reports no requests."""
    monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", "true")
    app = create_app(ServiceOptions(workers=1))
    told = getattr(app, "_telemetry", {})
    assert not any(told.get(key) for key in ("tracing", "metrics", "logs", "auto_configure"))


@pytest.mark.parametrize(
    ("arguments", "max_bytes", "has_token"),
    [
        ([], 200_000_000, False),
        (["--host", "127.0.0.2"], 200_000_000, False),
        (["--max-bytes", "7"], 7, False),
        (["--host", "0.0.0.0"], 5_000_000, True),
        (["--host", "0.0.0.0", "--no-token"], 5_000_000, False),
    ],
)
def test_limits_and_token_fit_who_can_reach_the_service(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], max_bytes: int, has_token: bool
) -> None:
    started: list[ServiceOptions] = []

    def start(options: ServiceOptions, **_: bool) -> bool:
        started.append(options)
        return True

    monkeypatch.setattr("docbats.serve.server.serve", start)
    assert CliRunner().invoke(main, ["serve", *arguments]).exit_code == 0
    (options,) = started
    assert options.max_bytes == max_bytes
    assert (options.token is not None) == has_token
