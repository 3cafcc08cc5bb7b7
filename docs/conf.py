"""How Sphinx builds the site from these pages: ``make docs``."""

from __future__ import annotations

import sys
from pathlib import Path

import docbats

sys.path.insert(0, str(Path(__file__).parent / "_sphinx"))

project = "docbats"
author = "The docbats developers"
copyright = author  # noqa: A001  (Sphinx wants this name)
version = release = docbats.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_click",
    "sphinx_copybutton",
    "command_examples",
    "mathml",
    "other_names",
    "outside_links",
    "own_signatures",
    "settings_table",
]
exclude_patterns = ["_build"]
nitpicky = True
# Other libraries are documented elsewhere, and the site is built without the network.
nitpick_ignore_regex = [("py:.*", r"(?!docbats\.).*")]
default_role = "literal"
smartquotes = False  # text to be typed must stay as it is

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
# Mocked, so that the reference is the same whether these libraries are installed or not.
autodoc_mock_imports = [
    "chonkie",
    "datasets",
    "haystack",
    "langchain_core",
    "langchain_text_splitters",
    "llama_index",
    "pandas",
    "duckdb",
    "polars",
    "sklearn",
    "spacy",
]
numpydoc_show_class_members = False
python_maximum_signature_line_length = 80

copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

pygments_dark_style = "one-dark"

html_theme = "furo"
html_title = "docbats"
html_logo = html_favicon = "../src/docbats/serve/static/icon.svg"
html_static_path = ["_static"]
html_css_files = ["docbats.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
