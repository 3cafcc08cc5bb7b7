"""Results as HTML: a fragment, a page that needs nothing else, a frame in a notebook."""

from docbats.render.html.page import asset, render_frame, render_page
from docbats.render.html.view import render_view

__all__ = ["asset", "render_frame", "render_page", "render_view"]
