"""ICSI: transcripts of meetings of research groups."""

from docbats_lab.datasets.dataset import Dataset
from docbats_lab.datasets.ref_files import RefFiles

ICSI = Dataset(
    name="icsi",
    description=(
        "Transcripts of meetings of research groups, without the names of the speakers; a segment "
        "is a topic of the meeting. The groups are the series of meetings that have more than one."
    ),
    citation=(
        'A. Janin et al., "The ICSI Meeting Corpus", ICASSP 2003; topics of M. Zhong et al., '
        '"QMSum: A New Benchmark for Query-based Multi-domain Meeting Summarization", NAACL 2021'
    ),
    licence="QMSum MIT; ICSI Meeting Corpus CC BY 4.0",
    source=(
        "github.com/Yale-LILY/QMSum, commit 83d7768c1f2b4dfeb091385d3dc7e239b8e5bb7e, "
        "data/Academic/all, each turn cut into sentences with nupunkt 0.8.0; more than five turns "
        "outside of every topic are a segment of their own, fewer belong to the one before"
    ),
    layout=RefFiles(),
    documents=59,
    checksum="e1620a603b8968c8696580e5e4a5154fba09bd994fb91449ef9a5e5c83bdd266",
    groups={"Bed": "Bed*", "Bmr": "Bmr*", "Bro": "Bro*"},
)
