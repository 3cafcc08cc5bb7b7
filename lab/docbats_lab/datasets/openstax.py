"""OpenStax: chapters of college textbooks."""

from docbats_lab.datasets.dataset import Dataset
from docbats_lab.datasets.ref_files import RefFiles

OPENSTAX = Dataset(
    name="openstax",
    description=(
        "Chapters of college textbooks; a segment is a numbered section of the chapter. The groups "
        "are the books."
    ),
    citation="OpenStax, Rice University, seven textbooks",
    licence="CC BY-NC-SA 4.0",
    source=(
        "the repositories osbooks-psychology (de7e40c), osbooks-us-history (c05b860), "
        "osbooks-introduction-sociology (ab8839c), osbooks-introduction-philosophy (ec63401), "
        "osbooks-introduction-political-science (61afbf5), osbooks-american-government (a267724) "
        "and osbooks-anatomy-physiology (f3a1239) of github.com/openstax: running paragraphs of 70 "
        "of their 142 chapters, without introductions and sections of fewer than five sentences, "
        "cut into sentences with nupunkt 0.8.0"
    ),
    layout=RefFiles(),
    documents=70,
    checksum="49115a8c52e9010fa8efd6f909058c21f454880b227fee40efe0d133a84e9267",
    groups={
        "American Government": "american-government-*",
        "Anatomy and Physiology": "anatomy-and-physiology-*",
        "Philosophy": "introduction-philosophy-*",
        "Political Science": "introduction-political-science*",
        "Sociology": "introduction-sociology-*",
        "Psychology": "psychology-*",
        "U.S. History": "us-history*",
    },
)
