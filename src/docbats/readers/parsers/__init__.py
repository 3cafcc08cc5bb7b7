"""Parsers of file formats, imported only when a file of that kind is read."""
