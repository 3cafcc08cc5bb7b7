"""The command ``docbats``."""

from docbats.cli.main import main

__all__ = ["main"]
