from __future__ import annotations

import pytest

from docbats import BATS, InputError, SettingsError, TooFewSentencesError
from docbats.integrations.splitting import (
    make_bats,
    run_on_text,
    run_unless_blank,
    with_chunk_sizes,
)


def test_settings_come_from_arguments_and_from_a_mapping() -> None:
    settings = make_bats("paper", {"window": 2}, k=3).settings
    assert (settings.k, settings.window) == (3, 2)
    assert make_bats("sharp", None).settings == BATS().settings
    for made in (
        make_bats("sharp", granularity="fine"),
        make_bats("sharp", {"granularity": "fine"}),
    ):
        assert made.settings.granularity == "fine"


@pytest.mark.parametrize("name", ["chunk_size", "settings"])
def test_unknown_settings_are_refused(name: str) -> None:
    with pytest.raises(SettingsError, match=f"no setting '{name}'"):
        make_bats("sharp", **{name: 100})
    with pytest.raises(SettingsError, match=f"no setting '{name}'"):
        make_bats("sharp", {name: 100})


def test_what_is_set_twice_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"pass k=2 instead of settings=\{'k': 2\}"):
        make_bats("sharp", {"k": 2}, k="auto")
    with pytest.raises(SettingsError, match="preset is an argument: pass"):
        make_bats("sharp", {"preset": "paper"})


def test_blank_texts_have_no_result() -> None:
    for text in ("", " \n"):
        assert run_unless_blank(BATS(), text) is None
        assert run_on_text(BATS(), text, "row 1") is None


def test_errors_name_the_text() -> None:
    with pytest.raises(TooFewSentencesError) as alone:
        make_bats("sharp", k=3)("Bats fly.")
    with pytest.raises(TooFewSentencesError) as named:
        run_on_text(make_bats("sharp", k=3), "Bats fly.", "row b")
    assert str(named.value) == f"row b: {alone.value}"
    with pytest.raises(
        InputError, match=r"row 7: expected a string or a docbats\.Document, got int"
    ):
        run_on_text(BATS(), 1, "row 7")


def test_sizes_have_the_names_of_other_splitters_or_our_own() -> None:
    assert with_chunk_sizes({"k": 2}, None, 0, len) == {"k": 2}
    found = with_chunk_sizes({}, 9, 2, str.count)  # type: ignore[arg-type]
    assert found == {"max_size": 9, "overlap": 2, "size_unit": str.count}
    with pytest.raises(SettingsError, match="max_size goes with max_size, not with chunk_size"):
        with_chunk_sizes({"max_size": 3}, 9, 0, len)
    with pytest.raises(SettingsError, match="overlap must be less than max_size"):
        make_bats("sharp", with_chunk_sizes({}, 9, 9, len))
