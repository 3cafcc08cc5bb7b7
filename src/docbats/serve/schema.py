"""Requests, as models that check them and describe them in the OpenAPI document."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from docbats.chunks.options import chunk_options, with_tokenizer
from docbats.errors import SettingsError
from docbats.readers.kinds import FileKind  # noqa: TC001  (pydantic looks it up)
from docbats.segments.cuts import check_boundaries
from docbats.serve.problems import Kind, Problem
from docbats.serve.responses import ChunkFormat, Format  # noqa: TC001  (pydantic looks them up)
from docbats.settings import (
    SETTING_INFOS,
    Flag,
    OneOf,
    RealNumber,
    Settings,
    WholeNumber,
    WordSet,
    describe_presets,
    resolve_settings,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.chunks.options import ChunkOption
    from docbats.settings import SettingInfo

MAX_NUMBER = 1_000_000_000  # more than any document has of anything
MAX_BOUNDARIES = 50_000  # in a request
MAX_WORDS = 2_000  # stop words in a request; more would be slow to check


MAX_MEMBERS = 1_000  # of all objects in a body
MAX_ITEMS = 100_000  # of all lists and objects in a body: more than boundaries and titles need


def _whole(value: Any) -> Any:
    """Return 2 for 2.0, which JSON does not tell apart."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
"""Lets numbers be whole in JSON, where types are strict."""


# Older versions of FastAPI accept only bare lists in a query; their fields limit the length.
Boundaries = list[Annotated[int, Field(ge=0, le=MAX_NUMBER), WHOLE]]
Titles = list[Annotated[str, Field(max_length=300)]]


# A string, or a sign outside strings that separates members or items.
_SIGN_OF_JSON = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[:,]', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")

AnyModel = TypeVar("AnyModel", bound=BaseModel)


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


def request_type(info: SettingInfo) -> Any:
    """Return the type of a setting in a request, with the limits that the schema shows."""
    match info.value:
        case WholeNumber(minimum=minimum, maximum=maximum, word=word):
            most = info.service_maximum or min(maximum, MAX_NUMBER)
            number = Annotated[int, Field(ge=minimum, le=most), WHOLE]
            return number if word is None else number | Literal[word]
        case RealNumber(minimum=minimum, maximum=maximum):
            return Annotated[float, Field(ge=minimum, le=maximum)]
        case OneOf(choices=choices):
            return Literal[choices]
        case WordSet():
            return Annotated[list[str], Field(max_length=MAX_WORDS)]
        case Flag():
            return bool
    msg = f"a request cannot hold {info.value.expected}: declare the setting with service=False"
    raise TypeError(msg)


def settings_model(name: str, base: type[BaseModel], infos: Mapping[str, SettingInfo]) -> Any:
    """Return a model with the fields of `base` and an optional one for each setting."""
    fields: dict[str, Any] = {}
    for setting, info in infos.items():
        description = info.help_with(info.in_the_paper)
        fields[setting] = request_type(info) | None, Field(None, description=description)
    return create_model(name, __base__=base, **fields)


_IN_REQUESTS = {name: info for name, info in SETTING_INFOS.items() if info.service}
_IN_BODIES = {n: info for n, info in _IN_REQUESTS.items() if isinstance(info.value, WordSet)}
_IN_QUERIES = {n: info for n, info in _IN_REQUESTS.items() if n not in _IN_BODIES}


class _Source(_Model):
    name: str = Field(
        "", max_length=300, description="Name of the document, for titles; of a file, for its kind."
    )
    type: FileKind | None = Field(
        None,
        description="Kind of the document; by default, that of the content type or of the file.",
    )


class _Preset(_Source):
    preset: Literal["sharp", "paper"] = Field("sharp", description=describe_presets())


if TYPE_CHECKING:  # no type checker can know the fields
    _QuerySettings = _Preset
else:
    _QuerySettings = settings_model("QuerySettings", _Preset, _IN_QUERIES)


class Query(_QuerySettings):
    """The query of a request."""

    top_words: Annotated[int, Field(ge=1, le=1000), WHOLE] = Field(
        10, description="How many words to show of each topic and each segment."
    )
    boundaries: Boundaries | None = Field(
        None,
        max_length=MAX_BOUNDARIES,
        description="Your own segments: the offsets where they begin, in ascending order.",
    )
    titles: Titles | None = Field(
        None,
        max_length=MAX_BOUNDARIES,
        description="Your own titles for these segments, one for each.",
    )
    outline: bool | None = Field(
        None,
        description="Divide the segments further, as a table of contents (json, md).  [two levels "
        "for a text of more than 3,000 words without headings]",
    )
    depth: Annotated[int, Field(ge=1, le=100), WHOLE] | None = Field(
        None, description="How many levels of the outline to show; implies outline."
    )


class AnalyzeQuery(Query):
    """The query of an analysis of one document."""

    format: Format | None = Field(
        None, description="Format of the response; without it, the Accept header decides."
    )
    progress: Annotated[str, Field(pattern="^[A-Za-z0-9-]{8,64}$")] | None = Field(
        None,
        description="A random name that you choose; GET /v1/progress/NAME then returns the "
        "progress of the analysis.",
    )


if TYPE_CHECKING:
    _BodySettings = Query
else:
    _BodySettings = settings_model("BodySettings", Query, _IN_BODIES)


NOT_BLANK = r"[^\s\x1c-\x1f\x85]"
"""What a text to analyze has somewhere; a schema says so, and the analysis how to do better."""


class DocumentRequest(_BodySettings):
    """A document and what to do with it; these values override the query."""

    text: str = Field(
        description="The document: plain text, unless the type says otherwise.",
        json_schema_extra={"pattern": NOT_BLANK},
    )


class DocumentLine(DocumentRequest):
    """One document among many."""

    id: str | int | None = Field(
        None, description="Returned with the result; the number of the line by default."
    )


def options_model(name: str, base: type[BaseModel]) -> Any:
    """Return a model with the fields of `base` and an optional one for each option of a chunker."""
    fields: dict[str, Any] = {}
    for option, info in chunk_options().items():
        default = "" if info.default is None else f"  [{json.dumps(info.default)}]"
        description = info.help + default
        fields[option] = _option_type(info) | None, Field(None, description=description)
    return create_model(name, __base__=base, **fields)


def _option_type(option: ChunkOption) -> Any:
    """Return the type of an option in a request."""
    if option.type is int or option.type == int | None:
        return Annotated[int, Field(ge=option.minimum, le=MAX_NUMBER), WHOLE]
    if option.type is str:
        return Annotated[str, Field(max_length=300)]
    return option.type


if TYPE_CHECKING:
    _ChunkOptions = _Source
else:
    _ChunkOptions = options_model("ChunkOptions", _Source)


class ChunkManyQuery(_ChunkOptions):
    """The query of a request for chunks."""

    document_id: Annotated[str, Field(max_length=300)] | None = Field(
        None,
        description="What the ids of chunks are made of, besides their offsets and content.  [the "
        "name, or else the id of the line, or else a hash of the text]",
    )


class ChunkQuery(ChunkManyQuery):
    """The query of a request for the chunks of one document."""

    format: ChunkFormat | None = Field(
        None, description="Format of the response; without it, the Accept header decides."
    )


class ChunkRequest(ChunkManyQuery):
    """A document and how to cut it into chunks; these values override the query."""

    text: str = Field(description="The document: plain text, unless the type says otherwise.")


class ChunkLine(ChunkRequest):
    """One document among many."""

    id: str | int | None = Field(
        None, description="Returned with the result; the number of the line by default."
    )


def document_id_of(values: dict[str, Any]) -> str | None:
    """Return what the ids of chunks are made of; None for a hash of the text."""
    given = (values.get(name) for name in ("document_id", "name", "id"))
    found = next((value for value in given if value not in {None, ""}), None)
    return None if found is None else str(found)


def chunker_options_of(values: dict[str, Any], tokenizers: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of a chunker in the validated values of a request."""
    given = {name: values.get(name) for name in chunk_options()}
    try:
        return with_tokenizer({k: v for k, v in given.items() if v is not None}, tokenizers)
    except SettingsError as error:
        raise Problem(Kind.WRONG_SETTINGS, _sentence(str(error))) from None


def parse_json(model: type[AnyModel], data: bytes) -> AnyModel:
    """Return the validated values of a JSON body; lone surrogates become U+FFFD.

    ValidationError if it is not JSON, or not what the model expects.
    """
    check_count(data)
    try:
        return model.model_validate_json(data, strict=True)
    except ValidationError as error:
        if _SURROGATE_ESCAPE.search(data) is None or error.errors()[0]["type"] != "json_invalid":
            raise
        try:
            values = json.loads(data)
        except (ValueError, RecursionError):
            raise error from None
        if not isinstance(values, dict):
            raise
        texts = {name: value for name, value in values.items() if isinstance(value, str)}
        clean = {name: _SURROGATE.sub("\ufffd", value) for name, value in texts.items()}
        return model.model_validate({**values, **clean}, strict=True)


def check_count(data: bytes) -> None:
    """Raise a problem if a JSON body has too many members or items to be looked at.

    Each unknown one would become an error with a place and a message.
    """
    members = items = 0
    for sign in _SIGN_OF_JSON.finditer(data):
        members += sign[0] == b":"
        items += sign[0] == b","
        if members > MAX_MEMBERS or items > MAX_ITEMS:
            msg = (
                f"The body has more than {MAX_MEMBERS:,} members or {MAX_ITEMS:,} items: send only "
                "those that /v1/presets lists."
            )
            raise Problem(Kind.BAD_REQUEST, msg)


def settings_of(values: dict[str, Any]) -> Settings:
    """Return the settings in the validated values of a request."""
    given = {name: values.get(name) for name in _IN_REQUESTS}
    changes = {name: value for name, value in given.items() if value is not None}
    try:
        return resolve_settings(values.get("preset", "sharp"), **changes)
    except SettingsError as error:
        raise Problem(Kind.WRONG_SETTINGS, _sentence(str(error))) from None


def boundaries_of(values: dict[str, Any], settings: Settings) -> tuple[int, ...] | None:
    """Return the boundaries of a request, if any; raise a problem if the settings forbid them."""
    boundaries = values.get("boundaries")
    if boundaries is None:
        return None
    try:
        return check_boundaries(boundaries, settings)
    except SettingsError as error:
        raise Problem(Kind.WRONG_SETTINGS, _sentence(str(error))) from None


def titles_of(values: dict[str, Any]) -> tuple[str, ...] | None:
    """Return the titles of a request, if any; raise a problem without boundaries."""
    titles = values.get("titles")
    if titles is None:
        return None
    if values.get("boundaries") is None:
        msg = "titles are for your own segments: send boundaries with them."
        raise Problem(Kind.WRONG_SETTINGS, msg)
    return tuple(titles)


def explain(error: ValidationError) -> Problem:
    """Return what is wrong with a request, without quoting its values."""
    return problem_of_errors(error.errors(include_url=False, include_input=False))


def problem_of_errors(errors: Any) -> Problem:
    """Return one problem for all errors that the models found."""
    if any(error["type"] == "json_invalid" for error in errors):
        detail = f"The body is not JSON: {errors[0]['msg']}."
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
    """Return a location without what only the models know: the origin and branches of unions."""
    parts = location[1:] if location and location[0] in {"query", "body", "header"} else location
    return parts[:1]


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
