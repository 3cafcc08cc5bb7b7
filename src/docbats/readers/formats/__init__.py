"""One module for each kind of file: its name, endings and media types, and how to recognize it.

All are imported whenever the command starts, so parsers and libraries are imported inside `read`,
and patterns are compiled when they are first used.
"""
