"""Table 1 of forget-unlearning.md (Chourasia and Shah 2023), all rows in numbers: python -m benchmarks.paper.savings [--quick].

Arithmetic alone: the orders of growth as the paper prints them, at stated values, and what the rule `noisy-gd-utility` gives.
`--out DIR` is where the page goes, docs if left out; `--results FILE` writes it again; `--quick` works out one setting.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from auditor.maths.certificates import derive
from benchmarks.paper import publishing, savings_page

EPSILON: Final = 1.0
DELTA: Final = 1e-5
RATIO: Final = 10
"""ε_dp over ε_dd, which is 5κ: equations 16 and 17 then ask for equally many steps after a request."""
SETTINGS: Final = ((1_000, 10, 1), (10_000, 100, 1), (10_000, 100, 1_000), (1_000_000, 1_000, 1), (1_000_000, 1_000, 1_000_000))
"""n, d and i."""


def orders(n: int, d: int, i: int) -> dict[str, float | None]:
    """Each row's order of growth with the constant 1 and natural logarithms; None where it is not above 0, and says nothing."""
    log = math.log(i * d) ** 2
    values = {
        "noisy-m-a-sgd": math.sqrt(d) * (1 - math.sqrt(d) / n),
        "perturbed-gd-secret": n * math.log(EPSILON * n / math.sqrt(d)),
        "perturbed-gd": n * math.log(EPSILON * n / (log * math.sqrt(d))),
        "noisy-gd": n * math.log(min(n, EPSILON * n / math.sqrt(d))),
    }
    return {name: value if value > 0 else None for name, value in values.items()}


def ours(n: int, d: int) -> dict[str, Any]:
    """What noisy gradient descent saves by the rule, its constants included."""
    private = RATIO * EPSILON / 2
    given = {"q": 1 + 2 / EPSILON * math.log(1 / DELTA), "d": d, "n": n, "r": 1, "lipschitz": 1, "l2": 1, "smoothness": 1}
    found = derive("noisy-gd-utility", {**given, "epsilon_dp": private, "epsilon_dd": EPSILON / 2}).outputs
    return {
        name: found[name] for name in ("learn_steps", "unlearn_steps", "gradients_saved", "share_saved", "excess_risk_updated")
    }


def measure(quick: bool) -> Mapping[str, Any]:
    """Everything that the page says."""
    settings = SETTINGS[:1] if quick else SETTINGS
    rows = [{"n": n, "d": d, "i": i, "orders": orders(n, d, i), "ours": ours(n, d)} for n, d, i in settings]
    return {"full": not quick, "epsilon": EPSILON, "delta": DELTA, "ratio": RATIO, "rows": rows}


if __name__ == "__main__":
    publishing.run(__doc__, measure, savings_page)
