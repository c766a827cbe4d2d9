"""Which code may run behind which walls."""

import itertools

import pytest

from auditor.base.errors import SandboxError
from auditor.sandbox import Level, gate

ORDER = [Level.NONE, Level.PROCESS, Level.NO_NETWORK, Level.CONFINED, Level.NAMESPACED]


def test_levels_are_ordered_by_strength_and_not_by_spelling():
    assert sorted([Level.PROCESS, Level.NAMESPACED, Level.NONE, Level.CONFINED, Level.NO_NETWORK]) == ORDER
    assert max(ORDER) is Level.NAMESPACED
    for (i, a), (j, b) in itertools.product(enumerate(ORDER), repeat=2):
        assert (a < b, a <= b, a > b, a >= b) == (i < j, i <= j, i > j, i >= j)


def test_levels_do_not_compare_with_words():
    for compare in (lambda: Level.NONE < "process", lambda: Level.NONE >= "process"):
        with pytest.raises(TypeError):
            compare()


@pytest.mark.parametrize("level", ORDER)
@pytest.mark.parametrize("foreign", [False, True])
@pytest.mark.parametrize("isolation", ["auto", "strict", "none"])
def test_the_gate(level, foreign, isolation):
    confined = level >= Level.CONFINED
    if level is Level.NONE or (not confined and (isolation == "strict" or (foreign and isolation == "auto"))):
        with pytest.raises(SandboxError, match=f"found level {level}"):
            gate(foreign=foreign, isolation=isolation, available=level)
        return
    expected = (Level.PROCESS, foreign) if isolation == "none" else (level, False)
    assert gate(foreign=foreign, isolation=isolation, available=level) == expected


def test_a_refusal_says_the_way_out():
    with pytest.raises(SandboxError, match='set isolation = "none"') as caught:
        gate(foreign=True, isolation="auto", available=Level.PROCESS)
    assert "caps the verdict at inconclusive" in str(caught.value)
    with pytest.raises(SandboxError, match='isolation = "strict" asks for'):
        gate(foreign=False, isolation="strict", available=Level.NO_NETWORK)


def test_weak_walls_never_leave_the_verdict_of_foreign_code_uncapped():
    for level, isolation in itertools.product(ORDER, ["auto", "strict", "none"]):
        try:
            got, capped = gate(foreign=True, isolation=isolation, available=level)
        except SandboxError:
            continue
        assert capped or got >= Level.CONFINED
