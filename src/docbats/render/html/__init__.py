"""Results as HTML: an article, a page that needs nothing else, a frame in a notebook."""

from docbats.render.html.report import asset, render_article, render_frame, render_page

__all__ = ["asset", "render_article", "render_frame", "render_page"]
