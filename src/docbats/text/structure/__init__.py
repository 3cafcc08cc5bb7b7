"""The blocks of plain text: headings, paragraphs, lists, turns of speakers and so on."""

from docbats.text.structure.structure import PlainStructure, find_structure

__all__ = ["PlainStructure", "find_structure"]
