"""How often `release.remembers` accuses honest releases, and how often it tells dishonest ones.

    python -m tests.counted_releases [AUDITS]

Prints the tables of benchmarks/release-remembers.md: logistic regressions, trained and scored by the code of audits.
AUDITS of each honest kind are 400 if left out, with a quarter as many of each dishonest one, and take five minutes on one core.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parent))

from auditor.base.domain import Status
from auditor.parts.release.judging.release_remembers import calls_for_second, judge
from auditor.settings.learning import Foreign
from auditor.verdict.checks.finding import Finding
from judging import declared, log_facts
from pools import Release, Setting, observe

CONTEXT: Final = declared(procedure=Foreign(entry="procedure.py:Own"), log=log_facts(batches=1))
EARLIER: Final = {"release.exact": Finding(Status.SKIPPED)}
QUIET: Final = Setting(forgotten=10, requests=5, noise=0.03)
LOUD: Final = Setting(forgotten=10, requests=5, noise=0.3, flipped=0.5)
STEADY: Final = Setting(forgotten=10, requests=5, noise=0.0)
HONEST: Final[tuple[Release, ...]] = ("retrained", "another library", "best of five", "spread x 1.3")
DISHONEST: Final[tuple[Release, ...]] = ("as it was", "one request kept")


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of so many audits."""

    audits: int
    second: int
    """Whose first stage called for a second."""
    accused: int
    left_open: int
    """Neither accused nor cleared by the second stage."""


def count(setting: Setting, release: Release, audits: range) -> Counts:
    """Audit releases of one kind, each of a case of its own."""
    second = accused = left_open = 0
    for seed in audits:
        observed = observe(setting, release, seed=seed)
        if not calls_for_second(observed, quick=False):
            continue
        second += 1
        status = judge(CONTEXT, observed, EARLIER).status
        accused += status is Status.FAIL
        left_open += status is Status.INCONCLUSIVE
    return Counts(len(audits), second, accused, left_open)


def told(setting: Setting, release: Release, audits: range) -> Counter[Status]:
    """Audit releases of one kind, each of a case of its own; how often each status comes out."""
    found = (observe(setting, release, seed=seed) for seed in audits)
    return Counter(judge(CONTEXT, each, EARLIER).status for each in found)


def main(audits: int) -> None:
    """Print a row for each kind of release and learner."""
    print("| release | noise | second stage | accused | left open by it |\n|---|---|---|---|---|")
    for release in HONEST:
        for name, setting in (("0.03", QUIET), ("0.3", LOUD), ("none", STEADY)):
            if release in ("best of five", "spread x 1.3") and setting is STEADY:
                continue  # Without chance there is one model, whatever the seed.
            found = count(setting, release, range(audits))
            print(f"| {release} | {name} | {found.second} | {found.accused} | {found.left_open} |", flush=True)
    print("\n| release | noise | fail | open | pass |\n|---|---|---|---|---|")
    for release in DISHONEST:
        for name, setting in (("0.03", QUIET), ("0.3", LOUD), ("none", STEADY)):
            by = told(replace(setting, flipped=0.5), release, range(max(1, audits // 4)))
            print(f"| {release} | {name} | {by[Status.FAIL]} | {by[Status.INCONCLUSIVE]} | {by[Status.PASS]} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
