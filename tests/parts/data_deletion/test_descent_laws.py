"""Noisy gradient descent as declared: a theorem or the reason for none, bounds from certificates alone, models seen."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from auditor.maths.certificates import derive
from auditor.pages import words
from auditor.parts.data_deletion.judging import bounds as audited
from auditor.parts.data_deletion.judging.seen import Asked, seen
from auditor.parts.data_deletion.settings import NoisyGd, read


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


PLACED = st.lists(st.tuples(st.integers(1, 7), st.one_of(st.none(), st.integers(0, 12))), min_size=1, max_size=8)
"""Requests of a log of seven batches: the batch, and the models that the row says were seen."""


@given(tables())
def test_a_declaration_has_a_theorem_or_the_reason_for_none(table: dict[str, Any]) -> None:
    found = read(NoisyGd.model_validate(table))
    assert (found.theorem is None) is (found.reason is not None) is (found.fix is not None)
    for each in (found.reason, found.fix):
        assert each is None or words.sentence(each)
    if found.theorem is not None:
        assert found.is_gradient
        assert found.lipschitz is not None
        assert found.smoothness is not None
    if found.theorem == "5.1":
        assert found.convex
        assert found.has_theorem_rate
        assert found.bound is None
    if found.theorem == "5.2":
        assert found.bound is not None
    if found.trades_off:
        assert found.convex
        assert found.is_gradient


@given(
    tables(), st.floats(1.01, 30), st.integers(2, 10**4), st.integers(1, 5), st.integers(1, 50), st.integers(0, 9), st.booleans()
)
def test_every_bound_is_what_a_certificate_of_the_declared_numbers_says(
    table: dict[str, Any], order: float, rows: int, batch: int, size: int, before: int, traded: bool
) -> None:
    procedure = NoisyGd.model_validate(table)
    setting = audited.setting_of(
        procedure, order=order, rows=rows, parameters=size, largest_batch=min(batch, rows), updates=before
    )
    found = audited.bounds(setting, tradeoff=traded)
    assert (found.source is None) is (found.epsilon_dd is None)
    assert found.source != "gaussian" or (traded and setting.declared.trades_off)
    assert found.source not in {"5.1", "5.2"} or found.source == setting.declared.theorem
    for each in found.certificates:
        assert derive(each.kind, each.inputs) == each
        assert each.inputs["sigma2"] == procedure.sigma2
        assert each.inputs["l2"] == procedure.l2
        assert each.inputs["n"] == rows
        assert each.inputs["lipschitz"] == setting.declared.lipschitz
    if found.source in {"5.1", "5.2"}:
        (certificate,) = found.certificates
        assert (found.epsilon_dd, found.epsilon_dp) == (certificate.outputs["epsilon_dd"], certificate.outputs["epsilon_dp"])
    assert all(each is None or (math.isfinite(each) and each >= 0) for each in (found.epsilon_dd, found.epsilon_dp))


def asked(placed: list[tuple[int, int | None]]) -> tuple[Asked, ...]:
    return tuple(Asked(request_id=str(number), batch=batch, stated=stated) for number, (batch, stated) in enumerate(placed))


@given(PLACED)
def test_models_seen_are_counted_request_by_request(placed: list[tuple[int, int | None]]) -> None:
    """As the module's first lines say it, one request after the other."""
    for number, found in enumerate(seen(asked(placed), 7).before):
        published, together, others = number + 1, 0, 0
        for batch, stated in placed:
            own = batch if stated is None else stated
            together += min(own, published) if batch - 1 > number else own
            others = max(others, 0 if stated is None else stated - batch)
        assert found == min(published + others, together)


@given(PLACED, st.integers(0, 7), st.randoms(use_true_random=False))
def test_more_requests_and_larger_words_never_count_fewer_models(
    placed: list[tuple[int, int | None]], where: int, random: Any
) -> None:
    found = seen(asked(placed), 7)
    shuffled = list(placed)
    random.shuffle(shuffled)
    assert seen(asked(shuffled), 7) == found
    batch, stated = placed[where % len(placed)]
    for more in ([*placed, (batch, stated)], [*placed, (batch, (stated or batch) + 1)]):
        assert all(later >= before for later, before in zip(seen(asked(more), 7).before, found.before, strict=True))
    assert found.left_out is any(each is None for _, each in placed)
    assert found.by_word <= found.most
