"""A learner that claims to be history independent is taken to the same records in several ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.parts.controllers.judging.history.pipeline import Way
from cases import outcome
from small_cases import LEARNER, foreign, problem, write

SORTED, ZEROS, NOTHING = "np.argsort(data.ids)", "np.zeros(data.features.shape[1])", "pass"
DELETED = set(Way) - {Way.ANOTHER_ORDER}


@pytest.mark.parametrize(
    ("order", "start", "before", "steady", "differing"),
    [
        (SORTED, ZEROS, NOTHING, True, set()),
        ("np.arange(len(data.ids))", ZEROS, NOTHING, True, {Way.ANOTHER_ORDER}),
        pytest.param(SORTED, ZEROS, "open('log', 'a').write('x')", True, DELETED, marks=pytest.mark.slow),
        pytest.param(SORTED, ZEROS, "self.deleted = list(data.ids[forget])", True, DELETED, marks=pytest.mark.slow),
        pytest.param(SORTED, "np.random.default_rng().normal(size=5)", NOTHING, False, set(Way), marks=pytest.mark.slow),
    ],
    ids=["sorted", "in order of the table", "keeps a file", "keeps an attribute", "by chance"],
)
def test_what_a_learner_depends_on_is_seen(
    tmp_path: Path, order: str, start: str, before: str, steady: bool, differing: set[Way]
) -> None:
    write(tmp_path, *problem(), required=None)
    foreign(tmp_path, LEARNER.replace("ORDER", order).replace("START", start).replace("BEFORE", before))
    with (tmp_path / "audit.toml").open("a") as settings:
        settings.write("\n[claims]\nhistory_independent = true\n")
    found = outcome(tmp_path, only=("state.history_independent",), workers=2)
    assert found.failure is None
    seen = found.evidence.evidence.check("state.history_independent").observed["pipeline"]
    assert seen["steady"] is steady
    assert {each["way"] for each in seen["ways"] if each["differing"]} == differing
