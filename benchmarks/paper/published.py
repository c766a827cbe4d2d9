"""The numbers of the paper: Tu, Hu and Ma, swap-test.md, Tables 1 to 4, on CIFAR-10 with residual networks.

Columns: ε = 50, 150, 600 and ∞ at δ = 1e-5. Methods by the names that a case gives them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Row = Mapping[float | None, float]
"""By ε; None is ∞."""


def _row(*values: float) -> Row:
    return dict(zip((50.0, 150.0, 600.0, None), values, strict=True))


QUALITY: Final[Mapping[str, Row]] = {
    "none": _row(0.972, 0.960, 0.932, 0.587),
    "neg-grad": _row(0.980, 0.975, 0.953, 0.628),
    "retrfinal": _row(0.972, 0.964, 0.939, 0.576),
    "ftfinal": _row(0.973, 0.963, 0.939, 0.574),
    "fisher": _row(0.973, 0.967, 0.942, 0.709),
    "retrain": _row(0.998, 0.996, 0.997, 0.993),
}
"""Table 1."""
ACCURACY: Final = _row(0.485, 0.520, 0.571, 0.660)
"""Table 1, last row."""
DEVIATIONS: Final[Mapping[str, tuple[float, float]]] = {
    "retrfinal": (0.015, 0.027),
    "ftfinal": (0.015, 0.029),
    "fisher": (0.020, 0.032),
    "neg-grad": (0.008, 0.012),
}
"""Table 2: standard deviation of Q over 4 seeds, from a swap pair and from two random splits."""
CONFUSION: Final[Mapping[str, Row]] = {
    "none": _row(0.749, 0.720, 0.717, 0.005),
    "neg-grad": _row(0.925, 0.953, 0.946, 0.180),
    "retrfinal": _row(0.931, 0.958, 0.893, 0.033),
    "ftfinal": _row(0.930, 0.957, 0.893, 0.346),
    "fisher": _row(0.743, 0.720, 0.702, 0.344),
    "retrain": _row(0.962, 0.972, 0.976, 0.975),
}
"""Table 3."""
MIA: Final[Mapping[str, Row]] = {
    "none": _row(0.451, 0.433, 0.454, 0.380),
    "neg-grad": _row(0.476, 0.482, 0.466, 0.299),
    "retrfinal": _row(0.485, 0.485, 0.472, 0.248),
    "ftfinal": _row(0.485, 0.485, 0.472, 0.247),
    "fisher": _row(0.475, 0.484, 0.463, 0.325),
    "retrain": _row(0.479, 0.491, 0.492, 0.488),
}
"""Table 4."""
