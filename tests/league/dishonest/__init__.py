"""Lists every dishonest design, kind by kind."""

from design import Design
from dishonest import brought, claims, files, game, lazy, look_alikes, preprocessing, state, still, timing

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
)
