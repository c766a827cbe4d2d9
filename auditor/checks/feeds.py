"""Which check finds out which fact: what a premise of a theorem rests on, and where a controller reads how it came about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_RENYI: Final = "deletion.renyi"
_CONTINUAL: Final = "privacy.continual"
_GAME: Final = "control.game"
_HISTORY: Final = "state.history_independent"
FED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "adaptively-history-independent": (_HISTORY, _GAME),
    "batch-private": (_CONTINUAL,),
    "confidentiality-unrefuted": ("confidentiality.game",),
    "control-unrefuted": (_GAME,),
    "controller-is-implementation": (_HISTORY,),
    "criterion-met": ("removal.budget",),
    "deletion-bound-met": ("deletion.adaptive",),
    "deletion-unrefuted": ("epsilon.consistency", "deletion.adaptive"),
    "deterministic-transcript": (_CONTINUAL,),
    "disjoint-parts": (_CONTINUAL,),
    "dp-per-subject": ("training.privacy",),
    "every-extractor": ("removal.residual",),
    "extractor-private": ("removal.residual",),
    "full-batch-descent": (_RENYI,),
    "history-independent-when-fresh": (_HISTORY,),
    "ids-in-dictionary": (_CONTINUAL,),
    "labels-fixed": (_RENYI,),
    "log-consistent": ("log.consistency",),
    "logical-deletion": (_HISTORY,),
    "loss-bounded": (_RENYI,),
    "loss-constants": (_RENYI,),
    "loss-convex": (_RENYI,),
    "noise-criterion-met": ("removal.output-noise",),
    "noise-measured": (_RENYI,),
    "objective-strongly-convex": ("removal.residual",),
    "one-release-channel": (_CONTINUAL,),
    "other-part-has-control": (_CONTINUAL,),
    "pan-private": (_CONTINUAL,),
    "part-has-control": (_CONTINUAL,),
    "perturbation-gaussian": ("removal.residual",),
    "perturbation-laplace": ("removal.residual",),
    "query-response": (_CONTINUAL,),
    "release-independent": (_RENYI,),
    "release-noise": ("removal.output-noise",),
    "release-reproduced": ("model.reproduced",),
    "residual-enforced": ("removal.output-noise",),
    "retrained": ("release.exact", "removal.residual"),
    "rows-bounded": (_RENYI,),
    "seed-unguessable": ("removal.residual",),
    "start-gaussian": (_RENYI,),
    "stateless": ("state.stateless", _RENYI),
    "step-size": (_RENYI,),
    "steps-counted": (_RENYI,),
    "store-erased": ("data.erased",),
    "strongly-history-independent": (_HISTORY, _GAME),
    "touchstone-storage": (_HISTORY,),
    "dictionary-before": (_CONTINUAL,),
    "nothing-before-training": (_CONTINUAL,),
    "training-data-destroyed": (_CONTINUAL, "data.erased"),
    "unlearning-syntax": (_HISTORY,),
    "unrefuted": ("epsilon.consistency",),
}
"""By fact, the checks that can find it out, the first the most likely; a fact that only a word can give has none."""
