"""Lists every honest design: exact retrainers of different learners, methods with a theorem, and approximate ones with none."""

from design import Design
from honest import certified, others, retrainers

DESIGNS: tuple[Design, ...] = (*retrainers.DESIGNS, *certified.DESIGNS, *others.DESIGNS)
APPROXIMATE: tuple[Design, ...] = others.APPROXIMATE
"""Honest, and perhaps not good enough: an audit of one may end in any way but a wrong *shown*, or in an error."""
