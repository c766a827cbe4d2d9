"""For `training.privacy`: what the rerun reports of its trainings, how many records one person has, and which rows are equal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import accumulate
from typing import Final

from auditor.audit.replay import Replay, loses_labels
from auditor.audit.stages import Measuring
from auditor.base.deletion_log.people import by_person
from auditor.base.row_blocks import distinct_rows
from auditor.case import Case
from auditor.parts.networks.judging.training_privacy import CARD, Observed, Told
from auditor.verdict.checks.finding import Values


def observe(case: Case, replay: Replay) -> Observed:
    """List the rerun's reports, and count records and people in the log."""
    known = case.known_ids
    unnamed, of_others = equal_rows(case)
    return Observed(
        told=tuple(_told(facts) for facts in replay.told),
        left=tuple(len(case.train) - gone for gone in accumulate(map(len, replay.forgotten))),
        records_per_person=records_of_one(case, known),
        subjects=all(each.subject is not None for each in case.requests if known.intersection(each.record_ids)),
        labels_lost=loses_labels(case, replay.forgotten),
        equal_rows=unnamed,
        equal_by_table=of_others,
    )


def _told(facts: Mapping[str, float | bool | str]) -> Told:
    return Told(
        noise_multiplier=facts.get("dp_noise_multiplier"),
        sample_rate=facts.get("dp_sample_rate"),
        steps=facts.get("dp_steps"),
        delta=facts.get("dp_delta"),
    )


def records_of_one(case: Case, known: frozenset[str]) -> int:
    """Count the most training records of one person, at least 1: of those whom the log names, and of those whom the table does.

    The noise is promised to everybody, so that a person counts who asked for nothing.
    """
    whose = _people(case)
    by_table = Counter(person for record, person in whose.items() if record in known)
    theirs: dict[str, set[str]] = defaultdict(set)
    for record, person in whose.items():
        theirs[person].add(record)
    owned = []
    for named in by_person(case.requests, case.whose):
        people = {whose[each] for each in named if each in whose}
        owned.append(known.intersection(named.union(*(theirs[person] for person in people))))
    return max([1, *by_table.values(), *map(len, owned)])


def equal_rows(case: Case) -> tuple[int, int]:
    """Count the training records that equal another in all features.

    Rows that the log names for one person are counted as that person's. All others may be one person's who is learned as often
    as there are rows, unless the table says whose each of them is.

    Returns:
        Where nothing says whose all of them are; and where the table does.
    """
    whose = _people(case)
    by_log = {record: at for at, named in enumerate(by_person(case.requests, case.whose)) for record in named}
    rows: dict[int, list[str]] = defaultdict(list)
    for record, row in zip(case.train.ids.tolist(), distinct_rows(case.train.features)[1].tolist(), strict=True):
        rows[row].append(record)
    unnamed = of_others = 0
    for equal in (each for each in rows.values() if len(each) > 1):
        if all(each in by_log for each in equal) and len({by_log[each] for each in equal}) == 1:
            continue
        if all(each in whose for each in equal):
            of_others += len(equal)
        else:
            unnamed += len(equal)
    return unnamed, of_others


def _people(case: Case) -> dict[str, str]:
    """The person of each training record of which the table names one."""
    return {record: name for record, person in case.whose.items() if (name := person.strip())}


class Privacy(Measuring):
    """What trainings of the replay report of their noise."""

    checks = (CARD.id,)

    def measure(self, replay: Replay) -> Mapping[str, Values]:
        """List the reports."""
        return {CARD.id: observe(self.run.case, replay)}


STAGES: Final = (Privacy,)
