from __future__ import annotations

import base64
import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.long_book import make_book
from tests.render.html_samples import EXAMPLES, TEXT, long_text
from tests.render.html_tree import Node, Tree

import docbats
from docbats.render.html import render_article, render_page
from docbats.render.html.slider import make_slider_cuts

if TYPE_CHECKING:
    from tests.sample_files import Files


# What is on the page


def test_page_is_well_formed_and_refers_to_itself_only(result: docbats.Result) -> None:
    tree = Tree(render_page(result, "report.txt"))
    ids = Counter(n.attributes["id"] for n in tree.nodes if "id" in n.attributes)
    assert max(ids.values()) == 1
    for node in tree.nodes:
        assert not {"style", "src", "action"} & node.attributes.keys()
        assert not [name for name in node.attributes if name.startswith("on")]
        if "href" in node.attributes:
            assert (node.attributes["href"] or "")[1:] in ids
        for name in ("aria-labelledby", "aria-controls", "for"):
            assert node.attributes.get(name) in {None, *ids}
    assert tree.odd == []


def test_text_is_all_there_and_in_order(result: docbats.Result) -> None:
    tree = Tree(render_page(result))
    assert tree.document_text == result.document.text
    parts: list[str] = []
    for node in tree.nodes:
        if "head" in node.classes:
            parts.append("")
        elif "piece" in node.classes:
            parts[-1] += node.text
    assert parts == [segment.text for segment in result.segments]
    sentences = [node.text for node in tree.of_class("s")]
    assert sentences == list(result.document.sentences)


def test_segments_and_topics_are_shown(result: docbats.Result) -> None:
    tree = Tree(render_page(result, "report.txt"))
    headings = [n.children[0] for n in tree.of_class("head")]
    assert [n.text for n in headings if isinstance(n, Node)] == [
        f"{i} {segment.title}" for i, segment in enumerate(result.segments, start=1)
    ]
    for topic, node in zip(result.topics, tree.of_class("topic"), strict=True):
        assert topic.label in node.text
        assert f"{topic.weight:.0%}" in node.text
        assert all(word in node.text for word, _ in topic.words[:12])
    assert result.choice is not None
    assert result.choice.reason in tree.root.text
    assert all(quote.text in tree.root.text for quote in result.summary(5))


def test_a_sentence_sums_up_a_segment_unless_it_begins_it(result: docbats.Result) -> None:
    tree = Tree(render_page(result))
    gists = [node.text for node in tree.of_class("gist")]
    own = tree.data["cuts"][tree.data["own"]]["summaries"]
    for segment, gist, index in zip(result.segments, gists, own, strict=True):
        first, end = segment.sentences
        begins = segment.summary == " ".join(result.document.sentences[first].split())
        if end - first < 4 or begins:
            assert (gist, index) == ("", None)
        else:
            assert gist.rstrip("…") in segment.summary
            assert " ".join(result.document.sentences[index].split()) == segment.summary
    assert any(gists)


def test_summaries_name_their_speakers() -> None:
    text = "\n\n".join(
        f"{name}: {said}"
        for name, said in zip(
            ["Ann Lee", "Bo Kim"] * 4,
            [
                "Yeah.",
                "The dredgers lift silt out of the harbour near the northern quay each spring.",
                "Mm, mm yeah.",
                "Thanks very much for that, dredgers, silt, harbour, quay, cranes and spring.",
            ]
            * 2,
            strict=True,
        )
    )
    result = docbats.analyze(text, k=1)
    wanted = "Bo Kim: The dredgers lift silt out of the harbour near the northern quay each spring."
    assert [segment.summary for segment in result.segments] == [wanted]
    tree = Tree(render_page(result))
    assert [node.text for node in tree.of_class("gist")] == [wanted]
    assert tree.data["cuts"][tree.data["own"]]["summaries"] == [wanted]


def test_minutes_to_read_are_shown_and_add_up() -> None:
    text = " ".join(["Bats hunt moths by night over the dark river."] * 230)
    tree = Tree(docbats.analyze(text, k=3).to_html())
    assert "9 minutes to read" in tree.of_class("facts")[0].text
    shown = [int(node.text.split()[0]) for node in tree.of_class("minutes")]
    assert abs(sum(shown) - 9) <= 2
    assert sum(tree.data["sizes"]) == 9 * 230


def test_the_heading_is_the_name_without_its_folders() -> None:
    result = docbats.analyze(TEXT, k=2)
    for name, shown in (
        ("reports/2024/a.txt", "a.txt"),
        ("C:\\texts\\b.txt", "b.txt"),
        ("either / or", "either / or"),
        ("", "Document"),
    ):
        (title,) = (n for n in Tree(result.to_html(name)).nodes if n.tag == "h1")
        assert title.text == shown


def test_the_table_of_words_finds_what_the_analysis_counted(result: docbats.Result) -> None:
    """Every counted use of a topic word has its form in the table, under that topic."""
    tables = Tree(render_page(result)).data["words"]
    topic_of = {
        form: number
        for number, (words, _, _) in enumerate(tables)
        for form in words.replace(",", " ").split()
    }
    names = {word: number for number, topic in enumerate(result.topics) for word, _ in topic.words}
    text = result.analysis.text
    uses = Counter(names.get(text.words.names[i]) for i in text.words.word.tolist())
    assert [uses for _, _, uses in tables] == [uses[i] for i in range(len(result.topics))]
    wrong = 0
    for word, token in zip(text.words.word.tolist(), text.words.token.tolist(), strict=True):
        form = text.tokens.forms[text.tokens.form[token]].lower().replace("\u2019", "'")
        expected = names.get(text.words.names[word])
        wrong += expected is not None and topic_of.get(form) != expected
    assert wrong <= 0.01 * sum(uses.values())
    for number, topic in enumerate(result.topics):
        words = tables[number][0].split(",")
        assert len(words) == len(topic.words)
        assert all(forms for forms in words)


def test_map_holds_the_shares(result: docbats.Result) -> None:
    tree = Tree(render_page(result))
    rows = [n for n in tree.nodes if n.tag == "tr" and "data-topic" in n.attributes]
    for row, weights in zip(rows, result.topic_segment_matrix, strict=True):
        cells = [c.text for c in row.children if isinstance(c, Node) and c.tag == "td"]
        assert cells == [str(round(100 * weight) or "") for weight in weights]


def test_headings_are_in_order() -> None:
    result = docbats.analyze((EXAMPLES / "article.txt").read_text())
    for html, first in ((render_page(result), 1), (render_article(result), 2)):
        tree = Tree(html)
        levels = [int(n.tag[1]) for n in tree.nodes if re.fullmatch("h[1-6]", n.tag)]
        assert levels[0] == first
        assert levels.count(first) == 1
        assert all(b <= a + 1 for a, b in pairwise(levels))


def test_data_offers_other_cuts(result: docbats.Result) -> None:
    data = Tree(render_page(result)).data
    k = len(result.segments)
    ks = [len(cut["titles"]) for cut in data["cuts"]]
    assert ks == list(range(1, min(len(result.document), 2 * k + 8, 30) + 1))
    assert ks[data["own"]] == k
    cuts = make_slider_cuts(result, result.outline)
    assert data["nested"] == cuts.is_nested == (result.settings.cut == "likelihood")
    for cut, expected in zip(data["cuts"], cuts.segments, strict=True):
        if not cuts.is_nested:
            assert expected == result.cut(len(expected)).segments
        titles = [data["titles"][i] for i in cut["titles"]]
        assert titles == [segment.title for segment in expected]
        assert [data["pieces"][p] for p in cut["pieces"]] == [s.sentences[0] for s in expected]
        assert cut["topics"] == [segment.topic for segment in expected]


def test_parts_are_open_and_what_is_below_segments_can_be_opened() -> None:
    result = docbats.analyze(make_book(1500).text, k=45, language="en")
    tree = Tree(render_page(result))
    entries = [entry for _, entry in result.outline.walk()]
    segments = {segment.sentences for segment in result.segments}
    firsts = {first for first, _ in segments}
    (outline,) = tree.of_class("outline")
    assert all(entry.title in outline.text for entry in entries)
    folds = [n for n in tree.nodes if n.tag == "details" and "help" not in n.classes]
    divided = [entry for entry in entries if entry.children]
    assert len(entries) > 40
    for entry, fold in zip(divided, folds, strict=True):
        holds_several = sum(entry.sentences[0] <= f < entry.sentences[1] for f in firsts) > 1
        assert ("open" in fold.attributes) == holds_several


def test_heatmap_holds_the_distances(result: docbats.Result) -> None:
    heat = Tree(render_page(result)).data["heat"]
    n = len(heat["edges"]) - 1
    U = docbats.analyze(
        result.document.text, preset="paper" if result.settings.cut == "linkage" else "sharp",
        vectors=True,
    ).vectors.sentences  # type: ignore[union-attr]  # fmt: skip
    levels = np.frombuffer(base64.b64decode(heat["values"]), np.uint8).astype(float)
    distances = np.sqrt(((U[:, None] - U) ** 2).sum(axis=2))
    assert n == len(U)
    np.testing.assert_allclose(levels * 2 / 255, distances[np.tril_indices(n)], atol=0.005)


def test_bins_of_the_heatmap_hold_root_mean_squares() -> None:
    result = docbats.analyze(long_text(400), k=4, vectors=True)
    heat = Tree(result.to_html()).data["heat"]
    assert result.vectors is not None
    U, edges = result.vectors.sentences, heat["edges"]
    levels = np.frombuffer(base64.b64decode(heat["values"]), np.uint8).astype(float)
    a, b = U[edges[7] : edges[8]], U[edges[3] : edges[4]]
    expected = np.sqrt(((a[:, None] - b) ** 2).sum(axis=2).mean())
    assert len(edges) == 151
    assert levels[7 * 8 // 2 + 3] * 2 / 255 == pytest.approx(expected, abs=0.005)


def test_places_are_shown_for_every_cut(files: Files) -> None:
    talk = docbats.Document.read(files.vtt([*files.bats, *files.tea]).encode())
    tree = Tree(docbats.analyze(talk, k=2).to_html())
    ranges = [node.text for node in tree.of_class("range")]
    assert ranges == ["0:00-0:20", "0:20-0:40"]
    assert tree.data["begins"][:2] == ["0:00", "0:05"]
    (outline,) = tree.of_class("outline")
    assert "0:20" in outline.text
    assert [cut["places"] for cut in tree.data["cuts"][:2]] == [
        ["0:00-0:40"],
        ["0:00-0:20", "0:20-0:40"],
    ]
    assert not tree.of_class("headings")


def test_headings_are_shown_for_every_cut(files: Files) -> None:
    named = {"On bats & moths": files.bats, "On tea": files.tea}
    parts = [f"# {name}\n\n{' '.join(text)}" for name, text in named.items()]
    notes = docbats.Document.read("\n\n".join(parts).encode(), kind="markdown")
    result = docbats.analyze(notes, k=2, title_threshold=0)
    tree = Tree(result.to_html())
    assert [segment.title for segment in result.segments] == list(named)
    about = [f"about {segment.subtitle}" for segment in result.segments]
    assert [node.text for node in tree.of_class("headings")] == about
    assert tree.data["cuts"][1]["headings"] == about


def test_headings_that_decide_are_named_as_the_reason() -> None:
    blocks = [
        {"kind": kind, "text": text}
        for name in ("Bats", "Tea", "Ships")
        for kind, text in (("heading", name), ("paragraph", f"{name} are here. {name} stay."))
    ]
    page = docbats.analyze(docbats.Document.from_blocks(blocks)).to_html()
    assert "The headings of the text divide it into 3 parts." in page
    assert 'class="curve"' not in page


def test_plain_text_has_no_places() -> None:
    tree = Tree(docbats.analyze(TEXT, k=2).to_html())
    assert not tree.of_class("headings")
    assert not any({"places", "headings"} & cut.keys() for cut in tree.data["cuts"])


def test_fragments_of_one_page_share_no_id() -> None:
    text = (EXAMPLES / "article.txt").read_text()
    views = [render_article(docbats.analyze(text, preset=p), "a.txt") for p in ("sharp", "paper")]
    tree = Tree("".join(views))
    ids = Counter(n.attributes["id"] for n in tree.nodes if "id" in n.attributes)
    assert max(ids.values()) == 1


def test_notebook_gets_a_frame_that_can_do_nothing_else() -> None:
    result = docbats.analyze(TEXT, k=2)
    (frame,) = Tree(result._repr_html_()).nodes
    assert frame.tag == "iframe"
    assert frame.attributes["sandbox"] == "allow-scripts"
    assert frame.attributes["srcdoc"] == result.to_html()


# Documents of all kinds


@pytest.mark.parametrize(
    ("source", "settings"),
    [
        ("One.", {}),
        ("Bats. Tea.", {"k": 1}),
        (["", "Bats hunt.", "", "Bats hear.", ""], {"k": 2}),
        (TEXT, {"k": 6}),
        (TEXT.replace(". ", ".\r\n\r\n"), {"k": 2}),
        ("\n\n  " + TEXT.replace(". ", ".\n") + "\n\n", {"k": 2, "sentences": "lines"}),
        (TEXT * 5, {"max_size": 4, "overlap": 1}),
        (TEXT * 5, {"max_size": 40, "size_unit": "characters"}),
        (TEXT * 5, {"min_size": 6, "n_topics": 1}),
        (TEXT, {"k": 3, "tagger": None, "award": 0.25}),
        ("蝙蝠在夜里捕食飞蛾。飞蛾听见蝙蝠。茶需要热水。热茶在杯子里。" * 2, {"k": 2}),
        ("العربية لغة جميلة. اللغة العربية قديمة. الشاي ساخن. الشاي والماء." * 2, {"k": 2}),
        (docbats.Document("-- Bats. -- Bats. --", np.array([[3, 8], [12, 17]])), {"k": 2}),
        (long_text(300), {"k": 50}),
        (long_text(300), {"k": 40, "preset": "paper"}),
    ],
)
def test_any_document_is_shown_in_full(source: Any, settings: dict[str, Any]) -> None:
    result = docbats.analyze(source, **settings)
    tree = Tree(result.to_html("name"))
    assert tree.document_text == result.document.text
    assert len(tree.of_class("head")) == len(result.segments)
    ids = [n.attributes["id"] for n in tree.nodes if "id" in n.attributes]
    assert len(set(ids)) == len(ids)


def test_lines_broken_inside_sentences_flow() -> None:
    broken = "Bats hunt\nmoths by\nnight. Moths hear\nthe bats.\n\nTea needs hot\nwater. Hot tea."
    assert Tree(docbats.analyze(broken, k=1).to_html()).of_class("wrapped")
    assert not Tree(docbats.analyze(TEXT.replace(". ", ".\n"), k=1).to_html()).of_class("wrapped")
