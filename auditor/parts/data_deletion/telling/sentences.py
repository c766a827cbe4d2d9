"""Sentences on data deletion."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Final

from auditor.base.domain import Check, Guarantee
from auditor.base.terms import DeletionTerms
from auditor.maths.certificates.renyi import best_membership, linear
from auditor.maths.certificates.rounding import ceiling, finite
from auditor.pages.letters.promise import Limit, Limits, Own
from auditor.pages.words.guarantees import Statements, right
from auditor.pages.words.guesses import of_advantage
from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.lists import and_more, both
from auditor.pages.words.texts import Named, say, text
from auditor.parts.data_deletion.judging.goals import goal
from auditor.verdict.checks.context import Context
from auditor.verdict.grade import guesses
from auditor.verdict.guarantees import DATA_DELETION

_REPLACEMENTS: Final = Named("deletion-replacement-")


def _premises(given: Given) -> str:
    return "; ".join(f"{each['name']}: {each['found']}" for each in given.rows("premises"))


def _of_premises(message: str) -> Sentence:
    """Says premises with what was found of each."""
    return lambda given: say(message, premises=_premises(given))


def _named(message: str) -> Sentence:
    """Says names."""
    return lambda given: say(message, names=", ".join(given.words("names")))


def _no_epsilon(given: Given) -> str:
    return say("deletion-no-epsilon-fix" if given["fix"] else "deletion-no-epsilon", **given)


def _found(given: Given) -> str:
    return say("deletion-not-shown", found="; ".join(given.words("found")))


def _same(given: Given) -> str:
    return say("deletion-same", runs=given["runs"], replacements=", ".join(given.words("replacements")))


def _replacement(given: Given) -> str:
    return _REPLACEMENTS[given.word("kind")]


def _seen(given: Given) -> str:
    return say(f"deletion-seen-{given.word('origin').replace(' ', '-')}", **given)


def _bound(given: Given) -> str:
    return "; ".join(say("deletion-bound", **each) for each in given.rows("checks"))


def _measured(given: Given) -> str:
    return "; ".join(say("deletion-measured", **each) for each in given.rows("checks"))


# Sentences on what a table of noisy gradient descent declares, what a theorem gives for it, and the theorem's premises.
def number(value: float | None, digits: int = 6) -> str:
    """A number in so many digits; a norm that float64 does not hold as inf."""
    return "inf" if value is None else f"{value:.{digits}g}"


def _constants(given: Given) -> dict[str, str]:
    """The constants of a loss, each as it is printed."""
    names = ("lipschitz", "smoothness")
    return {name: text("descent-unknown") if given[name] is None else number(given.number(name)) for name in names}


def _meant(message: str) -> Sentence:
    """Says constants that may be unknown."""
    return lambda given: say(message, **{**given, **_constants(given)})


def _known(message: str) -> Sentence:
    """Says constants that hold for rows of some norm."""

    def said(given: Given) -> str:
        names = ("known_lipschitz", "known_smoothness", "norm")
        known = say("descent-known", **{name: number(given.finite(name)) for name in names})
        return say(message, **{**given, **(_constants(given) if "lipschitz" in given else {}), "known": known})

    return said


def _missing(message: str) -> Sentence:
    return lambda given: say(message, names=both(given.words("missing")))


def _rows(given: Given) -> str:
    return say("descent-rows-bounded", **{**given, "norm": number(given.finite("norm"), 9)})


def _failed(given: Given) -> str:
    return "; ".join(given.words("failed")) or text("descent-failed")


def _noise(given: Given) -> str:
    refused = given.many("refused")
    detects, power = f"{100 * given.number('detects'):.2g}", f"{100 * given.number('power'):g}"
    words = say("descent-noise", **{**given, "detects": detects, "power": power})
    return say("descent-noise-refused", said=words, first=refused[0], others=len(refused) - 1) if refused else words


# Sentences of `state.stateless`, and of what the built-in procedures carry from one update to the next.
def _untried(given: Given) -> str:
    return say("state-not-resumable", lacking=both([text("common-no-method", name=each) for each in given.words("lacking")]))


def _kept(message: str) -> Sentence:
    """Says what outlived an update."""

    def said(given: Given) -> str:
        return say(
            message, kept=and_more((f"{each['name']} ({each['kind']})" for each in given.rows("kept")), given.count("more"))
        )

    return said


def _refused(given: Given) -> str:
    reasons = [say("state-refused", **each) for each in given.rows("refused")]
    return "; ".join([*reasons, *([text("state-same-from-file")] if given["same_from_file"] else [])])


def _numbers(message: str, name: str) -> Sentence:
    """Says updates by their numbers."""
    return lambda given: say(message, updates=", ".join(str(each) for each in given.many(name)))


COVERING_ONE_BATCH: Final = "5.2"
"""The theorem that covers the records that a person had erased together, and no others."""
WITH_OTHER_RECORDS: Final = "twins"


def _deletion(guarantee: Guarantee) -> str:
    terms, share = guarantee.terms, guesses(guarantee)
    if not isinstance(terms, DeletionTerms):
        raise TypeError(f"{guarantee.id} is stated without its terms")
    whose = text("guarantee-deletion-person" if terms.of == "person" else "guarantee-deletion-request")
    if terms.epsilon is None:
        first, holds = text("guarantee-deletion-none", whose=whose), "none"
    else:
        if share is None:
            share = of_advantage(_told_apart(terms.order, terms.epsilon) if terms.advantage is None else terms.advantage)
        # Where runs were measured, nothing is proved of others.
        first, holds = _first(share, terms.source, whose), "measured" if terms.source == "twins" else "shown"
    covers = text("guarantee-deletion-covers", holds=holds, seen=terms.seen)
    several = text("guarantee-deletion-several", records=str(terms.records)) if terms.records > 1 and terms.epsilon else ""
    others = "" if terms.of == "person" else text("guarantee-deletion-others")
    return " ".join(each for each in (first, covers, several, others, text("guarantee-deletion-before")) if each)


def _told_apart(order: float, epsilon: float) -> float:
    return best_membership(linear(order, epsilon, most=order)).bound


def _first(share: float, source: str | None, whose: str) -> str:
    if source == "twins":
        return text("guarantee-deletion-twins", whose=whose)
    if share >= 1:
        return text("guarantee-deletion-loose", whose=whose)
    return text("guarantee-deletion-right", whose=whose, right=right(share))


def _limits(
    context: Context, guarantee: Guarantee, _checks: Mapping[str, Check], own: Own, kept: Collection[str]
) -> Iterator[Limit]:
    """What claim and policy allow for one record, k² times for k of them, and a claim that is kept to every person.

    Where runs with other records gave the same models it is 0.
    """
    aim, terms = goal(context.claims, context.policy, context.procedure), guarantee.terms
    source = terms.source if isinstance(terms, DeletionTerms) else None
    claim = context.claims.data_deletion
    if source == WITH_OTHER_RECORDS:
        yield Limit(0.0, order=aim.order, origin="retrained")
        return
    if claim is not None and "data_deletion" in kept:
        yield Limit(claim.epsilon, order=aim.order)
    together = None if aim.threshold is None else finite(ceiling(Fraction(aim.threshold) * own.records**2))
    if together is not None and not (source == COVERING_ONE_BATCH and own.requests > 1):
        yield Limit(together, order=aim.order)


STATEMENTS: Final[Statements] = {DATA_DELETION: _deletion}
LIMITS: Final[Limits] = {DATA_DELETION: _limits}

SENTENCES: Final[Sentences] = {
    "deletion.renyi.false": _premises,
    "deletion.renyi.fixes": lambda given: "; ".join(dict.fromkeys(given.words("fixes"))),
    "deletion.renyi.no-epsilon": _no_epsilon,
    "deletion.renyi.not-known": _of_premises("deletion-not-known"),
    "deletion.renyi.attested": _named("deletion-attested"),
    "deletion.renyi.false-measured": _of_premises("deletion-false-measured"),
    "deletion.renyi.not-shown": _found,
    "deletion.replacement": _replacement,
    "premise.release-independent.same": _same,
    "premise.seen-releases": _seen,
    "deletion.adaptive.false-premise": _named("deletion-adaptive-false-premise"),
    "deletion.adaptive.not-attested": _named("deletion-adaptive-not-attested"),
    "fact.deletion.bound": _bound,
    "fact.deletion.measured": _measured,
    "descent.no-constants": _missing("descent-no-constants"),
    "descent.no-constants.fix": _missing("descent-no-constants-fix"),
    "bounds.no-epsilon.fix": _failed,
    "premise.loss-constants.stated": _meant("descent-stated"),
    "premise.loss-constants.known": _meant("descent-stated-known"),
    "premise.loss-constants.attested": _meant("descent-stated-attested"),
    "premise.loss-constants.tested": _meant("descent-stated-tested"),
    "premise.loss-constants.linear": _known("descent-stated-linear"),
    "premise.loss-constants.linear.fix": _known("descent-stated-linear-fix"),
    "premise.rows-bounded": _rows,
    "premise.noise-measured": _noise,
    "carried.beyond": lambda given: say("state-beyond", beyond=both(given.words("beyond"))),
    "state.stateless.not-resumable": _untried,
    "state.stateless.log-same": _numbers("state-log-same", "updates"),
    "state.stateless.acts-late": _numbers("state-acts-late", "updates"),
    "state.stateless.survived": _kept("state-survived"),
    "state.stateless.outlived": _kept("state-outlived"),
    "state.stateless.open.log": _numbers("state-open-log", "after"),
    "state.stateless.open.refused": _refused,
    "fact.stateless.carried": lambda given: f"state.stateless: {', '.join(given.words('names'))}",
}
