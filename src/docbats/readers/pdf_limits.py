"""How much a PDF has to show, found out before pdfium builds it all in memory.

A page of a few bytes may show a form that shows another one ten times, and so on; pdfium would
build each of them, and end the process where memory ends. So the sizes of what pages show are
added up first, in a copy of the file that pdfium writes in one plain form: without encryption,
comments, object streams, and objects that later ones replace.
"""

from __future__ import annotations

import base64
import io
import re
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from docbats.errors import ReadError
from docbats.runtime import UNPACKED_RATIO

if TYPE_CHECKING:
    from collections.abc import Iterable

# Bytes that a page, or the whole file, may show, however small it is; pdfium takes up to 240 bytes
# of memory for each on a page. If larger, a file of a few kilobytes takes more memory and time.
_ALWAYS_ALLOWED_ON_PAGE = 1 << 20
_ALWAYS_ALLOWED_IN_FILE = 8 << 20
_PAGE_SHARE = 0.2  # of the ratio allowed for the whole file
_BYTES_OF_FORM = 50  # what a form counts in addition to its content, each time it is shown
_MAX_FORM_DEPTH = 40  # pdfium shows forms no deeper
_MAX_TREE_DEPTH = 64  # of the tree of pages; people's have fewer than ten levels
_MAX_MARK_DEPTH = 1000  # marked content within marked content: pdfium keeps a list for each
_MIN_DIGITS = 12  # of what a code of a font stands for, 4 for each letter; shorter ones are usual
_MAX_FILTERS = 4  # of a stream that is packed several times; people's are packed once
_PIECE = 1 << 16  # bytes that are inflated at once

_STREAM = re.compile(rb"stream[ \t]*\r?\n")
_PACKED_OBJECTS = re.compile(rb"#|/First|/W\b")  # a name may hide behind number signs
_OBJECT = re.compile(rb"(\d+) \d+ obj\r\n")
_ENTRY = re.compile(rb"(\d{10}) \d{5} n")
_DICT_END = re.compile(rb">>stream\r\n|\r\nendobj")
_TOKEN = re.compile(
    rb"/[^\s()<>\[\]{}/%]*+|<<|>>|\[|\]|\((?:[^\\()]|\\.)*+\)|<[^<>]*+>"
    rb"|(\d+) \d+ R\b|[^\s/<>\[\]()]++",
    re.DOTALL,
)
_HIDDEN_LETTER = re.compile(rb"#([0-9A-Fa-f]{2})")
_BLANK = rb"(?:[\0\t\n\f\r ]|%[^\r\n]*+)"
_SHOWN_FORM = re.compile(rb"/([^\s\0()<>\[\]{}/%%]*+)%s*+Do(?![^\s\0()<>\[\]{}/%%])" % _BLANK)
_BEGINS_WITH_DO = re.compile(rb"%s*+Do(?![^\s\0()<>\[\]{}/%%])" % _BLANK)
_MARK = re.compile(rb"\b(?:B[MD]C|EMC)\b")
_STRING = re.compile(rb"\((?:[^\\()]|\\.)++\)|<[0-9A-Fa-f\s]++>", re.DOTALL)
_NESTED_STRING = re.compile(rb"\((?:[^\\()]|\\.)*+\(", re.DOTALL)
_LONG_CODE = re.compile(rb"<([0-9A-Fa-f\s]{%d,})>" % _MIN_DIGITS)


def check_packed_objects(data: bytes) -> None:
    """Raise a `ReadError` if objects inflate to too many bytes; pdfium unpacks them on opening."""
    allowed = _allowed_on_page(len(data))
    last = 0
    for found in _STREAM.finditer(data):
        begin = data.rfind(b"obj", last, found.start())
        head = data[max(last, begin) : found.start()]
        last = found.end()
        if begin < 0 or _PACKED_OBJECTS.search(head):  # or the word stands in what a stream says
            n_filters = max(1, min(head.count(b"Fl"), _MAX_FILTERS))
            allowed -= len(_inflate_times(data, found.end(), allowed, n_filters))
            if allowed < 0:
                raise _too_much(len(data))


def check_content(document: Any, size: int) -> None:
    """Raise a `ReadError` if a ``PdfDocument`` shows far more than a file of this size should."""
    import pypdfium2.raw as pdfium

    copy = io.BytesIO()
    document.save(copy, flags=pdfium.FPDF_REMOVE_SECURITY)
    _Contents(copy.getvalue(), size).check()


def _allowed_on_page(size: int) -> int:
    return max(_ALWAYS_ALLOWED_ON_PAGE, int(_PAGE_SHARE * UNPACKED_RATIO.value * size))


def _allowed_in_file(size: int) -> int:
    return max(_ALWAYS_ALLOWED_IN_FILE, UNPACKED_RATIO.value * size)


def _too_much(size: int) -> ReadError:
    msg = (
        f"its pages show too much for a PDF of {size:,} bytes: if it really is one, print it to a "
        f"new PDF, or {UNPACKED_RATIO.advice}"
    )
    return ReadError(msg)


@dataclass
class _Shown:
    """The size of what an object shows itself, and how often it shows others."""

    size: int = 0
    forms: Counter[int] = field(default_factory=Counter)
    names: Counter[bytes] = field(default_factory=Counter)  # of forms that it does not define


class _Contents:
    """What the pages of a copy written by pdfium show."""

    def __init__(self, copy: bytes, size: int) -> None:
        self._copy, self._size = copy, size
        self._on_page, self._in_file = _allowed_on_page(size), _allowed_in_file(size)
        table = copy.rfind(b"\r\nxref\r\n")
        places = (int(entry[1]) for entry in _ENTRY.finditer(copy, max(0, table)))
        found = (_OBJECT.match(copy, place) for place in places)
        self._starts = {int(head[1]): head.end() for head in found if head}
        self._by_name: dict[bytes, set[int]] = {}  # all forms that have a name somewhere
        self._parsed: dict[int, Any] = {}
        self._streams: dict[int, tuple[int, Counter[bytes], bool]] = {}
        self._forms: dict[int, _Shown] = {}
        self._waiting: list[int] = []  # forms that were noted, but not yet measured
        self._letters = 1  # that a code of a font stands for at most

    def check(self) -> None:
        """Raise a `ReadError` if a page or the file shows too much."""
        pages: dict[int, _Shown] = {}
        kids: dict[int, Counter[int]] = {}
        heads = {number: self._head(number) for number in self._starts}
        for number, (head, start) in heads.items():
            if start is not None and b"/Subtype/Image" not in head:
                self._find_long_codes(number)
        for number, (head, _) in heads.items():
            if b"/Contents" in head:
                pages[number] = self._page(number)
            elif b"/Kids" in head:
                listed = self._resolve(self._dict(number).get(b"Kids"))
                kids[number] = Counter(_references(listed))
        self._measure_forms()
        sizes = self._sizes_of_forms()
        sums = {number: self._sum(shown, sizes) for number, shown in pages.items()}
        if max(sums.values(), default=0) > self._on_page:
            raise _too_much(self._size)
        self._check_tree(kids, sums)

    def _check_tree(self, kids: dict[int, Counter[int]], sizes: dict[int, int]) -> None:
        """Add up what the pages of each branch show, a page as often as it is listed."""
        sums = sizes
        for _ in range(_MAX_TREE_DEPTH):
            branches = {
                number: sum(n * sums.get(kid, 0) for kid, n in listed.items())
                for number, listed in kids.items()
            }
            if max(branches.values(), default=0) > self._in_file:
                raise _too_much(self._size)
            new = sizes | branches
            if new == sums:
                return
            sums = new
        raise _too_much(self._size)

    def _sizes_of_forms(self) -> dict[int, int]:
        """Return what each form shows with the forms in it."""
        own = {number: shown.size + _BYTES_OF_FORM for number, shown in self._forms.items()}
        sizes = own
        for _ in range(_MAX_FORM_DEPTH):
            new = {
                number: own[number] + self._sum(shown, sizes) - shown.size
                for number, shown in self._forms.items()
            }
            if new == sizes:
                break
            # Larger ones would only cost time: they are too large already.
            sizes = {number: min(size, self._in_file + 1) for number, size in new.items()}
        return sizes

    def _sum(self, shown: _Shown, sizes: dict[int, int]) -> int:
        known = sum(n * sizes.get(form, 0) for form, n in shown.forms.items())
        named = sum(
            n * max((sizes.get(form, 0) for form in self._by_name.get(name, ())), default=0)
            for name, n in shown.names.items()
        )
        return shown.size + known + named

    def _page(self, number: int) -> _Shown:
        values = self._dict(number)
        streams = list(_references(self._resolve(values.get(b"Contents"), to_stream=True)))
        resources, parent = values.get(b"Resources"), values.get(b"Parent")
        for _ in range(_MAX_TREE_DEPTH):
            if resources is not None or not isinstance(parent, int):
                break
            branch = self._dict(parent)
            resources, parent = branch.get(b"Resources"), branch.get(b"Parent")
        return self._shown(streams, resources)

    def _shown(self, streams: list[int], resources: Any) -> _Shown:
        """Return what streams show, and note the forms that they may show."""
        shown = _Shown()
        names: Counter[bytes] = Counter()
        for number, times in Counter(streams).items():
            size, found, _ = self._stream(number)
            shown.size += times * size
            for name, n in found.items():
                names[name] += times * n
        if shown.size > self._in_file:
            raise _too_much(self._size)
        if any(self._stream(number)[2] for number in streams[1:]):
            # A form is named in one stream and shown in the next one.
            names = _count_forms(b" ".join(self._unpacked(number) for number in streams))
        forms = self._forms_of(resources)
        for name, n in names.items():
            if name in forms:
                shown.forms[forms[name]] += n
            else:
                shown.names[name] += n
        letters = list(self._letters_of(resources))
        shown.forms.update(letters)
        self._waiting += letters
        return shown

    def _forms_of(self, resources: Any) -> dict[bytes, int]:
        """Return the forms that resources name, by their names."""
        table = self._entry(resources, b"XObject")
        forms = {name: form for name, form in _items(table) if isinstance(form, int)}
        for name, form in forms.items():
            self._by_name.setdefault(name, set()).add(form)
        self._waiting += forms.values()
        return forms

    def _letters_of(self, resources: Any) -> Iterable[int]:
        """Return the letters of fonts that are drawn by content of their own."""
        for _, font in _items(self._entry(resources, b"Font")):
            if isinstance(font, int) and b"/CharProcs" not in self._head(font)[0]:
                continue
            self._forms_of(self._entry(font, b"Resources"))
            letters = self._entry(font, b"CharProcs")
            yield from (letter for _, letter in _items(letters) if isinstance(letter, int))

    def _measure_forms(self) -> None:
        """Measure the forms that were noted, and those that they show."""
        while self._waiting:
            number = self._waiting.pop()
            if number not in self._forms:
                head, start = self._head(number)
                is_form = start is not None and b"/Subtype/Image" not in head
                resources = self._entry(number, b"Resources")
                self._forms[number] = self._shown([number], resources) if is_form else _Shown()

    def _stream(self, number: int) -> tuple[int, Counter[bytes], bool]:
        """Return the size of a stream, the forms it shows, and whether it begins by showing one."""
        if number not in self._streams:
            content = self._unpacked(number)
            if _has_predictor(self._entry(number, b"DecodeParms")):
                raise _too_much(self._size)  # nobody packs content so, and it cannot be read here
            begins = _BEGINS_WITH_DO.match(content) is not None
            if _mark_depth(content) > _MAX_MARK_DEPTH:
                raise _too_much(self._size)
            size = len(content)
            if self._letters > 1:  # if all codes were the longest one
                size += (self._letters - 1) * _count_codes(content)
            self._streams[number] = size, _count_forms(content), begins
        return self._streams[number]

    def _find_long_codes(self, number: int) -> None:
        """See how many letters a code of a font stands for."""
        content = self._unpacked(number)
        if b"beginbf" in content:
            letters = (len(b"".join(code.split())) // 4 for code in _LONG_CODE.findall(content))
            self._letters = max(self._letters, *letters, 1)

    def _unpacked(self, number: int) -> bytes:
        """Return the content of a stream; a `ReadError` if it is too long."""
        _, start = self._head(number)
        if start is None:
            return b""
        values = self._dict(number)
        length = values.get(b"Length", b"")
        end = start + int(length) if isinstance(length, bytes) and length.isdigit() else start
        filters = self._resolve(values.get(b"Filter"))
        content = self._copy[start:end]
        for name in filters if isinstance(filters, list) else [filters]:
            decode = _DECODERS.get(name)
            if decode is None:
                break  # of an image, or none
            content = decode(content, self._on_page)
            if len(content) > self._on_page:
                raise _too_much(self._size)
        return content

    def _head(self, number: int) -> tuple[bytes, int | None]:
        """Return what an object says of itself, and where its stream begins, if it has one."""
        start = self._starts.get(number)
        found = None if start is None else _DICT_END.search(self._copy, start)
        if start is None or found is None:
            return b"", None
        is_stream = found[0] != b"\r\nendobj"
        return self._copy[start : found.start() + 2 * is_stream], found.end() if is_stream else None

    def _value(self, number: int) -> Any:
        if number not in self._parsed:
            self._parsed[number] = _parse(self._head(number)[0])
        return self._parsed[number]

    def _dict(self, number: int) -> dict[bytes, Any]:
        value = self._value(number)
        return value if isinstance(value, dict) else {}

    def _entry(self, values: Any, key: bytes) -> Any:
        values = self._resolve(values)
        return values.get(key) if isinstance(values, dict) else None

    def _resolve(self, value: Any, *, to_stream: bool = False) -> Any:
        """Follow references to a value; if wanted, to a stream but not into it."""
        for _ in range(_MAX_TREE_DEPTH):
            if not isinstance(value, int) or (to_stream and self._head(value)[1] is not None):
                break
            value = self._value(value)
        return value


def _parse(data: bytes) -> Any:
    """Return a value: a dictionary, a list, a number for a reference, or the bytes of all else."""
    top: list[Any] = []
    stack = [top]
    for found in _TOKEN.finditer(data):
        token = found[0]
        if found[1]:
            stack[-1].append(int(found[1]))
        elif token in {b"<<", b"["}:
            stack.append([])
        elif token in {b">>", b"]"}:
            if len(stack) > 1:
                items = stack.pop()
                is_dict = token == b">>"
                stack[-1].append(
                    dict(zip(_keys(items), items[1::2], strict=False)) if is_dict else items
                )
        elif token.startswith(b"/"):
            stack[-1].append(_name(token[1:]))
        else:
            stack[-1].append(token)
    return top[0] if top else None


def _keys(items: list[Any]) -> list[bytes]:
    return [key if isinstance(key, bytes) else b"" for key in items[::2]]


def _name(name: bytes) -> bytes:
    if b"#" not in name:
        return name
    return _HIDDEN_LETTER.sub(lambda found: bytes([int(found[1], 16)]), name)


def _items(table: Any) -> Iterable[tuple[bytes, Any]]:
    return table.items() if isinstance(table, dict) else ()


def _references(value: Any) -> Iterable[int]:
    return (
        each for each in (value if isinstance(value, list) else [value]) if isinstance(each, int)
    )


def _count_forms(content: bytes) -> Counter[bytes]:
    if b"Do" not in content:
        return Counter()
    return Counter(_name(found[1]) for found in _SHOWN_FORM.finditer(content))


def _count_codes(content: bytes) -> int:
    """Return at least the number of codes that are shown."""
    if _NESTED_STRING.search(content):
        return len(content)
    return sum(map(len, _STRING.findall(content)))


def _mark_depth(content: bytes) -> int:
    """Return how deep marked content is within marked content."""
    if content.count(b"BMC") + content.count(b"BDC") <= _MAX_MARK_DEPTH:
        return 0
    depth = deepest = 0
    for found in _MARK.finditer(content):
        depth = max(0, depth - 1) if found[0] == b"EMC" else depth + 1
        deepest = max(deepest, depth)
    return deepest


def _has_predictor(parameters: Any) -> bool:
    listed = parameters if isinstance(parameters, list) else [parameters]
    return any(each.get(b"Predictor", b"1") != b"1" for each in listed if isinstance(each, dict))


def _inflate_times(data: bytes, start: int, limit: int, times: int) -> bytes:
    """Return what bytes inflate to, the result of which may have been deflated itself."""
    content = _inflate(data, limit, start)
    for _ in range(times - 1):
        content = _inflate(content, limit)
    return content


def _inflate(data: bytes, limit: int, start: int = 0) -> bytes:
    """Inflate at most one byte more than the limit, as far as the data are whole."""
    unpack = zlib.decompressobj()
    parts, size = [], 0
    view = memoryview(data)
    while start < len(data) and size <= limit and not unpack.eof:
        try:
            part = unpack.decompress(view[start : start + _PIECE], limit + 1 - size)
            while unpack.unconsumed_tail and size + len(part) <= limit:
                part += unpack.decompress(unpack.unconsumed_tail, limit + 1 - size - len(part))
        except zlib.error:
            break
        parts.append(part)
        size += len(part)
        start += _PIECE
    return b"".join(parts)


def _unpack_lzw(data: bytes, limit: int) -> bytes:
    first = [bytes([code]) for code in range(256)] + [b"", b""]
    table, width, last = first.copy(), 9, b""
    parts, size = [], 0
    held = n_bits = 0
    for byte in data:
        held, n_bits = (held << 8 | byte) & 0xFFFFFF, n_bits + 8
        if n_bits < width:
            continue
        n_bits -= width
        code = held >> n_bits & (1 << width) - 1
        if code == 257 or size > limit:
            break
        if code == 256:
            table, width, last = first.copy(), 9, b""
            continue
        if code > len(table) or (code == len(table) and not last):
            break
        part = table[code] if code < len(table) else last + last[:1]
        if last and len(table) < 4096:
            table.append(last + part[:1])
        width = min(12, max(9, (len(table) + 1).bit_length()))
        parts.append(part)
        size += len(part)
        last = part
    return b"".join(parts)


def _unpack_runs(data: bytes, limit: int) -> bytes:
    parts, size, at = [], 0, 0
    while at < len(data) and data[at] != 128 and size <= limit:
        count = data[at]
        part = (
            data[at + 1 : at + 2 + count] if count < 128 else data[at + 1 : at + 2] * (257 - count)
        )
        parts.append(part)
        size += len(part)
        at += 2 + count if count < 128 else 2
    return b"".join(parts)


def _unpack_a85(data: bytes, _: int) -> bytes:
    text = b"".join(data.partition(b"~")[0].split())
    try:
        return base64.a85decode(text)
    except ValueError:
        return b""


def _unpack_hex(data: bytes, _: int) -> bytes:
    digits = re.sub(rb"[^0-9A-Fa-f]", b"", data.partition(b">")[0])
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())


_DECODERS = {
    b"FlateDecode": _inflate,
    b"Fl": _inflate,
    b"LZWDecode": _unpack_lzw,
    b"LZW": _unpack_lzw,
    b"RunLengthDecode": _unpack_runs,
    b"RL": _unpack_runs,
    b"ASCII85Decode": _unpack_a85,
    b"A85": _unpack_a85,
    b"ASCIIHexDecode": _unpack_hex,
    b"AHx": _unpack_hex,
}
