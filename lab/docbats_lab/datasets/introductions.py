"""Introductions: beginnings of academic articles, put together by a recipe."""

from docbats_lab.datasets.dataset import Dataset
from docbats_lab.datasets.recipes import Recipe

_LAYOUT = Recipe("recipe.json", articles="articles", ids="articles")

INTRODUCTIONS = Dataset(
    name="introductions",
    description=(
        "Three to eight abstracts and introductions of academic articles in a row, drawn as "
        "the paper describes, since its own documents are not public."
    ),
    citation=(
        'A. Chambers, "Statistical Models for Text Classification and Clustering: Applications and '
        'Analysis", PhD thesis, UC Irvine, 2013 (Sentence Classification, UCI repository)'
    ),
    licence="none stated in the corpus; the articles are their authors'",
    source=_LAYOUT.source(
        "the abstracts and introductions of 891 articles of arXiv, of Judgment and Decision Making "
        "and of PLoS Computational Biology, taken from github.com/KirillRnd/SentenceCorpus, commit "
        "b5dc485243098dfb68694afc38acba8ae22c153a, unlabeled_articles, without their markers and "
        "without duplicates"
    ),
    layout=_LAYOUT,
    documents=2135,
    checksum="89e31941fc37c00f6c7649362ff98fc35fbd0147ba486dbb372b07a7962aa142",
)
