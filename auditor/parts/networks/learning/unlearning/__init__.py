"""Ways to make networks forget: one file each, from the papers that propose them, on stacks of models.

None of them but `retrain` and `sisa` gives what learning without the records would have given; how far the others fall short is
what an audit measures. The settings of each, with their ranges and defaults, are in `auditor.parts.networks.settings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from auditor.parts.networks.learning.task import Method
from auditor.parts.networks.learning.unlearning.baselines import do_nothing, fine_tune, ftfinal, neg_grad, retrain, retrfinal
from auditor.parts.networks.learning.unlearning.importance import fisher, salun, ssd

METHODS: Final[Mapping[str, Method]] = {
    "retrain": retrain,
    "none": do_nothing,
    "fine-tune": fine_tune,
    "neg-grad": neg_grad,
    "fisher": fisher,
    "ftfinal": ftfinal,
    "retrfinal": retrfinal,
    "salun": salun,
    "ssd": ssd,
}
"""By the name that `[procedure] unlearn` gives them. SISA is not among them: it learns in a way of its own, see `sisa.Shards`."""
