"""The page docs/paper-forget-unlearning.md, from the results alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from benchmarks.paper.publishing import RESULTS

NAME: Final = "paper-forget-unlearning"
ALGORITHMS: Final[Mapping[str, tuple[str, str, str]]] = {
    "noisy-m-a-sgd": ("Noisy-m-A-SGD (Ullah et al.)", "no", "√d (1 − √d/n)"),
    "perturbed-gd-secret": ("Perturbed-GD (Neel et al.)", "yes", "n ln(εn/√d)"),
    "perturbed-gd": ("Perturbed-GD (Neel et al.)", "no", "n ln(εn/(ln²(id) √d))"),
    "noisy-gd": ("Noisy-GD (Chourasia and Shah)", "no", "n ln min{n, εn/√d}"),
}
"""Name, whether a secret state is kept, and the order of growth that the paper prints."""
_TOP: Final = """# What unlearning saves, by the table of Forget Unlearning

Chourasia and Shah (*Forget unlearning: towards true data-deletion in machine learning*) compare in Table 1 how many
gradients of single records an update saves against training again.
`python -m benchmarks.paper.savings` works the table out and writes this page and [the numbers]({name}/{results}).

## Table 1: gradients saved by a request

**The first four rows are orders of growth without constants**: the paper's own symbols with the constant 1 and natural
logarithms, at ε = {epsilon:g}.
They say how a saving grows along a row, and nothing about which of two algorithms saves more: that needs constants, which
the paper does not print, and those three algorithms are not built in.
A dash: the expression is not above 0 there, so it says nothing.
n records, d parameters, i the number of the request, one record each.
Gupta et al. have no row in the paper: their reduction from adaptive requests is in its text alone.

"""
_BELOW: Final = """
The last rows are numbers with all constants, from `auditor calc noisy-gd-utility` (Theorem 5.1 (3)): L = λ = β = 1, so
that κ = 2; q = 1 + (2/ε) ln(1/δ) with δ = {delta:g}; ε_dd = ε/2 as the paper asks; ε_dp = {ratio} ε_dd, with which
equations 16 and 17 ask for equally many steps.
The least risk is exceeded by at most the last row, in units of L²/λ; by the model of zeros it is exceeded by at most 0.5.
"""


def page(found: Mapping[str, Any]) -> str:
    """The page in Markdown."""
    rows = found["rows"]
    head = ["algorithm", "secret state", "order", *(f"n = {row['n']:,}, d = {row['d']:,}, i = {row['i']:,}" for row in rows)]
    lines = [head, ["---"] * len(head)]
    for name, (said, secret, order) in ALGORITHMS.items():
        lines.append([said, secret, order, *(_order(row["orders"][name]) for row in rows)])
    for title, key, form in (
        ("gradients saved", "gradients_saved", "{:,}"),
        ("share saved", "share_saved", "{:.3f}"),
        ("excess risk at most", "excess_risk_updated", "{:.3g}"),
    ):
        lines.append([f"**Noisy-GD, with constants**: {title}", "no", "", *(form.format(row["ours"][key]) for row in rows)])
    given = {"name": NAME, "results": RESULTS, **{key: found[key] for key in ("epsilon", "delta", "ratio")}}
    quick = "" if found["full"] else "**One setting, which shows nothing but that all of it runs.**\n\n"
    return _TOP.format(**given) + quick + _table(lines) + "\n" + _BELOW.format(**given)


def figures(_: Mapping[str, Any]) -> Mapping[str, str]:
    """None."""
    return {}


def _order(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def _table(lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
