"""What the part brings."""

from __future__ import annotations

from auditor.base.parts import Part

PART = Part(
    name="acme",
    subject="how long requests wait",
    checks=("judging.backlog",),
    stages=("observing.backlog",),
    rules=("rules.waiting",),
    theorems=("theorems",),
    attacks=("attacks.margin",),
    classes={"acme-centroids": "learning.centroids:Centroids"},
    formats=("telling.table",),
)
