"""Audits with an adaptive requester: the samples that only look like deletion, requesters that cannot play, and rechecks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rfc8785

import rechecks
from auditor.base.domain import Status
from auditor.base.errors import ProcedureError
from auditor.sandbox import Level
from cases import audited, check_of, copy_of, outcome, replace
from levels import needing
from sample_cases import golden

pytestmark = needing(Level.CONFINED)
SAMPLES = ("median-adaptive", "group-deletion")
EXAMPLES = Path(__file__).with_name("requester_examples.py")


@pytest.mark.parametrize("name", SAMPLES)
def test_exact_retraining_passes_alone_and_falls_to_a_requester(name: str) -> None:
    evidence = golden(name)
    statuses = {each: check_of(evidence, each).status for each in evidence.policy.required}
    assert statuses == {
        "log.consistency": Status.PASS,
        "log.deadlines": Status.PASS,
        "data.erased": Status.PASS,
        "release.exact": Status.PASS,
        "epsilon.consistency": Status.FAIL,
        "deletion.renyi": Status.PASS,
        "deletion.adaptive": Status.FAIL,
        "state.stateless": Status.PASS,
    }
    game = check_of(evidence, "deletion.adaptive").details["game"]
    assert game["named_right"] > 0.9
    assert "Refuted by an adaptive requester" in check_of(evidence, "deletion.adaptive").basis
    (row,) = check_of(evidence, "epsilon.consistency").details["comparisons"]
    assert (row["claim"], row["compared"]) == ("data_deletion", True)
    assert row["gap"] > 0.25


def changed(change: Callable[[dict[str, Any]], object]) -> list[str]:
    document = json.loads(rechecks.golden("median-adaptive"))
    change(document)
    return rechecks.findings(rfc8785.dumps(document))


def comparison(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = rechecks.check(document, "epsilon.consistency")["derived"]["comparisons"][0]
    return found


@pytest.mark.parametrize(
    "change",
    [
        lambda document: rechecks.check(document, "epsilon.consistency")["derived"].update(comparisons=[]),
        lambda document: comparison(document).update(epsilon=0.9),
        lambda document: comparison(document).update(order=3.0),
        lambda document: comparison(document).update(gap=-0.1),
        lambda document: comparison(document).update(compared=False),
        lambda document: comparison(document)["lower"].pop(),
        lambda document: comparison(document)["lower"][0].update(epsilon=0.01),
        lambda document: comparison(document)["lower"][1].update(epsilon=0.01),
        lambda document: comparison(document)["lower"][0].update(confidence=0.5),
        lambda document: comparison(document)["lower"][0].update(decides=False),
        lambda document: rechecks.check(document, "deletion.adaptive")["derived"]["game"].update(hits=30),
        lambda document: rechecks.check(document, "deletion.adaptive")["derived"]["game"].update(seen=2),
        lambda document: rechecks.check(document, "deletion.adaptive")["derived"]["game"].update(refuted=None),
        lambda document: rechecks.check(document, "epsilon.consistency").update(status="pass"),
        lambda document: rechecks.check(document, "deletion.adaptive").update(status="pass"),
        lambda document: rechecks.certificate(document, "renyi-lower")["inputs"].update(other_hits=25),
    ],
)
def test_each_number_changed_alone_is_found(change: Callable[[dict[str, Any]], object]) -> None:
    assert changed(change)


def without_others(folder: Path, *, requester: str, name: str = "group-deletion", games: int = 40) -> Path:
    """A copy of a sample that asks for the games alone, with another requester."""
    case = copy_of(name, folder)
    (case / "own.py").write_text(EXAMPLES.read_text(encoding="utf-8"), encoding="utf-8")
    replace(case, 'use = "group-by-sign"', f'entry = "own.py:{requester}"')
    replace(case, "games = 200", f"games = {games}")
    return case


@pytest.mark.parametrize(
    ("requester", "words"),
    [("Raises", "the requester's request raised ValueError"), ("DeletesTarget", "found the target in an earlier one")],
)
def test_a_requester_that_cannot_play_is_an_error_with_its_reason(tmp_path: Path, requester: str, words: str) -> None:
    found = outcome(without_others(tmp_path, requester=requester), only=("epsilon.consistency", "deletion.adaptive"))
    assert isinstance(found.failure, ProcedureError)
    assert words in str(found.failure)
    assert found.evidence.audit.exit_code == 4
    assert check_of(found.evidence, "deletion.adaptive").status is Status.ERROR


@pytest.mark.slow
def test_a_requester_that_asks_for_nothing_refutes_nothing(tmp_path: Path) -> None:
    evidence = audited(without_others(tmp_path, requester="Plain"))
    assert check_of(evidence, "epsilon.consistency").status is Status.INCONCLUSIVE  # required, and could have noticed little
    game = check_of(evidence, "deletion.adaptive").details["game"]
    assert (game["refuted"], game["own_guess"], game["fitted"]) == (None, False, 20)
    assert check_of(evidence, "deletion.adaptive").status is not Status.FAIL
    assert rechecks.findings(evidence.to_bytes()) == []


@pytest.mark.slow
@pytest.mark.parametrize(("games", "status"), [(40, Status.INCONCLUSIVE), (44, Status.FAIL)])
def test_a_requester_that_guesses_itself_counts_every_game(tmp_path: Path, games: int, status: Status) -> None:
    """At the confidence that a refutation takes, 40 games that all name the world right show an ε of .098: .1 is claimed."""
    evidence = audited(without_others(tmp_path, requester="Guesses", games=games))
    game = check_of(evidence, "deletion.adaptive").details["game"]
    assert (game["own_guess"], game["fitted"], game["trials"], game["other_trials"]) == (True, 0, games // 2, games // 2)
    assert (game["hits"], game["other_hits"]) == (games // 2, 0)
    assert check_of(evidence, "epsilon.consistency").status is status
    assert check_of(evidence, "epsilon.consistency").details["comparisons"][0]["enough"] == (
        44 if status is Status.INCONCLUSIVE else None
    )
    assert rechecks.findings(evidence.to_bytes()) == []


def test_a_quick_run_decides_nothing(tmp_path: Path) -> None:
    evidence = audited(copy_of("group-deletion", tmp_path), only=("epsilon.consistency", "deletion.adaptive"), quick=True)
    assert check_of(evidence, "epsilon.consistency").status is Status.INCONCLUSIVE
    assert check_of(evidence, "deletion.adaptive").details["game"]["refuted"] is None
