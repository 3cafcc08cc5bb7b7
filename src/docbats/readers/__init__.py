"""From files to text, and from text back to the file.

A kind of file is one module in `formats`, listed in `all_readers`; what takes more than a few lines
to read is in `parsers`.
"""
