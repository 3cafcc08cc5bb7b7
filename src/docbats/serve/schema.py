"""What requests hold, as models that check them and describe them in the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from docbats.errors import SettingsError
from docbats.readers.kinds import FileKind  # noqa: TC001  (pydantic looks it up)
from docbats.serve.problems import Kind, Problem
from docbats.serve.response_formats import Format  # noqa: TC001  (pydantic looks it up)
from docbats.settings import Cut, Laplacian, Ranking, Sentences, Settings, Unit, resolve_settings

__all__ = ["DocumentRequest", "Knobs", "Line", "Query", "explain", "settings_of"]

Code = Literal["auto", "en", "de", "fr", "es", "pt", "it", "nl", "pl", "ru", "zh", "ja"]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Number = Annotated[int, Field(ge=1, le=1_000_000_000)]
Degree = Annotated[float, Field(ge=0, le=1_000_000_000)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Knobs(_Model):
    """The settings of an analysis; what is not given, or null, is as the preset has it."""

    preset: Literal["sharp", "paper"] = Field(
        "sharp", description="Settings to start from: the better ones, or BATS as published."
    )
    k: Number | Literal["auto"] | None = Field(
        None,
        description="Number of segments, and of topics; auto lets the text decide.",
    )
    n_topics: Number | None = Field(
        None, description="Number of topics, if not that of the segments."
    )
    min_size: Count | None = Field(
        None, description="Least size of a segment, wherever the text allows; not with linkage."
    )
    max_size: Number | None = Field(
        None, description="Largest size of a segment; longer sentences are split; not with linkage."
    )
    size_unit: Unit | None = Field(None, description="What the sizes and the overlap count.")
    overlap: Count | None = Field(
        None, description="How much of the text before it a segment shows again."
    )
    sentences: Sentences | None = Field(
        None, description="Find sentences by punctuation (auto), or take each line as one (lines)."
    )
    language: Code | None = Field(
        None, description="Language of the text, by its code; auto finds it out."
    )
    cut: Cut | None = Field(
        None,
        description="Segments by the likelihood of their words, or by average linkage (eq. 14).",
    )
    ranking: Ranking | None = Field(
        None,
        description="Topics by cores of words that share sentences, or by KMeans (section 3.4.1).",
    )
    award: Degree | None = Field(None, description="λ of eq. 1: award to nouns and verbs.")
    window: Annotated[int, Field(ge=0, le=100)] | None = Field(
        None, description="w of eq. 2: sentences bonded on each side."
    )
    decay: Annotated[float, Field(ge=0, le=1)] | None = Field(
        None, description="d of eq. 2: weight of each further sentence."
    )
    laplacian: Laplacian | None = Field(
        None, description="Eq. 3 (regularized), with both τ zero (plain), or left out (none)."
    )
    tau_p: Degree | None = Field(
        None, description="τ_p of eq. 3, for words; null takes the average degree."
    )
    tau_o: Degree | None = Field(
        None, description="τ_o of eq. 3, for sentences; null takes the average degree."
    )
    min_sentences: Number | None = Field(
        None, description="Keep words that occur in this many sentences."
    )
    stem: bool | None = Field(None, description="Count words of one stem as one.")
    restarts: Annotated[int, Field(ge=1, le=100)] | None = Field(
        None, description="Restarts of KMeans."
    )
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] | None = Field(
        None, description="Seed of KMeans and of the SVD."
    )


class Query(Knobs):
    """What an address may hold after its question mark."""

    name: str = Field(
        "", max_length=300, description="Name of the document, for titles; of a file, for its kind."
    )
    type: FileKind | None = Field(
        None, description="Kind of the document; without it the content type, or the file, tells."
    )
    top_words: Annotated[int, Field(ge=1, le=1000)] = Field(
        10, description="How many words to give of each topic and each segment."
    )
    outline: bool = Field(
        default=False, description="Divide the segments further, as a table of contents (json, md)."
    )


class AnalyzeQuery(Query):
    """What an address of one analysis may hold after its question mark."""

    format: Format | None = Field(
        None, description="Form of the answer; without it the Accept header decides."
    )


class DocumentRequest(Query):
    """A document and what to do with it; what is given here goes before the query."""

    text: str = Field(description="The document: plain text, unless the type says otherwise.")
    stop_words: Annotated[list[str], Field(max_length=2_000)] | None = Field(
        None, description="Stop words instead of those of the language."
    )


class Line(DocumentRequest):
    """One document among many."""

    id: str | int | None = Field(
        None, description="Comes back with the result; without it the number of the line does."
    )


_SETTINGS = {*Knobs.model_fields, "stop_words"} - {"preset"}


def settings_of(values: dict[str, Any]) -> Settings:
    """Turn checked values of a request into settings."""
    changes = {
        name: value for name, value in values.items() if name in _SETTINGS and value is not None
    }
    try:
        return resolve_settings(values.get("preset", "sharp"), **changes)
    except SettingsError as error:
        raise Problem(Kind.WRONG_SETTINGS, _sentence(str(error))) from None


def explain(error: ValidationError) -> Problem:
    """Say what is wrong with a request, without quoting its values."""
    return problem_of_errors(error.errors(include_url=False, include_input=False))


def problem_of_errors(errors: Any) -> Problem:
    """Make one problem of the errors that the models found."""
    if any(error["type"] == "json_invalid" for error in errors):
        detail = f"The body is no JSON: {errors[0]['msg']}."
        return Problem(Kind.BAD_REQUEST, detail)
    found = [
        {"field": ".".join(str(part) for part in _place(error["loc"])), "message": error["msg"]}
        for error in errors[:20]
    ]
    first = found[0]
    where = first["field"] or "the body"
    detail = f"{where}: {first['message']}. GET /v1/presets lists the settings."
    return Problem(Kind.WRONG_SETTINGS, detail, errors=found)


def _place(location: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Leave out what only the models know: where the value came from and branches of unions."""
    parts = location[1:] if location and location[0] in {"query", "body", "header"} else location
    return parts[:1]


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
