"""Intervals, exact tests and lower limits: what may be concluded from counts and from pairs of models."""

from auditor.maths.statistics.betting import Bets, bet_against
from auditor.maths.statistics.exact import any_of_p, clopper_pearson, larger_share_p, paired_difference
from auditor.maths.statistics.lower_bounds import MEANS_REFUTE, advantage_lower, advantage_suspected, named_sides_lower
from auditor.maths.statistics.paired import accuracy_difference, difference_upper, records_enough
from auditor.maths.statistics.pairs import (
    PairedAdvantage,
    Quality,
    advantages,
    allow_for_failures,
    missed_share,
    plug_in_quality,
    quality,
    smallest_advantage,
)
from auditor.maths.statistics.power import POWER, guessing_noticed, trials_needed
from auditor.maths.statistics.sign_flip import ENOUGH_PAIRS, sign_flip_p
from auditor.maths.statistics.variance import accepted_variance, detectable_deviation

__all__ = [
    "ENOUGH_PAIRS",
    "MEANS_REFUTE",
    "POWER",
    "Bets",
    "PairedAdvantage",
    "Quality",
    "accepted_variance",
    "accuracy_difference",
    "advantage_lower",
    "advantage_suspected",
    "advantages",
    "allow_for_failures",
    "any_of_p",
    "bet_against",
    "clopper_pearson",
    "detectable_deviation",
    "difference_upper",
    "guessing_noticed",
    "larger_share_p",
    "missed_share",
    "named_sides_lower",
    "paired_difference",
    "plug_in_quality",
    "quality",
    "records_enough",
    "sign_flip_p",
    "smallest_advantage",
    "trials_needed",
]
