"""Audits of honest cases, drawn by the thousand: how often chance accuses one, or leaves it open.

    PYTHONPATH=tests python tests/honest_audits.py [REPORTS]

draws so many reports and prints a table: each check's whole judge on observations of a case in which nothing is amiss, at the
limit of what is allowed where there is one, and as skewed and discrete as they come. What the tests of all checks do together in
one report stands in the last row.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from auditor.attacks.deletion import adversaries
from auditor.base.domain import Effect, Status
from auditor.document.context import ControllerFacts
from auditor.maths.statistics import sign_flip_p
from auditor.parts.controllers.judging import privacy_continual
from auditor.parts.controllers.judging.control.judging import GamesTried, ReachedStates
from auditor.parts.controllers.judging.control.judging import Observed as OfGames
from auditor.parts.controllers.judging.control.learner import LearnerGames
from auditor.parts.controllers.judging.history.observed import Event, Law, Played, Tried
from auditor.parts.controllers.judging.history.observed import Observed as OfHistories
from auditor.parts.controllers.rules import tree_counter
from auditor.parts.data_deletion.judging import state_stateless
from auditor.parts.data_deletion.judging.observed import Observed as OfDeletion
from auditor.parts.revealing.judging.inference.observed import Observed as OfInference
from auditor.parts.revealing.judging.inference.observed import Tally
from auditor.parts.revealing.judging.reconstruction.observed import LabelObserved, Wins
from auditor.parts.revealing.judging.reconstruction.observed import Tally as RebuiltTally
from auditor.parts.swap.judging import quality, strong
from auditor.parts.swap.judging.estimates import PairAcceptances, PairAdvantages
from auditor.parts.swap.judging.one_run import OneRun
from auditor.parts.usefulness.judging.answers import Accepted, InferenceObserved, MembershipObserved
from auditor.recheck.derivations import declared_in, observed_in
from auditor.recheck.files import read_evidence
from auditor.settings.learning import Foreign
from auditor.settings.tables import Policy, SwapTable
from auditor.verdict.checks import definitions
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding, Values
from auditor.verdict.checks.levels import Level, together
from judging import case_facts, declared

GOLDEN: Final = Path(__file__).parent / "golden" / "0.2.0"
DOUBTS: Final = frozenset(
    {
        "answers.copied",
        "games.doubted",
        "inference.log-above",
        "privacy.continual.doubted",
        "state.history_independent.doubted",
        "swap.quality.trained-on",
        "swap.strong.doubted",
    }
)
"""Reasons that a test gives which keeps from passing."""

Drawn = tuple[Context, Values]


@dataclass(frozen=True)
class Honest:
    """One check on observations of an honest case."""

    check: str
    law: str
    """What is special about what is drawn."""
    draw: Callable[[np.random.Generator], Drawn]
    of_answers: bool = False
    """Whether it is of cases that have answers alone."""


@dataclass(frozen=True)
class Judged:
    """What the judge made of it."""

    accused: bool
    left_open: bool
    levels: tuple[Level, ...]


def judged(honest: Honest, rng: np.random.Generator) -> Judged:
    """Draw once, and judge by the whole judge of the check."""
    definition, (context, observed) = definitions()[honest.check], honest.draw(rng)
    earlier = {name: _earlier(name) for name in definition.card.needs}
    finding = definition.judge(context, observed, earlier)
    doubted = any(reason.code in DOUBTS for reason in finding.reasons)
    return Judged(finding.status is Status.FAIL, doubted, definition.levels(context, observed, finding))


@cache
def _earlier(check_id: str) -> Finding:
    return _noisy()[2] if check_id == "state.stateless" else Finding(Status.SKIPPED)


# Pairs of models, and models one by one


def _quality(rng: np.random.Generator, *, law: str, pairs: int) -> Drawn:
    most, size = 0.1, (2, pairs)
    match law:
        case "like retraining":
            own = 0.05 * rng.normal(size=size)
        case "like retraining, skewed":  # signs are fair coins, and a few pairs differ a lot
            own = (rng.exponential(0.06, pairs) ** 1.5 * rng.choice([-1.0, 1.0], pairs))[None] * np.array([[1.0], [0.7]])
        case "at the limit, nearly always the same":
            own = np.where(rng.random(pairs) < 0.9, most / 0.9, 0.0)[None] * np.array([[1.0], [0.8]])
        case "at the limit, seldom and then all":
            own = (rng.random(pairs) < most).astype(float)[None] * np.array([[1.0], [-1.0]])
        case _:
            raise ValueError(law)
    retrained, unlearned = rng.exponential(0.1, (2, *size))  # one skewed law, drawn twice
    names = ("loss", "rmia")

    def by_attack(rows: Any) -> dict[str, tuple[float, ...]]:
        return {name: tuple(np.clip(row, -1, 1).tolist()) for name, row in zip(names, rows, strict=True)}

    zero, idle = np.zeros(size), np.full(size, 0.6)
    observed = quality.Observed(
        pair_advantages=PairAdvantages(
            procedure=by_attack(own), do_nothing=by_attack(idle), retrained=by_attack(zero), control=by_attack(zero)
        ),
        pair_acceptances=PairAcceptances(
            procedure=by_attack(np.clip(unlearned, 0, 1)), retrained=by_attack(np.clip(retrained, 0, 1))
        ),
        undecided=dict.fromkeys(names, 0.3),
        forgotten=(5,) * pairs,
        batches=1,
        areas=dict.fromkeys(names, 0.5),
        reference_models=6,
    )
    case = case_facts(training_records=120)
    return declared(case=case, policy=Policy(min_quality=1 - most), swap=SwapTable(pairs=pairs)), observed


def _one_run(rng: np.random.Generator) -> Drawn:
    seen = OneRun(canaries=800, forgotten=400, right=int(rng.binomial(200, 0.5)), right_before=200, right_retrained=100)
    context = declared(policy=Policy(min_quality=1.0), swap=SwapTable(mode="one-run"))
    return context, quality.Observed(one_run=seen)


def _whole_set(rng: np.random.Generator, *, models: int) -> Drawn:
    observed = strong.Observed(
        models=models, named=int(rng.binomial(models, 0.5)), named_do_nothing=models, named_retrained=models // 2
    )
    return declared(policy=Policy(required=("swap.strong",))), observed


# Whole programs

_WHOLE: Final = ControllerFacts(
    use=None,
    entry="store.py:Store",
    params={},
    operations={"set": ("*",)},
    commuting=("set",),
    games=120,
    digest="0" * 64,
)


def _laws(rng: np.random.Generator, count: int) -> tuple[Law, ...]:
    chances = rng.choice([0.02, 0.3, 0.5, 1.0], count)
    left, right = rng.binomial(200, chances), rng.binomial(200, chances)
    rows = zip(left.tolist(), right.tolist(), strict=True)
    return tuple(Law(adversary="by-chance", adapts=False, event=Event.HOLDS, runs=200, left=a, right=b) for a, b in rows)


def _games(rng: np.random.Generator) -> Drawn:
    reached = ReachedStates(adversary="by-chance", runs=200, real=int(rng.binomial(200, 0.3)), ideal=int(rng.binomial(200, 0.3)))
    tried = GamesTried(
        games=120,
        operations=900,
        deterministic=True,
        ignores_tape=False,
        searched=True,
        played=(Played(adversary="by-chance", histories=120, different=0),),
        cases=(),
        laws=_laws(rng, 18),
        reached=(reached,),
    )
    return declared(controller=_WHOLE), OfGames(tried=tried)


def _learner_games(rng: np.random.Generator) -> Drawn:
    """A learner in which chance plays a part, so that laws alone decide."""
    policy = Policy(required=("confidentiality.game",), rationale={"required": "a test"})
    found = LearnerGames(compared=("answers", "parameters"), steady=False, laws=_laws(rng, 1))
    return declared(policy=policy), OfGames(learner=found)


def _histories(rng: np.random.Generator) -> Drawn:
    tried = Tried(
        histories=600,
        operations=7_000,
        deterministic=True,
        ignores_tape=False,
        searched=True,
        played=(Played(adversary="by-chance", histories=300, different=0),),
        counterexamples=(),
        laws=_laws(rng, 22),
    )
    return declared(controller=_WHOLE), OfHistories(tried=tried)


def _continual(rng: np.random.Generator) -> Drawn:
    sigma, state, release = tree_counter.node_noise(1.0, 1e-6, 15), 1200, 600
    noise, more = rng.normal(size=release), rng.normal(size=release)
    observed = privacy_continual.Observed(
        tapes=300,
        state=privacy_continual.Drawn(count=state, squares=float(rng.chisquare(state)) * sigma**2),
        release=privacy_continual.Drawn(count=release, squares=float(noise @ noise) * sigma**2),
        products=float(noise @ more) * sigma**2,
        moved=4.0,
        games=_laws(rng, 7),
    )
    facts = {"params": {"epsilon": 1.0, "delta": 1e-6, "horizon": 15}, "operations": {"add": (), "tick": ()}}
    whole = _WHOLE.model_copy(update={"use": "tree-counter", "entry": None, **facts})
    return declared(controller=whole), observed


# What is carried on, and noise


def _resumed(rng: np.random.Generator) -> Drawn:
    """Two routes on which original and resumed runs have one skewed law; half of the runs differ in nothing."""

    def p() -> float:
        pairs = rng.choice([0.0, 1.0], 17) * rng.exponential(1.0, 17) ** 3 * rng.choice([-1.0, 1.0], 17)
        return sign_flip_p((pairs / max(np.abs(pairs).max(), 1.0))[None], rng=rng)

    tried = state_stateless.Tried(
        updates=4,
        deterministic=False,
        slow=False,
        pairs=17,
        survived=0,
        survivors=(),
        from_parameters=state_stateless.Resumed(p=p(), after=2),
        from_file=state_stateless.Resumed(p=p(), after=2),
    )
    policy = Policy(required=("state.stateless",))
    return declared(procedure=Foreign(entry="a.py:B", seed=1), policy=policy), state_stateless.Observed(tried=tried)


@cache
def _noisy() -> tuple[Context, OfDeletion, Finding]:
    """A sample of noisy gradient descent, with what was found of its state."""
    evidence = read_evidence((GOLDEN / "breast-cancer-noisy-gd.json").read_bytes(), "evidence.json").evidence
    observed = dict(observed_in(evidence))
    context, stateless = declared_in(evidence).context, observed["state.stateless"]
    seen = observed["deletion.renyi"]
    assert isinstance(seen, OfDeletion)
    return context, seen, definitions()["state.stateless"].judge(context, stateless, {})


def _noise(rng: np.random.Generator) -> Drawn:
    context, seen, _ = _noisy()
    run, procedure = seen.descent, context.procedure.descent
    assert run is not None
    assert run.noise is not None
    assert procedure is not None
    squares = [float(rng.chisquare(each.count)) * procedure.sigma2 for each in run.noise.updates]
    rows = zip(run.noise.updates, squares, strict=True)
    updates = tuple(each.model_copy(update={"measured": square / each.count}) for each, square in rows)
    noise = run.noise.model_copy(update={"measured": sum(squares) / run.noise.count, "updates": updates})
    return context, seen.model_copy(update={"descent": run.model_copy(update={"noise": noise})})


# Before and after a deletion, and answers

LIMIT: Final = 0.6


def _inference(rng: np.random.Generator, *, knowing: Any, games: int) -> Drawn:
    names = [each.name for each in adversaries(knowing, classes=True)]
    # Every attack at the limit, and all but one by the same games.
    right = [*([int(rng.binomial(games, LIMIT))] * (len(names) - 1)), int(rng.binomial(games, LIMIT))]
    tallies = tuple(
        Tally(attack=name, variant="two", view="scores", games=games, wins=won, ties=0, ties_won=0)
        for name, won in zip(names, right, strict=True)
    )
    return declared(policy=Policy(max_inference=LIMIT)), OfInference(games=games, trained=50, shadow_models=8, tallies=tallies)


def _labels(rng: np.random.Generator) -> Drawn:
    def tally(name: str) -> RebuiltTally:
        won = int(rng.binomial(300, 0.3))
        return RebuiltTally(
            attack=name, games=300, wins=won, ties=0, ties_won=0, of_two=Wins(games=300, wins=won, ties=0, ties_won=0)
        )

    observed = LabelObserved(games=300, trained=90, decoys=2, tallies=(tally("range"), tally("records")))
    return declared(policy=Policy(max_reconstruction=0.3)), observed


def _answers(rng: np.random.Generator, *, deleted: int) -> Drawn:
    def accepted(chance: float, beyond: float) -> Accepted:
        return Accepted(
            deleted=int(rng.binomial(deleted, chance + beyond)),
            unseen=int(rng.binomial(200, chance)),
            known=int(rng.binomial(200, 0.97)),
            asked_known=200,
        )

    observed = MembershipObserved(
        deleted=deleted,
        unseen=200,
        accepted={"confidence": accepted(0.5, 0.0), "difference": accepted(0.5, 0.05)},
        copied=int(rng.binomial(deleted, 0.05)),
        others=1000,
        copied_others=int(rng.binomial(1000, 0.05)),
    )
    return declared(policy=Policy(min_quality=0.95)), observed


def _couples(rng: np.random.Generator) -> Drawn:
    return declared(policy=Policy(max_inference=LIMIT)), InferenceObserved(couples=200, right=int(rng.binomial(200, LIMIT)))


HONEST: Final = (
    *(
        Honest("swap.quality", f"{law}, {pairs} pairs", partial(_quality, law=law, pairs=pairs))
        for law, pairs in (
            ("like retraining", 8),
            ("like retraining, skewed", 20),
            ("at the limit, nearly always the same", 20),
            ("at the limit, nearly always the same", 80),
            ("at the limit, seldom and then all", 80),
        )
    ),
    Honest("swap.quality", "one run, 200 guesses", _one_run),
    *(Honest("swap.strong", f"{models} models", partial(_whole_set, models=models)) for models in (16, 40, 200)),
    Honest("control.game", "18 laws", _games),
    Honest("confidentiality.game", "18 laws", _games),
    Honest("confidentiality.game", "a learner, one law", _learner_games),
    Honest("state.history_independent", "22 laws", _histories),
    Honest("privacy.continual", "7 games and noise", _continual),
    Honest("state.stateless", "17 pairs, skewed", _resumed),
    Honest("deletion.renyi", "noise of every update", _noise),
    *(
        Honest(f"inference.{knowing}", f"at the limit, {games} games", partial(_inference, knowing=knowing, games=games))
        for knowing, games in (("example", 200), ("instance", 1000))
    ),
    Honest("reconstruction.label", "at the limit, 300 games", _labels),
    *(
        Honest("answers.membership", f"at the limit, {deleted} deleted", partial(_answers, deleted=deleted), of_answers=True)
        for deleted in (12, 300)
    ),
    Honest("answers.inference", "at the limit, 200 couples", _couples, of_answers=True),
)


@dataclass(frozen=True)
class Row:
    """How often chance decided, and how often it may."""

    name: str
    draws: int
    accused: int
    left_open: int
    accuses: float
    leaves_open: float


def rows(reports: int, *, honest: Sequence[Honest] = HONEST, seed: int = 0) -> Iterator[Row]:
    """Draw reports, each with every check once, and count: check by check, and the reports with any.

    Of one check with several laws the report has one, in turn; cases of answers alone are reports of their own.
    """
    counted: dict[Honest, Counter[str]] = {each: Counter() for each in honest}
    spent: dict[Honest, tuple[Level, ...]] = dict.fromkeys(honest, ())
    whole, every = Counter[str](), {False: dict[str, Level](), True: dict[str, Level]()}
    laws: dict[str, list[Honest]] = {}
    for each in honest:
        laws.setdefault(each.check, []).append(each)
    for number in range(reports):
        for of_answers in (False, True):
            accused = left_open = False
            for check, choices in laws.items():
                if choices[0].of_answers is not of_answers:
                    continue
                each = choices[number % len(choices)]
                found = judged(each, np.random.default_rng([seed, number, sum(check.encode())]))
                counted[each].update(draws=1, accused=found.accused, left_open=found.left_open)
                spent[each] = max(spent[each], found.levels, key=lambda given: sum(level.level for level in given))
                every[of_answers] |= {level.test: level for level in found.levels}
                accused, left_open = accused or found.accused, left_open or found.left_open
            whole.update(draws=1, accused=accused, left_open=left_open)
    for each, count in counted.items():
        yield _row(f"{each.check}: {each.law}", count, spent[each])
    largest = max(every.values(), key=lambda given: together(given.values(), Effect.ACCUSES))
    yield _row("a whole report", whole, tuple(largest.values()))


def _row(name: str, count: Counter[str], levels: Sequence[Level]) -> Row:
    accuses, leaves_open = together(levels, Effect.ACCUSES), together(levels, Effect.LEAVES_OPEN)
    return Row(name, count["draws"], count["accused"], count["left_open"], accuses, leaves_open)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    reports = int(arguments[0]) if arguments else 2000
    print(f"{'check: what is drawn':68} {'draws':>6} {'accused':>8} {'at most':>9} {'open':>6} {'at most':>8}")
    for row in rows(reports):
        print(
            f"{row.name:68} {row.draws:6} {row.accused / max(row.draws, 1):8.5f} {row.accuses:9.6f} "
            f"{row.left_open / max(row.draws, 1):6.4f} {row.leaves_open:8.4f}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
