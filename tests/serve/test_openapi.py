from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import httpx
    from tests.serve.conftest import Running, Start

TOKEN = "token-of-the-test"


def test_the_document_describes_every_address(client: httpx.Client) -> None:
    schema = client.get("/v1/openapi.json").json()
    assert schema["openapi"].startswith("3.1")
    assert set(schema["paths"]) == {
        "/v1/analyze", "/v1/analyze/many", "/v1/chunk", "/v1/chunk/many", "/v1/presets",
        "/v1/health", "/v1/metrics",
    }  # fmt: skip
    analyze = schema["paths"]["/v1/analyze"]["post"]
    assert {"200", "400", "401", "406", "413", "415", "422", "500", "503"} <= set(
        analyze["responses"]
    )
    for reference in re.findall(r"#/components/schemas/(\w+)", str(schema)):
        assert reference in schema["components"]["schemas"]
    assert all(parameter["schema"]["description"] for parameter in analyze["parameters"])


def test_errors_are_described_as_they_are_sent(client: httpx.Client) -> None:
    schema: dict[str, Any] = client.get("/v1/openapi.json").json()
    for path in schema["paths"].values():
        for operation in path.values():
            for status, response in operation["responses"].items():
                if status.startswith(("4", "5")):
                    assert list(response["content"]) == ["application/problem+json"]


def test_examples_agree_with_the_schema_and_are_what_is_answered(client: httpx.Client) -> None:
    schema: dict[str, Any] = client.get("/v1/openapi.json").json()
    for path in ("/v1/analyze", "/v1/chunk"):
        operation = schema["paths"][path]["post"]
        content = operation["requestBody"]["content"]
        answer = client.post(path, json=content["application/json"]["example"])
        example = operation["responses"]["200"]["content"]["application/json"]["example"]
        assert answer.json() == example
        text = client.post(
            path, content=content["text/plain"]["example"], headers={"Content-Type": "text/plain"}
        )
        assert text.status_code == 200
        lines = schema["paths"][f"{path}/many"]["post"]["requestBody"]["content"]
        sent = lines["application/jsonl"]["example"]
        headers = {"Content-Type": "application/jsonl"}
        answers = client.post(f"{path}/many", content=sent, headers=headers).text.splitlines()
        assert [json.loads(line)["result"] for line in answers] == [example] * 2


def test_blank_texts_are_answered_as_the_schema_says(client: httpx.Client) -> None:
    schemas = client.get("/v1/openapi.json").json()["components"]["schemas"]
    pattern = schemas["DocumentRequest"]["properties"]["text"]["pattern"]
    assert "pattern" not in schemas["ChunkRequest"]["properties"]["text"]
    for text in ("", " ", "\n\t", "\x1c", "\x85", "\u2028", ".", "Bats."):
        answer = client.post("/v1/analyze", json={"text": text})
        assert (answer.status_code == 200) == (re.search(pattern, text) is not None), repr(text)
        assert client.post("/v1/chunk", json={"text": text}).status_code == 200


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"k": 2.0}, 200),
        ({"k": "2"}, 422),
        ({"k": True}, 422),
        ({"stem": 1}, 422),
        ({"stem": "true"}, 422),
        ({"boundaries": [False]}, 422),
        ({"name": None}, 422),
    ],
)
def test_json_has_the_types_of_the_schema(client: httpx.Client, asked: Any, status: int) -> None:
    body = {"text": "Bats fly. Bats sleep. Tea cools.", **asked}
    assert client.post("/v1/analyze", json=body).status_code == status


@pytest.mark.openapi
def test_a_generated_client_works_for_every_operation(start: Start, tmp_path: Path) -> None:
    """As a user makes it, with one of the generators of Python clients."""
    with start("--workers", "1", token=TOKEN) as service:
        generate = [
            sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none",
            "--url", f"{service.url}v1/openapi.json", "--output-path", str(tmp_path / "made"),
        ]  # fmt: skip
        subprocess.run(generate, check=True, capture_output=True, cwd=tmp_path)
        use = Path(__file__).with_name("generated_client.py")
        done = subprocess.run(
            [sys.executable, str(use), service.url, TOKEN],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        operations = re.findall(r'"operationId":\s*"(\w+)"', _document(service))
        assert sorted(done.stdout.split()) == sorted(operations)


def _document(service: Running) -> str:
    with service.client() as client:
        return client.get("/v1/openapi.json").text


@pytest.mark.openapi
@pytest.mark.parametrize("path", ["/v1/analyze$", "/v1/chunk$", "/v1/[^/]+/many$", "/v1/[phm]"])
def test_schemathesis_finds_nothing(start: Start, tmp_path: Path, path: str) -> None:
    """Hundreds of made-up requests, right and wrong, are answered as the document says."""
    with start("--workers", "1", "--max-bytes", "200000", token=TOKEN) as service:
        hook = Path(__file__).parent / "schemathesis_hooks.py"
        paths = [str(hook.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        environment["SCHEMATHESIS_HOOKS"] = hook.stem
        command = [
            sys.executable, "-m", "schemathesis.cli",
            "--config-file", str(hook.with_name("schemathesis.toml")),
            "run", f"{service.url}v1/openapi.json",
            "--header", f"Authorization: Bearer {TOKEN}", "--include-path-regex", f"^{path}",
            "--phases", "examples,coverage,fuzzing", "--max-examples", "60", "--seed", "1",
            "--checks", "all", "--generation-database", "none", "--no-color",
        ]  # fmt: skip
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, re.sub("(.{900}).*", r"\1…", done.stdout + done.stderr)
        assert service.stop() == 0
        said = service.log.read_text()
        assert "failed" not in said
        assert "could not be analyzed" not in said
