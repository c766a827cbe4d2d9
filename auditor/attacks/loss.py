"""What the model has a small loss on was trained on."""

from __future__ import annotations

from auditor.attacks.probabilities import losses
from auditor.attacks.thresholds import ThresholdAttack
from auditor.base.domain import Floats, Positions


def _small_loss(probabilities: Floats, labels: Positions) -> Floats:
    return -losses(probabilities, labels)


# Yeom et al. accept what is likelier under the distribution of training losses; here the best threshold on shadow data does that,
# with no distribution assumed.
ATTACKS = (
    ThresholdAttack(
        name="loss",
        title="loss, one threshold",
        source="Yeom et al. 2018",
        since="0.2.0",
        evidence=_small_loss,
        by_class=False,
    ),
)
