"""Sentences on whole programs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Final

from auditor.base.domain import Check, Guarantee
from auditor.base.errors import ReportError
from auditor.base.promises import SubsampledGaussian
from auditor.maths.tradeoff.reading import right_guesses
from auditor.pages.letters.promise import Limit, Limits, Own
from auditor.pages.words.guarantees import EXAMPLE, Statements, right
from auditor.pages.words.guesses import at_most
from auditor.pages.words.kinds import Given, Sentences
from auditor.pages.words.numbers import at_least
from auditor.pages.words.numbers import at_most as number_at_most
from auditor.pages.words.texts import Named, say, text
from auditor.parts.controllers.guarantees import unlearning
from auditor.parts.controllers.theorems import BATCH_HIDDEN, PRIVATE, STORED
from auditor.verdict import corollaries
from auditor.verdict.checks import derived_in, the
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.readings import ForOneRecord
from auditor.verdict.grade import guesses
from auditor.verdict.guarantees import CONFIDENTIALITY, CONTROL, UNLEARNING, pledge_to_one


def _fresh(given: Given) -> str:
    return say("history-fresh", **{**given, "epsilon": at_least(given.number("epsilon"))})


def _tried(given: Given) -> str:
    return say("history-tried", **{**given, "compared": ", ".join(_KINDS[each] for each in given.words("compared"))})


def _differing(given: Given) -> str:
    ways = "; ".join(
        say("history-way", way=_WAYS[each.word("way")], kinds=", ".join(_KINDS[kind] for kind in each.words("kinds")))
        for each in given.rows("named")
    )
    return say("history-differing", cases=given["cases"], ways=ways, more=given.count("cases") - len(given.many("named")))


def _played(given: Given) -> str:
    return say("games-learner-played", **{**given, "compared": ", ".join(_SHOWN[each] for each in given.words("compared"))})


def _games_apart(given: Given) -> str:
    epsilon, delta = at_least(given.number("epsilon")), given["delta"]
    return say("games-learner-apart", epsilon=epsilon, delta=delta)


def _games_differing(given: Given) -> str:
    named = "; ".join(
        say("games-learner-game", going=_GOING[each.word("going")], kinds=", ".join(_SHOWN[kind] for kind in each.words("kinds")))
        for each in given.rows("named")
    )
    return say("games-learner-differing", games=given["games"], named=named, more=given.count("games") - len(given.many("named")))


_GOING: Final = Named("games-going-")
_SHOWN: Final = Named("games-kind-")
_WAYS: Final = Named("history-way-")
_KINDS: Final = Named("history-kind-")
SENTENCES: Final[Sentences] = {
    "state.history_independent.fresh": _fresh,
    "state.history_independent.pipeline.tried": _tried,
    "state.history_independent.pipeline.different": _differing,
    "games.learner.played": _played,
    "games.learner.apart": _games_apart,
    "games.learner.different": _games_differing,
}


# What is promised of a whole controller, and adaptive unlearning: in words, and as a limit for one person.
BETA: Final = 1e-6
"""The β that adaptive machine unlearning is stated at."""


def _controlled(guarantee: Guarantee) -> str:
    share = guesses(guarantee)
    more = [text("guarantee-control-guess", right=right(share))] if share else []
    return " ".join([text("guarantee-control"), *more, *_groups(guarantee)])


def _groups(guarantee: Guarantee) -> Iterator[str]:
    """What noise it rests on, and what it says of several people together, by the theorem that gives it its numbers."""
    rule = corollaries.by(guarantee)
    if rule is not None and corollaries.by_noise(guarantee):
        yield text("guarantee-control-private" if rule.id == PRIVATE.id else "guarantee-control-released")
    match corollaries.together(guarantee):
        case "same":
            yield text("guarantee-control-same")
        case "noise":
            several = corollaries.group(guarantee, EXAMPLE)
            numbers = (None, None) if several is None else (several.epsilon, several.delta)
            epsilon, delta = map(number_at_most, numbers)
            shown = "no" if several is None else "yes"
            most = "" if several is None else at_most(right_guesses(corollaries.promise_by(several)))
            by = "numbers" if guarantee.terms.promise is None else "curve"
            given = {"epsilon": epsilon, "delta": delta, "most": most, "by": by}
            yield text("guarantee-control-several", shown=shown, people=str(EXAMPLE), **given)
        case "none":
            yield text("guarantee-control-no-groups")


def _unlearned(guarantee: Guarantee) -> str:
    found = unlearning(guarantee, BETA)
    if found is None:
        said = text("guarantee-unlearning-open")
    else:
        numbers = {name: number_at_most(getattr(found, name)) for name in ("alpha", "beta", "gamma")}
        said = text("guarantee-unlearning", **numbers)
    return f"{said} {text('guarantee-unlearning-covers')}"


def _confidential(guarantee: Guarantee) -> str:
    share = guesses(guarantee)
    if share is None:
        said = text("guarantee-confidential-open")
    else:
        numbers = {"epsilon": number_at_most(guarantee.epsilon), "delta": number_at_most(guarantee.delta)}
        said = text("guarantee-confidential", right=right(share), **numbers)
    told = [] if corollaries.when_told(guarantee) is None else [text("guarantee-confidential-control")]
    rules = {each.rule for each in corollaries.carrying(guarantee)}
    covers = next((name for rule, name in _COVERS.items() if rule in rules), "guarantee-confidential-covers")
    return " ".join([said, text(covers), *told])


_COVERS: Final = {STORED.id: "guarantee-confidential-stored", BATCH_HIDDEN.id: "guarantee-confidential-batch"}
"""Whom confidentiality covers, by its theorem: counters alone have a horizon, and promise nothing to those who come back."""


def _limits(
    context: Context, guarantee: Guarantee, checks: Mapping[str, Check], own: Own, kept: Collection[str]
) -> Iterator[Limit]:
    """What the noise of a training gives one record, as a group of k: it is never repeated here, and depends on no request.

    Raises:
        ReportError: If what was derived of that noise cannot be read.
    """
    if not corollaries.by_noise(guarantee):
        if guarantee.epsilon is not None and guarantee.delta is not None:
            yield Limit(guarantee.epsilon, guarantee.delta, origin="derived")
        return
    claim = context.claims.dp
    if claim is not None and "dp" in kept:
        yield Limit(claim.epsilon, claim.delta)
    try:
        found = derived_in(checks[the(Role.TRAINING_NOISE, context.version)], context.version)
    except ValueError as error:
        raise ReportError("the evidence states noise of a training that cannot be read") from error
    if isinstance(found, ForOneRecord) and found.epsilon is not None:
        # The training depends on no request, and its promise for one record makes that of k: only how many is the person's.
        carried = guarantee.terms.promise
        of_one = replace(carried, group=1) if isinstance(carried, SubsampledGaussian) else None
        pledge = pledge_to_one(found.epsilon, found.delta, records=own.records, promise=of_one)
        if pledge is not None:
            yield Limit(pledge.epsilon, pledge.delta, promise=pledge.promise, origin="derived")


STATEMENTS: Final[Statements] = {CONTROL: _controlled, CONFIDENTIALITY: _confidential, UNLEARNING: _unlearned}
LIMITS: Final[Limits] = {CONTROL: _limits}
