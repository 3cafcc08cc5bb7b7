"""docbats as a tool of assistants, by the Model Context Protocol."""
