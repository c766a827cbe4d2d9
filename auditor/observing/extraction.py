"""A private feature extractor below the linear model (Guo et al. 2020, Theorem 5): what it adds to the price of every removal.

Nothing is unlearned from the extractor. That its training was private is the controller's word: the features come as they are.
"""

from __future__ import annotations

from auditor.case import Case
from auditor.certificates import derive
from auditor.certificates.extractor import KIND, of_group
from auditor.deletions import replayable
from auditor.domain import Certificate, Fact, How
from auditor.guarantees import Pledge, fact
from auditor.settings.certified_removal import CertifiedRemoval


def removed(case: Case) -> int:
    """The records that the log removes, all of which were in the extractor's training; 1 where it removes none."""
    return max(1, sum(len(batch.record_ids) for batch in replayable(case.requests, case.known_ids)))


def spent(case: Case, procedure: CertifiedRemoval) -> tuple[float, float]:
    """ε and δ of the extractor for all removed records together; nothing where there is none."""
    if procedure.extractor is None:
        return 0.0, 0.0
    return of_group(procedure.extractor.epsilon, procedure.extractor.delta, removed(case))


def pledged(case: Case) -> Pledge | None:
    """The same as what a theorem may use; None without a private extractor."""
    procedure = case.settings.procedure
    if not isinstance(procedure, CertifiedRemoval) or procedure.extractor is None:
        return None
    return Pledge(*spent(case, procedure))


def certificates(case: Case, procedure: CertifiedRemoval, goal: tuple[float, float] | None) -> tuple[Certificate, ...]:
    """What extractor and removal cost together, the removal at the (ε, δ) that it is held against."""
    if procedure.extractor is None or goal is None:
        return ()
    given = {"extractor_epsilon": procedure.extractor.epsilon, "extractor_delta": procedure.extractor.delta}
    return (derive(KIND, {**given, "size": removed(case), "epsilon": goal[0], "delta": goal[1]}),)


def words(procedure: CertifiedRemoval) -> str:
    """What the extractor takes of a target, in a sentence."""
    if procedure.extractor is None:
        return ""
    return " Claim and policy speak of all that is released: what the private extractor below spends of theirs is taken off."


def facts(case: Case, procedure: CertifiedRemoval) -> tuple[Fact, ...]:
    """That the extractor is private, and that removal would have kept its criterion above any other that was drawn."""
    if procedure.extractor is None:
        return ()
    epsilon, delta = spent(case, procedure)
    if delta >= 1:
        reason = f"for {removed(case)} records together its δ is 1, which promises nothing"
        return (fact("extractor-private", How.REFUTED, reason),)
    words = (
        f"by the controller: ε = {procedure.extractor.epsilon:g}, δ = {procedure.extractor.delta:g} for one record; "
        f"ε = {epsilon:.4g}, δ = {delta:.3g} for the {removed(case)} that are removed"
    )
    enforced = procedure.retrain_at_budget or bool(procedure.release_noise) or procedure.unlearn == "retrain"
    return (
        fact("extractor-private", How.ATTESTED, words),
        fact(
            "every-extractor",
            How.COMPUTED if enforced else How.ATTESTED,
            f"built-in procedure {procedure.use}, which trains anew where the criterion would not be met"
            if enforced
            else "by the controller: this run saw one extractor, and the procedure does not train anew at the budget",
        ),
    )
