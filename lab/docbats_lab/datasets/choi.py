"""Choi: pieces of the Brown corpus, put together at random."""

from docbats_lab.datasets.dataset import Dataset
from docbats_lab.datasets.ref_files import RefFiles

CHOI = Dataset(
    name="choi",
    description=(
        "The first sentences of ten texts of the Brown corpus; the groups tell how many of each "
        "text, and which 700 documents are the customary set."
    ),
    citation=(
        'F. Y. Y. Choi, "Advances in domain independent linear text segmentation", NAACL 2000'
    ),
    licence="none stated; the Brown corpus is offered for research",
    source=(
        "github.com/koomri/text-segmentation, commit 874d6ef3ca0e402709b70924608d0894be9a93e1, "
        "data/choi, without its empty segments and blank lines"
    ),
    layout=RefFiles(),
    documents=920,
    checksum="5b17af6ff83f6c5033b786d2cf98ca8da48f04c743188533bb19e1d4729fe88d",
    groups={
        "3-5": "*/3-5/*",
        "6-8": "*/6-8/*",
        "9-11": "*/9-11/*",
        "3-11": "*/3-11/*",
        "12-15": "*/12-15/*",
        "3-15": "*/3-15/*",
        "700": "[123]/*",
    },
)
