"""Several records of one person: anyone who asks for the erasure of one of them asks for all.

In the log a request may name a record, or the person by the value in the column of `[data] person`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from auditor.base.deletion_log.requests import Request


def of_whole_people(requests: tuple[Request, ...], ids: Sequence[str], people: Sequence[str]) -> tuple[Request, ...]:
    """Have each request name every record of the people whom it names.

    A record that another row of the log names by its own id is left to that row: two requests of one person are two rows, not a
    record that is deleted twice. Without a name, the person is the one that the record describes.

    Args:
        requests: The log, in its order.
        ids: Ids of the training records.
        people: Whose they are, in the same order.
    """
    of = dict(zip(ids, people, strict=True))
    theirs: defaultdict[str, list[str]] = defaultdict(list)
    for record, person in of.items():
        if person.strip():
            theirs[person].append(record)
    named = {record for request in requests for record in request.record_ids if record in of}
    taken: set[str] = set()
    found = []
    for request in requests:
        listed: dict[str, None] = {}
        for name in request.record_ids:
            person = of.get(name, name)
            if name in of or name not in theirs:
                listed[name] = None
            others = [each for each in theirs.get(person, ()) if each not in named and each not in taken]
            listed.update(dict.fromkeys(others))
            if name not in of and name in theirs and not others:
                # Asked for once more: a record that is deleted twice is a finding.
                listed.update(dict.fromkeys(theirs[name]))
        if request.status not in {"denied", "revoked", "no_match"}:
            taken |= listed.keys() & of.keys()
            found.append(replace(request, record_ids=tuple(listed)))
        else:
            found.append(request)
    return tuple(found)
