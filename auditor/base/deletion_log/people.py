"""Tell which records that a log names are one person's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from auditor.base.deletion_log.requests import Request


def by_person(requests: Iterable[Request], whose: Mapping[str, str]) -> list[frozenset[str]]:
    """Group the records that requests name: those of one subject, of a request without one, and of one person by the table.

    A pseudonym costs nothing: two of them are one person where both name a record, or the table has records of both under one
    name.

    Args:
        requests: Rows of a log.
        whose: The person of each record by a column of the table, empty where it is left out; without a column nobody's.

    Returns:
        What is named for each person, in the order of the log.
    """
    groups: dict[tuple[str, str], tuple[set[tuple[str, str]], set[str]]] = {}
    for request in requests:
        records = set(request.record_ids)
        keys = {("request", request.request_id) if request.subject is None else ("subject", request.subject)}
        keys |= {("record", each) for each in records}
        keys |= {("table", person) for each in records if (person := whose.get(each, "").strip())}
        for known in {id(found): found for key in keys if (found := groups.get(key)) is not None}.values():
            keys |= known[0]
            records |= known[1]
        groups |= dict.fromkeys(keys, (keys, records))
    return [frozenset(records) for _, records in {id(each): each for each in groups.values()}.values()]
