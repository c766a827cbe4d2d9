"""For `training.privacy`: what the rerun reports of its trainings, and how many records the log names for one person."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Final

from auditor.audit.replay import Replay, loses_labels
from auditor.audit.stages import Measuring
from auditor.base.deletion_log.people import by_person
from auditor.case import Case
from auditor.parts.networks.judging.training_privacy import CARD, Observed, Told
from auditor.verdict.checks.finding import Values


def observe(case: Case, replay: Replay) -> Observed:
    """List the rerun's reports, and count records and people in the log."""
    known = case.known_ids
    return Observed(
        told=tuple(_told(facts) for facts in replay.told),
        left=tuple(len(case.train) - gone for gone in accumulate(map(len, replay.forgotten))),
        records_per_person=records_of_one(case, known),
        subjects=all(each.subject is not None for each in case.requests if known.intersection(each.record_ids)),
        labels_lost=loses_labels(case, replay.forgotten),
    )


def _told(facts: Mapping[str, float | bool | str]) -> Told:
    return Told(
        noise_multiplier=facts.get("dp_noise_multiplier"),
        sample_rate=facts.get("dp_sample_rate"),
        steps=facts.get("dp_steps"),
        delta=facts.get("dp_delta"),
    )


def records_of_one(case: Case, known: frozenset[str]) -> int:
    """Count the most training records of one person whom the log names, at least 1: by log and table, where it says whose."""
    whose = case.whose
    theirs: dict[str, set[str]] = {}
    for record, person in whose.items():
        theirs.setdefault(person.strip(), set()).add(record)
    owned = []
    for named in by_person(case.requests, whose):
        people = {whose[each].strip() for each in named if each in whose} - {""}
        owned.append(known.intersection(named.union(*(theirs[person] for person in people))))
    return max([1, *map(len, owned)])


class Privacy(Measuring):
    """What trainings of the replay report of their noise."""

    checks = (CARD.id,)

    def measure(self, replay: Replay) -> Mapping[str, Values]:
        """List the reports."""
        return {CARD.id: observe(self.run.case, replay)}


STAGES: Final = (Privacy,)
