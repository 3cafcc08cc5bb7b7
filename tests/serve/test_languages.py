from __future__ import annotations

import re
from importlib import resources
from typing import get_args

from docbats.serve.schema import Code
from docbats.text.languages import LANGUAGES


def test_the_api_and_the_page_offer_every_language() -> None:
    assert get_args(Code) == ("auto", *LANGUAGES)
    page = resources.files("docbats.serve").joinpath("static", "index.html").read_text()
    field = page.partition('<select id="language">')[2].partition("</select>")[0]
    options = dict(re.findall(r'<option value="(\w+)">([^<]*)</option>', field))
    assert options == {"auto": "detected automatically", **LANGUAGES}
