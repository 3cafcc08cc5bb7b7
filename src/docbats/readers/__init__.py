"""From a file of any kind to its text, with the way back to its pages, times and headings.

Start with `read_file`; `kinds` is the table of all kinds of files.
"""
