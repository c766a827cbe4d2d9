"""A whole audit of data that were scaled on everybody: no attestation outweighs what the data show."""

from __future__ import annotations

from sklearn.preprocessing import StandardScaler

from auditor.audit.auditing import Options, audit
from auditor.base.domain import ClaimStatus, Provenance, Verdict
from auditor.case import read
from auditor.settings.attestations import PREPROCESSING
from small_cases import problem, write


def test_a_model_that_was_trained_on_such_data_is_not_certified_whatever_is_attested(tmp_path):
    features, labels = problem(120, 4)
    word = '[claims]\ncertified_removal = { epsilon = 1.0, delta = 1e-4 }\nattested = ["preprocessing-clean"]\n'
    words = word + 'attested_by = "the controller"\nattested_at = 2026-01-01\n'
    write(tmp_path, StandardScaler().fit_transform(features), labels)
    (tmp_path / "audit.toml").write_text((tmp_path / "audit.toml").read_text() + words)
    evidence = audit(read(tmp_path), Options()).evidence
    removal = evidence.guarantees[0]
    assert removal.status is ClaimStatus.NOT_SHOWN
    how = {premise.fact: premise.how for premise in removal.derivation[0].premises}
    assert how[PREPROCESSING] is Provenance.REFUTED
    assert evidence.verdict is not Verdict.PASS
