"""Groups of words that keep company."""
