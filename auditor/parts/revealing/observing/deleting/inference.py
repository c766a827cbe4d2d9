"""Deletion inference games: played once, attacked by every adversary, and counted (Gao et al. 2022, Definition 3.1).

The same models serve every variant and every view. What is kept are counts: no score of any record leaves this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.attacks.deletion import Adversary, Knowing, Seen, ShadowModels, adversaries
from auditor.attacks.deletion.seen import difference
from auditor.attacks.thresholds import best_threshold
from auditor.audit.run_options import RunOptions
from auditor.base.draws import generator
from auditor.base.records import Floats, Positions
from auditor.case import Case
from auditor.parts.revealing.judging.inference import example, instance, judging
from auditor.parts.revealing.judging.inference.observed import Observed, Tally, Variant, View
from auditor.parts.revealing.judging.log_attack import LogAttack
from auditor.parts.revealing.observing.deleting import remedies
from auditor.parts.revealing.observing.deleting.asking import fast, play
from auditor.parts.revealing.observing.deleting.drawing import Answers, Drawn, Game, UnplayableError, about, draw, fully
from auditor.parts.revealing.observing.deleting.shadows import See, hardest_first, known_labels, shadow_models, views
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.deleting import QUICK_GAMES, asked
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.remedies import PrivateTraining

PROGRESS: Final = "deletion inference games"
SHADOW_GAMES: Final = 100
"""Games that set the threshold of an adversary who is shown a single record."""
QUICK_SHADOW_GAMES: Final = 20
MOST_POPULATION: Final = 50
"""Records never learned that each model is asked about in addition."""
_KNOWING: Final[Mapping[str, Knowing]] = {example.CARD.id: "example", instance.CARD.id: "instance"}


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Games, and what their models answered."""

    drawn: Drawn
    answers: Sequence[Answers]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Everything that adversaries are let at."""

    labels: npt.NDArray[np.generic]
    """Shape (n,): class codes, or real values."""
    games: Played
    shadow_games: Played
    shadow: ShadowModels


def observe(case: Case, context: Context, how: RunOptions, *, log: LogAttack | None = None) -> Mapping[str, Values]:
    """Play the games where somebody asks for them, and count what each adversary makes of them, by check id.

    Args:
        case: The case.
        context: What was declared.
        how: How the run observes.
        log: What the attack on the log's own releases found; None where none was made.

    Raises:
        NoDeviceError: If a run did not use the CUDA device that was found.
        ProcedureError: If the procedure failed.
        SandboxError: If the sandbox did, or a model gave no predictions.
    """
    # Without a game the log may have been attacked all the same, and a log that says nothing of releases seen is no word of one.
    found = {example.CARD.id: Observed(unplayable="not-asked", log=log)} if how.wants((example.CARD.id,)) else {}
    known = [check_id for check_id in _KNOWING if how.wants((check_id,)) and asked(context, check_id)]
    wanted = [check_id for check_id in known if context.procedure.learns_labels or _KNOWING[check_id] == "instance"]
    if not wanted:
        return found
    try:
        table = played(case, how, games=context.inference.games, own=context.inference.deletions - 1)
    except UnplayableError as error:
        found |= {check_id: Observed(unplayable=error.cause) for check_id in wanted}
    else:
        found |= {check_id: _observed(table, _KNOWING[check_id], how) for check_id in wanted}
        # No remedy is measured against several deletions: what is enough for one is no word on them.
        if context.inference.deletions == 1:
            found |= _remedied(case, context, how, table, {check_id: found[check_id] for check_id in wanted})
    if example.CARD.id in found:
        found[example.CARD.id] = found[example.CARD.id].model_copy(update={"log": log})
    return found


def _remedied(
    case: Case, context: Context, how: RunOptions, table: Table, observed: Mapping[str, Observed]
) -> Mapping[str, Observed]:
    """Play the games again under remedies that need models of their own, unless nothing has to be remedied."""
    if all(judging.holds(context, each) for each in observed.values()):
        return {}
    under: dict[Variant, Table] = {"waiting": _waiting(case, how, table)}
    private, training = remedies.private_case(case), None
    if private is not None:
        under["private"] = _private(private.case, how, table)
        right, of = remedies.right(under["private"].games.answers, under["private"].games.drawn.games, table.labels)
        own_right, _ = remedies.right(table.games.answers, table.games.drawn.games, table.labels)
        training = PrivateTraining(epsilon=private.epsilon, delta=private.delta, right=right, own_right=own_right, records=of)
    return {
        check_id: each.model_copy(
            update={
                "private": training,
                "tallies": (
                    *each.tallies,
                    *(one for variant, those in under.items() for one in _against(those, _KNOWING[check_id], variant, how.seed)),
                ),
            }
        )
        for check_id, each in observed.items()
    }


def _waiting(case: Case, how: RunOptions, table: Table) -> Table:
    games = [remedies.standard(game, arrivals=True) for game in table.games.drawn.games]
    population = min(MOST_POPULATION, min(len(game.outside) for game in games) - 1)
    before = [
        remedies.answers_of_standard(game, each, population=population)
        for game, each in zip(table.games.drawn.games, table.games.answers, strict=True)
    ]
    answers = remedies.waiting(case, table.games.drawn.games, how, population=population, before=before)
    return replace(table, games=Played(Drawn(tuple(games), ("one",)), answers))


def _private(case: Case, how: RunOptions, table: Table) -> Table:
    games = tuple(remedies.standard(game) for game in table.games.drawn.games)
    shadow = shadow_models(case, how)
    questions = [about(case.train.features, game, population=MOST_POPULATION) for game in games]
    answers = play(case, questions, how, name="deletion games, private training")
    return replace(table, games=Played(Drawn(games, ("one",)), answers), shadow=shadow)


def _against(table: Table, knowing: Knowing, variant: Variant, seed: int) -> Iterator[Tally]:
    """Every adversary at the standard deletion of these games."""
    see = views(table.labels)["scores"]
    for adversary in adversaries(knowing, classes=table.labels.dtype.kind != "f"):
        rng = generator(seed, "deleting", "adversary", adversary.name, variant)
        attack = _Attack(table, adversary, adversary.fit(table.shadow, rng=rng), see, "scores", rng)
        yield attack.standard().model_copy(update={"variant": variant})


def played(case: Case, how: RunOptions, *, games: int, own: int = 0) -> Table:
    """Draw and play so many games, a few more to set thresholds on, and shadow models; `own` is that of `draw`.

    Raises:
        UnplayableError: If the data do not allow it.
    """
    classifies = case.settings.data.task == "classification"
    count = min(games, QUICK_GAMES) if how.quick else games
    # Before anything is trained it is found whether there can be games.
    draw(case.train, name="inference", games=1, seed=how.seed, classes=classifies)
    shadow = shadow_models(case, how)
    trying = draw(
        case.train,
        name="inference",
        games=count,
        seed=how.seed,
        classes=classifies,
        fully=None if fast(case) else fully(count),
        hardest=hardest_first(shadow),
        own=own,
    )
    setting = draw(
        case.train,
        name="inference-shadow",
        games=QUICK_SHADOW_GAMES if how.quick else min(SHADOW_GAMES, games),
        seed=how.seed,
        classes=classifies,
        several=(),
    )
    questions = [about(case.train.features, game, population=MOST_POPULATION) for game in (*trying.games, *setting.games)]
    answers = play(case, questions, how, name=PROGRESS)
    return Table(
        labels=known_labels(case),
        games=Played(trying, answers[: len(trying.games)]),
        shadow_games=Played(setting, answers[len(trying.games) :]),
        shadow=shadow,
    )


def _observed(table: Table, knowing: Knowing, how: RunOptions) -> Observed:
    games = table.games.drawn.games
    return Observed(
        games=len(games),
        trained=len(games[0].trained),
        shadow_models=len(table.shadow.trained_on),
        tallies=tuple(tallies(table, knowing, seed=how.seed)),
    )


def tallies(table: Table, knowing: Knowing, *, seed: int) -> Iterator[Tally]:
    """Count what every adversary makes of every variant and view, the named algorithm at the standard game first.

    Views other than the whole answer are counted for the standard game, and a single record for the named algorithm, alone.

    Args:
        table: Everything that adversaries are let at.
        knowing: What they know of the two records.
        seed: The auditor's own: of coins, and of what an adversary draws.
    """
    classes = table.labels.dtype.kind != "f"
    named = adversaries(knowing, classes=classes)[0].name
    for view, see in views(table.labels).items():
        shadow = replace(table.shadow, answers=see(table.shadow.answers))
        for adversary in adversaries(knowing, classes=classes):
            rng = generator(seed, "deleting", "adversary", adversary.name, view)
            attack = _Attack(table, adversary, adversary.fit(shadow, rng=rng), see, view, rng)
            yield attack.standard()
            if view == "scores":
                yield from attack.further()
                if adversary.name == named:
                    yield attack.single()


class _Attack:
    """One adversary at every game, through one view."""

    def __init__(
        self, table: Table, adversary: Adversary[Any], state: Any, see: Any, view: View, rng: np.random.Generator
    ) -> None:
        self._table = table
        self._adversary = adversary
        self._state = state
        self._see = see
        self._view = view
        self._rng = rng

    def standard(self) -> Tally:
        """The deleted record and one that stays."""
        gone, kept = self._pair(self._table.games, 0)
        return self._tally("two", gone, kept)

    def further(self) -> Iterator[Tally]:
        """Every other pair of records."""
        yield self._tally("hidden", self._scores(self._table.games, 0, "gone"), self._scores(self._table.games, 0, "outside"))
        for number, kind in enumerate(self._table.games.drawn.kinds):
            match kind:
                case "one":
                    continue
                case "own-before":
                    # What is left is compared directly before and directly after the deletion in question.
                    yield self._tally(kind, *self._pair(self._table.games, number, (-2, -1)))
                case "own-after":
                    yield self._tally(kind, *self._since(number))
                case _:
                    yield self._tally(kind, *self._pair(self._table.games, number))

    def _since(self, number: int) -> tuple[Floats, Floats]:
        """Score the first model against each later one, on average: what one release hides by noise, several may show."""
        later = len(self._table.games.answers[0].seen(number)) - 1
        pairs = [self._pair(self._table.games, number, (0, turn)) for turn in range(1, later + 1)]
        gone, kept = (np.sum([pair[side] / later for pair in pairs], axis=0) for side in (0, 1))
        return gone, kept

    def single(self) -> Tally:
        """One record, deleted or not by a fair coin: the threshold is set on games apart."""
        threshold = best_threshold(*self._members(self._pair(self._table.shadow_games, 0)))
        gone, kept = self._pair(self._table.games, 0)
        deleted = self._rng.random(len(gone)) < 0.5
        said = np.where(deleted, gone, kept) > threshold
        right = int(np.count_nonzero(said == deleted))
        return self._counted("one", len(gone), right, 0)

    def _pair(self, played: Played, number: int, models: tuple[int, int] = (0, -1)) -> tuple[Floats, Floats]:
        return self._scores(played, number, "gone", models), self._scores(played, number, "kept", models)

    def _members(self, pair: tuple[Floats, Floats]) -> tuple[Floats, npt.NDArray[np.bool_]]:
        return np.concatenate(pair), np.repeat([True, False], len(pair[0]))

    def _scores(self, played: Played, number: int, role: str, models: tuple[int, int] = (0, -1)) -> Floats:
        return self._adversary.score(self._state, _seen(self._table.labels, played, number, role, models, self._see))

    def _tally(self, variant: Variant, gone: Floats, kept: Floats) -> Tally:
        leads = difference(gone, kept)
        return self._counted(variant, len(leads), int((leads > 0).sum()), int((leads == 0).sum()))

    def _counted(self, variant: Variant, games: int, wins: int, ties: int) -> Tally:
        return Tally(
            attack=self._adversary.name,
            variant=variant,
            view=self._view,
            games=games,
            wins=wins,
            ties=ties,
            ties_won=int(self._rng.binomial(ties, 0.5)),
        )


def _seen(labels: npt.NDArray[np.generic], played: Played, number: int, role: str, models: tuple[int, int], see: See) -> Seen:
    """What is seen of one record of every game that tries a deletion, and of records never learned, by two of its models."""
    those = [(game, each) for game, each in zip(played.drawn.games, played.answers, strict=True) if number < len(game.deleted)]
    rows = [_row(game, number, role) for game, _ in those]
    records = np.array([_record(game, number, role) for game, _ in those], dtype=np.int64)
    population = [slice(2 * len(game.deleted) + 1, None) for game, _ in those]
    fewest = min(len(each.before) - part.start for (_, each), part in zip(those, population, strict=True))
    others: Positions = np.stack([game.outside[1 : 1 + fewest] for game, _ in those])

    def answered(model: int) -> tuple[Floats, Floats]:
        arrays = [each.seen(number)[model] for _, each in those]
        own = np.stack([array[row] for array, row in zip(arrays, rows, strict=True)])
        beside = np.stack([array[part][:fewest] for array, part in zip(arrays, population, strict=True)])
        return see(own), see(beside)

    before, population_before = answered(models[0])
    after, population_after = answered(models[1])
    return Seen(
        before=before,
        after=after,
        labels=labels[records],
        records=records,
        population_before=population_before,
        population_after=population_after,
        population_labels=labels[others],
        population_records=others,
    )


def _row(game: Game, number: int, role: str) -> int:
    return 2 * len(game.deleted) if role == "outside" else 2 * number + (role == "kept")


def _record(game: Game, number: int, role: str) -> int:
    match role:
        case "outside":
            return int(game.outside[0])
        case "kept":
            return int(game.kept[number])
        case _:
            return int(game.deleted[number][0])
