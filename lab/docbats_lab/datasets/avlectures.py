"""AVLectures: transcripts of lectures of many courses, cut by what they are about."""

from docbats_lab.datasets.dataset import Dataset
from docbats_lab.datasets.ref_files import RefFiles

AVLECTURES = Dataset(
    name="avlectures",
    description=(
        "Transcripts of MIT OpenCourseWare lectures on mathematics, physics, psychology, "
        "economics, computing, probability and dynamics, with topic boundaries; no lecture is in "
        "lectures, too. The groups are the courses."
    ),
    citation=(
        'D. S. Singh et al., "Unsupervised Audio-Visual Lecture Segmentation", WACV 2023; '
        'boundaries as in H. Yu et al., "Multimodal Fusion and Coherence Modeling for Video Topic '
        'Segmentation", Findings of ACL 2025'
    ),
    licence="repository Apache-2.0; transcripts of MIT OpenCourseWare CC BY-NC-SA 4.0",
    source=(
        "github.com/alibaba-damo-academy/SpokenNLP, commit "
        "30fc9df96ee4023868107c02ed681346dac4fa5d, mmvts/data/avlecture/dev.jsonl and test.jsonl, "
        "their clips joined and cut into sentences with nupunkt 0.8.0; a sentence across a "
        "boundary is on the side of its middle"
    ),
    layout=RefFiles(),
    documents=105,
    checksum="609ff6f0c885ba7bb4a3cf4b016b946f5348d4fa0d34bec89fdf03c5c55252af",
    groups={
        "18.01": "mit001_*",
        "18.02": "mit002_*",
        "8.01": "mit032_*",
        "8.04": "mit035_*",
        "8.06": "mit038_*",
        "8.20": "mit039_*",
        "8.701": "mit049_*",
        "9.00": "mit057_*",
        "14.01": "mit075_*",
        "6.004": "mit088_*",
        "6.042": "mit097_*",
        "2.003": "mit126_*",
        "6.012": "mit153_*",
        "18.009": "mit159_*",
    },
)
