from __future__ import annotations

import re

from docbats.readers.kinds import SUFFIXES
from docbats.serve.app import static_files
from docbats.serve.schema import DocumentRequest
from docbats.text.languages import LANGUAGES


def test_the_api_and_the_page_offer_every_language() -> None:
    schema = DocumentRequest.model_json_schema()["properties"]["language"]
    assert schema["anyOf"][0]["enum"] == ["auto", *LANGUAGES]
    page = static_files()["index.html"].body.decode()
    field = page.partition('<select id="language">')[2].partition("</select>")[0]
    options = dict(re.findall(r'<option value="(\w+)">([^<]*)</option>', field))
    assert options == {"auto": "detected automatically", **LANGUAGES}


def test_the_file_dialog_offers_every_ending() -> None:
    page = static_files()["index.html"].body.decode()
    accepted = re.search(r'type="file"[^>]* accept="([^"]*)"', page)
    assert accepted is not None
    assert set(accepted[1].split(",")) >= SUFFIXES
