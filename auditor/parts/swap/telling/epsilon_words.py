"""What `epsilon.consistency` compared, in words: stated upper bounds on ε, and the lower bounds that attacks showed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from auditor.pages import wording, words
from auditor.pages.words import numbers
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.pages.words.texts import Named, say, text
from auditor.parts.swap.judging import epsilon_consistency
from auditor.parts.swap.judging.epsilon_consistency import power
from auditor.parts.swap.judging.epsilon_consistency.rows import DATA_DELETION, Lower, Row

_LABELS: Final = Named("epsilon-label-")
"""Short titles of methods whose own are too long for a line of the figure."""


def comparisons(check: ToldCheck) -> tuple[Row, ...]:
    """Every stated ε, in the order of the document."""
    derived = check.derived_as(epsilon_consistency.Derived)
    return () if derived is None else derived.comparisons


def compared(row: Row) -> bool:
    """Whether a lower bound was compared with the stated upper bound."""
    return row.compared and row.epsilon is not None and bool(row.lower)


def those_compared(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Those of the statements that a lower bound was compared with."""
    return tuple(row for row in rows if compared(row))


def those_left(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Those that were compared with nothing."""
    return tuple(row for row in rows if not compared(row))


def why(row: Row) -> str:
    """Why it was compared with nothing."""
    return say("epsilon-no-pair") if row.why is None else words.sentence(row.why)


def tested(row: Row) -> bool:
    """Whether an ε near the stated one would have been noticed."""
    return compared(row) and power.tested(row.epsilon, row.noticed)


def shown(lower: Lower) -> float:
    """The lower bound: no ε is below 0."""
    return max(0.0, lower.epsilon)


def refuted(row: Row) -> bool:
    """Whether a lower bound that decides lies above the stated upper bound."""
    worst = _worst(row)
    return compared(row) and worst is not None and row.epsilon is not None and shown(worst) > row.epsilon


def against(row: Row) -> str:
    """What states the ε."""
    return words.sentence(row.against)


def title(lower: Lower) -> str:
    """How the lower bound came about."""
    return words.sentence(lower.title)


def label(lower: Lower) -> str:
    """The same where there is little room."""
    return _LABELS.get(lower.method) or title(lower)


def terms(row: Row) -> str:
    """What is stated: `ε ≤ 1 at δ = 0.0001`, `Rényi ε ≤ 0.01 at order 2`."""
    if row.order is not None or row.claim == DATA_DELETION:
        order = "" if row.order is None else say("epsilon-at-order", order=wording.number(row.order))
        return say("epsilon-renyi-at-most", epsilon=numbers.at_most(row.epsilon), order=order)
    delta = "" if row.delta is None else say("epsilon-at-delta", delta=wording.number(row.delta))
    return f"ε ≤ {numbers.at_most(row.epsilon)}{delta}"


def stated(row: Row) -> str:
    """The statement with its terms: `claimed certified removal: ε ≤ 1 at δ = 0.0001`."""
    return f"{against(row)}: {terms(row)}"


def orders(rows: Sequence[Row]) -> tuple[float | None, ...]:
    """The units of ε that something was compared in: None for (ε, δ), which comes first, and each Rényi order."""
    found = {row.order for row in rows if compared(row)}
    return tuple(sorted(found, key=lambda order: -1.0 if order is None else order))


def refutations(rows: Sequence[Row]) -> tuple[str, ...]:
    """What measured lower bounds contradict, in sentences: statements that the same lower bound refutes share one."""
    fallen: dict[tuple[object, ...], tuple[Lower, float | None, list[str]]] = {}
    for row in rows:
        if (worst := _worst(row)) is not None and refuted(row):
            key = (title(worst), label(worst), worst.epsilon, worst.confidence, worst.null, row.order)
            fallen.setdefault(key, (worst, row.order, []))[2].append(stated(row))
    sentences = []
    for lower, order, statements in fallen.values():
        trust = say("epsilon-with-confidence", confidence=wording.percent(lower.confidence))
        unit = "ε" if order is None else "Rényi ε"
        at = "" if order is None else say("epsilon-at-order", order=wording.number(order))
        named = title(lower)[:1].upper() + title(lower)[1:]
        found = say("epsilon-shows", title=named, unit=unit, epsilon=numbers.at_least(shown(lower)), at=at, trust=trust)
        sentences.append(say("epsilon-refuted-by", statements="; ".join(statements), shown=found))
    return tuple(sentences)


def chains(check: ToldCheck) -> str:
    """What was simulated to contradict an ε of data deletion, or why nothing was; empty where none was asked for."""
    derived = check.derived_as(epsilon_consistency.Derived)
    ran = None if derived is None else derived.chains
    if ran is None:
        return ""
    if ran.reason is not None or not ran.count:
        return say("deletion-chains-none", reason=text("common-not-run") if ran.reason is None else words.sentence(ran.reason))
    half = say("deletion-chains-fitted", fitted=wording.number(ran.fitted))
    trust = say("deletion-chains-confidence", confidence=wording.percent(ran.confidence))
    return say("deletion-chains", chains=wording.plural(ran.count, "chain"), half=half, trust=trust)


def _worst(row: Row) -> Lower | None:
    """The largest lower bound among those that decide."""
    return max((lower for lower in row.lower if lower.decides), key=shown, default=None)
