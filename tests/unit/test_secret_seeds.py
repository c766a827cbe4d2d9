"""A seed counts as secret from 96 bits on, wherever a guarantee rests on it: one of 64 bits can be found by trying."""

from __future__ import annotations

from pathlib import Path

import pytest
from auditor.observing.findings import Findings

from auditor import case as cases
from auditor import describing
from auditor.domain import How
from auditor.observing import certified, deletion
from deletion_cases import replay_of as deletion_replay_of
from deletion_cases import write as write_deletion
from replays import replay_of
from small_cases import problem, write

SEEDS = pytest.mark.parametrize(
    ("seed", "secret"),
    [(7, False), (2**64 - 1, False), (2**95 - 1, False), (2**95, True), (2**128 - 1, True)],
    ids=["3 bits", "64 bits", "95 bits", "96 bits", "128 bits"],
)


def known(found: Findings) -> dict[str, How]:
    return {each.name: each.how for each in found.facts}


@SEEDS
def test_the_perturbation_of_certified_removal(tmp_path: Path, seed: int, secret: bool) -> None:
    case = cases.read(write(tmp_path, *problem(60), seed=seed))
    found = known(certified.judge(case, replay_of(case)))
    assert found["seed-secret"] is (How.ATTESTED if secret else How.REFUTED)
    assert found["seed-unguessable"] is (How.COMPUTED if secret else How.REFUTED)


@SEEDS
def test_the_noise_of_noisy_gradient_descent(tmp_path: Path, seed: int, secret: bool) -> None:
    case = write_deletion(tmp_path, seed=seed)
    found = known(deletion.judge(case, deletion_replay_of(case)))
    assert found["noise-secret"] is (How.ATTESTED if secret else How.REFUTED)


@SEEDS
def test_a_digest_of_the_seed_stands_in_the_evidence_only_where_it_cannot_be_tried(
    tmp_path: Path, seed: int, secret: bool
) -> None:
    described = describing.procedure_facts(cases.read(write(tmp_path, *problem(60), seed=seed)), 0)
    assert (described.seed_digest is not None) is secret
