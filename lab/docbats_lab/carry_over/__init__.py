"""Rules fitted to documents of many sources, and judged on other sources."""
