"""Files, tables, frames and bodies that are made of whole parts, most of them hostile."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from tests import hostile_files as hostile
from tests.fuzz.mutations import make_text
from tests.repeated_files import REPEATED, UNITS, repeat, wrap

if TYPE_CHECKING:
    from random import Random

__all__ = [
    "make_body",
    "make_csv",
    "make_file",
    "make_frame",
    "make_mail",
    "make_pdf",
    "make_table",
]

SIZES = (0, 1, 3, 20, 200, 2000)


def make_file(chance: Random) -> tuple[bytes, str]:
    """Return a file of some repeated parts of its kind, and the kind."""
    around, unit = chance.choice(list(REPEATED))
    kind = REPEATED[around, unit]
    if chance.random() < 0.3:
        return repeat(around, unit, chance.choice((100, 3000, 20_000))), kind
    units = [chance.choice(UNITS[around]) for _ in range(chance.choice((1, 2, 5, 40)))]
    body = "".join(
        each.replace("%d", str(chance.randrange(1000))) * chance.choice((1, 1, 2, 30))
        for each in units
    )
    return wrap(around, body[:30_000]), kind


def make_pdf(chance: Random) -> bytes:
    """Return a PDF whose pages, forms, fonts and streams refer to each other at random."""
    n = chance.choice((1, 3, 8, 20))
    first = 4

    def reference() -> bytes:
        return b"%d 0 R" % chance.randrange(1, first + n + 2)

    def named(count: int) -> bytes:
        return b"".join(b"/X%d %s" % (i, reference()) for i in range(count))

    def resources() -> bytes:
        parts = [b"/Font<</F 3 0 R%s>>" % named(chance.choice((0, 0, 1)))]
        parts += [b"/XObject<<%s>>" % named(chance.choice((0, 1, 3)))]
        return b"/Resources<<%s>>" % b"".join(parts) if chance.random() < 0.8 else b""

    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%s]%s>>"
        % (chance.choice((0, 1, n, 50)), b" ".join(reference() for _ in range(n)), resources()),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode %s>>" % reference(),
    ]
    while len(objects) < first + n:
        match chance.randrange(6):
            case 0 | 1:
                contents = b" ".join(reference() for _ in range(chance.choice((1, 1, 2, 9))))
                page = b"<</Type/Page/Parent 2 0 R/Contents[%s]%s>>"
                objects.append(page % (contents, resources()))
            case 2 | 3:
                objects.append(_pdf_stream(chance, b"/Subtype/Form" + resources()))
            case 4:
                objects.append(_pdf_stream(chance, resources()))
            case _:
                letters = b"/Subtype/Type3/FirstChar 97/CharProcs<</a %s>>" % reference()
                kids = b"/Type/Pages/Count 3/Kids[%s %s]" % (reference(), reference())
                objects.append(b"<<%s>>" % chance.choice((letters + resources(), kids)))
    return hostile.make_pdf(objects)


def _pdf_stream(chance: Random, entries: bytes) -> bytes:
    unit = chance.choice((
        b"/X0 Do ", b"/X1 Do ", b"BT /F 9 Tf (Bats) Tj ET ", b"(a)' ", b"/F BMC ", b"EMC ", b"q ",
        b"1 beginbfchar <61> <%s> endbfchar " % (b"0061" * chance.choice((1, 3, 300))),
        b"BI ID EI ",
    ))  # fmt: skip
    content = unit * chance.choice(SIZES) + b"BT /F 9 Tf (a) Tj ET"
    return hostile.pdf_stream(content, entries, times_packed=chance.choice((0, 1, 1, 2)))


def make_mail(chance: Random, depth: int = 0) -> bytes:
    """Return an e-mail with parts in parts, and odd headers."""
    boundary = chance.choice((b"x", b"x", b"y", b"", b"-" * 80, b"\xff"))
    names = (b"Subject", b"From", b"Content-Type", b"Content-Transfer-Encoding", b"To", b"X")
    values = (
        b"Bats", b"text/plain", b"text/html; charset=utf-8",
        b"multipart/mixed; boundary=" + boundary,
        b'multipart/related; start="a"; boundary="%s"' % boundary, b"message/rfc822", b"base64",
        b"quoted-printable", b"x-uuencode", b"=?utf-8?q?=C3=A4?= ", b"=?utf-8?b?YQ?=",
        b"=?a?q?", b"(", b"; a*0*=b",
        b"text/plain; charset=" + chance.choice((b"utf-7", b"idna", b"x", b"utf-16")),
    )  # fmt: skip
    head = b"".join(
        b"%s: %s\n"
        % (chance.choice(names), chance.choice(values) * chance.choice((1, 1, 1, 2, 400)))
        for _ in range(chance.randrange(1, 6))
    )
    body = make_text(chance).encode("utf-8", "replace")[:500]
    if depth < 4:
        parts = [make_mail(chance, depth + 1) for _ in range(chance.choice((0, 0, 1, 2)))]
        body += b"".join(b"\n--%s\n%s" % (boundary, part) for part in parts)
        body += b"\n--%s--\n" % boundary
    return head + b"\n" + body


def make_csv(chance: Random) -> bytes:
    """Return a table with commas, some of it broken."""
    text = io.StringIO()
    writer = csv.writer(text, chance.choice(("excel", "excel-tab", "unix")))
    if chance.random() < 0.8:
        writer.writerow(chance.sample(["text", "id", "title", "", "text"], chance.randrange(4)))
    for _ in range(chance.choice((0, 1, 5, 100))):
        writer.writerow([make_text(chance)[:200] for _ in range(chance.randrange(4))])
    data = text.getvalue().encode("utf-8", "replace")
    return data.replace(b"a", chance.choice((b"a", b"a", b'"', b"\0", b"\xff", b"\n")))


def make_table(chance: Random) -> Any:
    """Return a table of Arrow, with columns of any type."""
    import pyarrow as pa

    rows = chance.choice((0, 1, 3, 100))
    unit = chance.choice(("s", "ms", "us", "ns"))
    types = [
        pa.string(), pa.large_string(), pa.binary(), pa.list_(pa.string()), pa.int64(), pa.bool_(),
        pa.timestamp(unit), pa.timestamp(unit, chance.choice(("UTC", "Mars/Base", "+01:00"))),
        pa.duration(unit), pa.date32(), pa.time64("ns"), pa.null(), pa.decimal128(9, 2),
        pa.float64(),
        pa.struct({"a": pa.duration(unit)}), pa.dictionary(pa.int8(), pa.string()),
        pa.list_(pa.list_(pa.string())), pa.map_(pa.string(), pa.timestamp("ns")),
    ]  # fmt: skip
    columns = {}
    for name in chance.sample(["text", "id", "title"], chance.randrange(4)):
        type_ = chance.choice(types)
        value = _arrow_value(chance, type_)
        values = [None if chance.random() < 0.2 else value for _ in range(rows)]
        columns[name] = pa.array(values, type_)
    return pa.table(columns)


def _arrow_value(chance: Random, type_: Any) -> Any:  # noqa: PLR0911  (one for each type)
    import pyarrow as pa

    types = pa.types
    text = "Bats fly. " * chance.choice((0, 1, 5, 3000))
    if types.is_struct(type_):
        return {"a": chance.randrange(10**9)}
    if types.is_map(type_):
        return [("a", chance.randrange(10**9))]
    if types.is_list(type_):
        return [_arrow_value(chance, type_.value_type)] * chance.choice((0, 1, 3))
    if types.is_binary(type_):
        return text.encode() + chance.choice((b"", b"\xff"))
    if types.is_string(type_) or types.is_large_string(type_) or types.is_dictionary(type_):
        return text
    if types.is_null(type_):
        return None
    if types.is_boolean(type_):
        return True
    if types.is_floating(type_):
        return chance.random()
    return chance.choice((0, 1, 10**4)) if types.is_decimal(type_) else chance.randrange(10**5)


_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 10**30, "", "Bats fly. Tea is hot.", "\ud800", "2.0", "tools/call",
    "ping", [], {}, [1, 2], {"a": {"b": []}}, float("nan"), "x" * 3000, "auto", "sharp",
)  # fmt: skip


def make_frame(chance: Random) -> str:
    """Return a line for the server of an assistant."""
    values = {
        name: chance.choice(_VALUES)
        for name in ("jsonrpc", "id", "method", "params", "result", "error", "x")
        if chance.random() < 0.6
    }
    if chance.random() < 0.5:
        values |= {"jsonrpc": "2.0", "method": "tools/call"}
    return _broken(chance, json.dumps(values))


def make_body(chance: Random) -> bytes:
    """Return a body of the service, in JSON."""
    names = (
        "text",
        "k",
        "preset",
        "stop_words",
        "boundaries",
        "titles",
        "name",
        "x",
        "granularity",
    )
    values = {name: chance.choice(_VALUES) for name in names if chance.random() < 0.4}
    if chance.random() < 0.2:
        values |= {f"x{i}": 1 for i in range(chance.choice((10, 900, 1500)))}
    if chance.random() < 0.2:
        values["boundaries"] = [chance.choice((1, -1, "a", 10**20))] * chance.choice((5, 60_000))
    return _broken(chance, json.dumps(values)).encode("utf-8", "replace")


def _broken(chance: Random, text: str) -> str:
    if chance.random() < 0.3:
        at = chance.randrange(len(text) + 1)
        inserted = chance.choice(("[", "{" * 5000, "\\ud8", '"', "\0", "}", ",", "1e999", "\ufeff"))
        text = text[:at] + inserted + text[at + chance.randrange(3) :]
    return text
