"""How often the right chunk is found: ``python -m benchmarks.retrieval``."""
