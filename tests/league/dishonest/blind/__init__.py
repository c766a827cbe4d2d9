"""Lists designs that were written from the documentation alone, without a look at how the checks are built."""

from design import Design
from dishonest.blind import answers, learners, logs, memory, networks, programs, stores, tables

DESIGNS: tuple[Design, ...] = (
    *learners.DESIGNS,
    *tables.DESIGNS,
    *logs.DESIGNS,
    *stores.DESIGNS,
    *programs.DESIGNS,
    *networks.DESIGNS,
    *answers.DESIGNS,
    *memory.DESIGNS,
)
