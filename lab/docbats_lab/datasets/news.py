"""News: whole stories of the BBC, put together by a recipe."""

from docbats_lab.datasets.dataset import Dataset
from docbats_lab.datasets.recipes import Recipe

_LAYOUT = Recipe("recipe.json", articles="bbc")

NEWS = Dataset(
    name="news",
    description=(
        "Three to eight BBC News stories of 2004 and 2005 in a row, in place of the scraped "
        "articles of the paper, which are not public."
    ),
    citation=(
        'D. Greene, P. Cunningham, "Practical Solutions to the Problem of Diagonal Dominance in '
        'Kernel Document Clustering", ICML 2006'
    ),
    licence="copyright the BBC; offered for research, not to be published further",
    source=_LAYOUT.source(
        "2045 BBC News stories, taken from github.com/Podginator/Dissertation_final, commit "
        "63858826cba55663074dce5324614f76b51f0c84, bbc, without duplicates and cut into sentences"
    ),
    layout=_LAYOUT,
    documents=1000,
    checksum="7bb22271154ed01a81964239f42d6a9f5134f58cf5bedb730a71edd9aafe457e",
)
