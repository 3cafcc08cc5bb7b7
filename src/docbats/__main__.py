"""``python -m docbats`` is the command ``docbats``."""

from docbats.cli import main

if __name__ == "__main__":
    main(prog_name="docbats")
