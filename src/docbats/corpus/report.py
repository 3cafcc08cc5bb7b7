"""``docbats corpus report``: a page on a whole run."""

from __future__ import annotations

import base64
import hashlib
import os
from importlib.resources import files
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from docbats.corpus.errors import CorpusError
from docbats.corpus.files import write_whole
from docbats.corpus.folder import is_complete, read_request, report_path
from docbats.corpus.formats import format_of
from docbats.corpus.overview import LENGTHS, Overview
from docbats.corpus.storage import is_remote, reaching
from docbats.render.html.markup import Markup, bdi, element, joined
from docbats.render.one_line import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from docbats.corpus.rows import Brief

__all__ = ["render_report", "write_report"]

_WORDS = 40
_MOST_K = 20  # rows of the table of k; larger ones are put together
_DOCTYPE = Markup("<!doctype html>\n")


def write_report(folder: Path, target: Path) -> Path:
    """Write the page on the run in `folder`; give the file."""
    with reaching(folder):
        page = render_report(folder, target.parent).encode("utf-8", "backslashreplace")
    try:
        write_whole(target, methodcaller("write", page))
    except OSError as error:
        msg = f"{target}: cannot be written: {error.strerror or error}"
        raise CorpusError(msg) from None
    return target


def render_report(folder: Path, base: Path) -> str:
    """Show the run in `folder` as a page that lies in `base` and needs nothing but the reports."""
    request = read_request(folder)
    overview = _gather(folder, request)
    name = folder.resolve().name
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", f"{excerpt(name, 80)} · docbats corpus"),
        element("style", style),
    )
    body = element(
        "main",
        element("h1", bdi(excerpt(name, 200))),
        _lead(overview, request, complete=is_complete(folder)),
        element("div", _ks(overview), _lengths(overview), class_="pair"),
        _words(overview),
        _failures(overview),
        _documents(overview, folder, base),
    )
    return joined(_DOCTYPE, element("html", head, "\n", element("body", body), lang="en"), "\n")


def _gather(folder: Path, request: dict[str, Any]) -> Overview:
    format_ = format_of(request["format"])
    format_.check()
    overview = Overview()
    for part in sorted(format_.finished(folder)):
        try:
            briefs = format_.read(folder, part)
        except (ValueError, OSError) as error:
            msg = f"{folder}: part {part} is damaged ({error}): make it anew with --resume"
            raise CorpusError(msg) from None
        for brief in briefs:
            overview.add(brief)
    return overview


def _lead(overview: Overview, request: dict[str, Any], *, complete: bool) -> Markup:
    analysed = max(1, overview.analysed)
    facts = [
        ("documents", f"{overview.documents:,}"),
        ("failed", f"{overview.kinds.total():,}"),
        ("sentences", f"{overview.sentences:,}"),
        ("sentences a document", f"{overview.sentences / analysed:,.0f}"),
        ("segments, median", f"{overview.median_k:,}"),
    ]
    boxes = (element("div", element("dt", name), element("dd", value)) for name, value in facts)
    version = request.get("versions", {}).get("docbats", "")
    note = None if complete else "This run is not finished: only its finished parts are shown."
    return joined(
        element("p", f"A corpus analysed by docbats {version}.", class_="soft"),
        note and element("p", note, class_="note"),
        element("dl", *boxes, class_="facts"),
    )


def _ks(overview: Overview) -> Markup:
    largest = max(overview.ks, default=0)
    if largest <= _MOST_K:
        rows = [(f"{k:,}", overview.ks[k]) for k in range(1, largest + 1)]
    else:
        rows = [(f"{k:,}", overview.ks[k]) for k in range(1, _MOST_K)]
        more = sum(count for k, count in overview.ks.items() if k >= _MOST_K)
        rows.append((f"{_MOST_K}+", more))
    return _chart("Number of segments", "segments", rows)


def _lengths(overview: Overview) -> Markup:
    used = [index for index, count in overview.lengths.items() if count]
    rows = []
    for index in range(min(used, default=0), max(used, default=-1) + 1):
        is_last = index == len(LENGTHS) - 1
        end = "+" if is_last else f"–{LENGTHS[index + 1] - 1:,}"
        rows.append((f"{LENGTHS[index]:,}{end}", overview.lengths[index]))
    return _chart("Length in sentences", "sentences", rows)


def _words(overview: Overview) -> Markup | None:
    rows = overview.commonest_words(_WORDS)
    if not rows:
        return None
    most = rows[0][1]
    items = (
        element("li", bdi(word), " ", _bar(count, most), " ", element("span", f"{count:,}"))
        for word, count in rows
    )
    return element(
        "section",
        element("h2", "Commonest topic words"),
        element("p", "How many documents have the word among the best of a topic.", class_="soft"),
        element("ol", *items, class_="words"),
    )


def _failures(overview: Overview) -> Markup | None:
    if not overview.kinds:
        return None
    kinds = _chart("Failures", "why", overview.kinds.most_common())
    rows = (
        element(
            "tr",
            element("td", bdi(excerpt(brief.id, 120)), class_="name"),
            element("td", element("code", brief.failure.kind)),
            element("td", bdi(excerpt(brief.failure.message, 300))),
        )
        for brief in overview.failures
        if brief.failure is not None
    )
    left = overview.kinds.total() - len(overview.failures)
    more = f"And {left:,} more." if left else None
    table = _table(["Document", "Why", "Message"], rows)
    return joined(kinds, table, more and element("p", more, class_="soft"))


def _documents(overview: Overview, folder: Path, base: Path) -> Markup | None:
    if not overview.listed:
        return None
    rows = (
        element(
            "tr",
            element("td", _linked(brief, folder, base), class_="name"),
            element("td", f"{brief.k:,}", class_="number"),
            element("td", f"{brief.sentences:,}", class_="number"),
            element("td", bdi(", ".join(words[0] for words in brief.words[:6] if words))),
        )
        for brief in overview.listed
    )
    left = overview.analysed - len(overview.listed)
    more = f"And {left:,} more." if left else None
    return element(
        "section",
        element("h2", "Documents"),
        _table(["Document", "Segments", "Sentences", "Topics"], rows),
        more and element("p", more, class_="soft"),
    )


def _linked(brief: Brief, folder: Path, base: Path) -> Markup:
    name = bdi(excerpt(brief.id, 120))
    page = report_path(folder, brief.place)
    if is_remote(folder) != is_remote(base) or not page.exists():
        return name
    # Through the real paths, since the way from one to the other may lead over a link.
    way = Path(os.path.relpath(str(page.resolve()), str(base.resolve()))).as_posix()
    return element("a", name, href=quote(way))


def _chart(title: str, unit: str, rows: Sequence[tuple[str, int]]) -> Markup:
    """Make a table of counts with a bar each."""
    most = max((count for _, count in rows), default=1)
    lines = (
        element(
            "tr",
            element("th", label, scope="row"),
            element("td", _bar(count, most), class_="bar"),
            element("td", f"{count:,}", class_="number"),
        )
        for label, count in rows
    )
    heads = element(
        "tr",
        element("th", unit, scope="col"),
        element("th", "documents", scope="col", colspan=2, class_="number"),
    )
    table = element("table", element("thead", heads), element("tbody", *lines), class_="chart")
    return element("section", element("h2", title), table)


def _bar(count: int, most: int) -> Markup:
    width = max(0.6 if count else 0.0, 100 * count / max(1, most))
    shape = element("rect", width=f"{width:.2f}", height=1)
    return element(
        "svg", shape, viewBox="0 0 100 1", preserveAspectRatio="none", aria_hidden="true"
    )


def _table(heads: Sequence[str], rows: Iterable[Markup]) -> Markup:
    numbers = {"Segments", "Sentences"}
    head = element(
        "tr",
        *(
            element("th", name, scope="col", class_="number" if name in numbers else None)
            for name in heads
        ),
    )
    table = element("table", element("thead", head), element("tbody", *rows), class_="list")
    return element("div", table, class_="wide", tabindex=0, role="region", aria_label=heads[0])


def _style() -> Markup:
    path = files("docbats.corpus").joinpath("assets", "report.css")
    return Markup(path.read_text(encoding="utf-8"))
