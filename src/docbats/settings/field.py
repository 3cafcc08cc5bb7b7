"""How a setting is declared: a field of a dataclass, with its help, its limits and more."""

from __future__ import annotations

from dataclasses import field, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from docbats.settings.values import Value

__all__ = ["SettingInfo", "describe_attributes", "setting", "setting_infos"]

_KEY = "setting"

T = TypeVar("T")


class SettingInfo:
    """What is known about a setting besides its name and type; see :func:`setting`."""

    default: Any
    value: Value
    help: str
    details: str
    symbol: str
    section: str
    aliases: tuple[str, ...]
    metavar: str | None
    main: bool
    command: bool
    service: bool
    service_maximum: int | None

    def __init__(self, **declared: Any) -> None:
        # A dataclass or NamedTuple of so many fields would slow the import of docbats down.
        vars(self).update(declared)

    @property
    def in_the_paper(self) -> str:
        """The symbol of the paper and where it stands; empty where the paper has neither."""
        return " of ".join(filter(None, [self.symbol, self.section]))

    @property
    def sentences(self) -> list[str]:
        """All that the docs say of the setting, as reStructuredText."""
        sentences = [self.help, self.details, f"It must be {self.value.expected}."]
        if self.in_the_paper:
            sentences.append(f"In the paper: {self.in_the_paper}.")
        return list(filter(None, sentences))

    def help_with(self, *remarks: str) -> str:
        """Return the help with those of the remarks that are not empty in brackets after it."""
        shown = "; ".join(filter(None, remarks))
        return f"{self.help}  [{shown}]" if shown else self.help


def setting(
    default: T,
    value: Value,
    *,
    help: str,  # noqa: A002  (as in click)
    details: str = "",
    symbol: str = "",
    section: str = "",
    aliases: tuple[str, ...] = (),
    metavar: str | None = None,
    main: bool = False,
    command: bool = True,
    service: bool = True,
    service_maximum: int | None = None,
) -> T:
    """Declare a field of a dataclass of settings.

    Parameters
    ----------
    default
        Its value where none is given.
    value
        What it may be.
    help
        What it means, in one sentence that the command, the service and the docs show.
    details
        What the docs add to that, as reStructuredText.
    symbol, section
        Its symbol in the paper, and the equation or section there.
    aliases
        Further names of the command's option, such as ``-w``.
    metavar
        What stands for the value in the command's help; by default the type.
    main
        Whether most people may want to change it, so that ``docbats corpus`` has it, too, and the
        help of the command shows it early.
    command, service
        Whether the command has an option for it, and whether a request may set it.
    service_maximum
        The largest number that a request may ask for, where it must be less than elsewhere.
    """
    info = SettingInfo(
        default=default, value=value, help=help, details=details, symbol=symbol, section=section,
        aliases=aliases, metavar=metavar, main=main, command=command, service=service,
        service_maximum=service_maximum,
    )  # fmt: skip
    declared: Any = field(default=default, metadata={_KEY: info})
    return declared  # type: ignore[no-any-return]


def setting_infos(settings: type[Any]) -> dict[str, SettingInfo]:
    """Return what a dataclass of settings declares about each of its fields, by their names."""
    return {field.name: field.metadata[_KEY] for field in fields(settings)}


def describe_attributes(infos: Mapping[str, SettingInfo]) -> str:
    """Return the section of a docstring that describes the settings."""
    lines = ["Attributes", "----------"]
    for name, info in infos.items():
        lines += [name, *(f"    {sentence}" for sentence in info.sentences)]
    return "\n".join(lines)
