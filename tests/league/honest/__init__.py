"""Lists every honest design: exact retrainers of different learners, and three approximate methods with a theorem."""

from design import Design
from honest import certified, retrainers

DESIGNS: tuple[Design, ...] = (*retrainers.DESIGNS, *certified.DESIGNS)
