"""docbats inside other libraries: one module for each library, and an extra of the same name."""
