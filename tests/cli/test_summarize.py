from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from markdown_it import MarkdownIt

import docbats
from docbats.cli import main
from docbats.render.markdown import escape_markdown

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
REPORT = EXAMPLES / "annual-report.txt"
ARTICLE = EXAMPLES / "article.txt"


def _run(*args: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["summarize", *map(str, args)], input=stdin)


def _ok(*args: str | Path, stdin: str | None = None) -> str:
    result = _run(*args, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_one_sentence_a_line_as_the_library_chooses_them() -> None:
    chosen = docbats.analyze(REPORT.read_text()).summary(3)
    expected = [" ".join(sentence.text.split()) for sentence in chosen]
    assert _ok(REPORT, "-n", "3").splitlines() == expected


def test_five_sentences_by_default() -> None:
    assert len(_ok(REPORT).splitlines()) == 5


def test_json_lines_have_exact_offsets() -> None:
    lines = _ok(REPORT, ARTICLE, "--format", "jsonl").splitlines()
    for path, line in zip([REPORT, ARTICLE], lines, strict=True):
        values = json.loads(line)
        assert values["source"] == str(path)
        text = path.read_text()
        assert all(text[s["start"] : s["end"]] == s["text"] for s in values["summary"])


def test_markdown_is_a_list() -> None:
    lines = _ok(REPORT, "--format", "md", "-n", "2").splitlines()
    assert lines[:2] == [f"# {escape_markdown(str(REPORT))}", ""]
    assert [line[:2] for line in lines[2:]] == ["- ", "- "]


def test_markdown_shows_the_sentences_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "<b>*name*.txt"
    text = (
        "Bats hunt <img src=x onerror=alert(1)> moths. Bats hear [hot](javascript:alert(1)) moths."
    )
    path.write_text(text, encoding="utf-8")
    shown = MarkdownIt("commonmark").render(_ok(path, "--format", "md"))
    assert set(re.findall(r"<(\w+)", shown)) == {"h1", "ul", "li"}
    assert text.replace(" ", "") in re.sub(r"\s|</?li>", "", html.unescape(shown))
    assert str(path) in html.unescape(shown)


def test_several_files_are_named() -> None:
    lines = _ok(REPORT, ARTICLE, "-n", "1").splitlines()
    assert (lines[0], lines[2], lines[3], len(lines)) == (str(REPORT), "", str(ARTICLE), 5)


def test_standard_input_and_a_given_k(tmp_path: Path) -> None:
    text = REPORT.read_text()
    out = tmp_path / "summary.txt"
    assert _ok("-", "-k", "3", "-o", out, stdin=text) == ""
    chosen = docbats.analyze(text, k=3).summary()
    assert out.read_text().splitlines() == [" ".join(s.text.split()) for s in chosen]


def test_a_file_that_is_not_there_is_reported_and_passed_over(tmp_path: Path) -> None:
    result = _run(tmp_path / "none.txt", REPORT, "-n", "1")
    assert result.exit_code == 1
    assert "none.txt: no such file" in result.stderr
    assert len(result.stdout.splitlines()) == 2


@pytest.mark.parametrize("args", [["-n", "0"], ["-k", "x"], ["-k", "0"], ["--format", "csv"]])
def test_wrong_use(args: list[str]) -> None:
    assert _run(REPORT, *args).exit_code == 2


def test_an_input_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("Bats fly. Bats sleep.")
    result = _run(path, "-o", path)
    assert result.exit_code == 2
    assert "would overwrite an input" in result.stderr
