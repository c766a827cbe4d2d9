"""The hash chain of a deletion log: each row holds the hash of the row before it, and of itself.

A chain shows changes only to someone who kept its head, the last hash, outside the log: anyone who may rewrite the file may
chain it again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import rfc8785

from auditor.base.deletion_log.requests import Link

PREVIOUS: Final = "prev_hash"
ENTRY: Final = "entry_hash"
COLUMNS: Final = (PREVIOUS, ENTRY)
AMENDS: Final = "amends"
"""The `entry_hash` of the row that a later one amends."""
AMENDED_AT: Final = "amended_at"
FIXED: Final = ("request_id", "record_ids", "subject", "canary")
"""What no later row can change: who asked, for which records, and whether anybody did."""


class Followed(NamedTuple):
    """What came of following a chain."""

    links: tuple[Link | None, ...]
    """One a row; None throughout where no row has a hash."""
    head: str | None
    """The hash of the last row, where it holds; None otherwise."""


def entry_hash(row: Mapping[str, Any]) -> str | None:
    """Hash a row: SHA-256 over its RFC 8785 form without `entry_hash` and without missing values.

    Args:
        row: Its values by column, as the file holds them; in CSV every cell is text.

    Returns:
        64 hexadecimal digits; None where the row has no canonical form, such as an integer beyond 2^53.
    """
    kept = {name: value for name, value in row.items() if name != ENTRY and value is not None}
    try:
        return hashlib.sha256(rfc8785.dumps(kept)).hexdigest()
    except (rfc8785.CanonicalizationError, RecursionError):
        return None


UNCHAINABLE: Final = ("values that RFC 8785 has a form for", "a number that is not finite, or an integer beyond 2^53")
"""What is expected and found of a row that cannot be chained."""


def chained(row: Mapping[str, Any], previous: str | None) -> dict[str, Any]:
    """The row with its two hashes.

    Args:
        row: Its values by column.
        previous: The `entry_hash` of the row before; None for the first.

    Raises:
        ValueError: If the row has no canonical form.
    """
    linked = {name: value for name, value in row.items() if name not in COLUMNS}
    if previous is not None:
        linked[PREVIOUS] = previous
    own = entry_hash(linked)
    if own is None:
        raise ValueError("a row without a canonical form")
    return {**linked, ENTRY: own}


def follow(rows: Sequence[Mapping[str, Any]]) -> Followed:
    """Follow a chain through every row, in the order of the file."""
    if not any(row.get(name) is not None for row in rows for name in COLUMNS):
        return Followed((None,) * len(rows), None)
    links: list[Link | None] = []
    before: str | None = None
    for row in rows:
        links.append(_link(row, before))
        before = _text(row.get(ENTRY))
    return Followed(tuple(links), before if links[-1] is Link.INTACT else None)


def _link(row: Mapping[str, Any], before: str | None) -> Link:
    own = _text(row.get(ENTRY))
    if own is None:
        return Link.MISSING
    if own != entry_hash(row):
        return Link.CHANGED
    return Link.INTACT if _text(row.get(PREVIOUS)) == before else Link.TORN


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
