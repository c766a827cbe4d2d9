"""The table of `use = "noisy-gd"`: which keys go together."""

from __future__ import annotations

import pytest

from auditor.case.declaration import declare
from auditor.case.files import Source
from auditor.parts.data_deletion.settings import NoisyGd
from case_examples import SOUND

OLD = 'use = "certified-removal"\nl2 = 1e-3\nsigma = 1.0\nseed = 20261121'
TABLE = 'use = "noisy-gd"\nl2 = 0.05\nsigma2 = 0.01\nlearn_steps = 100\nunlearn_steps = 10\nseed = 20261121\n'


def declared(added: str):
    assert OLD in SOUND
    return declare(Source("audit.toml", SOUND.replace(OLD, TABLE + added).encode()))


@pytest.mark.parametrize(
    "added",
    [
        'loss = "logistic"',
        'loss = "softmax"\nclip = 0.5\norder = 8\nrow_norms = "scale"',
        'loss = "logistic"\nloss_cap = 2.0\nrate = 0.1',
        'model = "mlp"\nparams = {hidden = [4]}\nrate = 0.1\nclip = 1.0',
        'entry = "net.py:Net"\nrate = 0.1\nconvex = true\nlipschitz = 2.0\nsmoothness = 1.0',
    ],
)
def test_tables_that_can_be_read(added):
    found = declared(added)
    assert found.settings is not None, found.problems
    procedure = found.settings.procedure
    assert isinstance(procedure, NoisyGd)
    assert procedure.foreign == added.startswith("entry")
    assert procedure.may_use_gpu != added.startswith("loss")


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("", "exactly one of loss, model and entry, found none of them"),
        ('loss = "logistic"\nmodel = "mlp"\nrate = 0.1', "exactly one of loss, model and entry, found loss, model"),
        ('loss = "logistc"', "did you mean logistic?"),
        ('loss = "logistic"\nclip = 1\nloss_cap = 1\nrate = 0.1', "clip or loss_cap"),
        ('loss = "logistic"\nloss_cap = 1', "a rate with loss_cap"),
        ('loss = "logistic"\nlipschitz = 1', "no lipschitz with loss"),
        ('loss = "logistic"\nconvex = true', "convex and params with model or entry only"),
        ('loss = "logistic"\norder = 1', "greater than 1"),
        ('loss = "logistic"\nrate = "fast"', 'rate: expected "theorem"'),
        (
            'loss = "logistic"\nrate = 40.0',
            "a rate below 2/l2, which is 40: beyond it no step comes nearer to 0, found rate = 40",
        ),
        ('loss = "logistic"\nrate = 0', 'rate: expected "theorem"'),
        ('model = "mlp"', "a rate: the theorem's step size needs a loss that is known"),
        ('model = "mlq"\nrate = 0.1', "did you mean mlp?"),
        ('model = "mlp"\nrate = 0.1\nrow_norms = "scale"', "row_norms with loss only"),
    ],
)
def test_tables_that_cannot(added, said):
    problems = declared(added).problems
    assert len(problems) == 1
    assert said in str(problems[0])


@pytest.mark.parametrize("key", ["l2", "sigma2", "learn_steps", "unlearn_steps"])
def test_keys_that_must_be_there(key):
    text = "".join(line for line in (TABLE + 'loss = "logistic"').splitlines(keepends=True) if not line.startswith(f"{key} "))
    (problem,) = declare(Source("audit.toml", SOUND.replace(OLD, text).encode())).problems
    assert problem.where == f"procedure.{key}"
    assert "required" in str(problem)
