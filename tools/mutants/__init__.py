"""Changes of the core that the tests should notice."""
