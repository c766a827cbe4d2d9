"""What [procedure] use = "torch" may say, and what is said of anything else; all of it without PyTorch."""

from __future__ import annotations

import subprocess
import sys

import pytest

from auditor.base.errors import InputError
from auditor.case import read
from auditor.case.declaration import declare
from auditor.case.files import Source
from auditor.parts.networks.settings import ARCHITECTURES, PARAMS, Torch
from case_examples import SOUND, jsonl, npz, places, records, row, write_case

CERTIFIED = 'use = "certified-removal"\nl2 = 1e-3\nsigma = 1.0\nseed = 20261121'
WITHOUT_MODEL = SOUND.replace('[model]\npath = "model.safetensors"\n', "")
MLP = 'use = "torch"\nmodel = "mlp"\nepochs = 2\nrate = 0.1'
OWN = 'use = "torch"\nentry = "net.py:Net"\nepochs = 2\nrate = 0.1'


def text_with(table: str) -> str:
    assert CERTIFIED in WITHOUT_MODEL
    return WITHOUT_MODEL.replace(CERTIFIED, table)


def declared(table: str):
    return declare(Source("audit.toml", text_with(table).encode()))


def sound(table: str) -> Torch:
    found = declared(table)
    assert found.problems == ()
    procedure = found.tables["procedure"]
    assert isinstance(procedure, Torch)
    return procedure


def problems(table: str):
    return {problem.where: f"{problem.expected}; {problem.found}" for problem in declared(table).problems}


def test_defaults():
    found = sound(MLP)
    assert (found.batch, found.optimizer, found.momentum, found.weight_decay, found.schedule) == (32, "sgd", 0.0, 0.0, "constant")
    assert (found.unlearn, found.unlearn_params, found.dp, found.dtype, found.seed) == ("retrain", {}, None, "float32", 0)
    assert found.params == {"hidden": [64]}
    assert (found.foreign, found.may_use_gpu) == (False, True)


def test_every_key():
    found = sound(
        'use = "torch"\nmodel = "resnet20"\nparams = { shape = [3, 32, 32], width = 8 }\nepochs = 10\nbatch = 128\n'
        'optimizer = "adam"\nrate = 1\nweight_decay = 5e-4\nschedule = "cosine"\nunlearn = "ssd"\nseed = "99"\n'
        "unlearn_params = { dampening = 0.5 }\ndp = { noise_multiplier = 1.1, max_grad_norm = 1, delta = 1e-5 }\n"
        'dtype = "float64"'
    )
    assert found.params == {"shape": [3, 32, 32], "width": 8, "groups": 8}
    assert found.dp is not None
    assert (found.dp.noise_multiplier, found.dp.max_grad_norm, found.dp.delta) == (1.1, 1.0, 1e-5)
    assert found.unlearn_params["dampening"] == 0.5
    assert "99" not in repr(found)


@pytest.mark.parametrize("name", list(PARAMS))
def test_every_way_of_unlearning_is_known_with_its_defaults(name):
    found = sound(f'{MLP}\nunlearn = "{name}"')
    assert found.unlearn_params == PARAMS[name]().model_dump(mode="json")


def test_a_network_of_the_controllers_own_is_foreign():
    found = sound(f"{OWN}\nparams = {{ width = 3, deep = {{ a = [1] }} }}")
    assert (found.model, found.foreign) == (None, True)
    assert found.params == {"width": 3, "deep": {"a": [1]}}


@pytest.mark.parametrize(
    ("table", "where", "said"),
    [
        ('use = "torch"\nepochs = 1\nrate = 1', "procedure", "neither"),
        (f'{MLP}\nentry = "net.py:Net"', "procedure", "both"),
        (MLP.replace('"mlp"', '"mpl"'), "procedure.model", "did you mean mlp?"),
        (MLP.replace('"mlp"', "3"), "procedure.model", "one of mlp, small-cnn, resnet20"),
        (MLP.replace('"torch"', '"pytorch"'), "procedure.use", "did you mean torch?"),
        (OWN.replace("net.py:Net", "net.py"), "procedure.entry", "file.py:ClassName"),
        (OWN.replace("net.py:Net", "net.py:no name"), "procedure.entry", "file.py:ClassName"),
        (f"{OWN}\nparams = {{ a = nan }}", "procedure.params.a", "nan"),
        (f"{OWN}\nparams = 3", "procedure.params", "a table"),
        (f"{MLP}\nparams = {{ hiden = [3] }}", "procedure.params.hiden", "did you mean hidden?"),
        (f"{MLP}\nparams = {{ hidden = 64 }}", "procedure.params.hidden", "an array"),
        (f"{MLP}\nparams = {{ hidden = [64, 0] }}", "procedure.params.hidden.1", "at least 1"),
        (f"{MLP}\nparams = {{ hidden = [64, 2.5] }}", "procedure.params.hidden.1", "an integer"),
        (MLP.replace("mlp", "small-cnn"), "procedure.params.shape", "required"),
        (MLP.replace("mlp", "small-cnn") + "\nparams = { shape = [8, 8] }", "procedure.params.shape", "an array of at least 3"),
        (
            MLP.replace("mlp", "small-cnn") + "\nparams = { shape = [1, 3, 1], channels = [] }",
            "procedure.params.channels",
            "least 1",
        ),
        (
            MLP.replace("mlp", "resnet20") + "\nparams = { shape = [1, 3, 1], width = 12 }",
            "procedure.params",
            "8 groups of 12 channels",
        ),
        (MLP.replace("epochs = 2\n", ""), "procedure.epochs", "required"),
        (MLP.replace("epochs = 2", "epochs = 0"), "procedure.epochs", "at least 1"),
        (MLP.replace("rate = 0.1", "rate = 0"), "procedure.rate", "greater than 0"),
        (MLP.replace("rate = 0.1", "rate = nan"), "procedure.rate", "nan"),
        (f"{MLP}\nbatch = 1.5", "procedure.batch", "an integer"),
        (f'{MLP}\noptimizer = "sgdm"', "procedure.optimizer", "did you mean sgd?"),
        (f"{MLP}\nmomentum = 1", "procedure.momentum", "less than 1"),
        (f'{MLP}\noptimizer = "adam"\nmomentum = 0.9', "procedure.momentum", "Adam takes no momentum"),
        (f"{MLP}\nweight_decay = -1", "procedure.weight_decay", "at least 0"),
        (f'{MLP}\nschedule = "cosin"', "procedure.schedule", "did you mean cosine?"),
        (f"{MLP}\ndp = {{ noise_multiplier = 1, delta = 1e-5 }}", "procedure.dp.max_grad_norm", "required"),
        (f"{MLP}\ndp = {{ noise_multiplier = 0, max_grad_norm = 1, delta = 1e-5 }}", "procedure.dp.noise_multiplier", "than 0"),
        (f"{MLP}\ndp = {{ noise_multiplier = 1, max_grad_norm = 1, delta = 1 }}", "procedure.dp.delta", "less than 1"),
        (
            f"{MLP}\ndp = {{ noise_multiplier = 1, max_grad_norm = 1, delta = 0.1, epsilon = 3 }}",
            "procedure.dp.epsilon",
            "unknown",
        ),
        (f"{MLP}\ndp = 1", "procedure.dp", "a table"),
        (
            f'{MLP}\nunlearn = "sisa"\ndp = {{ noise_multiplier = 1, max_grad_norm = 1, delta = 0.1 }}',
            "procedure.dp",
            'no such key with unlearn = "sisa"',
        ),
        (f'{MLP}\nunlearn = "retrian"', "procedure.unlearn", "did you mean retrain?"),
        (f"{MLP}\nunlearn = 1", "procedure.unlearn", "one of retrain, none"),
        (f"{MLP}\nunlearn_params = {{ epochs = 3 }}", "procedure.unlearn_params.epochs", "no keys"),
        (
            f'{MLP}\nunlearn = "ssd"\nunlearn_params = {{ dampenning = 3 }}',
            "procedure.unlearn_params.dampenning",
            "did you mean dampening?",
        ),
        (f'{MLP}\nunlearn = "sisa"\nunlearn_params = {{ shards = 1 }}', "procedure.unlearn_params.shards", "at least 2"),
        (f'{MLP}\ndtype = "bfloat16"', "procedure.dtype", "float"),
        (f"{MLP}\nseed = -123456", "procedure.seed", "not shown"),
        (f"{MLP}\nl2 = 1", "procedure.l2", "an unknown key"),
        ('use = "sklearn"\nentry = "a.py:B"\nestimator = "sklearn.tree.DecisionTreeClassifier"', "procedure", "both"),
    ],
)
def test_one_wrong_key_is_one_problem_in_its_place(table, where, said):
    found = problems(table)
    assert list(found) == [where]
    assert said in found[where]


def test_every_problem_comes_at_once():
    found = problems(
        'use = "torch"\nmodel = "small-cnn"\nparams = { shap = [1], channels = [0] }\nepochs = 1.5\nrate = -1\nbatch = 0\n'
        'optimizer = "adam"\nmomentum = 2\nunlearn = "fisher"\nunlearn_params = { noise = -1, more = 2 }\n'
        'dp = { delta = 2, more = 1 }\ndtype = 3\nseed = "x"\nmore = 1'
    )
    assert set(found) == {
        *(f"procedure.params.{key}" for key in ("shap", "channels.0")),
        *(f"procedure.{key}" for key in ("epochs", "rate", "batch", "momentum", "dtype", "seed", "more")),
        *(f"procedure.unlearn_params.{key}" for key in ("noise", "more")),
        *(f"procedure.dp.{key}" for key in ("delta", "more", "noise_multiplier", "max_grad_norm")),
    }


def test_a_network_does_not_learn_real_values(tmp_path):
    write_case(tmp_path, text_with(MLP).replace('"classification"', '"regression"'))
    with pytest.raises(InputError, match=r"data.task: expected \"classification\" for a network"):
        read(tmp_path)


def test_a_picture_has_as_many_numbers_as_there_are_features(tmp_path):
    table = MLP.replace("mlp", "small-cnn") + "\nparams = { shape = [1, 2, 2] }"
    with pytest.raises(InputError) as caught:
        read(write_case(tmp_path, text_with(table)))
    assert places(caught.value.problems) == {("audit.toml", "procedure.params.shape")}
    assert "whose product is 3" in str(caught.value)
    assert read(write_case(tmp_path, text_with(table.replace("2, 2]", "3, 1]")))).settings.procedure.foreign is False


def test_the_file_of_the_controllers_network_is_an_input(tmp_path):
    found = read(write_case(tmp_path, text_with(OWN), net__py=b"class Net: ...\n"))
    assert "net.py" in {each.path for each in found.inputs}
    assert "net.py" not in {each.path for each in read(write_case(tmp_path, text_with(MLP))).inputs}
    (tmp_path / "net.py").unlink()
    with pytest.raises(InputError, match=r"procedure.entry"):
        read(write_case(tmp_path, text_with(OWN)))


def test_a_label_of_any_kind_and_number_is_welcome(tmp_path):
    train = records(labels=["a", "b", "c", "d"] * 3)
    log = jsonl(row(executed_at="2026-01-20T09:00:00+01:00"))
    found = read(write_case(tmp_path, text_with(MLP), train__npz=train, model__npz=npz(parameters=[1.0]), deletions__jsonl=log))
    assert isinstance(found.settings.procedure, Torch)


@pytest.mark.parametrize("table", [MLP, OWN, f'{MLP}\nunlearn = "sisa"'])
def test_a_case_is_validated_without_torch(tmp_path, table):
    write_case(tmp_path, text_with(table), net__py=b"import torch\n")
    script = "import sys; from auditor.__main__ import main; sys.argv[1:] = ['validate', '--no-run', sys.argv[1]]\n"
    script += "try:\n    main()\nexcept SystemExit as end:\n    print('ended', end.code, 'torch' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True)
    assert ran.stdout.strip().endswith("ended 0 False"), ran.stdout + ran.stderr


def test_the_tables_of_the_networks_are_what_the_networks_take():
    script = (
        "import inspect; from auditor.parts.networks.settings import ARCHITECTURES; "
        "from auditor.parts.networks.learning.architectures import BUILT_IN\n"
        "assert ARCHITECTURES.keys() == BUILT_IN.keys()\n"
        "for name, made in BUILT_IN.items():\n"
        "    given = inspect.signature(made).parameters.items()\n"
        "    taken = {key: each.default for key, each in given if each.kind is each.KEYWORD_ONLY}\n"
        "    told = {key: each.default for key, each in ARCHITECTURES[name].model_fields.items()}\n"
        "    assert taken.keys() == told.keys(), name\n"
        "    assert all(told[key] == taken[key] for key in taken if taken[key] is not inspect.Parameter.empty), name\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    assert set(ARCHITECTURES) == {"mlp", "small-cnn", "resnet20"}
