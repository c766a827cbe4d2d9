"""Writes RFC 8785 canonical JSON: what most documents hold quickly, and all else by the library `rfc8785`.

The library writes value by value, which takes as long as anything that a short command does with a document of evidence. Here
texts, and numbers whose shortest decimal form is that of RFC 8785, come from Python's own encoder. Whatever differs is left
to the library: numbers with an exponent, keys outside ASCII, unusual types, and all that it refuses.
"""

from __future__ import annotations

from collections.abc import Iterable
from json.encoder import encode_basestring
from typing import Any, Final

import rfc8785

__all__ = ["canonical_bytes"]

_LARGEST: Final = 2**53 - 1
_FLOATS: Final = {float}
_WORDS: Final = {None: "null", True: "true", False: "false"}


def canonical_bytes(value: Any) -> bytes:
    """Write a JSON value.

    Raises:
        rfc8785.CanonicalizationError: If it has no canonical form, such as a number that is not finite.
    """
    try:
        return _text(value).encode()
    except UnicodeEncodeError:
        return rfc8785.dumps(value)


def _text(value: Any) -> str:
    kind = type(value)
    if kind is float:
        text = _of_float(value)
    elif kind is str:
        text = encode_basestring(value)
    elif kind is list or kind is tuple:
        text = f"[{_of_floats(value) if set(map(type, value)) == _FLOATS else ','.join(map(_text, value))}]"
    elif kind is dict and all(type(key) is str and key.isascii() for key in value):
        text = f"{{{','.join([f'{encode_basestring(key)}:{_text(value[key])}' for key in sorted(value)])}}}"
    elif kind is int and -_LARGEST <= value <= _LARGEST:
        text = int.__repr__(value)
    elif kind is bool or value is None:
        text = _WORDS[value]
    else:
        text = _by_library(value)
    return text


def _of_floats(values: Iterable[float]) -> str:
    text = ",".join(map(float.__repr__, values))
    usual = not ("e" in text or "n" in text or ".0," in text or text.endswith(".0"))
    return text if usual else ",".join(map(_of_float, values))


def _of_float(value: float) -> str:
    text = float.__repr__(value)
    if "e" in text or "n" in text or value == 0:
        return _by_library(value)
    return text.removesuffix(".0")


def _by_library(value: Any) -> str:
    return rfc8785.dumps(value).decode()
