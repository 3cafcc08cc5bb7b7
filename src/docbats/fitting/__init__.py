"""Fits the few numbers of the cut to documents of your own, whose boundaries are known."""
