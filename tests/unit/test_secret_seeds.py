"""A seed counts as secret from 96 bits on, wherever a guarantee rests on it: one of 64 bits can be found by trying."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from auditor import case as cases
from auditor.audit import describing
from auditor.base.domain import Fact, Provenance
from auditor.parts.removal.judging import residual
from auditor.parts.removal.observing import certified
from deletion_cases import judged
from deletion_cases import write as write_deletion
from judging import context_of_case, judge_some
from replays import replay_of
from small_cases import problem, write

SEEDS = pytest.mark.parametrize(
    ("seed", "secret"),
    [(7, False), (2**64 - 1, False), (2**95 - 1, False), (2**95, True), (2**128 - 1, True)],
    ids=["3 bits", "64 bits", "95 bits", "96 bits", "128 bits"],
)


def known(facts: Iterable[Fact]) -> dict[str, Provenance]:
    return {each.name: each.how for each in facts}


@SEEDS
def test_the_perturbation_of_certified_removal(tmp_path: Path, seed: int, secret: bool) -> None:
    case = cases.read(write(tmp_path, *problem(60), seed=seed))
    found = known(judge_some(context_of_case(case), certified.observe(case, replay_of(case)), {})[residual.CARD.id].facts)
    # That a long one is secret is for the controller to attest.
    assert found.get("seed-secret") is (None if secret else Provenance.REFUTED)
    assert found["seed-unguessable"] is (Provenance.COMPUTED if secret else Provenance.REFUTED)


@SEEDS
def test_the_noise_of_noisy_gradient_descent(tmp_path: Path, seed: int, secret: bool) -> None:
    found = known(judged(write_deletion(tmp_path, seed=seed)).facts)
    assert found.get("noise-secret") is (None if secret else Provenance.REFUTED)


@SEEDS
def test_a_digest_of_the_seed_stands_in_the_evidence_only_where_it_cannot_be_tried(
    tmp_path: Path, seed: int, secret: bool
) -> None:
    described = describing.procedure_facts(cases.read(write(tmp_path, *problem(60), seed=seed)), 0)
    assert (described.seed_digest is not None) is secret
