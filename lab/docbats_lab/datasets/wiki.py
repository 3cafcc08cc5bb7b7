"""Wiki: Wikipedia articles cut at their headings."""

from docbats_lab.datasets.dataset import Dataset
from docbats_lab.datasets.ref_files import RefFiles

WIKI = Dataset(
    name="wiki",
    description=(
        "English Wikipedia articles, in place of those of WIKI-727K that the paper drew: enwiki "
        "are long ones cut at their top-level headings, sections shorter ones cut at every heading."
    ),
    citation="Wikipedia contributors, articles of 2016 and 2018",
    licence="CC BY-SA 3.0",
    source=(
        "the developers of docbats: ask them for the articles, cleaned and cut into sentences and "
        "sections. They are taken from the Wikipedia extract in gensim 4.4.0 "
        "(gensim/test/test_data, enwiki) and from github.com/Vibhas-hs-edu/WikiTasks, "
        "commit 52b1f163137bc40b0f67cbf129d5dab4f6fd5901, text/AA (sections)"
    ),
    layout=RefFiles(),
    documents=885,
    checksum="758e9e27e74ec677b45ebcbc5b876e04cfd7fefa8e43abda367d6f6934c452a9",
    groups={"enwiki": "enwiki/*", "sections": "sections/*"},
)
