"""Titles of segments and labels of topics, from the document's own phrases."""
