"""The checkpoints of a run that has not finished, one for each of its steps, the newest.

`<address>-<step>.checkpoint` is sealed as the run itself will be, under the address and the step: it is found by the same job
alone, on the same step.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final

from auditor.sandbox.runs import packing
from auditor.sandbox.runs.storage import Place

SUFFIX: Final = ".checkpoint"
_SECONDS: Final = struct.Struct(">d")


class Checkpoints:
    """Those of one run; for one thread."""

    def __init__(
        self,
        place: Place,
        address: str,
        secret: bytes,
        *,
        name: str,
        unchanged: Callable[[], bool],
        notice: Callable[[str], None],
        fresh: bool,
    ) -> None:
        """Take note of where they lie.

        Args:
            place: Where runs are kept.
            address: That of the run.
            secret: What seals rest on.
            name: What the run is called.
            unchanged: Whether the run still has this address: what runs may have been changed in the meantime.
            notice: Told, in a sentence, of what could not be kept or was not trusted.
            fresh: Take none that is kept.
        """
        self._place, self._address, self._secret, self._name = place, address, secret, name
        self._unchanged, self._notice, self._fresh = unchanged, notice, fresh
        self._asked: set[int] = set()

    def take(self, position: int) -> tuple[bytes, float] | None:
        """The checkpoint of a step, and the seconds that the step had taken by then; None where there is none to trust."""
        self._asked.add(position)
        if self._fresh:
            return None
        path = self._place.named(self._file(position))
        try:
            file = self._place.read(self._file(position))
        except FileNotFoundError:
            return None
        except OSError as error:
            self._notice(f"{path} cannot be read ({error.strerror}): {self._name} trains from the beginning")
            return None
        content = packing.unsealed(file, address=self._sealed_for(position), secret=self._secret)
        if content is None or len(content) < _SECONDS.size:
            self._notice(f"{path} is damaged or was written by somebody else: {self._name} trains from the beginning")
            return None
        return content[_SECONDS.size :], float(_SECONDS.unpack_from(content)[0])

    def keep(self, position: int, content: bytes, seconds: float) -> None:
        """Keep the checkpoint of a step in place of an earlier one, unless the circumstances of the run have changed."""
        if not self._unchanged():
            return
        sealed = packing.sealed(_SECONDS.pack(seconds) + content, address=self._sealed_for(position), secret=self._secret)
        try:
            self._place.write(self._file(position), sealed)
        except OSError as error:
            self._notice(f"a checkpoint of {self._name} is not kept: {error.strerror or error}")

    def remove(self) -> None:
        """Remove those of every step that was asked for: the run has finished, or failed and shall not fail there again."""
        for position in sorted(self._asked):
            try:
                self._place.remove(self._file(position))
            except FileNotFoundError:
                continue
            except OSError as error:
                self._notice(f"{self._place.named(self._file(position))} cannot be removed: {error.strerror or error}")

    def _file(self, position: int) -> str:
        return f"{self._sealed_for(position)}{SUFFIX}"

    def _sealed_for(self, position: int) -> str:
        return f"{self._address}-{position}"
