"""Intervals, exact tests and lower limits: what may be concluded from counts and from pairs of models."""

from auditor.statistics.exact import clopper_pearson, larger_share_p, paired_difference
from auditor.statistics.lower_bounds import advantage_lower, named_sides_lower
from auditor.statistics.pairs import (
    PairedAdvantage,
    Quality,
    advantages,
    allow_for_failures,
    missed_share,
    plug_in_quality,
    quality,
    smallest_advantage,
)
from auditor.statistics.power import POWER, guessing_noticed
from auditor.statistics.sign_flip import ENOUGH_PAIRS, may_refute, sign_flip_p
from auditor.statistics.variance import accepted_variance, detectable_deviation

__all__ = [
    "ENOUGH_PAIRS",
    "POWER",
    "PairedAdvantage",
    "Quality",
    "accepted_variance",
    "advantage_lower",
    "advantages",
    "allow_for_failures",
    "clopper_pearson",
    "detectable_deviation",
    "guessing_noticed",
    "larger_share_p",
    "may_refute",
    "missed_share",
    "named_sides_lower",
    "paired_difference",
    "plug_in_quality",
    "quality",
    "sign_flip_p",
    "smallest_advantage",
]
