"""Nobody attests by silence: an audit whose controller says nothing supports nothing, and says which words are missing."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import deletion_cases
from auditor.base.domain import ClaimStatus, Provenance
from auditor.document.evidence import Evidence
from auditor.pages import terminal
from auditor.pages.words.attestations import needed
from auditor.pages.words.rendered_evidence import tell
from auditor.recheck.derivations import declared_in, observed_in
from auditor.verdict.assembly import conclude
from cases import audited
from rechecks import findings
from small_cases import ATTESTED, WORDS, attest, problem, released, write

CERTIFIED = ("log-complete", "requests-fixed", "preprocessing-clean", "seed-secret", "residual-independent")
DELETED = ("log-complete", "requests-fixed", "preprocessing-clean", "seed-secret", "release-reproduced")
QUICK = deletion_cases.LOGISTIC.replace("learn_steps = 200", "learn_steps = 80")
DECIDING = '[policy]\nrequired = ["log.consistency", "deletion.renyi", "deletion.adaptive"]\n'
REMOVAL, DELETION = "certified-removal", "data-deletion"


def certified(folder: Path, words: str) -> Path:
    """Newton removal with a model file and a claim."""
    features, labels = problem()
    model = released(features, labels, [[0], [1, 2]], unlearn="newton")
    write(folder, features, labels, model=model)
    return attest(folder, f"certified_removal = {{ epsilon = 1.0, delta = 1e-4 }}\n{words}")


def deleting(folder: Path, words: str) -> Path:
    """Noisy gradient descent without a model file, and a claim."""
    rest = deletion_cases.CLAIM.replace(ATTESTED, words) + DECIDING
    deletion_cases.write(folder, procedure=QUICK, rest=rest, deleted=[["rec-0010"], ["rec-0011", "rec-0012"]])
    return folder


def standing(evidence: Evidence, guarantee_id: str) -> ClaimStatus:
    return next(each.status for each in evidence.guarantees if each.id == guarantee_id)


CASES = pytest.mark.parametrize(
    ("case", "guarantee_id", "wanted"),
    [(certified, REMOVAL, CERTIFIED), (deleting, DELETION, DELETED)],
    ids=["certified removal", "data deletion"],
)


@CASES
def test_who_attests_nothing_is_not_shown_anything_and_told_what_to_add(
    tmp_path: Path, case, guarantee_id: str, wanted: tuple[str, ...]
) -> None:
    evidence = audited(case(tmp_path, "")).evidence
    assert (standing(evidence, guarantee_id), evidence.audit.exit_code) == (ClaimStatus.NOT_SHOWN, 3)
    assert evidence.policy.attested == ()
    premises = [each for item in evidence.guarantees for step in item.derivation for each in step.premises]
    assert Provenance.ATTESTED not in {each.how for each in premises}
    assert set(needed(evidence)[guarantee_id]) == set(wanted)
    told, out = tell(evidence), io.StringIO()
    terminal.details(told, Console(file=out, width=400))
    said = " ".join(out.getvalue().split())
    (step,) = re.findall(r"If true, declare that .*?(?= Found:)", said)
    assert all(f"({name})" in step for name in wanted)
    assert findings(evidence.to_bytes()) == []


@CASES
def test_every_word_carries_what_rests_on_it_and_no_other_does(
    tmp_path: Path, case, guarantee_id: str, wanted: tuple[str, ...]
) -> None:
    whole = audited(case(tmp_path, ATTESTED)).evidence
    assert (standing(whole, guarantee_id), whole.audit.exit_code) == (ClaimStatus.SUPPORTED, 0)
    assert needed(whole).get(guarantee_id) is None
    declared, observed = declared_in(whole), dict(observed_in(whole))
    for name in WORDS:
        left = tuple(each for each in whole.policy.attested if each.name != name)
        policy = declared.policy.model_copy(update={"attested": left})
        without = conclude(replace(declared, policy=policy), observed)
        carried = name in wanted
        assert standing(without, guarantee_id) is (ClaimStatus.NOT_SHOWN if carried else ClaimStatus.SUPPORTED), name
        assert without.audit.exit_code == (3 if carried else 0), name
        if carried:
            assert needed(without)[guarantee_id] == (name,)


@pytest.mark.parametrize("words", ["", ATTESTED], ids=["silent", "attested"])
def test_a_scaler_that_was_fitted_on_everybody_supports_nothing(tmp_path: Path, words: str) -> None:
    """Standardised over all people, the deleted ones among them: neither silence nor a false word makes ε = 0 of retraining."""
    rng = np.random.default_rng(11)
    raw = np.column_stack([rng.normal(38, 13, 120), rng.lognormal(10, 1, 120), rng.integers(1, 16, 120), rng.normal(40, 12, 120)])
    features = (raw - raw.mean(axis=0)) / raw.std(axis=0)
    labels = (features @ [1.0, 0.5, 0.8, 0.3] + rng.normal(size=120) > 0).astype(np.int64)
    labels[:4] = [0, 1, 0, 1]
    write(tmp_path, features, labels, procedure='unlearn = "retrain"', row_norms="report")
    evidence = audited(attest(tmp_path, f"certified_removal = {{ epsilon = 1.0, delta = 1e-4 }}\n{words}")).evidence
    assert standing(evidence, REMOVAL) is ClaimStatus.NOT_SHOWN
    assert evidence.audit.exit_code != 0
