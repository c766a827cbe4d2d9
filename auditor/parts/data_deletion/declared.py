"""What `[procedure] use = "noisy-gd"` needs beyond its table: keys that others decide, and the tables that it fits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from auditor.base.domain import Problem
from auditor.case import parsing
from auditor.case.declaration import Declaration
from auditor.case.procedures import entry_problems
from auditor.parts.data_deletion.batch_settings import NoisySgd
from auditor.parts.data_deletion.settings import NoisyGd
from auditor.parts.networks.declared import network_params
from auditor.settings.tables import Claims, Policy


def read(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    """Read the table; params are what the network says that they are, and come out with the defaults filled in.

    Args:
        file: The name of audit.toml.
        content: What is under [procedure].
    """
    problems = entry_problems(file, content)
    params, wrong = network_params(file, content)
    found = parsing.table(file, "procedure", NoisyGd, {**content, "params": params})
    problems += wrong
    return [*problems, *found] if isinstance(found, list) else problems or found


def fits_batches(file: str, procedure: NoisySgd, declared: Declaration) -> Iterator[Problem]:  # noqa: ARG001
    """Name what it cannot learn."""
    if declared.text("data", "task") == "regression":
        yield Problem(file, "data.task", '"classification" for use = "noisy-sgd", which trains on labels', '"regression"')


def fits(file: str, procedure: NoisyGd, declared: Declaration) -> Iterator[Problem]:
    """Name what it cannot learn, and a policy at a larger order than the claim's, of a capped loss.

    What holds at the claim's order need not hold at the policy's own.
    """
    if declared.text("data", "task") == "regression":
        yield Problem(file, "data.task", '"classification" for use = "noisy-gd", which trains on labels', '"regression"')
    claims, policy = (declared.tables.get(name) for name in ("claims", "policy"))
    if not (isinstance(claims, Claims) and isinstance(policy, Policy)):
        return
    claim = claims.data_deletion
    if procedure.loss_cap is None or policy.max_epsilon is None or claim is None or procedure.order <= claim.q:
        return
    expected = (
        f"at most {claim.q:g}, the q of claims.data_deletion, at which data deletion is judged: with loss_cap nothing "
        "follows from it for policy.max_epsilon at a larger order"
    )
    yield Problem(file, "procedure.order", expected, f"{procedure.order:g}")
