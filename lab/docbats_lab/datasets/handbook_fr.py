"""Handbook-fr: chapters of a manual in French."""

from docbats_lab.datasets.dataset import Dataset
from docbats_lab.datasets.ref_files import RefFiles

HANDBOOK_FR = Dataset(
    name="handbook-fr",
    description=(
        "Chapters of the Debian Administrator's Handbook in French; a segment is a top-level "
        "section of the chapter."
    ),
    citation="R. Hertzog, R. Mas, « Le cahier de l'administrateur Debian », edition for Debian 11",
    licence="GPL-2.0-or-later or CC BY-SA 3.0",
    source=(
        "the Debian package debian-handbook 11.20220922, /usr/share/doc/debian-handbook/html: "
        "running paragraphs, without untranslated ones and sections of fewer than three sentences, "
        "cut into sentences with nupunkt 0.8.0"
    ),
    layout=RefFiles(language="fr"),
    documents=16,
    checksum="79cdca41b057439eec215e75d03660d98420d469f2f2c4598165449aa89ddcfb",
)
