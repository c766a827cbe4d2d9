"""Reads evidence files, which may come from anybody: JSON that every reader takes alike, or a Problem for each place.

Nothing in them is trusted: sizes, depth and numbers are bounded before any model sees them.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
from pathlib import Path
from typing import Any, Final

import rfc8785
from pydantic import ValidationError

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.validation import broken_json, expected_of, os_reason, value_found
from auditor.document.evidence import LARGEST_INTEGER, SCHEMA, Evidence

MAX_BYTES = 256 * 1024 * 1024
DEEPEST = 64
"""Levels of arrays and objects: no document of ours has half as many, and anyone who reads one recurses into each."""
_LONGEST_WHOLE = 22
"""Digits and sign of the largest number that RFC 8785 writes without an exponent."""


def read(path: Path) -> Evidence:
    """Read an evidence file.

    Raises:
        InputError: If it is missing, too large, no JSON, or not of schema `auditor.evidence/2`.
    """
    return parse(content_of(path), str(path))


def content_of(path: Path) -> bytes:
    """Give the bytes of an evidence file, which may be anything.

    Raises:
        InputError: If it is missing, too large, or no plain file.
    """
    name = str(path)
    try:
        # Nobody waits for the other end of a pipe, and no device is read without end.
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise InputError([Problem(name, "", "an evidence file", "no plain file")])
            if found.st_size > MAX_BYTES:
                raise InputError([Problem(name, "", f"at most {MAX_BYTES} bytes", f"{found.st_size} bytes")])
            return file.read(found.st_size)
    except OSError as error:
        raise InputError([Problem(name, "", "an evidence file", os_reason(error))]) from error


def parse_json(content: bytes, name: str) -> Any:
    """The JSON value of a document of ours, which may come from anybody.

    Args:
        content: Its bytes.
        name: What a Problem calls the file.

    Raises:
        InputError: If it is no JSON, or JSON that readers would take differently.
    """
    return parse_whole(content, name)[0]


def parse_whole(content: bytes, name: str) -> tuple[Any, str]:
    """The same, and the text from which a model reads what the value says: the document itself, or the value written again.

    Args:
        content: Its bytes.
        name: What a Problem calls the file.

    Raises:
        InputError: If it is no JSON, or JSON that readers would take differently.
    """
    try:
        value, plain = _read(content)
        _refuse_deep(value)
    except RecursionError as error:
        raise InputError([Problem(name, "", "an evidence file in JSON", "arrays or objects nested too deeply")]) from error
    except json.JSONDecodeError as error:
        broken = "several JSON values, as in a log" if error.msg == "Extra data" else broken_json(error)
        raise InputError([Problem(name, "", "an evidence file in JSON", other_than_json(content) or broken)]) from error
    except ValueError as error:
        raise InputError([Problem(name, "", "an evidence file in JSON", other_than_json(content) or str(error))]) from error
    return value, (_as_it_stands(content) if plain else None) or json.dumps(value)


def _as_it_stands(content: bytes) -> str | None:
    """The text of a document that is plain UTF-8; None of any other."""
    if json.detect_encoding(content) != "utf-8":
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:  # half of a pair of surrogates, which Python's reader lets pass
        return None


_BEGINS: Final = {
    b"%PDF": "a PDF",
    b"PAR1": "a table in Parquet",
    b"PK": "a ZIP archive, or a file of an office program",
    b"\x93NUMPY": "an array of NumPy",
}
_TABLE: Final = re.compile(r"[^\n]*?([,;\t])[^\n]*\r?\n[^\n]*?\1")


def other_than_json(content: bytes) -> str | None:
    """Name what somebody gave in the place of a document in JSON; None where it begins as one."""
    beginning = content[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if beginning[:1] in {b"{", b"["}:
        return None
    if not beginning:
        return "an empty file"
    known = next((what for start, what in _BEGINS.items() if beginning.startswith(start)), None)
    if known is not None:
        return known
    try:
        text = beginning.decode("utf-8", "strict" if len(content) < 4096 else "ignore")
    except UnicodeDecodeError:
        return "bytes that are no text"
    if "\0" in text:
        return "bytes that are no text"
    return "a table in CSV" if _TABLE.match(text) else "text that is no JSON"


def parse(content: bytes, name: str) -> Evidence:
    """The evidence in some bytes.

    Args:
        content: The bytes of a file.
        name: What a Problem calls the file.

    Raises:
        InputError: If they are no JSON, or with a Problem for each place that does not follow the schema `auditor.evidence/2`.
    """
    value, text = parse_whole(content, name)
    found = value.get("schema") if isinstance(value, dict) else None
    if found != SCHEMA:
        raise InputError([Problem(name, "schema", f'"{SCHEMA}"', json.dumps(found))])
    del content, value  # of a long log each takes as much memory as the evidence that is read
    try:
        return Evidence.model_validate_json(text)
    except ValidationError as error:
        raise InputError(
            [
                Problem(name, ".".join(str(part) for part in item["loc"]), expected_of(item), value_found(item, 80))
                for item in error.errors(include_url=False)
            ]
        ) from error


def _read(content: bytes) -> tuple[Any, bool]:
    """The JSON value, each number as every reader takes it, and whether every number is already such a one.

    Nearly always all are, and Python reads them by itself, many times faster than one by one; else they are read again.

    Raises:
        ValueError: If it is no JSON, or JSON that readers would take differently.
    """
    try:
        value = json.loads(content, object_pairs_hook=_once, parse_constant=_finite)
        if _plain(value):
            return value, True
    except ValueError:
        pass  # what is wrong is said by the careful reading
    return json.loads(content, object_pairs_hook=_once, parse_constant=_finite, parse_float=_finite, parse_int=_safe), False


def _plain(value: Any) -> bool:
    """Whether every number in a value is finite, and a whole one no larger than every reader keeps."""
    if type(value) is int:
        return -LARGEST_INTEGER <= value <= LARGEST_INTEGER
    if type(value) is float:
        return math.isfinite(value)
    if type(value) is dict:
        return all(map(_plain, value.values()))
    if type(value) is not list:
        return True
    try:
        # Of a list of numbers the ends say it of all; anything else cannot be compared with a number.
        if not value or -LARGEST_INTEGER <= min(value) <= max(value) <= LARGEST_INTEGER:
            return True
    except TypeError:
        pass
    return all(map(_plain, value))


_NESTED: Final = {dict, list}


def _refuse_deep(value: Any) -> None:
    level = [value] if type(value) in _NESTED else []
    for _ in range(DEEPEST):
        inside = (inner for each in level for inner in (each.values() if isinstance(each, dict) else each))
        level = [inner for inner in inside if type(inner) in _NESTED]
        if not level:
            return
    raise RecursionError


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        # Readers differ in which of the two they take: such a document says different things to different people.
        raise ValueError("an object with one key twice")
    return found


def _finite(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise ValueError(f"the number {word[:20]}, which JSON or float64 cannot hold")
    return number


def _safe(word: str) -> int | float:
    if len(word) <= _LONGEST_WHOLE:
        whole = int(word)
        if abs(whole) <= LARGEST_INTEGER:
            return whole
        # RFC 8785 writes a float64 below 1e21 without an exponent: such digits come back as the number that they were.
        if rfc8785.dumps(float(word)).decode() == word:
            return float(word)
    raise ValueError(f"the integer {word[:20]}, which some readers would round")
