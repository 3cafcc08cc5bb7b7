"""The datasets: a record of each says what it is, where to get it, and how to read and check it.

The first six are the paper's. To add one, add a record to `_RECORDS`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Literal

from docbats.errors import ReadError
from docbats_lab.layouts import Recipe, RefFiles, SectionFiles, StructuredFiles, Wiki727k

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from docbats_lab.documents import SegmentedDocument
    from docbats_lab.layouts import Layout


@dataclass(frozen=True)
class Status:
    """Whether a dataset was found, and whether it is complete.

    Attributes
    ----------
    name
        The dataset's name.
    present
        Whether it is there at all.
    documents
        The number of documents found.
    checksum
        Whether the files are, to the byte, those that our results were computed on; ``"unknown"``
        if we have never had the dataset.
    problem
        What is wrong and what to do about it; empty if nothing is.
    """

    name: str
    present: bool
    documents: int
    checksum: Literal["right", "differs", "unknown"]
    problem: str = ""


@dataclass(frozen=True)
class Dataset:
    """One of the laboratory's datasets.

    Attributes
    ----------
    name
        As in ``--dataset``.
    description
        What it is, and how it differs from the paper's where it does.
    citation
        The paper that it comes from.
    licence
        On what terms its text may be used.
    source
        Where to obtain it, and how it was processed.
    layout
        How its documents are stored in its folder.
    documents
        How many there should be.
    checksum
        Of its files, as by :func:`checksum_of`; ``None`` if it is not known.
    folder
        Its folder under the root of the data; ``None`` if that has the dataset's name.
    groups
        For each part that is also scored by itself, a shell pattern of its documents' names.
    """

    name: str
    description: str
    citation: str
    licence: str
    source: str
    layout: Layout
    documents: int
    checksum: str | None
    folder: str | None = None
    groups: Mapping[str, str] = field(default_factory=dict)

    def is_present(self, root: Path) -> bool:
        """Whether any of its files are under `root`."""
        return any(True for _ in self.layout.files(self._place(root)))

    def load(self, root: Path) -> Iterator[SegmentedDocument]:
        """Read its documents one by one; their names and their order never change."""
        if not self.is_present(root):
            raise ReadError(self._absent(root))
        return self.layout.read(self._place(root))

    def groups_of(self, document: str) -> tuple[str, ...]:
        """Return the groups that a document belongs to, given its name."""
        return tuple(
            group for group, pattern in self.groups.items() if fnmatchcase(document, pattern)
        )

    def check(self, root: Path) -> Status:
        """Count its documents and compare its files with those that we know."""
        folder = self._place(root)
        if not self.is_present(root):
            return Status(self.name, False, 0, "unknown", self._absent(root))
        try:
            documents = self.layout.count(folder)
        except ReadError as error:
            return Status(self.name, True, 0, "differs", str(error))
        problem = ""
        if documents != self.documents:
            problem = f"{folder} holds {documents} documents of {self.documents}. {self._obtain()}"
        if self.checksum is None:
            return Status(self.name, True, documents, "unknown", problem)
        if checksum_of(folder, self.layout.files(folder)) == self.checksum:
            return Status(self.name, True, documents, "right", problem)
        differs = f"files in {folder} differ from the files of our results. {self._obtain()}"
        return Status(self.name, True, documents, "differs", problem or differs)

    def _place(self, root: Path) -> Path:
        return root / (self.folder or self.name)

    def _absent(self, root: Path) -> str:
        return f"the dataset {self.name} is not in {self._place(root)}. {self._obtain()}"

    def _obtain(self) -> str:
        return (
            f"Obtain it from {self.source}. Licence: {self.licence}. Then name the folder that "
            f"holds {self.folder or self.name}/ with --data or DOCBATS_DATA."
        )


def checksum_of(folder: Path, files: Iterable[Path]) -> str:
    """Return one SHA-256 for the names and contents of many files.

    It is the checksum of the list that ``sha256sum`` prints for the files, by their paths in the
    folder and sorted by these as bytes.
    """
    names = {path.relative_to(folder).as_posix(): path for path in files}
    total = hashlib.sha256()
    for name, path in sorted(names.items(), key=lambda item: item[0].encode()):
        total.update(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n".encode())
    return total.hexdigest()


def available(root: Path) -> tuple[str, ...]:
    """Return the names of the datasets that have files under `root`."""
    return tuple(name for name, dataset in DATASETS.items() if dataset.is_present(root))


def check(root: Path) -> dict[str, Status]:
    """Check whether each dataset is under `root`, complete, and in the files that we know."""
    return {name: dataset.check(root) for name, dataset in DATASETS.items()}


def _ask_for_recipe(recipe: str, folder: str, articles: str) -> str:
    return (
        f"the developers of docbats: ask them for {recipe}, which lists the ids of the articles "
        f"that make up each document, and for {folder}/, which holds the text of these articles, "
        f"one sentence per line. They are {articles}"
    )


_AVLECTURES = {
    "18.01": 1, "18.02": 2, "8.01": 32, "8.04": 35, "8.06": 38, "8.20": 39, "8.701": 49, "9.00": 57,
    "14.01": 75, "6.004": 88, "6.042": 97, "2.003": 126, "6.012": 153, "18.009": 159,
}  # fmt: skip
_STRUCTURED = (
    "rust-book", "pro-git", "peps", "mdn-translated", "aosa", "openstax", "standard-ebooks",
    "turing-way", "legalize-es", "icsi", "avlectures",
)  # fmt: skip
_RECORDS = (
    Dataset(
        name="textbook",
        description="Chapters of a medical textbook; a segment is a section of the chapter.",
        citation=(
            'I. Malioutov, R. Barzilay, "Minimum Cut Model for Spoken Lecture Segmentation", ACL '
            '2006; text of H. K. Walker, W. D. Hall, J. W. Hurst (eds), "Clinical Methods", 1990'
        ),
        licence="copyright the publisher; offered for research in a GPL-2-or-later repository",
        source=(
            "github.com/jacobeisenstein/bayes-seg, commit "
            "490ddec3d859f30459055e0fbf99f750a37880b9, data/books/clinical/*.ref"
        ),
        layout=RefFiles(),
        documents=227,
        checksum="3d67d3a45c6909608335a90baaf471be775025a22b736abc6958b26909ff0ef1",
    ),
    Dataset(
        name="lectures",
        description=(
            "Manual transcripts of university lectures on artificial intelligence and physics."
        ),
        citation=(
            'I. Malioutov, R. Barzilay, "Minimum Cut Model for Spoken Lecture Segmentation", ACL '
            "2006"
        ),
        licence="none stated for the data; offered in a GPL-2-or-later repository",
        source=(
            "github.com/jacobeisenstein/bayes-seg, commit "
            "490ddec3d859f30459055e0fbf99f750a37880b9, data/lectures/ai/manual as ai and "
            "data/lectures/physics/manual as physics, line ends made LF, the suffix .dev made .ref"
        ),
        layout=RefFiles(),
        documents=55,
        checksum="27354d985e6bafa7f1d7d41188e9de09d4344e9bd30a2b2ad54015cfe6a6250a",
        groups={"ai": "ai/*", "physics": "physics/*"},
    ),
    Dataset(
        name="introductions",
        description=(
            "Three to eight abstracts and introductions of academic articles in a row, drawn as "
            "the paper describes, since its own documents are not public."
        ),
        citation=(
            'A. Chambers, "Statistical Models for Text Classification and Clustering: '
            'Applications and Analysis", PhD thesis, UC Irvine, 2013 (Sentence Classification, '
            "UCI repository)"
        ),
        licence="none stated in the corpus; the articles are their authors'",
        source=_ask_for_recipe(
            "recipe.json",
            "articles",
            "the abstracts and introductions of 891 articles of arXiv, of Judgment and Decision "
            "Making and of PLoS Computational Biology, taken from "
            "github.com/KirillRnd/SentenceCorpus, commit "
            "b5dc485243098dfb68694afc38acba8ae22c153a, unlabeled_articles, without their markers "
            "and without duplicates",
        ),
        layout=Recipe("recipe.json", articles="articles", ids="articles"),
        documents=2135,
        checksum="89e31941fc37c00f6c7649362ff98fc35fbd0147ba486dbb372b07a7962aa142",
    ),
    Dataset(
        name="choi",
        description=(
            "The first sentences of ten texts of the Brown corpus; the groups tell how many of "
            "each text, and which 700 documents are the customary set."
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
            **{size: f"*/{size}/*" for size in ("3-5", "6-8", "9-11", "3-11", "12-15", "3-15")},
            "700": "[123]/*",
        },
    ),
    Dataset(
        name="wiki",
        description=(
            "English Wikipedia articles, in place of those of WIKI-727K that the paper drew: "
            "enwiki are long ones cut at their top-level headings, sections shorter ones cut at "
            "every heading."
        ),
        citation="Wikipedia contributors, articles of 2016 and 2018",
        licence="CC BY-SA 3.0",
        source=(
            "the developers of docbats: ask them for the articles, cleaned and cut into sentences "
            "and sections. They are taken from the Wikipedia extract in gensim 4.4.0 "
            "(gensim/test/test_data, enwiki) and from github.com/Vibhas-hs-edu/WikiTasks, commit "
            "52b1f163137bc40b0f67cbf129d5dab4f6fd5901, text/AA (sections)"
        ),
        layout=RefFiles(),
        documents=885,
        checksum="758e9e27e74ec677b45ebcbc5b876e04cfd7fefa8e43abda367d6f6934c452a9",
        groups={"enwiki": "enwiki/*", "sections": "sections/*"},
    ),
    Dataset(
        name="news",
        description=(
            "Three to eight BBC News stories of 2004 and 2005 in a row, in place of the scraped "
            "articles of the paper, which are not public."
        ),
        citation=(
            'D. Greene, P. Cunningham, "Practical Solutions to the Problem of Diagonal Dominance '
            'in Kernel Document Clustering", ICML 2006'
        ),
        licence="copyright the BBC; offered for research, not to be published further",
        source=_ask_for_recipe(
            "recipe.json",
            "bbc",
            "2045 BBC News stories, taken from github.com/Podginator/Dissertation_final, commit "
            "63858826cba55663074dce5324614f76b51f0c84, bbc, without duplicates and cut into "
            "sentences",
        ),
        layout=Recipe("recipe.json", articles="bbc"),
        documents=1000,
        checksum="7bb22271154ed01a81964239f42d6a9f5134f58cf5bedb730a71edd9aafe457e",
    ),
    Dataset(
        name="avlectures",
        description=(
            "Transcripts of MIT OpenCourseWare lectures on mathematics, physics, psychology, "
            "economics, computing, probability and dynamics, with topic boundaries; no lecture is "
            "in lectures, too. The groups are the courses."
        ),
        citation=(
            'D. S. Singh et al., "Unsupervised Audio-Visual Lecture Segmentation", WACV 2023; '
            'boundaries as in H. Yu et al., "Multimodal Fusion and Coherence Modeling for Video '
            'Topic Segmentation", Findings of ACL 2025'
        ),
        licence="repository Apache-2.0; transcripts of MIT OpenCourseWare CC BY-NC-SA 4.0",
        source=(
            "github.com/alibaba-damo-academy/SpokenNLP, commit "
            "30fc9df96ee4023868107c02ed681346dac4fa5d, mmvts/data/avlecture/dev.jsonl and "
            "test.jsonl, their clips joined and cut into sentences with nupunkt 0.8.0; a sentence "
            "across a boundary is on the side of its middle"
        ),
        layout=RefFiles(),
        documents=105,
        checksum="609ff6f0c885ba7bb4a3cf4b016b946f5348d4fa0d34bec89fdf03c5c55252af",
        groups={course: f"mit{number:03}_*" for course, number in _AVLECTURES.items()},
    ),
    Dataset(
        name="icsi",
        description=(
            "Transcripts of meetings of research groups, without the names of the speakers; a "
            "segment is a topic of the meeting. The groups are the series of meetings that have "
            "more than one."
        ),
        citation=(
            'A. Janin et al., "The ICSI Meeting Corpus", ICASSP 2003; topics of M. Zhong et al., '
            '"QMSum: A New Benchmark for Query-based Multi-domain Meeting Summarization", NAACL '
            "2021"
        ),
        licence="QMSum MIT; ICSI Meeting Corpus CC BY 4.0",
        source=(
            "github.com/Yale-LILY/QMSum, commit 83d7768c1f2b4dfeb091385d3dc7e239b8e5bb7e, "
            "data/Academic/all, each turn cut into sentences with nupunkt 0.8.0; more than five "
            "turns outside of every topic are a segment of their own, fewer belong to the one "
            "before"
        ),
        layout=RefFiles(),
        documents=59,
        checksum="e1620a603b8968c8696580e5e4a5154fba09bd994fb91449ef9a5e5c83bdd266",
        groups={"Bed": "Bed*", "Bmr": "Bmr*", "Bro": "Bro*"},
    ),
    Dataset(
        name="openstax",
        description=(
            "Chapters of college textbooks; a segment is a numbered section of the chapter. The "
            "groups are the books."
        ),
        citation="OpenStax, Rice University, seven textbooks",
        licence="CC BY-NC-SA 4.0",
        source=(
            "the repositories osbooks-psychology (de7e40c), osbooks-us-history (c05b860), "
            "osbooks-introduction-sociology (ab8839c), osbooks-introduction-philosophy (ec63401), "
            "osbooks-introduction-political-science (61afbf5), osbooks-american-government "
            "(a267724) and osbooks-anatomy-physiology (f3a1239) of github.com/openstax: running "
            "paragraphs of 70 of their 142 chapters, without introductions and sections of fewer "
            "than five sentences, cut into sentences with nupunkt 0.8.0"
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
    ),
    Dataset(
        name="wikitext",
        description=(
            "English Wikipedia articles of good or featured quality, cut at their top-level "
            "headings."
        ),
        citation='S. Merity et al., "Pointer Sentinel Mixture Models", ICLR 2017 (WikiText-2)',
        licence="CC BY-SA 3.0 (text by Wikipedia contributors)",
        source=(
            "the test part of WikiText-2 raw, as in "
            "github.com/sumanthcherupally/transformer_comparison, commit "
            "e6c4246dbe9ca6f7b3d6f592dc372e39439925e1, data/test.txt, its tokenization undone, "
            "without end matter and sections of one sentence, cut into sentences with nupunkt "
            "0.8.0"
        ),
        layout=RefFiles(),
        documents=60,
        checksum="39b0ba0f0ab02b04ce61592a254df2d63535c08b9e0590e75726d52b1cbd4f9f",
    ),
    Dataset(
        name="handbook-fr",
        description=(
            "Chapters of the Debian Administrator's Handbook in French; a segment is a top-level "
            "section of the chapter."
        ),
        citation=(
            "R. Hertzog, R. Mas, « Le cahier de l'administrateur Debian », edition for Debian 11"
        ),
        licence="GPL-2.0-or-later or CC BY-SA 3.0",
        source=(
            "the Debian package debian-handbook 11.20220922, /usr/share/doc/debian-handbook/html: "
            "running paragraphs, without untranslated ones and sections of fewer than three "
            "sentences, cut into sentences with nupunkt 0.8.0"
        ),
        layout=RefFiles(language="fr"),
        documents=16,
        checksum="79cdca41b057439eec215e75d03660d98420d469f2f2c4598165449aa89ddcfb",
    ),
    Dataset(
        name="structured",
        description=(
            "Whole documents of eleven sources, which are the groups: books, manuals, proposals, "
            "essays, laws, meetings and lectures, in eight languages. Headings, code and tables "
            "are left out, paragraphs are kept; a segment lies between two top-level headings, or "
            "is a topic that people marked. The 25 meetings and 40 lectures are in icsi and "
            "avlectures, too."
        ),
        citation=(
            "the authors of The Rust Programming Language, Pro Git, Python Enhancement Proposals, "
            "MDN, The Architecture of Open Source Applications, OpenStax, Standard Ebooks, The "
            "Turing Way and Spanish laws; icsi and avlectures as there"
        ),
        licence="that of each source, which every file names; all are free for research",
        source=(
            "the developers of docbats: ask them for structured/, which holds the blocks of each "
            "document as JSON, with the address and the commit that it was taken from"
        ),
        layout=StructuredFiles(),
        documents=396,
        checksum="9bebe870806ea76e4286525090f7d7df626ec18249c55e4f6e771f4b0970edb3",
        groups={source: f"{source}/*" for source in _STRUCTURED},
    ),
    Dataset(
        name="sections",
        description=(
            "English documents of 83 sources with their headings, to fit on: guides, textbooks, "
            "papers, laws, parliaments, courts, meetings, novels, blogs and proposals. Code, "
            "tables and headings are left out; a segment lies between two top-level headings."
        ),
        citation="the authors of the 83 repositories that README.md of the folder names",
        licence="that of each repository",
        source=(
            "the developers of docbats: ask them for sections/, which holds the blocks of each "
            "document as JSON"
        ),
        layout=SectionFiles(),
        documents=8123,
        checksum="469bd5d42446323538d0efed748406b22ce73ccd2dfaa301993aded2d87263fe",
    ),
    Dataset(
        name="wikinews",
        description=(
            "Three to eight English Wikinews stories of 2019 and 2020 in a row; not in the paper, "
            "but free, unlike its News."
        ),
        citation="Wikinews contributors, stories of 2019 and 2020",
        licence="CC BY 2.5",
        source=_ask_for_recipe(
            "recipe-wikinews.json",
            "wikinews",
            "247 English Wikinews stories, taken from github.com/vanatteveldt/wikinews, commit "
            "347254178bf343f3801aac1d03c41cc09c35decb, those of 120 to 1500 words that are not "
            "interviews, without captions and date lines, cut into sentences",
        ),
        layout=Recipe("recipe-wikinews.json", articles="wikinews"),
        folder="news",
        documents=300,
        checksum="4aa4e00acfeffdf5d2a3e1725a00655b80d506cd7ba96eb00790b11c1b9e82a2",
    ),
    Dataset(
        name="wiki-727k",
        description="The Wikipedia articles of the paper, as their authors distribute them.",
        citation=(
            "O. Koshorek, A. Cohen, N. Mor, M. Rotman, J. Berant, "
            '"Text Segmentation as a Supervised Learning Task", NAACL 2018'
        ),
        licence="CC BY-SA 3.0 (text by Wikipedia contributors)",
        source="the address in the README of github.com/koomri/text-segmentation",
        layout=Wiki727k(),
        folder="wiki_727",
        documents=727_746,
        checksum=None,
        groups={"train": "train/*", "dev": "dev/*", "test": "test/*"},
    ),
)

DATASETS = {dataset.name: dataset for dataset in _RECORDS}

PAPER_DATASETS = ("textbook", "lectures", "introductions", "choi", "wiki", "news")
"""The datasets of the paper, in the order of its table 1."""

OTHER_DATASETS = ("avlectures", "icsi", "openstax", "wikitext", "handbook-fr", "structured")
"""Datasets of other kinds of documents."""
