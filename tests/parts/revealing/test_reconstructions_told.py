"""What reconstruction games come to where people read it: the page on attacks, annex, remedies, and what verify holds to."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from auditor.base.domain import Status
from auditor.document.evidence import Evidence
from auditor.pages import coverage, render, terminal
from auditor.pages.figures.chart import Band
from auditor.pages.remedies import of_check, remedies
from auditor.pages.words.rendered_evidence import Told, tell
from auditor.parts.revealing.judging.reconstruction.observed import (
    DECOYS,
    ClassGames,
    InstanceObserved,
    LabelObserved,
    Picture,
    Tally,
    Wins,
)
from auditor.parts.revealing.telling import deletion_games, reconstructions
from auditor.parts.revealing.telling.figures import rebuilt_picture
from auditor.recheck.derivations import derive_again, recheck_observations
from games_seen import observed as inference
from sample_cases import golden

GAMES = 1000
PICTURE = Picture(width=2, deleted=(0.0, 0.5, 1.0, 0.25), rebuilt=(0.0, 1.0, 1.0, 0.0))


LABEL, INSTANCE = "reconstruction.label", "reconstruction.instance"


def tally(attack: str, wins: int, games: int = GAMES) -> Tally:
    return Tally(
        attack=attack, games=games, wins=wins, ties=0, ties_won=0, of_two=Wins(games=games, wins=wins, ties=0, ties_won=0)
    )


def labels(wins: int, **changes: Any) -> LabelObserved:
    classes = [ClassGames(share=0.1, games=100, right=wins // 10) for _ in range(10)]
    given = {
        "games": GAMES,
        "trained": 800,
        "decoys": 9,
        "tallies": (tally("range", wins), tally("records", 100)),
        "classes": classes,
    }
    return LabelObserved(**{**given, **changes})


def records(**changes: Any) -> InstanceObserved:
    given = {"games": GAMES, "trained": 800, "decoys": DECOYS, "tallies": (tally("region", 880),), "probes": 500, "alike": 0.93}
    without = Wins(games=GAMES, wins=180, ties=0, ties_won=0)
    return InstanceObserved(**{**given, "blank": 110, "without": without, "without_alike": 0.8, **changes})


def told_with(*observed: LabelObserved | InstanceObserved, **policy: Any) -> Evidence:
    """A sample of ten classes in which a nearest neighbour was audited, its games observed by hand."""
    seen = {
        "inference.example": inference("example"),
        "inference.instance": inference("instance"),
        LABEL: labels(100).model_dump(mode="json"),
        INSTANCE: records().model_dump(mode="json"),
    } | {id_of(each): each.model_dump(mode="json") for each in observed}
    found = golden("digits-mlp-retrain")
    procedure = found.procedure.model_copy(
        update={
            "use": "sklearn",
            "unlearn": "retrain",
            "settings": {"estimator": "sklearn.neighbors.KNeighborsClassifier", "params": {"n_neighbors": 1}},
        }
    )
    asked = tuple(map(id_of, observed)) if "max_reconstruction" in policy else ()
    required = (*(found.policy.listed or found.policy.required), *asked)
    settings = {**found.policy.settings, "before_and_after": True, **policy}
    stated = found.policy.model_copy(update={"settings": settings, "listed": required, "required_by_default": False})
    checks = tuple(replace(each, observed=seen.get(each.id, each.observed)) for each in found.checks)
    return derive_again(found.model_copy(update={"procedure": procedure, "policy": stated, "checks": checks}))


def id_of(observed: LabelObserved | InstanceObserved) -> str:
    return LABEL if isinstance(observed, LabelObserved) else INSTANCE


def test_every_attack_is_in_the_annex_and_page_6_says_that_two_models_may_tell_more() -> None:
    found = tell(told_with(labels(700)))
    page = render.html(found)
    assert "naming the class that lost most probability at records that were never learned" in page
    assert "There is nothing to find" not in coverage.why_no_numbers(found)
    assert coverage.matrix(found)[-1].cells[-1].state is coverage.State.RUN


def test_what_fails_is_to_be_kept_from_who_sees_both_models() -> None:
    found = told_with(labels(700), max_reconstruction=0.2)
    check = next(each for each in found.checks if each.id == "reconstruction.label")
    assert check.status is Status.FAIL
    (step,) = of_check(remedies(tell(found)), "reconstruction.label")
    assert step.action.startswith("Let nobody see the model from before a deletion")
    assert "forgotten" not in step.tell


def shown(told: Told) -> reconstructions.Rebuilt | None:
    return reconstructions.picture(next(each for each in told.checks if each.id == INSTANCE))


def test_a_picture_is_drawn_only_where_the_policy_shows_it() -> None:
    seen = records(picture=PICTURE)
    assert shown(tell(told_with(seen))) is None
    rebuilt = shown(tell(told_with(seen, show_reconstructions=True)))
    assert rebuilt is not None
    chart = rebuilt_picture(rebuilt)
    fills = [each.fill for each in chart.named("deleted") if isinstance(each, Band)]
    assert fills == ["#808080", "#000000", "#bfbfbf"]
    assert len(chart.named("rebuilt")) == 2


@pytest.mark.parametrize(
    ("observed", "said"),
    [
        (labels(100), ""),
        (records(), ""),
        (labels(100, trained=900_000), "sets of 900000 records"),
        (labels(100, decoys=3), "3 decoys"),
        (labels(100, classes=()), "all classes"),
        (records(decoys=10), "10 decoys"),
        (records(picture=PICTURE), "the policy shows none"),
        (records(games=10, tallies=(tally("region", 5, games=10),), blank=0), "10 games were played"),
    ],
)
def test_what_no_run_can_have_seen_is_a_disagreement(observed: LabelObserved | InstanceObserved, said: str) -> None:
    found = " ".join(map(str, recheck_observations(told_with(), {id_of(observed): observed}).findings))
    assert said in found if said else not found


def test_the_terminal_says_in_a_line_what_deleting_shows_to_whom() -> None:
    told = tell(told_with(labels(700), max_reconstruction=0.2))
    shown, label, record = deletion_games.in_brief(told)
    assert "knows two records with their labels names the deleted one in 90 (" in shown
    assert "guessing does in 50" in shown
    assert "finds out the label of the deleted record in 70 (66.6–73.3) of 100 games; guessing does in 10" in label
    assert "rebuilds the deleted record in 88 (" in record
    console = Console(record=True, width=300, file=io.StringIO())
    terminal.details(told, console)
    printed = console.export_text()
    assert all(each in printed for each in (shown, label, record))
    assert deletion_games.in_brief(tell(golden("digits-mlp-retrain"))) == ()
