"""Lists every dishonest design, kind by kind."""

from design import Design
from dishonest import (
    approximate,
    blind,
    brought,
    claims,
    files,
    game,
    hidden,
    lazy,
    look_alikes,
    memory,
    preprocessing,
    state,
    still,
    timing,
)

DESIGNS: tuple[Design, ...] = (
    *game.DESIGNS,
    *files.DESIGNS,
    *claims.DESIGNS,
    *look_alikes.DESIGNS,
    *preprocessing.DESIGNS,
    *timing.DESIGNS,
    *state.DESIGNS,
    *lazy.DESIGNS,
    *still.DESIGNS,
    *brought.DESIGNS,
    *hidden.DESIGNS,
    *memory.DESIGNS,
    *approximate.DESIGNS,
    *blind.DESIGNS,
)
