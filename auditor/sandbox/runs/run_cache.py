"""The runs that are kept under one audit's folder: found by address, written whole, taken only if whole.

DIR/.runs/         0700
    salt           32 random bytes; see `secrets`
    <address>.run  the answers of one finished run; see `packing`
    <address>-<step>.checkpoint  what a step of one that has not finished can go on from; see `checkpoints`

An address is HMAC-SHA-256 over the job and its circumstances, seeds included, with the folder's secret: it tells nothing
about them to anyone who lacks the secret. They may lie elsewhere too: see `places`.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from auditor.base import processors
from auditor.sandbox import Answer, DeviceKind, Level, ProcedureSpec, Step
from auditor.sandbox.runs import circumstances, packing
from auditor.sandbox.runs.checkpoints import Checkpoints
from auditor.sandbox.runs.circumstances import Describer
from auditor.sandbox.runs.storage import place_of

FOLDER = ".runs"
"""Its name in the folder of an audit."""
SUFFIX = ".run"


class Run(Protocol):
    """What can be kept: a dataclass whose fields say all that is asked for."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def spec(self) -> ProcedureSpec:
        """The procedure."""

    @property
    def steps(self) -> Sequence[Step]:
        """What it is asked for."""

    @property
    def level(self) -> Level:
        """The barriers around it."""

    @property
    def device(self) -> DeviceKind:
        """What it computes on."""


def keeps(spec: ProcedureSpec, level: Level) -> bool:
    """Whether finished runs of a procedure are kept behind such barriers; see `Runs.address`."""
    return spec.entry is None or level >= Level.CONFINED


class Runs:
    """Finished runs in one place; may be used by several threads, and by several processes on the same place.

    Nothing here fails an audit: what cannot be kept or taken is run, with a notice that says why.
    """

    def __init__(self, where: Path | str, *, notice: Callable[[str], None], fresh: bool = False) -> None:
        """Take note of where; nothing is read or written yet.

        Args:
            where: The folder of the runs, `DIR/.runs`, made when it is first needed; or an address that fsspec reaches.
            notice: Told, in a sentence, of what could not be kept or was not trusted.
            fresh: Take nothing that is kept; what finishes is kept all the same.

        Raises:
            UsageError: If nothing reaches the address.
        """
        self._place, self._notice, self._fresh = place_of(where), notice, fresh
        self._describer = Describer()
        self._secret: bytes | None = None
        self._unusable = False
        self._taken: list[str] = []

    @property
    def taken(self) -> tuple[str, ...]:
        """The names of the runs that were taken and not run, sorted: several threads may have taken them in any order."""
        return tuple(sorted(self._taken))

    def address(self, run: Run, occurrence: int) -> str | None:
        """Where the answers of a run are kept; None where they are not.

        The controller's own code is kept only from level *confined* on: below, it may read any file of the machine, and no
        address could cover what its answers depend on. Nor is what ran on a GPU whose driver does not say which it is.

        Args:
            run: What is asked for.
            occurrence: How many equal runs went before it in the same audit: equal runs are made to be compared, and answers
                that stood for both would always agree.

        Raises:
            TypeError: If the run holds what cannot cross into the sandbox.
        """
        if not keeps(run.spec, run.level):
            return None
        secret = self._open()
        if secret is None:
            return None
        # How many networks are stacked at a time follows from the number of processors, and their last bits from that.
        machine: list[object] = [circumstances.machine(), processors.count()]
        if run.device == "cuda":
            accelerators = circumstances.accelerators()
            if accelerators is None:
                return None
            machine.append(accelerators)
        whole = [run, occurrence, circumstances.software(), machine]
        return hmac.new(secret, b"address\0" + self._describer.to_bytes(whole), hashlib.sha256).hexdigest()

    def take(self, run: Run, address: str | None) -> tuple[Answer, ...] | None:
        """The kept answers of a run; None where there are none that can be trusted."""
        secret = self._secret
        if address is None or secret is None or self._fresh:
            return None
        name = _name(address)
        path = self._place.named(name)
        try:
            content = packing.unsealed(self._place.read(name), address=address, secret=secret)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._notice(f"{path} cannot be read ({error.strerror}): {run.name} is run again")
            return None
        if content is None:
            self._notice(f"{path} is damaged or was written by somebody else: {run.name} is run again")
            return None
        answers = packing.unpacked(content, run.steps)
        self._taken.append(run.name)
        return answers

    def keep(self, run: Run, occurrence: int, address: str | None, answers: Sequence[Answer]) -> None:
        """Keep the answers of a run that has finished, unless its circumstances changed while it ran."""
        secret = self._secret
        if address is None or secret is None or self.address(run, occurrence) != address:
            return
        try:
            self._place.write(_name(address), packing.sealed(packing.packed(answers), address=address, secret=secret))
        except OSError as error:
            self._notice(f"{run.name} is not kept for a later audit: {_words(error)}")

    def checkpoints(self, run: Run, occurrence: int, address: str | None) -> Checkpoints | None:
        """Where the checkpoints of a run are kept while it has not finished; None where it would not be kept itself."""
        if address is None or self._secret is None:
            return None
        return Checkpoints(
            self._place,
            address,
            self._secret,
            name=run.name,
            unchanged=lambda: self.address(run, occurrence) == address,
            notice=self._notice,
            fresh=self._fresh,
        )

    def _open(self) -> bytes | None:
        if self._secret is None and not self._unusable:
            try:
                self._secret = self._place.secret()
            except OSError as error:
                self._unusable = True
                self._notice(f"finished runs are not kept: {_words(error)}")
        return self._secret


def _name(address: str) -> str:
    return f"{address}{SUFFIX}"


def _words(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
