"""Evidence of data deletion as audits write it, of each way that it can come out: a recheck derives the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rechecks
from auditor import case as cases
from auditor.audit.auditing import Options, audit
from deletion_cases import CLAIM, LOGISTIC, write

ONLY = ("log.consistency", "deletion.renyi", "deletion.adaptive", "state.stateless")
SHORT = LOGISTIC.replace("learn_steps = 200", "learn_steps = 80")
SOFTMAX = 'loss = "softmax"\nl2 = 0.1\nsigma2 = 0.05\nlearn_steps = 60\nunlearn_steps = 30\n'
NETWORK = 'model = "mlp"\nparams = {hidden = []}\nl2 = 0.5\nsigma2 = 0.1\nlearn_steps = 20\nunlearn_steps = 20\n'
TRADED = "[policy]\nuse_gaussian_tradeoff = true\n"
TWO = [["rec-0010"], ["rec-0011", "rec-0012"]]
OF_Q_3 = "[claims]\ndata_deletion = {q = 3, epsilon = 1, adaptive = 2}\n[policy]\nmax_epsilon = 0.5\nmax_delta = 1e-4\n"

CASES: dict[str, dict[str, Any]] = {
    "two batches": {"procedure": SHORT, "deleted": TWO},
    "models seen beyond the claim, at another order": {"procedure": SHORT, "said": (0, 1, 2), "rest": OF_Q_3},
    "rows that leave out what was seen": {"procedure": SHORT, "said": (0, None), "rest": CLAIM.replace("0.1", "5")},
    "too few steps": {
        "procedure": SHORT.replace("unlearn_steps = 60", "unlearn_steps = 1"),
        "rest": CLAIM.replace("0.1", "0.01"),
    },
    "no threshold": {"procedure": SHORT, "rest": ""},
    "rows that are too long": {"procedure": SHORT, "scale": 3.0},
    "rows that are scaled": {"procedure": f'{SHORT}row_norms = "scale"\n', "scale": 3.0},
    "another rate": {"procedure": f"{SHORT}rate = 0.5\n"},
    "the trade-off decides": {"procedure": f"{SHORT}rate = 0.5\n", "rest": CLAIM + TRADED, "deleted": TWO},
    "softmax": {"procedure": SOFTMAX, "classes": 3, "rows": 100, "rest": CLAIM.replace("0.1", "3")},
    "clipped softmax": {"procedure": f"{SOFTMAX}clip = 0.5\n", "classes": 3, "rows": 100},
    "a capped loss": {"procedure": f"{SHORT}loss_cap = 0.5\nrate = 1e-3\n", "rows": 60},
    "a capped loss and a policy at a smaller order": {
        "procedure": f"{SHORT}loss_cap = 0.5\nrate = 1e-3\norder = 2.0\n",
        "rows": 60,
        "rest": OF_Q_3,
    },
    "a guessable seed": {"procedure": SHORT, "seed": 3},
    "a linear network": {
        "procedure": f"{NETWORK}lipschitz = 2.0\nsmoothness = 1.0\nrate = {1 / 3!r}\nconvex = true\n",
        "rows": 60,
        "rest": CLAIM.replace("0.1", "100"),
    },
    "a clipped network": {"procedure": f"{NETWORK}clip = 1.0\nrate = 0.2\n", "rows": 60},
    "no step at all": {"procedure": SHORT.replace("= 80", "= 0").replace("unlearn_steps = 60", "unlearn_steps = 0")},
}


def _findings(folder: Path, only: tuple[str, ...], **case: Any) -> list[str]:
    write(folder, **case)
    found = audit(cases.read(folder), Options(only=only))
    assert found.failure is None
    return rechecks.findings(found.evidence.to_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_recheck_agrees_with_the_audit(tmp_path: Path, name: str) -> None:
    assert _findings(tmp_path, ONLY, **CASES[name]) == []


@pytest.mark.parametrize("check_id", ONLY[1:])
def test_a_recheck_agrees_where_one_check_ran_alone(tmp_path: Path, check_id: str) -> None:
    assert _findings(tmp_path, ("log.consistency", check_id), procedure=SHORT, said=(0, 1), rows=100) == []
