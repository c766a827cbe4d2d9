"""What a procedure may use up before it is ended."""

from __future__ import annotations

from dataclasses import dataclass, fields

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one worker.

    Raises:
        ValueError: If a limit is not positive.
    """

    timeout_s: float = 600.0
    """Wall-clock seconds for one call, and for the start; calls that are asked for together have as many times."""
    memory_mb: int | None = None
    """MiB of memory over all its processes, mapped or not; what they share counts once (see `memory`). None: no limit of its own.
    The jobs that run side by side then share half of what is free."""
    output_mb: int = 64
    """MiB on stdout and stderr together."""
    file_mb: int = 4096
    """MiB for any one file, and for the scratch folder as a whole."""

    processes: int = 512
    """Processes at a time, the child among them; threads do not count."""

    def __post_init__(self) -> None:
        """Refuse a limit that nothing could keep."""
        for item in fields(self):
            value = getattr(self, item.name)
            if value is not None and not 0 < value < float("inf"):
                raise ValueError(f"{item.name}: expected a positive number, found {value}")
