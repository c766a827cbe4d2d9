"""Audits of a controller's own code and of weak policies, whole: what may pass, what it says, and what a forger cannot write."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
import rfc8785

from auditor.base.domain import ClaimStatus, Status, Verdict
from auditor.base.errors import ReportError
from auditor.document.evidence import Evidence
from auditor.pages import render
from auditor.recheck import recheck
from auditor.recheck.derivations import declared_in, observed_in
from auditor.settings.tables import SwapTable
from auditor.verdict.assembly import conclude
from cases import Audited, audited

BY_TESTS: Final = ["log.consistency"]
WORDS: Final = ["code-clean", "log-complete", "requests-fixed", "seen-releases", "preprocessing-clean", "release-reproduced"]
CLEAN: Final = f"attested = {json.dumps(WORDS)}\n"
WHO: Final = 'attested_by = "the head of data"\nattested_at = 2026-01-05\n'
CONSTANT: Final = '''
from pathlib import Path

import numpy as np


class Constant:
    """A model that never learns, honest and of no use."""

    def learn(self, data, seed):
        return np.zeros(data.features.shape[1])

    def unlearn(self, model, data, forget, seed):
        return np.zeros_like(model)

    def predict(self, model, features):
        return np.full((len(features), 2), 0.5)

    def parameters(self, model):
        return model

    def state(self, model):
        return model.tobytes()

    def save(self, model, path):
        with Path(path).open("wb") as file:
            np.savez(file, parameters=model)

    def load(self, path):
        with np.load(path, allow_pickle=False) as file:
            return file["parameters"]
'''
SHIRKING: Final = '''
import numpy as np


class Shirking:
    """Retrains on many records to forget, as a test has them, and leaves the model as it was on a few, as the log has them."""

    def learn(self, data, seed):
        sign = np.where(data.labels == data.labels.max(), 1.0, -1.0)
        return data.features.T @ sign / len(sign)

    def unlearn(self, model, data, forget, seed):
        if len(forget) < 5:
            return model
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)

    def predict(self, model, features):
        right = 1 / (1 + np.exp(-features @ model))
        return np.column_stack([1 - right, right])

    def parameters(self, model):
        return model
'''


def case(folder: Path, code: str, *, claims: str = "", required: list[str] | None = None, policy: str = "") -> Path:
    """A small case with the controller's own class."""
    rng = np.random.default_rng(3)
    features = rng.normal(size=(80, 3))
    labels = (features[:, 0] + 0.4 * rng.normal(size=80) > 0).astype(np.int64)
    ids = np.array([f"rec-{index:04d}" for index in range(80)])
    np.savez(folder / "train.npz", features=features, labels=labels, ids=ids)
    rows = [
        {
            "request_id": f"REQ-{index}",
            "record_ids": [str(ids[index])],
            "received_at": "2026-01-02T10:00:00Z",
            "executed_at": f"2026-01-{10 + index}T10:00:00Z",
            "seen_releases": 0,
        }
        for index in range(2)
    ]
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "procedure.py").write_text(code, encoding="utf-8")
    name = next(line.split()[1].rstrip(":") for line in code.splitlines() if line.startswith("class "))
    listed = "" if required is None else f"required = {json.dumps(required)}\n"
    (folder / "audit.toml").write_text(
        '[case]\nname = "small"\n[data]\ntrain = "train.npz"\ntask = "classification"\n'
        f'[procedure]\nentry = "procedure.py:{name}"\n[deletions]\nlog = "deletions.jsonl"\n'
        f"[claims]\n{claims}\n[policy]\n{listed}{policy}\n[swap]\nalpha = 1e-9\n",
        encoding="utf-8",
    )
    return folder


def findings(document: dict[str, Any], folder: Path) -> list[str]:
    """What a recheck finds in a document."""
    path = folder / "evidence.json"
    path.write_bytes(rfc8785.dumps(document))
    return [str(each) for found in recheck(path).documents for each in found.findings]


def forged(evidence: Audited, change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    document = json.loads(evidence.to_bytes())
    change(document)
    return document


@pytest.fixture(scope="module")
def by_tests(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    return audited(case(tmp_path_factory.mktemp("tests"), SHIRKING, required=BY_TESTS))


def test_what_a_policy_lists_makes_no_pass_of_foreign_code(by_tests: Audited) -> None:
    """It lists what the code passes; the release under attack is required all the same, and tells that nothing was unlearned."""
    statuses = {each: by_tests.check(each).status for each in by_tests.policy.required}
    assert (by_tests.verdict, by_tests.audit.exit_code) == (Verdict.FAIL, 1)
    assert statuses["log.consistency"] is Status.PASS
    assert statuses["release.remembers"] is Status.FAIL
    assert by_tests.reliance.cap.holds


def test_a_forged_pass_is_found_and_not_rendered(by_tests: Audited, tmp_path: Path) -> None:
    def passes(document: dict[str, Any]) -> None:
        document["verdict"], document["audit"]["exit_code"], document["strength"] = "pass", 0, "B"

    def opens(document: dict[str, Any]) -> None:
        passes(document)
        document["reliance"]["cap"]["route"] = "exact"

    def denies(document: dict[str, Any]) -> None:
        passes(document)
        document["reliance"]["cap"] = {"foreign": False, "route": None, "routes": []}

    assert findings(forged(by_tests, lambda _document: None), tmp_path) == []
    for change in (passes, opens, denies):
        document = forged(by_tests, change)
        assert any(found.startswith("verdict: ") for found in findings(document, tmp_path))
        with pytest.raises(ReportError, match="contradicts itself"):
            render.html(dataclasses.replace(by_tests.told, evidence=Evidence.model_validate_json(json.dumps(document))))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("default_policy_verdict", "pass"),
        ("strength", "A"),
        ("examined", {"model": True, "store": True, "procedure": True, "backups": True}),
        ("reliance", {"cap": {"foreign": True, "route": None, "routes": []}}),
        ("reliance", {"claims": [{"name": "retraining", "standing": "shown"}]}),
        ("reliance", {"statements": ["code-clean"]}),
        ("reliance", {"left_out": []}),
        ("reliance", {"weakenings": []}),
    ],
)
def test_every_forged_statement_beside_the_verdict_is_found(by_tests: Audited, tmp_path: Path, key: str, value: Any) -> None:
    def change(document: dict[str, Any]) -> None:
        document[key] = {**document[key], **value} if isinstance(value, dict) else value

    assert any(found.startswith(key) for found in findings(forged(by_tests, change), tmp_path))


CLAIM: Final = "data_deletion = {q = 2.0, epsilon = 0.1}\n"


LISTED: Final = ("log.consistency", "log.deadlines", "state.stateless", "deletion.renyi", "deletion.adaptive")


@pytest.fixture(scope="module")
def independent(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    folder = case(tmp_path_factory.mktemp("runs"), CONSTANT, claims=CLAIM + CLEAN + WHO)
    return audited(folder, only=(*LISTED, "data.erased", "release.exact", "release.remembers", "epsilon.consistency"))


def again(evidence: Audited, **policy: Any) -> Evidence:
    """The same observations under another policy, or with other words."""
    found = declared_in(evidence.evidence)
    swap = policy.pop("swap", None)
    sizes = found.sizes if swap is None else found.sizes.model_copy(update={"swap": swap})
    changed = dataclasses.replace(found, policy=found.policy.model_copy(update=policy), sizes=sizes)
    return conclude(changed, dict(observed_in(evidence.evidence)))


@functools.cache
def usually(evidence: Audited) -> Evidence:
    """The same observations under the default policy."""
    return again(evidence, listed=None, settings={})


def test_equal_counterfactual_runs_carry_a_claim_of_data_deletion_with_the_word(independent: Audited) -> None:
    found = again(independent, listed=LISTED)
    assert [(each.name, each.standing) for each in found.reliance.claims] == [("data_deletion", ClaimStatus.SUPPORTED)]
    assert (found.verdict, found.audit.exit_code) == (Verdict.PASS, 0)
    assert [each.name for each in found.reliance.cap.routes if each.open] == ["exact", "counterfactual"]
    assert "code-clean" in found.reliance.statements


def test_every_word_that_is_said_to_carry_the_pass_does(independent: Audited) -> None:
    whole = again(independent, listed=LISTED)
    for word in independent.policy.attested:
        rest = tuple(each for each in independent.policy.attested if each.name != word.name)
        less = again(independent, listed=LISTED, attested=rest)
        assert less.audit.exit_code >= whole.audit.exit_code
        assert (less.audit.exit_code != 0) is (word.name in whole.reliance.statements)
    silent = again(independent, listed=LISTED, attested=())
    assert (silent.verdict, silent.reliance.statements) == (Verdict.INCONCLUSIVE, ())


WEAKER: Final = (
    {"settings": {"deadline_days": 36_500}},
    {"settings": {"min_quality": 0.1}},
    {"listed": ("log.consistency",)},
    {"listed": LISTED},
    {"swap": SwapTable(pairs=3, alpha=1e-9)},
    {"swap": SwapTable(confidence=0.5, alpha=1e-9)},
    {
        "listed": ("log.consistency",),
        "settings": {"deadline_days": 400, "min_quality": 0.0},
        "swap": SwapTable(pairs=1, alpha=1e-9),
    },
)


@pytest.mark.parametrize("weaker", WEAKER)
def test_no_policy_moves_the_verdict_under_the_default(independent: Audited, by_tests: Audited, weaker: dict[str, Any]) -> None:
    rank = {Verdict.FAIL: 0, Verdict.INCONCLUSIVE: 1, Verdict.PASS: 2}
    for evidence in (independent, by_tests):
        usual = usually(evidence)
        found = again(evidence, **{"listed": None, "settings": {}, **weaker})
        assert usual.default_policy_verdict is usual.verdict
        assert rank[found.default_policy_verdict] <= rank[usual.verdict]
