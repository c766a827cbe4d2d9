"""Model files that an audit of the whole case must not let pass, and the honest ones that it must."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from auditor.base.domain import Provenance, Status
from auditor.base.errors import InputError
from auditor.case.containers import canonical
from auditor.case.rewriting import rounded
from cases import audited, check_of, guarantee_of
from hostile_files import IN_NPZ, IN_SAFETENSORS, Hide, with_member
from levels import isolation
from small_cases import foreign, problem, released, write

FEATURES, LABELS = problem()
MODEL = released(FEATURES, LABELS, [[0], [1, 2]], unlearn="retrain")
DELETED = FEATURES[0].tobytes()
ONLY = ("model.reproduced", "removal.residual")


def case(folder: Path, content: bytes, suffix: str = ".npz", grid: str = "") -> Path:
    """A case of retraining with that model file."""
    written = write(folder, FEATURES, LABELS, procedure='unlearn = "retrain"')
    (folder / f"model{suffix}").write_bytes(content)
    with (folder / "audit.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[model]\npath = "model{suffix}"\n{grid}\n')
    return written


@pytest.mark.parametrize("suffix", [".safetensors", ".npz"])
def test_the_very_model_in_a_canonical_file_passes(tmp_path: Path, suffix: str) -> None:
    evidence = audited(case(tmp_path, canonical(MODEL, suffix), suffix), only=ONLY)
    check = check_of(evidence, "model.reproduced")
    assert (check.status, check.value, check.details["equal"]) == (Status.PASS, 0.0, "bits")


@pytest.mark.parametrize(
    ("suffix", "hide"),
    [
        (".safetensors", IN_SAFETENSORS["metadata"]),
        (".safetensors", IN_SAFETENSORS["an unknown key"]),
        (".npz", IN_NPZ["a comment"]),
        (".npz", IN_NPZ["bytes between"]),
    ],
)
def test_a_deleted_row_beside_the_very_model_never_passes(tmp_path: Path, suffix: str, hide: Hide) -> None:
    evidence = audited(case(tmp_path, hide(MODEL, DELETED), suffix), only=("model.reproduced",))
    check = check_of(evidence, "model.reproduced")
    assert check.status is Status.INCONCLUSIVE
    assert "The file holds more than its array determines" in check.basis
    assert f"auditor canonical model{suffix} -o OUT" in check.basis


def test_a_second_member_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown array"):
        audited(case(tmp_path, with_member(MODEL, DELETED)))


def carrying(values: np.ndarray, secret: bytes, *, bits: int) -> np.ndarray:
    """The values with the secret in their lowest bits."""
    stream = np.unpackbits(np.frombuffer(secret, dtype=np.uint8))
    stream = np.resize(stream, len(values) * bits).reshape(len(values), bits).astype(np.uint64)
    whole = values.copy().view(np.uint64)
    low = stream @ (np.uint64(1) << np.arange(bits, dtype=np.uint64))
    return ((whole >> np.uint64(bits) << np.uint64(bits)) | low).view(np.float64)


@pytest.mark.parametrize("bits", [1, pytest.param(8, marks=pytest.mark.slow), 20])
def test_a_deleted_row_in_the_last_bits_never_passes(tmp_path: Path, bits: int) -> None:
    hidden = carrying(MODEL, DELETED, bits=bits)
    evidence = audited(case(tmp_path, canonical(hidden, ".npz")))
    check = check_of(evidence, "model.reproduced")
    assert check.value is not None
    assert check.threshold is not None
    assert check.value <= check.threshold, "so little that the optimiser admits it"
    assert check.status is Status.INCONCLUSIVE
    assert "bits on average" in check.basis
    assert evidence.audit.exit_code == 3
    (fact,) = (each for each in guarantee_of(evidence, "certified-removal").derivation[0].premises if "about to be" in each.fact)
    assert fact.how is Provenance.UNKNOWN, "within a tolerance nothing is shown, and nothing supported"


def test_the_sign_of_a_zero_never_passes(tmp_path: Path) -> None:
    folder = case(tmp_path, b"")
    foreign(folder, OWN.replace("WEIGHTS", "np.array([0.0, 0.5, -0.0, 2.0, 0.25])"))
    for values, status in [([0.0, 0.5, -0.0, 2.0, 0.25], Status.PASS), ([-0.0, 0.5, 0.0, 2.0, 0.25], Status.INCONCLUSIVE)]:
        (folder / "model.npz").write_bytes(canonical(np.array(values), ".npz"))
        check = check_of(audited(folder, only=("model.reproduced",)), "model.reproduced")
        assert (check.status, check.value) == (status, 0.0), check.basis


GRID = 2.0**-24


def test_the_rounded_model_passes_and_certified_checks_use_it(tmp_path: Path) -> None:
    folder = case(tmp_path, canonical(rounded(MODEL, GRID), ".npz"), grid='grid = "2^-24"')
    evidence = audited(folder, only=ONLY)
    check = check_of(evidence, "model.reproduced")
    assert (check.status, check.details["equal"]) == (Status.PASS, "grid"), check.basis
    exact = audited(case(tmp_path, canonical(MODEL, ".npz")), only=ONLY)
    rough, fine = (check_of(each, "removal.residual").value for each in (evidence, exact))
    assert rough is not None
    assert fine is not None
    assert rough > fine
    # A retrained model leaves next to nothing, so that a grid has to be fine for its bound.
    assert check_of(evidence, "removal.residual").status is Status.FAIL
    grid = 2.0**-34
    folder = case(tmp_path, canonical(rounded(MODEL, grid), ".npz"), grid='grid = "2^-34"')
    finer = audited(folder, only=ONLY)
    assert {check_of(finer, name).status for name in ONLY} == {Status.PASS}


@pytest.mark.parametrize(
    ("hidden", "status"),
    [
        # A neighbouring multiple, far from any midpoint: one bit a weight.
        (rounded(MODEL, GRID) + np.array([0, GRID, 0, 0, 0]), Status.INCONCLUSIVE),
        (rounded(MODEL, GRID) - np.array([0, 0, GRID, 0, GRID]), Status.INCONCLUSIVE),
        # The same where the optimiser does not admit it.
        (rounded(MODEL, GRID) - np.array([0, 0, 100 * GRID, 0, 0]), Status.FAIL),
        # Low bits below the grid.
        (carrying(rounded(MODEL, GRID), DELETED, bits=12), Status.INCONCLUSIVE),
        # Not rounded at all.
        (MODEL, Status.PASS),
    ],
)
def test_what_is_not_the_rounded_model_does_not_pass(tmp_path: Path, hidden: np.ndarray, status: Status) -> None:
    folder = case(tmp_path, canonical(hidden, ".npz"), grid=f"grid = {GRID!r}")
    check = check_of(audited(folder, only=("model.reproduced",)), "model.reproduced")
    assert check.status is status, check.basis


@pytest.mark.parametrize("grid", ['grid = "2^-60"', "grid = 1e-9", 'grid = "two"', "grid = 0.0", "grid = true"])
def test_a_grid_that_is_none_is_refused_or_too_fine(tmp_path: Path, grid: str) -> None:
    folder = case(tmp_path, canonical(rounded(MODEL, GRID), ".npz"), grid=grid)
    if "60" in grid:
        check = check_of(audited(folder, only=("model.reproduced",)), "model.reproduced")
        assert check.status is not Status.PASS
        return
    with pytest.raises(InputError, match=r"model\.grid: expected a power of two"):
        audited(folder)


OWN = """\
def learn(self, data, seed):
    return {"w": WEIGHTS}

def unlearn(self, model, data, forget, seed):
    return {"w": WEIGHTS}

def predict(self, model, features):
    p = 1 / (1 + np.exp(-(features @ model["w"] + model.get("memory", 0.0))))
    return np.stack([1 - p, p], axis=1)

def parameters(self, model):
    return model["w"]

def save(self, model, path):
    np.savez(path, parameters=model["w"])

def load(self, path):
    return {"w": np.load(path + ".npz")["parameters"]}
"""
TRAINED = """\
np.linalg.lstsq(data.features, data.labels - 0.5, rcond=None)[0] if forget is None else \
np.linalg.lstsq(np.delete(data.features, forget, axis=0), np.delete(data.labels, forget) - 0.5, rcond=None)[0]"""
HONEST = (
    OWN.replace('"w": WEIGHTS', '"w": self.fit(data, forget)').replace(
        "def learn(self, data, seed):\n", "def learn(self, data, seed):\n    forget = None\n"
    )
    + f"\ndef fit(self, data, forget):\n    return {TRAINED}\n"
)
OF_LEFT = np.linalg.lstsq(FEATURES[3:], LABELS[3:] - 0.5, rcond=None)[0]
"""What retraining without the three deleted records gives."""
MEMORY = '"memory": (np.asarray(data.features).sum(axis=0) @ np.asarray(data.features).T).max() * 1e-3'
LIES = {
    # What predicts is held beside the parameters, and is not in the file.
    "a model that remembers": (HONEST.replace("forget)}", "forget), " + MEMORY + "}"), "predicts otherwise"),
    "a load that returns another model": (
        HONEST.replace('["parameters"]}', '["parameters"], "memory": 0.5}'),
        "predicts otherwise",
    ),
    "a load that gives other parameters": (
        HONEST.replace('["parameters"]}', '["parameters"] + 1e-9}'),
        "5 parameters are not those of the file",
    ),
    "a load that needs the training": (
        HONEST.replace('return {"w": np.load', 'return {"k": self.seen, "w": np.load').replace(
            "    forget = None\n", "    forget = None\n    self.seen = len(data.ids)\n"
        ),
        "load() refused the file",
    ),
    "a save that writes something else": (
        HONEST.replace('parameters=model["w"])', 'parameters=model["w"] * 2)'),
        "save() writes at the end of the replay holds other parameters",
    ),
    "a save of more than the parameters": (
        HONEST.replace('parameters=model["w"])', 'parameters=model["w"], rest=model["w"])'),
        "save() writes at the end of the replay is no file with the one array",
    ),
    "no load": (HONEST.replace("def load", "def reload"), "The class has no load()"),
    "no save": (HONEST.replace("def save", "def write"), "The class has no save()"),
    "a model that cannot predict by itself": (
        HONEST.replace('return {"w": np.load', 'return {"x": np.load'),
        "could not be asked",
    ),
}


def owned(folder: Path, body: str) -> Path:
    written = case(folder, canonical(OF_LEFT, ".npz"))
    foreign(written, body, isolation=isolation())
    return written


def test_an_honest_class_that_saves_and_loads_passes(tmp_path: Path) -> None:
    check = check_of(audited(owned(tmp_path, HONEST), only=("model.reproduced",)), "model.reproduced")
    assert (check.status, check.details["equal"]) == (Status.PASS, "bits"), check.basis


def test_an_honest_class_on_a_grid_passes(tmp_path: Path) -> None:
    folder = owned(tmp_path, HONEST)
    (folder / "model.npz").write_bytes(canonical(rounded(OF_LEFT, GRID), ".npz"))
    text = (folder / "audit.toml").read_text(encoding="utf-8")
    (folder / "audit.toml").write_text(text.replace('"model.npz"\n', '"model.npz"\ngrid = "2^-24"\n'), encoding="utf-8")
    check = check_of(audited(folder, only=("model.reproduced",)), "model.reproduced")
    assert (check.status, check.details["equal"]) == (Status.PASS, "grid"), check.basis


@pytest.mark.parametrize(("body", "words"), LIES.values(), ids=LIES)
def test_a_class_whose_file_is_not_what_predicts_stays_open(tmp_path: Path, body: str, words: str) -> None:
    evidence = audited(owned(tmp_path, body), only=("model.reproduced",))
    check = check_of(evidence, "model.reproduced")
    assert (check.status, evidence.audit.failure) == (Status.INCONCLUSIVE, None), check.basis
    assert words in check.basis


def test_the_process_that_loads_holds_neither_records_nor_labels_nor_log(tmp_path: Path) -> None:
    """Code that looks around in the fresh process finds nothing there that could fill in what the file lacks."""
    looking = HONEST.replace(
        '["parameters"]}',
        '["parameters"], "memory": 0.0 if self.around() else 9.0}',
    )
    looking += """
def around(self):
    import os
    place = os.path.dirname(os.path.abspath(__file__)) + "/.."
    tables = [os.path.join(place, "inputs", name) for name in os.listdir(os.path.join(place, "inputs"))]
    sizes = sorted(len(np.load(name)) for name in tables if name.endswith(".npy"))
    found = [np.load(name) for name in tables if name.endswith(".npz")]
    return sizes == [1, 60] and len(found) == 1 and not np.any(found[0]["labels"])
"""
    check = check_of(audited(owned(tmp_path, looking), only=("model.reproduced",)), "model.reproduced")
    assert check.status is Status.PASS, check.basis
