"""What docbats makes of eleven languages: ``python -m benchmarks.languages``."""
