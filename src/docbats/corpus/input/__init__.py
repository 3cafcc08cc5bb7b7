"""Where documents come from, and how they are read."""
