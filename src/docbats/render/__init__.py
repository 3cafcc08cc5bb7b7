"""Results for people and programs: in the terminal, as Markdown, CSV, HTML, chapters, bookmarks."""
