"""WikiText: good and featured articles of Wikipedia, cut at their top-level headings."""

from docbats_lab.datasets.dataset import Dataset
from docbats_lab.datasets.ref_files import RefFiles

WIKITEXT = Dataset(
    name="wikitext",
    description=(
        "English Wikipedia articles of good or featured quality, cut at their top-level headings."
    ),
    citation='S. Merity et al., "Pointer Sentinel Mixture Models", ICLR 2017 (WikiText-2)',
    licence="CC BY-SA 3.0 (text by Wikipedia contributors)",
    source=(
        "the test part of WikiText-2 raw, as in github.com/sumanthcherupally/"
        "transformer_comparison, commit e6c4246dbe9ca6f7b3d6f592dc372e39439925e1, data/test.txt, "
        "its tokenization undone, without end matter and sections of one sentence, cut into "
        "sentences with nupunkt 0.8.0"
    ),
    layout=RefFiles(),
    documents=60,
    checksum="39b0ba0f0ab02b04ce61592a254df2d63535c08b9e0590e75726d52b1cbd4f9f",
)
