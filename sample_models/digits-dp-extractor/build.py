"""Makes this case: python sample_models/digits-dp-extractor/build.py."""

import sys
import tomllib
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from auditor.base.records import Dataset  # noqa: E402
from auditor.maths.certificates import derive  # noqa: E402
from auditor.maths.certificates.dp_sgd import schedule  # noqa: E402
from auditor.parts.networks.learning.making import make  # noqa: E402
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval  # noqa: E402
from digits import Sample, build, ten_digits_of_norm_one  # noqa: E402  (it lies next to the samples' folders)

WIDTH, EPOCHS, BATCH = 64, 5, 90
NOISE = {"noise_multiplier": 16.0, "max_grad_norm": 1.0}
# Published, as is the other: in a real case both are secrets.
EXTRACTOR_SEED = 311470825396614027718849120573366189204

declared = tomllib.loads((HERE / "audit.toml").read_text(encoding="utf-8"))["procedure"]
promised = declared["extractor"]
train, holdout = ten_digits_of_norm_one()

rate, steps = schedule(len(train), batch=BATCH, epochs=EPOCHS)
given = {"noise_multiplier": NOISE["noise_multiplier"], "sample_rate": rate, "steps": steps, "delta": promised["delta"]}
spent = derive("dp-sgd", given).epsilon
if spent is None or spent > promised["epsilon"]:
    raise SystemExit(f"the extractor's training costs ε = {spent}, audit.toml says {promised['epsilon']}")

network = make(
    features=train.features.shape[1],
    classes=list(range(10)),
    model="mlp",
    params={"hidden": [WIDTH]},
    epochs=EPOCHS,
    batch=BATCH,
    rate=0.5,
    dp={**NOISE, "delta": promised["delta"]},
    unlearn_by="none",
)
weights = np.asarray(network.parameters(network.learn(train, EXTRACTOR_SEED)), dtype=np.float64)
inputs = train.features.shape[1]
first, shift = weights[: WIDTH * inputs].reshape(WIDTH, inputs), weights[WIDTH * inputs : WIDTH * (inputs + 1)]


def extracted(data: Dataset) -> Dataset:
    """What the hidden layer gives for every image, scaled to norm 1 by itself."""
    hidden = np.maximum(data.features @ first.T + shift, 0.0)
    return Dataset(hidden / np.linalg.norm(hidden, axis=1, keepdims=True), data.labels, data.ids)


procedure = CertifiedRemoval(**{name: declared[name] for name in ("l2", "sigma", "tolerance")})
sample = Sample(HERE, removals=6, seed=int(declared["seed"]), ship_unlearned=True, procedure=procedure)
build(sample, (extracted(train), extracted(holdout)))
