"""Ways to make networks forget: one file each, from the papers that propose them, on stacks of models.

None of them but `retrain` and `sisa` gives what learning without the records would have given; how far the others fall short is
what an audit measures. The settings of each, with their ranges and defaults, are in `auditor.case.unlearning`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from auditor.procedures.networks.stacks import Parameters
from auditor.procedures.networks.task import Task
from auditor.procedures.networks.unlearning.do_nothing import do_nothing
from auditor.procedures.networks.unlearning.fine_tune import fine_tune
from auditor.procedures.networks.unlearning.fisher import fisher
from auditor.procedures.networks.unlearning.ftfinal import ftfinal
from auditor.procedures.networks.unlearning.neg_grad import neg_grad
from auditor.procedures.networks.unlearning.retrain import retrain
from auditor.procedures.networks.unlearning.retrfinal import retrfinal
from auditor.procedures.networks.unlearning.salun import salun
from auditor.procedures.networks.unlearning.ssd import ssd

Method: TypeAlias = Callable[[Task], Parameters]
"""From the models before to the models after, a stack in tensors of its own, each model by its own data and seed alone.

It raises ValueError where the settings are wrong or there is nothing to work on, ArithmeticError where a parameter ends up not
finite."""

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
