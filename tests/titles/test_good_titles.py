"""What must not be a title, from documents that once had such titles, written anew."""

from __future__ import annotations

from typing import Any

import pytest

import docbats


def title_of(text: str, other: str = "", **settings: Any) -> str:
    """Return the title of a text, with another segment after it if given."""
    whole = f"{text}\n\n{other}" if other else text
    boundaries = [len(text) + 2] if other else []
    settings = {"title_threshold": 0, **settings}
    return docbats.analyze(whole, boundaries=boundaries, **settings).segments[0].title


HARBOUR = (
    "The harbour was dredged in spring. Ships wait outside the harbour at low water. A new quay "
    "was built in the harbour, and the quay takes larger ships. The quay has two cranes."
)


def test_a_name_keeps_its_first_word() -> None:
    text = (
        "The New Deal began in 1933. Many farmers lived by the New Deal. In the end the New Deal "
        "changed the banks. Later governments kept parts of the New Deal."
    )
    assert title_of(text, HARBOUR) == "New Deal"
    text = (
        "Ships from the United Kingdom came first. The trade with the United Kingdom grew. After "
        "the war the United Kingdom bought wool. Wool went to the United Kingdom by sea."
    )
    assert "United Kingdom" in title_of(text, HARBOUR)


def test_people_are_named_in_full() -> None:
    text = (
        "Clara Ball opened the mill in May. Ball had bought the wheel from a farmer. The wheel "
        "turned day and night, and Ball slept in the mill. Ball sold the mill to her brother."
    )
    assert "Clara Ball" in title_of(text, HARBOUR)


def test_a_form_of_address_is_no_title() -> None:
    text = (
        "Mr. Chair, the debt is too high. I say to you, Mr. Chair, that the debt grows. Mr. Chair, "
        "we pay interest on the debt every day. The interest is paid first, Mr. Chair."
    )
    title = title_of(text, HARBOUR)
    assert "Chair" not in title
    assert "debt" in title.lower()


@pytest.mark.parametrize("filler", ["mm", "MB", "stuff", "Nice"])
def test_units_and_fillers_are_no_titles(filler: str) -> None:
    text = " ".join(
        f"{start} {filler} and a ticket for the train."
        for start in ("We had", "She saw", "They took", "He lost")
    )
    title = title_of(text, HARBOUR)
    assert filler.lower() not in title.lower().split()


def test_no_word_twice_and_no_two_forms_of_one() -> None:
    text = (
        "The life of a monk is long. Monks give their lives to a rule. A life without the rule is "
        "short. Their lives are quiet, and life goes on. Lives and life are much alike."
    )
    words = title_of(text, HARBOUR).lower().split(" and ")
    assert not {"lives", "life"} <= set(words)


def test_a_phrase_is_not_torn_apart() -> None:
    text = (
        "The product rule is about two functions. A product has a derivative by the product rule. "
        "The rule is old. This rule needs a product. The product rule follows from limits."
    )
    assert title_of(text, HARBOUR) == "Product rule"


def test_the_subject_of_the_document_is_the_title_of_no_segment() -> None:
    parts = {
        "wings": "The {0} has wings of skin. The wings of the {0} are folded. Wings tear.",
        "echoes": "The {0} hears echoes. Echoes tell the {0} where walls are. Echoes fade.",
        "moths": "The {0} eats moths. Moths hide from the {0}. Some moths fly at dusk.",
        "caves": "The {0} sleeps in caves. Caves are warm for the {0}. Old caves fall in.",
    }
    paragraphs = [text.format("bat") for text in parts.values()]
    text = "\n\n".join(paragraphs)
    starts = [text.index(paragraph) for paragraph in paragraphs]
    titles = [segment.title for segment in docbats.analyze(text, boundaries=starts).segments]
    assert [title.lower() for title in titles] == list(parts)


def test_what_is_done_can_be_a_title() -> None:
    text = (
        "To set up a mail server you need a name. When you set up a mail server, open two ports. "
        "Setting up a mail server takes an hour. The ports are for letters in and out."
    )
    assert title_of(text, HARBOUR) == "Setting up a mail server"


def test_the_spanish_conjunction_changes_before_i() -> None:
    from docbats.text.languages import load_language

    spanish, italian = load_language("es"), load_language("it")
    assert spanish.conjunction_to("imagen") == " e "
    assert spanish.conjunction_to("Historia") == " e "
    assert spanish.conjunction_to("hielo") == " y "
    assert spanish.conjunction_to("texto") == " y "
    assert italian.conjunction_to("echi") == " ed "
    assert italian.conjunction_to("acqua") == " e "


def test_french_verbs_are_no_titles() -> None:
    text = (
        "Il faut installer le moteur. Pour installer la pompe, on doit effectuer un essai. Avant "
        "d'installer le filtre, il faut effectuer la mesure. Le moteur et la pompe sont lourds. "
        "Le moteur chauffe et la pompe tourne."
    )
    title = title_of(text, language="fr")
    assert title.lower() not in {"installer", "effectuer", "installer et effectuer"}


def test_an_abbreviation_is_no_title() -> None:
    text = (
        "Serce (łac. cor) pompuje krew. Nerka (łac. ren) czyści krew. Wątroba (łac. hepar) leży "
        "obok. Krew płynie przez serce. Serce bije, a krew wraca."
    )
    assert "łac" not in title_of(text, language="pl").lower()


def test_most_titles_are_one_phrase() -> None:
    from pathlib import Path

    titles = [
        segment.title
        for path in sorted(Path("examples").glob("*.txt"))
        for segment in docbats.analyze(path.read_text(encoding="utf-8")).segments
    ]
    assert sum(" and " in title for title in titles) <= len(titles) / 2


def test_a_title_is_no_heading_of_another_segment() -> None:
    ships = "Ships wait. Ships wait outside. Ships come in at high water."
    blocks: list[dict[str, Any]] = [
        {"kind": "paragraph", "text": ships},
        {"kind": "heading", "text": "Ships", "level": 1},
        {"kind": "paragraph", "text": "The ships carry tea. The ships carry rope."},
    ]
    document = docbats.Document.from_blocks(blocks)
    result = docbats.analyze(document, boundaries=[document.text.index("Ships\n")])
    assert result.segments[1].title == "Ships"
    assert result.segments[0].title != "Ships"


@pytest.mark.parametrize("role", ["Honourable Minister", "Acting Chair", "Audience member"])
def test_a_role_is_no_title(role: str) -> None:
    text = (
        f"The {role} spoke of the grant for boats. I thank the {role} for the grant. Does the "
        f"{role} know what the grant costs? The grant was paid in May, said the {role}."
    )
    title = title_of(text, HARBOUR)
    assert role.rsplit(maxsplit=1)[-1].lower() not in title.lower()
    assert "grant" in title.lower()


def test_who_is_cited_is_no_title() -> None:
    text = (
        "Silt moves with the tide (Ballard et al., 2001). More silt moves in spring "
        "(Ballard, 1999). "
        "Ballard (2004) weighed the silt of a river. The silt was heavy."
    )
    title = title_of(text, HARBOUR)
    assert "Ballard" not in title
    assert "silt" in title.lower()


def test_who_speaks_is_no_title() -> None:
    said = [
        ("Bailey", "Bailey here. The grant for boats ran out, and the boats are old."),
        ("Merlijn", "Bailey is right, the grant ran out. Old boats leak, Bailey says."),
    ]
    blocks = [{"kind": "turn", "speaker": name, "text": text} for name, text in said]
    result = docbats.analyze(docbats.Document.from_blocks(blocks), k=1, title_threshold=0)
    assert "Bailey" not in result.segments[0].title


def test_words_of_english_are_none_of_a_spanish_title() -> None:
    text = (
        "La red usa the grid para las filas. En the grid hay filas y columnas de la red. Las filas "
        "de the grid son de la red. La red tiene columnas, y the grid tiene filas."
    )
    title = title_of(text, language="es")
    assert "the" not in title.lower().split()


def test_german_nouns_are_shown_without_the_ending_of_a_case() -> None:
    text = (
        "Von den Verbänden kommt Geld. Mit den Verbänden spricht der Bund. Die Verbände zahlen "
        "viel. Bei den Verbänden wird gewählt."
    )
    title = title_of(text, language="de")
    assert "Verbände" in title.split()
