"""docbats inside other libraries: one file for each, and an extra of the same name."""
