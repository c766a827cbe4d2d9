"""Says in our words what a value that pydantic or a JSON reader refuses should have been; their own words reach no user.

Every message about an input is `expected …, found …`. Callers say what was found, as some values are secret.
"""

from __future__ import annotations

import errno
import json
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_NUMBER: Final = "a number"
_WHOLE: Final = "an integer"
_TEXT: Final = "text in quotes"
_TABLE: Final = "a table"
_ARRAY: Final = "an array"
_DAY: Final = "a date such as 2026-01-31"
_TIME: Final = "a date with a time, such as 2026-01-31T12:00:00Z"
_EXPECTED: Final = {
    "string_type": _TEXT,
    "string_unicode": _TEXT,
    "bytes_type": _TEXT,
    "string_too_short": "text that is not empty",
    "string_too_long": "text of at most {max_length} characters",
    "string_pattern_mismatch": "text of the form {pattern}",
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing_size": "an integer of fewer digits",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "none_required": "nothing",
    "finite_number": "a finite number",
    "multiple_of": "a multiple of {multiple_of}",
    "greater_than": "a number greater than {gt}",
    "greater_than_equal": "a number of at least {ge}",
    "less_than": "a number less than {lt}",
    "less_than_equal": "a number of at most {le}",
    "tuple_type": _ARRAY,
    "list_type": _ARRAY,
    "set_type": _ARRAY,
    "frozen_set_type": _ARRAY,
    "iterable_type": _ARRAY,
    "too_short": "an array of at least {min_length}",
    "too_long": "an array of at most {max_length}",
    "model_type": _TABLE,
    "model_attributes_type": _TABLE,
    "dataclass_type": _TABLE,
    "dict_type": _TABLE,
    "mapping_type": _TABLE,
    "invalid_key": "keys that are text",
    "missing": "a value: this key is required",
    "missing_argument": "a value: this key is required",
    "missing_keyword_only_argument": "a value: this key is required",
    "extra_forbidden": "no such key",
    "unexpected_keyword_argument": "no such key",
    "date_type": _DAY,
    "date_parsing": _DAY,
    "date_from_datetime_parsing": _DAY,
    "date_from_datetime_inexact": _DAY,
    "datetime_type": _TIME,
    "datetime_parsing": _TIME,
    "datetime_from_date_parsing": _TIME,
    "datetime_object_invalid": _TIME,
    "timezone_aware": "a time with its offset, such as 2026-01-31T12:00:00Z",
    "timezone_naive": "a time without an offset",
    "json_invalid": "JSON",
    "json_type": "JSON",
    "recursion_loop": "tables and arrays that are not nested too deeply",
    "recursion_depth_exceeded": "tables and arrays that are not nested too deeply",
}
"""By the kind of the error. One that is not here is said by `_OTHER`, never in the library's words."""
_SHOWN: Final = 60
"""Characters of a value that a cause shows."""
_OTHER: Final = "a value that fits here"
_REFUSED: Final = {errno.ENOENT: "no such file", errno.EISDIR: "a folder", errno.EACCES: "one that may not be read"}
"""What the system finds in the place of a file that can be read."""
_TWICE: Final = ("Cannot overwrite", "Cannot declare", "Cannot redefine", "Cannot mutate", "Duplicate")
"""How the reader of TOML begins what it says of a name that is there twice."""
_PLACE: Final = re.compile(r"line (\d+), column (\d+)")
_QUOTED: Final = re.compile(r"'([^']*)'")


def expected_of(item: ErrorDetails) -> str:
    """Say what a value should have been, in the place of "found …".

    Args:
        item: One error of a `ValidationError`. Of a validator of our own the message says what is expected.
    """
    kind, context = item["type"], item.get("ctx", {})
    match kind:
        case "wrong":
            return str(context["expected"])
        case "value_error" | "assertion_error":
            return str(context.get("error", _OTHER))
        case "literal_error" | "enum":
            names = _QUOTED.findall(str(context["expected"]))
            return f"one of {', '.join(names)}" if names else str(context["expected"])
        case "union_tag_invalid" | "union_tag_not_found":
            names = _QUOTED.findall(str(context.get("expected_tags", "")))
            return f"a kind, one of {', '.join(names)}" if names else "a kind that is known"
        case _:
            # A bound of a float is a whole number as often as not, and is written as one.
            said = {key: f"{value:.15g}" if isinstance(value, float) else value for key, value in context.items()}
            return _EXPECTED[kind].format(**said) if kind in _EXPECTED else _OTHER


def value_found(item: ErrorDetails, most: int) -> str:
    """Show the value of a document that anybody may read, in at most so many characters; a key that is not there has none."""
    if item["type"] in {"missing", "missing_argument", "missing_keyword_only_argument"}:
        return "no such key"
    if item["type"] == "wrong":
        return str(item.get("ctx", {})["found"])
    return json.dumps(item["input"], default=str)[:most]


def cause_of(error: Exception, most: int) -> str:
    """Say in at most so many characters why a document cannot be read as this version has it, in no library's words.

    Args:
        error: What was raised. Of several faults of a form the first is said, and how many more there are.
        most: Characters.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - what reads no document need not load it

    if not isinstance(error, ValidationError):
        return f"{type(error).__name__}: {' '.join(str(error).split())}"[:most]
    first, *others = error.errors(include_url=False)
    place, found = ".".join(str(part) for part in first["loc"]), value_found(first, _SHOWN)
    said = f"{place or error.title}: expected {expected_of(first)}, found {found}"
    return f"{said[:most]}{f' and {len(others)} more' if others else ''}"


def os_reason(error: OSError) -> str:
    """Say why a file could not be read, in the place of what was found."""
    return _REFUSED.get(error.errno or 0) or (error.strerror or str(error)).lower()


def broken_json(error: json.JSONDecodeError, *, within_line: bool = False) -> str:
    """Say where some text stops being JSON.

    Args:
        error: What the reader says.
        within_line: Whether the line is known otherwise, as of a file with one value a line.
    """
    at = f"column {error.colno}" if within_line else f"line {error.lineno}, column {error.colno}"
    return f"broken JSON ({at})"


def broken_toml(error: ValueError, text: str) -> tuple[str, str]:
    """Say what was expected of some text that stops being TOML, and where it does, with its line.

    A line that may hold a seed is not shown: that is a secret.
    """
    said = str(error)
    twice = "a key or table that is there twice" if said.startswith(_TWICE) else "broken TOML"
    place, lines = _PLACE.search(said), text.split("\n")
    if place is None:
        return "TOML", f"{twice} (at its end)"
    found = f"{twice} (line {place[1]}, column {place[2]})"
    line = lines[int(place[1]) - 1].strip() if int(place[1]) <= len(lines) else ""
    if not line or not line.isprintable() or _SECRET.search(line):
        return "TOML", found
    comma = _DECIMAL_COMMA.search(line)
    expected = "TOML" if comma is None else f"TOML, in which a number has a decimal point: {comma[1]}.{comma[2]}"
    return expected, f"{found}: {line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + '…'}"


_SECRET: Final = re.compile(r"seed|[0-9]{10}", re.IGNORECASE)
_DECIMAL_COMMA: Final = re.compile(r"=\s*([+-]?[0-9]+),([0-9]+)\s*(?:#|$)")
_LONGEST_LINE: Final = 80
