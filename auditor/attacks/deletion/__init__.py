"""Adversaries of deletion inference: which of two records was deleted, from answers before and after (Gao et al. 2022).

seen        what an adversary sees
rise, move  Algorithms 3.2 and 3.4
reduction   Algorithm 3.5: membership inference on both models, by its answer or by how sure it is
yeom, wavering, population  membership inference that is not among the attacks of the SWAP test as it stands

The first of each tuple is the algorithm of that name; the others are what it is compared with.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from auditor import __version__
from auditor.attacks.deletion.answers import MOVE, RISE, Population, Wavering, Yeom
from auditor.attacks.deletion.reduction import Reduction, Referring
from auditor.attacks.deletion.seen import Adversary, Seen, ShadowModels
from auditor.attacks.lira import LiraOnline
from auditor.attacks.shadow_classifier import ShadowClassifier
from auditor.document.editions import in_force

__all__ = ["Adversary", "Knowing", "Seen", "ShadowModels", "adversaries"]

Knowing: TypeAlias = Literal["example", "instance"]
"""What is known of the two records: with their labels, or without."""

_EXAMPLE: Final[tuple[Adversary[Any], ...]] = (
    RISE,
    MOVE,
    Reduction("yeom-label", "loss against the mean training loss", "Yeom et al. 2018", Yeom(), by="label"),
)
_EXAMPLE_OF_CLASSES: Final[tuple[Adversary[Any], ...]] = tuple(
    Reduction(f"{name}-{by}", title, source, members, by=by)
    for name, title, source, members in (
        ("shokri", "classifier trained on shadow models", "Shokri et al. 2017", Referring(ShadowClassifier())),
        ("lira", "likelihood ratio, shadow models with and without the record", "Carlini et al. 2022", Referring(LiraOnline())),
        ("rmia", "likelihood ratios against a population", "Zarifzadeh et al. 2024", Population()),
    )
    for by in ("label", "confidence")
)
_INSTANCE: Final[tuple[Adversary[Any], ...]] = (MOVE,)
_INSTANCE_OF_CLASSES: Final[tuple[Adversary[Any], ...]] = tuple(
    Reduction(f"entropy-{by}", "entropy of the answer", "Song and Mittal 2021", Wavering(), by=by)
    for by in ("label", "confidence")
)


def adversaries(knowing: Knowing, *, classes: bool, version: str = __version__) -> tuple[Adversary[Any], ...]:
    """List the adversaries that play, the algorithm of the paper first.

    Args:
        knowing: What is known of the two records.
        classes: Whether the task is classification.
        version: The version that plays.
    """
    if knowing == "example":
        every = (*_EXAMPLE, *(_EXAMPLE_OF_CLASSES if classes else ()))
    else:
        every = (*_INSTANCE, *(_INSTANCE_OF_CLASSES if classes else ()))
    return tuple(in_force(every, version, key=lambda each: each.name).values())
