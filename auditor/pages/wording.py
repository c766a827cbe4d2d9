"""Puts values into words: numbers, dates, statuses, units. Every rendering says the same thing the same way because of this page.

All functions are pure. `clean` is the gate that every string from outside passes before it is shown anywhere: an evidence
file may hold names that a stranger chose, and a name must never be able to reorder, hide or break the text around it.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from itertools import accumulate
from typing import Final

from auditor.base.domain import ClaimStatus, Provenance, Status, Verdict
from auditor.document.evidence import Evidence
from auditor.pages.words import lists, numbers
from auditor.pages.words.dates import dated
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.pages.words.texts import Named, say
from auditor.pages.words.texts import text as of
from auditor.verdict import conclusion
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.readings import ByMetric

LONGEST_RUN: Final = 120
"""Characters without a space that are shown in full; a SHA-256 has 64."""
LONGEST_TEXT: Final = 2000
"""Characters of one string that are shown at all."""
MOST_READ: Final = 100_000
"""Characters of one string that are read: a name of megabytes takes no longer than that."""

MOST_NAMED: Final = 8
"""Names that a sentence lists."""
MOST_STACKED: Final = 4
"""Combining marks in a row that are shown."""

_STACKING = frozenset({"Mn", "Me"})
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
WORDS: Final = Named("word-")
"""What a status, a standing, a verdict or a provenance is called."""

DETAIL_NAMES: Final = Named(
    "detail-",
    "subject",
    "measured",
    "beta",
    "optimum_gradient",
    "distance_to_optimum",
    "distance_bound",
    "epsilon",
    "delta",
    "sigma",
    "noise_multiplier",
    "noticed",
    "records_per_person",
    "budget",
    "classical_budget",
    "classical_proved",
    "epsilon_spent",
    "criterion",
    "unlearned",
    "retrained",
    "pairs",
    "models",
    "alpha",
    "target_records",
    "retained",
    "forgotten",
    "reference_models",
    "correction",
    "weighted",
    "advantage",
    "identical",
    "records",
    "confidence",
    "batches",
    "unlearn_seconds",
    "retrain_seconds",
    "warm_refit_seconds",
    "warm_speedup",
    "parameters",
    "deterministic",
    "bit_identical",
    "self_check_difference",
    "tolerance_from",
    "canonical",
    "equal",
    "least_grid",
    "theorem",
    "epsilon_dd",
    "epsilon_dp",
    "order",
    "games",
    "interval",
    "seen",
    "request_ids",
)
"""What a detail of a check is called in print, by its key, in the order of print."""

_STATUS_MARKS = {Status.PASS: "●", Status.FAIL: "■", Status.INCONCLUSIVE: "◇", Status.SKIPPED: "○", Status.ERROR: "▲"}
_STANDING_MARKS = {ClaimStatus.SHOWN: "●", ClaimStatus.SUPPORTED: "◆", ClaimStatus.REFUTED: "■", ClaimStatus.NOT_SHOWN: "○"}
_HOW_MARKS = {
    Provenance.REFUTED: "■",
    Provenance.UNKNOWN: "○",
    Provenance.ATTESTED: "◇",
    Provenance.MEASURED: "◆",
    Provenance.COMPUTED: "●",
}
_ROUNDING: Final = 1e-9
"""Thousandths that are taken for rounding: 1 − 0.976 is no more than 2.4 points."""


def clean(text: str) -> str:
    """The text without control, format, bidirectional and unassigned characters; line breaks and tabs become spaces.

    Of marks piled upon one character the first four stay, so that none can reach into the lines above and below.
    """
    if text.isascii() and text.isprintable():
        return text
    kept = []
    stacked = 0
    for character in text:
        category = unicodedata.category(character)
        stacked = stacked + 1 if category in _STACKING else 0
        if character in "\n\t\r\u2028\u2029":
            kept.append(" ")
        elif category not in _INVISIBLE and stacked <= MOST_STACKED:
            kept.append(character)
    return "".join(kept)


def shown(text: str, most: int = LONGEST_TEXT) -> str:
    """The text as it may be printed: cleaned, with endless words and endless texts folded and their length named."""
    whole = len(text)
    text = clean(text[:MOST_READ])
    if len(text) > LONGEST_RUN:
        text = " ".join(_folded_run(word) for word in text.split(" "))
    if len(text) > most or whole > MOST_READ:
        text = say("cut-in-full", beginning=text[: most - 200], characters=whole)
    return text


def short(text: str, length: int = 40) -> str:
    """The text cleaned and cut to at most `length` characters, the cut marked by an ellipsis."""
    cleaned = clean(text[:MOST_READ])
    if len(cleaned) <= length and len(text) <= MOST_READ:
        return cleaned
    return f"{cleaned[: length - 1].rstrip()}…"


def fitting(text: str, length: int = 40) -> str:
    """The text cleaned and cut to the room of `length` small Latin letters, so that no script overflows a page.

    A capital, and whatever is not Latin, counts as two: so wide may it be.
    """
    widths = accumulate(1 if each <= "\u024f" and not each.isupper() else 2 for each in clean(text[:MOST_READ]))
    return short(text, max(2, sum(width <= length for width in widths)))


def ends_of(text: str, length: int) -> str:
    """The text cleaned and cut to at most `length` characters in its middle, so that its beginning and its end stay."""
    cleaned = clean(text[:MOST_READ])
    if len(cleaned) <= length and len(text) <= MOST_READ:
        return cleaned
    half = (length - 3) // 2
    return f"{cleaned[:half].rstrip()} … {cleaned[-half:].lstrip()}"


number = numbers.number
power_of_ten = numbers.power_of_ten


def advantage(value: float | None) -> str:
    """A signed difference of shares to a thousandth: `+0.002`, `−0.113`; a dash where there is none."""
    return "–" if value is None else numbers.fixed(value, 3, signed=True)


def percent(share: float) -> str:
    """A share as a percentage in four significant digits: 0.95 as `95 %`."""
    return f"{number(round(100 * share, 9))}\u00a0%"


def at_least_points(share: float) -> str:
    """A difference of shares in percentage points, rounded down to a tenth: what is said to be at least is never more."""
    return number(math.floor(1000 * share + _ROUNDING) / 10)


def interval(ends: Sequence[float] | None) -> str:
    """A confidence interval as `low to high`; a dash where there is none."""
    return "–" if ends is None else of("from-to", low=number(ends[0]), high=number(ends[1]))


def plural(count: int, what: str) -> str:
    """A count with its noun: `1 request`, `20 requests`.

    Args:
        count: How many.
        what: What is counted, as a message `count-…` names it.
    """
    return say(f"count-{what}", count=count)


def day(value: date | datetime | None) -> str:
    """A date as `3 October 2026`, a datetime by its own calendar date; a dash where there is none."""
    return "–" if value is None else dated(value)


def short_day(value: date) -> str:
    """A date as `3 Oct 2026`, for axes."""
    return dated(value, "month-short")


def moment(value: datetime | None) -> str:
    """A moment in UTC to the minute, as `3 October 2026, 14:05 UTC`; a dash where there is none."""
    if value is None:
        return "–"
    there = value.astimezone(UTC)
    return f"{day(there)}, {there:%H:%M} UTC"


def mark(status: Status | ClaimStatus | Provenance) -> str:
    """The shape that goes with a status, a guarantee's standing, or a provenance: it can be told apart without colour."""
    match status:
        case Status():
            return _STATUS_MARKS[status]
        case ClaimStatus():
            return _STANDING_MARKS[status]
        case Provenance():
            return _HOW_MARKS[status]


def word(status: Status | ClaimStatus | Verdict | Provenance) -> str:
    """The word for a status, a standing, a verdict or a provenance."""
    return WORDS[status.value]


def tone(evidence: Evidence) -> str:
    """How the conclusion is coloured: a pass that may not be green is *weak*."""
    green = evidence.verdict is not Verdict.PASS or conclusion.of(evidence).green
    return evidence.verdict.value if green else "weak"


def check_word(check: ToldCheck) -> str:
    """The word for a check: a skipped one that carries a value is *informative*, since it was measured but decides nothing.

    Of bounds on ε it is *not tested*: what was measured says nothing of the claim.
    """
    if not is_informative(check):
        return word(check.status)
    return WORDS["not-tested" if Role.CONSISTENCY in check.card.roles else "informative"]


def is_informative(check: ToldCheck) -> bool:
    """Whether the check was measured without deciding anything."""
    return check.status is Status.SKIPPED and check.value is not None


def has_run(check: ToldCheck) -> bool:
    """Whether the check came to a result or tried to."""
    return check.status is not Status.SKIPPED or check.value is not None


def detail_name(key: str) -> str:
    """What a detail of a check is called in print; its key in plain letters where no better name is known."""
    return DETAIL_NAMES.get(key, key.replace("_", " "))


def is_named(key: str) -> bool:
    """Whether a detail of a check has a name in print."""
    return key in DETAIL_NAMES


def detail_order(key: str) -> tuple[int, str]:
    """A sort key that puts details into the order of print; those without a name of their own follow by their letters."""
    return (list(DETAIL_NAMES).index(key) if key in DETAIL_NAMES else len(DETAIL_NAMES)), key


def threshold(check: ToldCheck) -> str:
    """The threshold with its direction, or a dash where the check has none."""
    if check.threshold is None:
        return "–"
    if check.card.direction == "either way":
        return say(f"threshold-{check.id.replace('.', '-')}", rule=_metric(check), value=number(check.threshold))
    return of(f"threshold-{check.card.direction.replace(' ', '-')}", value=number(check.threshold))


def fails(check: ToldCheck) -> str:
    """Say where the check fails, where that is not all beyond its threshold; empty elsewhere."""
    if check.card.direction != "either way" or check.threshold is None:
        return ""
    return say(f"fails-{check.id.replace('.', '-')}", rule=_metric(check))


def unit(check: ToldCheck) -> str:
    """What the value of the check is; where its metric decides which values are better, that metric."""
    if check.card.direction == "either way" and isinstance(check.derived, ByMetric):
        return say(f"unit-{check.id.replace('.', '-')}", rule=_metric(check))
    return check.card.unit


def _metric(check: ToldCheck) -> str:
    return check.derived.rule if isinstance(check.derived, ByMetric) else "ranks"


def listed(names: Iterable[object], most: int = MOST_NAMED) -> str:
    """Names in a row, each cleaned: the first `most` where they are more, and how many more."""
    cleaned = [shown(str(each)) for each in names]
    if len(cleaned) > most:
        return of("common-and-more", named=", ".join(cleaned[:most]), more=number(len(cleaned) - most))
    return lists.listed(cleaned)


def multiline(text: str) -> str:
    """A text of several lines as it may be printed: each line by itself, so that breaks of our own stay."""
    return "\n".join(shown(line) for line in text.split("\n"))


def _folded_run(run: str) -> str:
    return run if len(run) <= LONGEST_RUN else say("cut-run", beginning=run[:60], end=run[-12:], characters=len(run))
