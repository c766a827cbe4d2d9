"""Everything that a run observes of a whole controller."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from auditor.case import Case
from auditor.checks import data_erased, privacy_continual
from auditor.checks.control.observed import Observed as Games
from auditor.checks.finding import Values
from auditor.checks.history.independence import CARD
from auditor.checks.history.observed import Observed, Tried
from auditor.observing import continual
from auditor.observing.games import executions, pan_privacy
from auditor.observing.games.experiment import experiment as play_games
from auditor.observing.histories import erased
from auditor.observing.histories.experiment import QUICK, USUAL, Sizes, experiment
from auditor.observing.histories.playing import Player
from auditor.observing.histories.sandboxed import Stand
from auditor.observing.how import How
from auditor.settings.controller import ControllerTable


def observe(case: Case, how: How, seen: dict[str, Values]) -> None:
    """Play the controller of a case, where it has one, and note what is seen as soon as it is.

    Args:
        case: The case.
        how: How to observe.
        seen: By check id; what a run of the learning procedure saw stays.

    Raises:
        ProcedureError: If the controller fails; what was seen before is in `seen`.
        SandboxError: If the sandbox does.
    """
    table = case.settings.controller
    if table is None:
        return
    stand = replace(Stand.of(case, how.level), on_modules=how.on_modules)
    if how.wants((CARD.id,)):
        before = seen.get(CARD.id)
        learner = before.pipeline if isinstance(before, Observed) else None

        def note(tried: Tried) -> None:
            seen[CARD.id] = Observed(tried=tried, pipeline=learner)

        experiment(table.vocabulary, lambda: rooms(stand), seed=how.seed, sizes=sizes(table, quick=how.quick), note=note)
    for kind in executions.Kind:
        if how.wants((kind.value,)):
            limits = sizes(table, quick=how.quick)
            games = play_games(kind, table.vocabulary, lambda: rooms(stand), seed=how.seed, sizes=limits, bits=table.tape_bits)
            seen[kind.value] = Games(tried=games)
    if how.wants((privacy_continual.CARD.id,)):
        runs = pan_privacy.QUICK if how.quick else pan_privacy.RUNS
        if table.use in privacy_continual.COUNTERS:
            with stand.player() as player:
                noise = continual.observe(player, table.use, seed=how.seed, quick=how.quick)
                told = pan_privacy.play(player, table.vocabulary, seed=how.seed, runs=runs)
            seen[privacy_continual.CARD.id] = noise.model_copy(update={"games": told})
        elif table.use in privacy_continual.BATCHES or (table.entry is not None and case.settings.claims.dp is not None):
            with stand.player() as player:
                told = pan_privacy.play(player, table.vocabulary, seed=how.seed, runs=runs)
            seen[privacy_continual.CARD.id] = privacy_continual.Observed(games=told)
    records = seen.get(data_erased.CARD.id) if case.settings.procedure.learns else _no_records()
    if how.wants((data_erased.CARD.id,)) and isinstance(records, data_erased.Observed):
        kept = erased.observe(stand, table.vocabulary, seed=how.seed)
        seen[data_erased.CARD.id] = records.model_copy(update={"controller": kept})


def sizes(table: ControllerTable, *, quick: bool) -> Sizes:
    """How much is played of a controller: as many histories of each adversary that draws them as its table says."""
    return QUICK if quick else USUAL._replace(by_chance=table.games, searched=table.games)


@contextmanager
def rooms(stand: Stand) -> Iterator[tuple[Player, Player]]:
    """Open two processes that have played nothing yet."""
    with stand.player() as left, stand.player() as right:
        yield left, right


def _no_records() -> data_erased.Observed:
    """What there is to see of records where nothing learned."""
    return data_erased.Observed(
        deleted=0,
        by_identifier_only=0,
        found=0,
        request_ids=(),
        searched=(),
        not_searched=(),
        open_in_store=(),
        open_elsewhere=(),
        recognised_in_store=False,
    )
