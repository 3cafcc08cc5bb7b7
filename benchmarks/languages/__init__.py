"""How well docbats works in eleven languages: ``python -m benchmarks.languages``."""
