"""What an evidence document concludes from its findings: what was examined, what a pass rests on, and by which tests."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from auditor.base.domain import ClaimStatus, Effect, Guarantee
from auditor.document.context import Fragment
from auditor.document.later_fields import later, undeclared
from auditor.settings.lineage import Descendant


class Examined(Fragment):
    """What the audit examined, of what a deletion has to reach."""

    model: bool
    """Whether the model file about to be released was held against what the procedure gives, and a decision came of it."""
    store: bool
    """Whether the data store was searched, and a decision came of it, or what is open lies in other places alone."""
    procedure: bool
    """Whether a check that judges the unlearning itself ran."""
    backups: bool
    """Whether backups were read: no check of this version reads any."""


class TakenPart(Fragment):
    """A part of a third party that took part in the audit: those who installed it vouch for it."""

    name: str
    """Of its entry point."""
    distribution: str
    """The package that brings it."""
    version: str
    """Of that package."""
    sha256: str
    """Over every file of the part, by path and content."""
    checks: tuple[str, ...] = ()
    """Ids of the checks that it brings."""
    conclusions: tuple[Guarantee, ...] = ()
    """What its theorems conclude, *supported* at most; none of it is a guarantee of the auditor's own."""

    @property
    def named(self) -> tuple[str, str, str, str]:
        """Name, package, version and digest."""
        return self.name, self.distribution, self.version, self.sha256


RouteName: TypeAlias = Literal["exact", "counterfactual", "remembers", "controller", "answers"]


class Route(Fragment):
    """One way in which the controller's own code may pass, and what it lacks here."""

    name: RouteName
    checks: tuple[str, ...]
    """Ids of checks that it needs and that did not pass."""
    words: tuple[str, ...]
    """Attestations that it needs and nobody made."""
    further: tuple[Literal["data-deletion-claim", "equal-counterfactual-runs"], ...]
    """What it needs as well."""

    @property
    def open(self) -> bool:
        """Whether it lacks nothing."""
        return not (self.checks or self.words or self.further)


class Cap(Fragment):
    """Whether code that only the controller vouches for can have passed."""

    foreign: bool
    """Whether the controller's own code learns and unlearns; where it does not, nothing is capped."""
    route: RouteName | None
    """The strongest way that is open; null where none is, or none is needed."""
    routes: tuple[Route, ...]
    """Every way, the strongest first; none where none is needed."""
    controller: Route | None = Field(default=None, exclude_if=undeclared)
    """The one way of a whole controller that is code of the case; null where none is audited, or it is one of ours."""

    @property
    def holds(self) -> bool:
        """Whether it keeps the verdict from pass."""
        return (self.foreign and self.route is None) or (self.controller is not None and not self.controller.open)


class ClaimStanding(Fragment):
    """A claim of the controller, and what the audit can say of it."""

    name: str
    """Its key in [claims]."""
    standing: ClaimStatus
    epsilon: float | None = None
    """What one person with all of their records gets, where that is what keeps the claim from standing."""
    delta: float | None = None
    """The same."""


class Weakening(Fragment):
    """A setting of the policy, or of the SWAP test, that asks for less than its default."""

    key: str
    declared: float | tuple[str, ...]
    default: float | None
    """Null where the default is no number: one calendar month, every attack."""


class StatedPremise(Fragment):
    """A statement on which a pass of this case rests, whether or not anybody attested it, and what is known of it."""

    name: str
    """As `[claims] attested` takes it, where it takes it; else a fact, or what `auditor.verdict.premises` calls it."""
    standing: Literal["examined", "said", "unsaid", "refuted"]
    """Whether a check examined it and found nothing, somebody says it, nobody does, or the run contradicts it."""
    check: str | None = Field(default=None, exclude_if=undeclared)
    """Id of the check that examined or refuted it."""
    by: str | None = Field(default=None, exclude_if=undeclared)
    """Who says it."""
    at: date | None = Field(default=None, exclude_if=undeclared)
    """The day on which they said so; null for a place declared under `[[outside]]`."""


class Descent(StrEnum):
    """Whether something that was made from the model still depends on records that were deleted, as its dates say."""

    NOTHING_DELETED = "nothing-deleted"
    AFTER = "after"
    """It was first made after the model was replaced, from what holds none of them."""
    REMADE = "remade"
    """The same of the last time."""
    RETIRED = "retired"
    """It is neither used nor kept."""
    EARLIER = "earlier"
    """It was made before the model was replaced, and neither again nor retired since."""
    SAME_DAY = "same-day"
    """It was made on the day on which its source was replaced: nobody can say from which."""
    UNDATED = "undated"
    """Nobody says when it was made."""
    OTHER_RELEASE = "other-release"
    """It was made from another release than this one, or the case does not name its release."""
    NOT_REPLACED = "not-replaced"
    """Nobody says from which release it was made, nor since when the model is replaced in use."""
    PLANNED = "planned"
    """It is to be made again, or retired, on a day that lies ahead."""
    SOURCE = "source"
    """What it was made from still depends on them itself."""

    @property
    def open(self) -> bool:
        """Whether it may still depend on deleted records."""
        return self not in {Descent.NOTHING_DELETED, Descent.AFTER, Descent.REMADE, Descent.RETIRED}


class StatedDescendant(Descendant):
    """Something that was made from the model, as declared, and whether it may still depend on deleted records."""

    descent: Annotated[Descent, Field(strict=False)]
    """What its dates come to."""


class Reliance(Fragment):
    """What the verdict rests on, and what keeps it from pass though every required check passes."""

    cap: Cap
    claims: tuple[ClaimStanding, ...]
    """Every claim; one that is neither shown nor supported keeps the verdict from pass."""
    unexamined: bool
    """Whether records were deleted and nothing that passes examines the forgetting, which keeps the verdict from pass."""
    contradicted: tuple[str, ...]
    """Attestations that the run refutes, clean preprocessing even where it is not attested: any keeps the verdict from pass."""
    statements: tuple[str, ...]
    """Attestations of the controller without any one of which the verdict would not be a pass; empty where it is not a pass."""
    weakenings: tuple[Weakening, ...]
    left_out: tuple[str, ...]
    """Ids of the checks that decide by default and that the policy does not require."""
    silent: tuple[str, ...] = later("0.2.0", ())
    """Attestations that a pass asks for where records were deleted, and that nobody made: any keeps the verdict from pass."""
    lineage: tuple[str, ...] = later("0.2.0", ())
    """Where the policy asks for `lineage_settled`: things made from the model that may still depend on deleted records, by name;
    any keeps the verdict from pass."""


class StatedLevel(Fragment):
    """A statistical test that this case was held to, and how often it rejects where what it tests holds, at most."""

    check: str
    """Id of the check that has it."""
    test: str
    """Its name."""
    effect: Effect
    """What its rejection does: accuses, leaves open, or lets pass."""
    level: float
    apart: bool = Field(default=False, exclude_if=undeclared)
    """Whether it is left out of the sum and stated on a line of its own."""


class Levels(Fragment):
    """How often an honest case like this one would be accused, or left open, by chance: levels of tests, added up."""

    accuses: float
    """The share of honest cases that fail by chance, at most; tests that stand apart are left out."""
    leaves_open: float
    """The share that stays inconclusive by chance at most; a case that is too small is so with certainty, and counts in none."""
    tests: tuple[StatedLevel, ...]
    """Every test; those that stand apart, and those that a pass needs, are in neither sum."""
