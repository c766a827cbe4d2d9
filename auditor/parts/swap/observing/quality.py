"""What `swap.quality`, `swap.strong` and `swap.controls` take from the scores of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from auditor.base.domain import Floats
from auditor.case import Case
from auditor.parts.swap.judging import controls, game, quality, strong
from auditor.parts.swap.judging.scores import Identical, PairAcceptances, PairAdvantages
from auditor.parts.swap.observing.confusion import Confusion
from auditor.parts.swap.observing.drawing import Game
from auditor.parts.swap.observing.scoring import Attacked, Scored
from auditor.verdict.checks.finding import Values


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """A game's scores for the procedure and for its controls."""

    attacks: tuple[str, ...]
    """Names, in the order of the scores' rows."""
    procedure: Attacked
    do_nothing: Attacked
    """The no-unlearning baseline: models that unlearned decoys."""
    fresh: Attacked
    """Retraining with fresh seeds: the null."""
    control: Scored
    """Retraining with equal seeds in s and s'."""
    undecided: Floats
    """Shape (attacks,): how far each attack is from accepting nearly none or all after unlearning."""
    confusion: Confusion | None
    learned: Attacked | None = None
    """Models before unlearning; None where nothing is claimed of them."""


def observe(case: Case, drawn: Game, results: Results) -> Mapping[str, Values]:
    """List what the attacks found, by check id."""
    scored = {
        "procedure": results.procedure.scored,
        "do_nothing": results.do_nothing.scored,
        "retrained": results.fresh.scored,
        "control": results.control,
    }
    if results.learned is not None:
        scored["learned"] = results.learned.scored

    def by_attack(rows: Floats) -> dict[str, tuple[float, ...]]:
        return {name: tuple(row) for name, row in zip(results.attacks, rows.tolist(), strict=True)}

    advantages = {kind: by_attack(each.advantages) for kind, each in scored.items()}
    confusion = results.confusion
    return {
        quality.CARD.id: quality.Observed(
            pair_advantages=PairAdvantages(**advantages),
            pair_acceptances=PairAcceptances(
                procedure=by_attack(results.procedure.scored.accepted), retrained=by_attack(results.fresh.scored.accepted)
            ),
            identical=Identical(**{kind: each.identical for kind, each in scored.items() if kind != "control"}),
            undecided=dict(zip(results.attacks, results.undecided.tolist(), strict=True)),
            forgotten=tuple(pair.forgotten for pair in drawn.pairs),
            batches=len(drawn.pairs[0].batches[0]),
            areas=dict(zip(results.attacks, results.procedure.scored.areas.tolist(), strict=True)),
            ic_score=confusion.unlearned if confusion else None,
            ic_score_retrained=confusion.retrained if confusion else None,
            reference_models=len(drawn.references),
            weighted=case.train.sensitivity is not None,
        ),
        strong.CARD.id: strong.Observed(
            models=results.procedure.named.models,
            named=results.procedure.named.right,
            ties=results.procedure.named.ties,
            named_do_nothing=results.do_nothing.named.right,
            named_learned=0 if results.learned is None else results.learned.named.right,
            named_retrained=results.fresh.named.right,
        ),
        controls.CARD.id: controls.Observed(pair_advantages=advantages["control"], identical=results.control.identical),
    }


def without_game(cause: game.Cause) -> Mapping[str, Values]:
    """List what was observed where no game could be played, by check id."""
    return {
        quality.CARD.id: quality.Observed(unplayable=cause),
        strong.CARD.id: strong.Observed(unplayable=cause),
        controls.CARD.id: controls.Observed(unplayable=cause),
    }
