from __future__ import annotations

import re
from pathlib import Path

from docbats.serve.app import create_app
from docbats.serve.responses import FILES, FORM, JSON, TEXT
from docbats.serve.service import ServiceOptions

PAGE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")


def test_the_page_lists_every_path_of_the_service() -> None:
    routes = {
        f"{method} {path}"
        for route in create_app(ServiceOptions()).routes
        if (path := getattr(route, "path", "")).startswith("/v1/")
        for method in getattr(route, "methods", ())
        if method != "HEAD"
    }
    listed = set(re.findall(r"`((?:GET|POST) /v1/[^`]+)`", PAGE))
    assert {path.replace("NAME", "{name}") for path in listed} == routes


def test_the_page_lists_every_content_type() -> None:
    table = PAGE.partition("| content type |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(\w+/[\w.+-]+)`", table)) == {*FILES, FORM, JSON, TEXT}
