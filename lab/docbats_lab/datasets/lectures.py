"""Lectures: transcripts on artificial intelligence and physics."""

from docbats_lab.datasets.dataset import Dataset
from docbats_lab.datasets.ref_files import RefFiles

LECTURES = Dataset(
    name="lectures",
    description="Manual transcripts of university lectures on artificial intelligence and physics.",
    citation=(
        'I. Malioutov, R. Barzilay, "Minimum Cut Model for Spoken Lecture Segmentation", ACL 2006'
    ),
    licence="none stated for the data; offered in a GPL-2-or-later repository",
    source=(
        "github.com/jacobeisenstein/bayes-seg, commit 490ddec3d859f30459055e0fbf99f750a37880b9, "
        "data/lectures/ai/manual as ai and data/lectures/physics/manual as physics, "
        "line ends made LF, the suffix .dev made .ref"
    ),
    layout=RefFiles(),
    documents=55,
    checksum="27354d985e6bafa7f1d7d41188e9de09d4344e9bd30a2b2ad54015cfe6a6250a",
    groups={"ai": "ai/*", "physics": "physics/*"},
)
