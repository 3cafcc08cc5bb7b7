"""The six datasets of the paper."""
