"""Learning by shards: who belongs where, what is retrained, and what is left alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.base.records import Dataset
from auditor.parts.networks.learning.making import make
from auditor.parts.networks.learning.procedure import Networks
from auditor.parts.networks.learning.unlearning.sisa import ShardedNetworks, Shards
from unlearning_examples import dataset

SIZES: dict[str, Any] = {
    "features": 5,
    "classes": [0, 1, 2],
    "epochs": 2,
    "batch": 8,
    "rate": 0.1,
    "model": "mlp",
    "params": {"hidden": [4]},
    "dtype": "float64",
}


def sharded(**params: Any) -> ShardedNetworks:
    made = make(**SIZES, unlearn_by="sisa", unlearn_params=params)
    assert isinstance(made, ShardedNetworks)
    return made


def plain() -> Networks:
    made = make(**SIZES)
    assert isinstance(made, Networks)
    return made


def rest(data: Dataset, forget: list[int]) -> Dataset:
    return data.subset(np.setdiff1d(np.arange(len(data)), forget))


def test_a_record_keeps_its_shard_whoever_is_beside_it() -> None:
    ids, division = dataset(200).ids, Shards(5, "shards")
    where = division.of(ids)
    assert np.array_equal(division.of(ids[::-1]), where[::-1])
    assert np.array_equal(division.of(ids[7:8]), where[7:8])
    assert [len(part) for part in division.split(dataset(200))] == np.bincount(where, minlength=5).tolist()


def test_the_shard_is_this_one_for_ever() -> None:
    # Computed once with this hash: another assignment would make a model that is kept disagree with the one that is rerun.
    assert Shards(5, "shards").of(np.array(["person-0", "person-1", "person-2", "Zoë", "日本"])).tolist() == PINNED
    assert Shards(5, "other").of(np.array(["person-0", "person-1", "person-2", "Zoë", "日本"])).tolist() != PINNED


PINNED = [1, 2, 4, 2, 1]


def test_shards_are_about_equal() -> None:
    counts = np.bincount(Shards(8, "k").of(np.array([f"r{k}" for k in range(8000)])), minlength=8)
    assert np.abs(counts - 1000).max() < 5 * 29.6  # binomial, standard deviation 29.6


def test_each_shard_is_learnt_from_its_own_records_with_its_own_seed() -> None:
    data, procedure = dataset(), sharded(shards=3)
    model = procedure.learn(data, 11)
    for shard, part in enumerate(Shards(3, "shards").split(data)):
        wanted = plain().learn(part, Shards.seed(11, shard))
        own = model.shards[shard]
        assert own is not None
        assert plain().state(own) == plain().state(wanted)
    assert len({Shards.seed(11, shard) for shard in range(3)} | {Shards.seed(12, 0)}) == 4


def test_untouched_shards_stay_and_the_touched_one_is_learnt_without_the_record() -> None:
    data, procedure, division = dataset(), sharded(shards=4), Shards(4, "shards")
    model, forget = procedure.learn(data, 3), [17]
    after = procedure.unlearn(model, data, np.array(forget), 4)
    hit = int(division.of(data.ids[forget])[0])
    for shard in range(4):
        assert (after.shards[shard] is model.shards[shard]) == (shard != hit)
    wanted = plain().learn(division.split(rest(data, forget))[hit], Shards.seed(4, hit))
    own = after.shards[hit]
    assert own is not None
    assert plain().state(own) == plain().state(wanted)


def test_with_one_seed_unlearning_is_learning_what_remains() -> None:
    data, procedure, forget = dataset(), sharded(shards=4), [0, 5, 17, 40]
    after = procedure.unlearn(procedure.learn(data, 9), data, np.array(forget), 9)
    wanted = procedure.learn(rest(data, forget), 9)
    np.testing.assert_allclose(procedure.parameters(after), procedure.parameters(wanted), rtol=1e-10)


def test_forgotten_rows_are_not_read() -> None:
    data, procedure, forget = dataset(), sharded(shards=3), np.array([2, 30])
    model = procedure.learn(data, 1)
    features = data.features.copy()
    features[forget] = np.nan
    spoilt = procedure.unlearn(model, Dataset(features, data.labels, data.ids), forget, 2)
    assert procedure.state(spoilt) == procedure.state(procedure.unlearn(model, data, forget, 2))


def test_many_are_what_they_are_one_by_one() -> None:
    procedure, datas = sharded(shards=3), [dataset(40, seed=k) for k in range(3)]
    forgets, seeds = [np.array([k, k + 9]) for k in range(3)], [5, 6, 7]
    models = procedure.learn_many(datas, seeds)
    after = procedure.unlearn_many(models, datas, forgets, [8, 9, 10])
    said = procedure.predict_many(after, [datas[0].features, datas[1].features[:3], datas[2].features])
    for k, seed in enumerate(seeds):
        alone = procedure.unlearn(procedure.learn(datas[k], seed), datas[k], forgets[k], seed + 3)
        np.testing.assert_allclose(procedure.parameters(after[k]), procedure.parameters(alone), rtol=1e-5)
        np.testing.assert_allclose(said[k], procedure.predict(alone, datas[k].features)[: len(said[k])], rtol=1e-5)


def test_a_prediction_is_the_mean_over_the_shards() -> None:
    data, procedure = dataset(), sharded(shards=3)
    model = procedure.learn(data, 1)
    own = [plain().predict(each, data.features) for each in model.shards if each is not None]
    np.testing.assert_allclose(procedure.predict(model, data.features), np.mean(own, axis=0), rtol=1e-12)


def test_a_shard_without_records_has_no_say_and_no_parameters() -> None:
    data, procedure, division = dataset(30), sharded(shards=6), Shards(6, "shards")
    gone = int(np.argmin(np.bincount(division.of(data.ids), minlength=6)))
    forget = np.flatnonzero(division.of(data.ids) == gone)
    model = procedure.learn(data, 1)
    after = procedure.unlearn(model, data, forget, 2)
    assert after.shards[gone] is None
    assert procedure.parameters(after).shape == procedure.parameters(model).shape
    assert not procedure.parameters(after).reshape(6, -1)[gone].any()
    np.testing.assert_allclose(procedure.predict(after, data.features).sum(axis=1), 1.0)
    warm = procedure.refit(after, data, 3)
    assert warm.shards[gone] is not None
    assert procedure.refit(after, rest(data, forget.tolist()), 3).shards[gone] is None


def test_what_is_saved_is_read_back_and_state_is_every_shard(tmp_path: Path) -> None:
    procedure = sharded(shards=3)
    model = procedure.learn(dataset(), 1)
    procedure.save(model, str(tmp_path / "model.safetensors"))
    assert np.array_equal(procedure.load(str(tmp_path / "model.safetensors")), procedure.parameters(model))
    assert procedure.state(model) == procedure.parameters(model).tobytes()
    assert procedure.facts(model) == {"retrained": True}


def test_nothing_to_learn_from_is_an_error() -> None:
    data, procedure = dataset(4), sharded(shards=2)
    with pytest.raises(ValueError, match="at least one record to learn from, found none"):
        procedure.unlearn(procedure.learn(data, 1), data, np.arange(4), 2)


def test_private_shards_and_wrong_settings_are_refused() -> None:
    dp = {"noise_multiplier": 1.0, "max_grad_norm": 1.0, "delta": 1e-5}
    with pytest.raises(ValueError, match="dp: expected no private training"):
        make(**SIZES, unlearn_by="sisa", dp=dp)
    with pytest.raises(ValueError, match=r"unlearn_params\.shards: expected a number of at least 2, found 1"):
        sharded(shards=1)
    with pytest.raises(ValueError, match=r"unlearn_params\.alpha: expected one of epochs, rate"):
        make(**SIZES, unlearn_by="fine-tune", unlearn_params={"alpha": 1})
    with pytest.raises(ValueError, match=r"unlearn: expected one of retrain, none, .*, sisa, found 'sis'"):
        make(**SIZES, unlearn_by="sis")
