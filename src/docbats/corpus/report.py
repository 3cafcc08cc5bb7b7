"""``docbats corpus report``: a page on a whole run."""

from __future__ import annotations

import os
from collections import Counter
from functools import partial
from importlib.resources import files
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from docbats.corpus.errors import CorpusError
from docbats.corpus.formats import get_format
from docbats.corpus.run_folder import is_complete, read_request, report_name
from docbats.corpus.storage import is_remote, storage_errors, write_file
from docbats.corpus.themes import Themes
from docbats.render.html.markup import Markup, bdi, element, html_page, joined
from docbats.render.one_line import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from docbats.corpus.rows import RowSummary

    _Link = Callable[[RowSummary], Markup]

_NUMBERS = {"Segments", "Chunks", "Sentences", "Characters"}  # right-aligned columns


def chart(title: str, unit: str, rows: Sequence[tuple[str, int]]) -> Markup:
    """Return a table of counts, each with a bar."""
    most = max((count for _, count in rows), default=1)
    lines = (
        element(
            "tr",
            element("th", label, scope="row"),
            element("td", bar(count, most), class_="bar"),
            element("td", f"{count:,}", class_="number"),
        )
        for label, count in rows
    )
    heads = element(
        "tr",
        element("th", unit, scope="col"),
        element("th", "documents", scope="col", colspan=2, class_="number"),
    )
    counts = element("table", element("thead", heads), element("tbody", *lines), class_="chart")
    return element("section", element("h2", title), counts)


def bar(count: int, most: int) -> Markup:
    """Return a bar whose length is the count's share of the largest."""
    width = max(0.6 if count else 0.0, 100 * count / max(1, most))
    shape = element("rect", width=f"{width:.2f}", height=1)
    return element(
        "svg", shape, viewBox="0 0 100 1", preserveAspectRatio="none", aria_hidden="true"
    )


def table(heads: Sequence[str], rows: Iterable[Markup], *, sorts: bool = False) -> Markup:
    """Return a table; with `sorts`, its heads are buttons and its rows can be filtered."""
    head = element(
        "tr",
        *(
            element(
                "th", element("button", name, type="button") if sorts else name, scope="col",
                class_="number" if name in _NUMBERS else None,
            )
            for name in heads
        ),
    )  # fmt: skip
    body = element("tbody", *rows, data_filter=sorts)
    rows_and_heads = element("table", element("thead", head), body, class_="list")
    return element(
        "div", rows_and_heads, class_="wide", tabindex=0, role="region", aria_label=heads[0]
    )


LENGTH_CLASSES = (1, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
"""The smallest number of sentences of each length class."""

_MAX_FAILURES, _MAX_DOCUMENTS = 100, 1000  # that are listed
_MAX_WORDS = 400_000  # that are counted; beyond that, the rarest half is dropped


class RunStatistics:
    """Counts over the rows of a run: of documents, unless they have another name."""

    def __init__(self) -> None:
        self.documents = 0  # including failed ones
        self.sentences = self.characters = 0  # of the documents that were analyzed
        self.ks: Counter[int] = Counter()  # by their number of segments
        self.lengths: Counter[int] = Counter()  # by the index of their length class
        self.kinds: Counter[str] = Counter()  # that failed, by kind of failure
        self.failures: list[RowSummary] = []  # the first that failed
        self.listed: list[RowSummary] = []  # the first that did not
        self.themes = Themes()
        self._words: Counter[str] = Counter()

    def add(self, row: RowSummary) -> None:
        """Count a row."""
        self.documents += 1
        if row.failure is not None:
            self.kinds[row.failure.kind] += 1
            if len(self.failures) < _MAX_FAILURES:
                self.failures.append(row)
            return
        self.sentences += row.sentences
        self.characters += row.characters
        self.ks[row.k] += 1
        if row.sentences:  # not counted if documents are only cut into chunks
            self.lengths[sum(start <= row.sentences for start in LENGTH_CLASSES) - 1] += 1
        self.themes.add(row)
        self._words.update({word for topic in row.words for word in topic})
        if len(self._words) > _MAX_WORDS:
            self._words = Counter(dict(self._words.most_common(_MAX_WORDS // 2)))
        if len(self.listed) < _MAX_DOCUMENTS:
            self.listed.append(row)

    @property
    def analyzed(self) -> int:
        """The number of documents that did not fail."""
        return self.documents - self.kinds.total()

    @property
    def common_folder(self) -> str:
        """The common prefix of the ids of all listed documents, up to a slash."""
        ids = [row.id for row in self.listed] or [""]
        first, last = min(ids), max(ids)
        size = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
        return first[: first.rfind("/", 0, size) + 1]

    @property
    def median_k(self) -> int:
        """The median number of segments; 0 without documents."""
        behind = 0
        for k in sorted(self.ks):
            behind += self.ks[k]
            if 2 * behind >= self.analyzed:
                return k
        return 0

    def commonest_words(self, n_words: int) -> list[tuple[str, int]]:
        """Return the words in the topics of most documents, with the number of documents."""
        return sorted(self._words.items(), key=lambda item: (-item[1], item[0]))[:n_words]


_N_WORDS = 40
_MAX_THEMES = 36
_MAX_K = 20  # rows of the table of k; larger ones are put together


def write_corpus_report(folder: Path, target: Path) -> Path:
    """Write the page on the run in `folder`; return the file."""
    with storage_errors(folder):
        page = render_corpus_report(folder, target.parent).encode("utf-8", "backslashreplace")
    try:
        write_file(target, methodcaller("write", page))
    except OSError as error:
        msg = f"{target}: cannot be written: {error.strerror or error}"
        raise CorpusError(msg) from None
    return target


def render_corpus_report(folder: Path, base: Path) -> str:
    """Return the page on the run in `folder`, to be written to `base`; it links to the reports."""
    request = read_request(folder)
    of_chunks = "chunks" in request
    statistics = _gather(folder, request)
    link = partial(_link, folder, base, statistics.common_folder)
    name = folder.resolve().name
    main = element(
        "main",
        element("h1", bdi(excerpt(name, 200))),
        _lead(statistics, request, complete=is_complete(folder)),
        element(
            "div",
            _k_chart(statistics, "chunks" if of_chunks else "segments"),
            None if of_chunks else _length_chart(statistics),
            class_="pair",
        ),
        _filter(),
        _themes(statistics, link),
        _words(statistics),
        _failures(statistics),
        _documents(statistics, link, of_chunks=of_chunks),
    )
    title = f"{excerpt(name, 80)} · docbats corpus"
    return html_page(title, main, style=_asset("report.css"), script=_asset("report.js"))


def _gather(folder: Path, request: dict[str, Any]) -> RunStatistics:
    format_ = get_format(request["format"], chunks="chunks" in request)
    format_.check()
    statistics = RunStatistics()
    for part in sorted(format_.finished(folder)):
        try:
            rows = format_.read(folder, part)
        except (ValueError, OSError) as error:
            msg = f"{folder}: part {part} is damaged ({error}): write it again with --resume"
            raise CorpusError(msg) from None
        for row in rows:
            statistics.add(row)
    return statistics


def _lead(statistics: RunStatistics, request: dict[str, Any], *, complete: bool) -> Markup:
    analyzed = max(1, statistics.analyzed)
    parts, unit, total = "segments", "sentences", statistics.sentences
    if "chunks" in request:  # sentences are not counted
        parts, unit, total = "chunks", "characters", statistics.characters
    facts = [
        ("documents", f"{statistics.documents:,}"),
        ("failed", f"{statistics.kinds.total():,}"),
        (unit, f"{total:,}"),
        (f"{unit} a document", f"{total / analyzed:,.0f}"),
        (f"{parts}, median", f"{statistics.median_k:,}"),
    ]
    boxes = (element("div", element("dt", name), element("dd", value)) for name, value in facts)
    version = request.get("versions", {}).get("docbats", "")
    note = None if complete else "This run is not finished: only its finished parts are shown."
    return joined(
        element("p", f"A corpus analyzed by docbats {version}.", class_="soft"),
        note and element("p", note, class_="note"),
        element("dl", *boxes, class_="facts"),
    )


def _k_chart(statistics: RunStatistics, parts: str) -> Markup:
    largest = max(statistics.ks, default=0)
    least = 0 if statistics.ks[0] else 1  # a blank document has no chunks
    rows = [(f"{k:,}", statistics.ks[k]) for k in range(least, min(largest, _MAX_K) + 1)]
    if largest > _MAX_K:
        more = sum(count for k, count in statistics.ks.items() if k >= _MAX_K)
        rows[-1] = (f"{_MAX_K}+", more)
    return chart(f"Number of {parts}", parts, rows)


def _length_chart(statistics: RunStatistics) -> Markup:
    used = statistics.lengths
    rows = []
    for index in range(min(used, default=0), max(used, default=-1) + 1):
        is_last = index == len(LENGTH_CLASSES) - 1
        end = "+" if is_last else f"–{LENGTH_CLASSES[index + 1] - 1:,}"
        rows.append((f"{LENGTH_CLASSES[index]:,}{end}", used[index]))
    return chart("Length in sentences", "sentences", rows)


def _filter() -> Markup:
    return element(
        "p",
        element(
            "input", type="search", class_="filter", placeholder="Filter themes and documents",
            aria_label="Filter themes and documents",
        ),
        " ",
        element("span", class_="filtered soft", role="status"),
        hidden=True,
    )  # fmt: skip


def _themes(statistics: RunStatistics, link: _Link) -> Markup | None:
    themes = statistics.themes
    found = themes.find(_MAX_THEMES)
    if not found:
        return None
    lead = "Topics of different documents about the same, with the documents nearest to each."
    if themes.looked_at < themes.seen:
        lead += f" They are those of {themes.looked_at:,} documents drawn by chance."
    items = []
    for theme in found:
        links = [each for row in theme.listed for each in (", ", link(row))][1:]
        left = theme.documents - len(theme.listed)
        more = f" and {left:,} more" if left > 0 else ""
        items.append(
            element(
                "li",
                element("h3", bdi(", ".join(theme.name[:3]))),
                element("p", bdi(", ".join(theme.name[3:])), class_="soft"),
                element("p", f"{theme.documents:,} documents: ", *links, more),
            )
        )
    return element(
        "section",
        element("h2", "Themes"),
        element("p", lead, class_="soft"),
        element("ul", *items, class_="themes", data_filter=True),
    )


def _words(statistics: RunStatistics) -> Markup | None:
    rows = statistics.commonest_words(_N_WORDS)
    if not rows:
        return None
    most = rows[0][1]
    items = (
        element("li", bdi(word), " ", bar(count, most), " ", element("span", f"{count:,}"))
        for word, count in rows
    )
    return element(
        "section",
        element("h2", "Commonest topic words"),
        element("p", "How many documents have the word among the best of a topic.", class_="soft"),
        element("ol", *items, class_="words"),
    )


def _failures(statistics: RunStatistics) -> Markup | None:
    if not statistics.kinds:
        return None
    kinds = chart("Failures", "why", statistics.kinds.most_common())
    rows = (
        element(
            "tr",
            element("td", bdi(excerpt(row.id, 120)), class_="name"),
            element("td", element("code", row.failure.kind)),
            element("td", bdi(excerpt(row.failure.message, 300))),
        )
        for row in statistics.failures
        if row.failure is not None
    )
    left = statistics.kinds.total() - len(statistics.failures)
    return joined(kinds, table(["Document", "Why", "Message"], rows), _and_more(left))


def _documents(statistics: RunStatistics, link: _Link, *, of_chunks: bool) -> Markup | None:
    if not statistics.listed:
        return None
    heads = ["Document", "Segments", "Sentences", "Topics"]
    if of_chunks:
        heads = ["Document", "Chunks", "Characters"]
    rows = (
        element(
            "tr",
            element("td", link(row), class_="name"),
            element("td", f"{row.k:,}", class_="number"),
            element("td", f"{row.characters if of_chunks else row.sentences:,}", class_="number"),
            None
            if of_chunks
            else element("td", bdi(", ".join(words[0] for words in row.words[:6] if words))),
        )
        for row in statistics.listed
    )
    more = _and_more(statistics.analyzed - len(statistics.listed))
    return element("section", element("h2", "Documents"), table(heads, rows, sorts=True), more)


def _and_more(left: int) -> Markup | None:
    return element("p", f"And {left:,} more.", class_="soft") if left else None


def _link(folder: Path, base: Path, common: str, row: RowSummary) -> Markup:
    """Return the name of a document without the common folder, linked to its page if it has one."""
    name = bdi(excerpt(row.id.removeprefix(common), 120))
    page = folder / report_name(row.place)
    if is_remote(folder) != is_remote(base) or not page.exists():
        return name
    # From real path to real path, since a folder on the way may be a link.
    way = Path(os.path.relpath(str(page.resolve()), str(base.resolve()))).as_posix()
    return element("a", name, href=quote(way))


def _asset(name: str) -> Markup:
    path = files("docbats.corpus").joinpath("assets", name)
    return Markup(path.read_text(encoding="utf-8"))
