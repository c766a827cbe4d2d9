"""`inference.difference`: its success and interval from the games that it counts, and its status from those."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.decisions import decide_compliance
from auditor.domain import Check, Status
from auditor.evidence import Evidence
from auditor.statistics import clopper_pearson
from auditor.verify.expectations import count, not_run, number, setting, status_is, threshold_is
from auditor.verify.numbers import differs
from auditor.verify.removal import USE


def releases_seen(evidence: Evidence) -> bool:
    """Whether a release from before a deletion is seen as well as the one after it, as policy or log have it."""
    return bool(evidence.policy.settings.get("before_and_after")) or bool(evidence.deletion_log.max_seen_releases)


def difference(evidence: Evidence, check: Check) -> Iterator[str]:
    """`inference.difference`: wins over games, exactly; it had to be played where both versions are seen."""
    both = releases_seen(evidence)
    if check.value is None:
        # What no batch of a single record asked cannot be played, and the batches are not in the evidence one by one.
        excused = not both or evidence.procedure.use != USE or "single record" in check.basis
        yield from status_is(check, Status.SKIPPED)
        yield from not_run(check, excused=excused, reason="both versions are seen")
        return
    games, wins, confidence = (check.details.get(name) for name in ("games", "wins", "confidence"))
    played, won, level = count(games), count(wins), number(confidence)
    if not played or won is None or won > played or level is None or not 0 < level < 1:
        yield "details holds no games to derive the success from"
        return
    interval = clopper_pearson(won, played, confidence=level)
    lower, largest = max(0.0, 2 * interval.low - 1), setting(evidence, "max_compliance_epsilon")
    yield from differs("value", check.value, won / played, "wins over games are")
    yield from differs("interval", check.interval, [interval.low, interval.high], "they give")
    yield from differs("details.epsilon_lower", check.details.get("epsilon_lower"), lower, "they give")
    ranks = check.details.get("ranks")
    found = list(ranks) if isinstance(ranks, list | tuple) else []
    yield from differs("details.ranks", len(found), played, "the games are")
    yield from differs("details.ranked_first", check.details.get("ranked_first"), found.count(1), "the ranks have")
    yield from threshold_is(check, largest, "the policy's max_compliance_epsilon")
    yield from status_is(check, Status.SKIPPED if largest is None else decide_compliance(interval, largest))
