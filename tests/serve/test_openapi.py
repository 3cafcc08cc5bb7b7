from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import httpx
    from tests.serve.conftest import Start

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


# No schema can say which settings go together, nor that a text is not blank; and a wrong line among
# many is answered in its place.
@pytest.mark.openapi
@pytest.mark.parametrize(
    ("which", "left_out"),
    [
        ("--exclude-path", "positive_data_acceptance"),
        ("--include-path", "positive_data_acceptance,negative_data_rejection"),
    ],
)
def test_schemathesis_finds_nothing(
    start: Start, tmp_path: Path, which: str, left_out: str
) -> None:
    """Hundreds of made-up requests, right and wrong, are answered as the document says."""
    with start("--workers", "1", "--max-bytes", "200000", token=TOKEN) as service:
        hook = Path(__file__).parent / "body_hook.py"
        paths = [str(hook.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        environment["SCHEMATHESIS_HOOKS"] = hook.stem
        command = [
            sys.executable, "-m", "schemathesis.cli", "run", f"{service.url}v1/openapi.json",
            "--header", f"Authorization: Bearer {TOKEN}", which, "/v1/analyze/many",
            "--phases", "examples,coverage,fuzzing", "--max-examples", "60", "--seed", "1",
            "--exclude-checks", left_out, "--generation-database", "none", "--no-color",
        ]  # fmt: skip
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, re.sub("(.{300}).*", r"\1…", done.stdout + done.stderr)
        assert service.stop() == 0
        said = service.log.read_text()
        assert "failed" not in said
        assert "could not be analyzed" not in said
