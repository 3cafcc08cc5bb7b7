"""Textbook: chapters of a book on clinical methods."""

from docbats_lab.datasets.dataset import Dataset
from docbats_lab.datasets.ref_files import RefFiles

TEXTBOOK = Dataset(
    name="textbook",
    description="Chapters of a medical textbook; a segment is a section of the chapter.",
    citation=(
        'I. Malioutov, R. Barzilay, "Minimum Cut Model for Spoken Lecture Segmentation", ACL 2006; '
        'text of H. K. Walker, W. D. Hall, J. W. Hurst (eds), "Clinical Methods", 1990'
    ),
    licence="copyright the publisher; offered for research in a GPL-2-or-later repository",
    source=(
        "github.com/jacobeisenstein/bayes-seg, commit 490ddec3d859f30459055e0fbf99f750a37880b9, "
        "data/books/clinical/*.ref"
    ),
    layout=RefFiles(),
    documents=227,
    checksum="3d67d3a45c6909608335a90baaf471be775025a22b736abc6958b26909ff0ef1",
)
