"""The functions of pdfium that are called for each line, so often that their cost counts."""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_int, c_ulong, c_void_p
from typing import Any

__all__ = ["LineCalls"]


class LineCalls:
    """Functions of pdfium that take addresses as plain numbers.

    pypdfium2 declares the types of all arguments, and releases the interpreter for each call. For
    calls of less than a microsecond that takes as long as the calls themselves.
    """

    def __init__(self) -> None:
        import pypdfium2.raw as pdfium

        index = (c_void_p, c_int)  # of a text page, and of a character on it
        self.char_index = _bind(pdfium.FPDFText_GetCharIndexFromTextIndex, c_int, *index)
        self.matrix = _bind(pdfium.FPDFText_GetMatrix, c_int, *index, c_void_p)
        self.origin = _bind(pdfium.FPDFText_GetCharOrigin, c_int, *index, c_void_p, c_void_p)
        self.box = _bind(pdfium.FPDFText_GetCharBox, c_int, *index, *4 * (c_void_p,))
        self.font_size = _bind(pdfium.FPDFText_GetFontSize, c_double, *index)
        self.font_weight = _bind(pdfium.FPDFText_GetFontWeight, c_int, *index)
        self.font_info = _bind(
            pdfium.FPDFText_GetFontInfo, c_ulong, *index, c_void_p, c_ulong, c_void_p
        )
        self.text_object = _bind(pdfium.FPDFText_GetTextObject, c_void_p, *index)
        self.font = _bind(pdfium.FPDFTextObj_GetFont, c_void_p, c_void_p)


def _bind(function: Any, result: Any, *arguments: Any) -> Any:
    address = ctypes.cast(function, c_void_p).value
    if address is None:
        msg = f"no function {function!r} in this pdfium"
        raise OSError(msg)
    return ctypes.PYFUNCTYPE(result, *arguments)(address)
