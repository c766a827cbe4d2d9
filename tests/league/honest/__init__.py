"""Lists every honest design: exact retrainers of different learners, methods with a theorem, and approximate ones with none."""

from design import Design
from honest import certified, others, practice, practice_networks, practice_programs, practice_tables, retrainers

PRACTICE: tuple[Design, ...] = (
    *practice.DESIGNS,
    *practice_tables.DESIGNS,
    *practice_networks.DESIGNS,
    *practice_programs.DESIGNS,
)
"""What companies do with care, words attested."""
DESIGNS: tuple[Design, ...] = (*retrainers.DESIGNS, *certified.DESIGNS, *others.DESIGNS, *PRACTICE)
NOISE: tuple[Design, ...] = others.NOISE
"""What passes by attacks alone, for no seed repeats it."""
APPROXIMATE: tuple[Design, ...] = others.APPROXIMATE
"""Honest, and perhaps not good enough: an audit of one may end in any way but a wrong *shown*, or in an error."""
