"""What a recheck derives of noisy gradient descent is what the audit derives, for any settings, though by code of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from auditor.verify.data_deletion import descent, seen
from hypothesis import given
from hypothesis import strategies as st

from auditor.checks.deletion import bounds as audited
from auditor.checks.deletion.seen import _together
from auditor.settings.descent import read
from auditor.settings.noisy_gd import NoisyGd


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """Tables of `noisy-gd` as audit.toml may have them."""
    table: dict[str, Any] = {
        "l2": draw(st.floats(1e-3, 2)),
        "sigma2": draw(st.floats(1e-3, 100)),
        "learn_steps": draw(st.integers(0, 10**6)),
        "unlearn_steps": draw(st.integers(0, 10**6)),
        "seed": 1,
    }
    if draw(st.booleans()):
        table["loss"] = draw(st.sampled_from(["logistic", "softmax"]))
        kind = draw(st.sampled_from(["plain", "clip", "cap"]))
        table |= {"clip": draw(st.floats(0.1, 2))} if kind == "clip" else {}
        table |= {"loss_cap": draw(st.floats(0.1, 5)), "rate": draw(st.floats(1e-8, 0.1))} if kind == "cap" else {}
    else:
        table |= {"model": "mlp", "params": {"hidden": draw(st.sampled_from([[], [4]]))}, "rate": draw(st.floats(1e-6, 0.3))}
        for name in ("lipschitz", "smoothness", "clip"):
            if draw(st.booleans()):
                table[name] = draw(st.floats(0.1, 3))
        table["convex"] = draw(st.booleans())
        if "clip" not in table and draw(st.booleans()):
            table["loss_cap"] = draw(st.floats(0.1, 5))
    return table


@given(
    tables(), st.floats(1.01, 30), st.integers(2, 10**4), st.integers(1, 5), st.integers(1, 50), st.integers(0, 9), st.booleans()
)
def test_bounds(table: dict[str, Any], order: float, rows: int, batch: int, size: int, before: int, traded: bool) -> None:
    procedure = NoisyGd.model_validate(table)
    settings = procedure.model_dump(mode="json")
    common = {
        "l2": procedure.l2,
        "sigma2": procedure.sigma2,
        "order": order,
        "learn_steps": procedure.learn_steps,
        "unlearn_steps": procedure.unlearn_steps,
        "rows": rows,
        "largest_batch": min(batch, rows),
        "parameters": size,
    }
    ours = audited.bounds(audited.Setting(declared=read(procedure), updates=before, **common), tradeoff=traded)  # type: ignore[arg-type]
    again = descent.bounds(descent.Run(declared=descent.declared(settings), before=before, **common), tradeoff=traded)  # type: ignore[arg-type]
    assert (again.source, again.epsilon_dd, again.epsilon_dp) == (ours.source, ours.epsilon_dd, ours.epsilon_dp)
    assert [each.inputs for each in again.certificates] == [each.inputs for each in ours.certificates]


@given(st.lists(st.tuples(st.integers(0, 6), st.one_of(st.none(), st.integers(0, 12))), min_size=1, max_size=8))
def test_models_seen(placed: list[tuple[int, int | None]]) -> None:
    places = np.array([place for place, _ in placed])
    said = np.array([-1 if stated is None else stated for _, stated in placed])
    for number in range(7):
        assert seen._together(placed, number) == _together(places, said, number)
