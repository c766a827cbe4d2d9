"""Strong compliance of a learner (Gao et al., Figure 4): what it keeps, and what others are answered, with a person and without.

The collector is the learner with its model and its files, the person has a record learned and deleted, the environment is
everybody else. State and answers have to be as if the person had never been there (Garg, Goldwasser and Vasudevan 2020;
Definition 4.1 of deletion-as-control). An environment that is answered while the person's record is in the model learns of it
wherever training reacts to records, however well they are deleted later: such games are kept apart.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from auditor.base.domain import Message, Provenance
from auditor.maths.statistics.two_laws import epsilon_lower
from auditor.parts.controllers.judging.history.observed import Law
from auditor.parts.controllers.judging.made_for import Goal
from auditor.settings.attestations import HONEST
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding, Values, inconclusive
from auditor.verdict.checks.levels import Level, share, spent
from auditor.verdict.checks.stated import Amount, Count
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import fact

TEST: Final = "confidentiality-learner"
"""The share of the level at which fresh seeds tell the two worlds apart."""
SEEN: Final = "seen-releases"
"""The word on who saw a model that an erased record was in."""
PROCESS: Final = "process"
"""What differs elsewhere in the memory of a process, as in libraries, which remember calls and warnings on their own."""
_NAMED: Final = 3
"""Games that a sentence lists."""


class Going(StrEnum):
    """When the person's deletion comes."""

    ALONE = "alone"
    BETWEEN = "between"
    LAST = "last"
    TOGETHER = "together"
    TWO_RECORDS = "two-records"


class LearnerGame(Values):
    """One game, played with the person and without."""

    going: Going
    watched: bool
    """Whether the environment was answered while the person's record was in the model, too."""
    differing: tuple[str, ...]
    """Kinds of what differs: answers-before, answers, parameters, state, saved file, object, scalar, files, process."""
    largest: Amount | None
    """The largest absolute difference of parameters or answers; None where there is none to tell."""

    @property
    def apart(self) -> bool:
        """Whether it tells the two worlds apart."""
        return not set(self.differing) <= {PROCESS}


class LearnerGames(Values):
    """What became of the games."""

    untried: Message | None = None
    """Why none was played."""
    records: Count = 0
    """That the model is learned from without the person."""
    compared: tuple[str, ...] = ()
    """Kinds of what both worlds showed."""
    steady: bool = True
    """Whether the same game under the same seeds came out the same again."""
    ignores_seed: bool = False
    """Whether other seeds changed nothing."""
    moving: Count = 0
    """Single numbers in memory that differ of themselves, as times do: what else they may hold cannot be compared."""
    played: tuple[LearnerGame, ...] = ()
    laws: tuple[Law, ...] = ()
    """Games under fresh seeds, by an event that was chosen on other runs; left is the world with the person."""


class Derived(Values):
    """What the games come to."""

    epsilon: float
    """The ε that was promised; 0 where nothing was."""
    delta: float
    differing: tuple[LearnerGame, ...]
    """Those that count."""
    by_watching: tuple[LearnerGame, ...]
    """Those that differ for an environment that was answered while the person was there, where nobody says that there is one."""
    refuted_epsilon: float | None
    """The largest ε that fresh seeds refute at that δ; None where they were not needed."""


def judged(context: Context, found: LearnerGames | None, promised: Goal) -> Finding:
    """Count the games that tell the two worlds apart; none may.

    Args:
        context: What was declared.
        found: What the games showed.
        promised: The ε and δ that are allowed.
    """
    if found is None or found.untried is not None:
        why = Message("games.learner.not-seen") if found is None else found.untried
        return inconclusive(Message("games.not-shown", {"why": why}))
    watching = context.policy.before_and_after
    differing = tuple(each for each in found.played if each.apart and (watching or not each.watched))
    aside = tuple(each for each in found.played if each.apart and each.watched and not watching)
    epsilons = refuted(found, promised.delta)
    apart = sum(each > promised.epsilon for each in epsilons)
    derived = Derived(
        epsilon=promised.epsilon,
        delta=promised.delta,
        differing=differing,
        by_watching=aside,
        refuted_epsilon=max(epsilons, default=None),
    )
    value, said = _value(context, found, derived, apart)
    begin = {"games": len(found.played), "records": found.records, "compared": list(found.compared), "watched": watching}
    told = Message("fact.games.told-apart", {"check": "confidentiality.game", **promised._asdict()})
    return Finding(
        status=decide_at_most(value, 0.0),
        value=None if value is None else float(value),
        threshold=0.0,
        reasons=(Message("games.learner.played", begin), *said),
        derived=derived,
        facts=(fact("confidentiality-unrefuted", Provenance.REFUTED, told),) if value else (),
    )


def _value(context: Context, found: LearnerGames, derived: Derived, apart: int) -> tuple[int | None, tuple[Message, ...]]:
    """The games that count against it, and why; None where that is open."""
    differing = derived.differing
    numbers = {"games": apart, "epsilon": derived.refuted_epsilon, "delta": derived.delta}
    laws = (Message("games.learner.apart", numbers),) if apart else ()
    shown = (_different(differing),) if differing else ()
    if not found.steady:
        return apart or None, (Message("games.learner.chance"), *(laws or (Message("games.chance-open"),)))
    if differing and found.ignores_seed:
        return len(differing), shown
    if differing:
        return (len(differing), (*shown, *laws)) if apart else (None, (*shown, Message("games.fresh-open")))
    if (why := _unclear(context, found, derived)) is not None:
        return None, (why,)
    aside = (Message("games.learner.unseen", {"games": len(derived.by_watching)}),) if derived.by_watching else ()
    return 0, (Message("games.learner.same"), *aside)


def _unclear(context: Context, found: LearnerGames, derived: Derived) -> Message | None:
    """Why nothing that differs is no pass; None where it is one."""
    quiet, watched = ({each.going for each in found.played if each.watched is seen} for seen in (False, True))
    shown, aside = set(found.compared), len(derived.by_watching)
    elsewhere = sum(PROCESS in each.differing for each in found.played)
    needs = {SEEN: aside > 0, HONEST: context.procedure.foreign}
    unsaid = next((word for word, needed in needs.items() if needed and not context.attests(word)), None)
    because = (
        (quiet != set(Going) or not watched, Message("games.few")),
        (not shown & {"parameters", "saved file"} or "answers" not in shown, Message("games.learner.unseen-model")),
        (elsewhere > 0, Message("games.learner.elsewhere", {"games": elsewhere})),
        (found.moving > 0, Message("games.learner.moving", {"numbers": found.moving})),
        (aside > 0 and context.both_seen, Message("games.learner.seen", {"games": aside})),
        (unsaid is not None, Message("games.learner.not-attested", {"word": unsaid})),
        (context.quick, Message("games.quick")),
    )
    return next((why for holds, why in because if holds), None)


def _different(found: tuple[LearnerGame, ...]) -> Message:
    named = [{"going": each.going.value, "kinds": list(each.differing)} for each in found[:_NAMED]]
    return Message("games.learner.different", {"games": len(found), "named": named})


def refuted(found: LearnerGames, delta: float) -> tuple[float, ...]:
    """By law the ε that is refuted at δ, all at a level that they share (Bonferroni).

    Definition 4.1 compares the laws themselves, without a simulator, so that δ is allowed once.
    """
    confidence = 1 - share(TEST) / max(len(found.laws), 1)
    able = (each for each in found.laws if max(each.left, each.right) <= each.runs)
    return tuple(epsilon_lower(each.left, each.right, each.runs, confidence=confidence, delta=delta) for each in able)


def levels(found: LearnerGames | None) -> tuple[Level, ...]:
    """Declare the test of fresh seeds; without it every difference is certain."""
    return (spent(TEST),) if found is not None and found.laws else ()
