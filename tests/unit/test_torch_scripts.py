"""`auditor init --from` with a PyTorch script: what is carried over, what is listed, what is refused; nothing of it runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

import torch_examples
from auditor.base.errors import InputError
from auditor.base.records import Dataset
from auditor.case.scaffold import torch_scripts
from auditor.cli import run

TIME = ("--log", "tickets.csv", "--timezone", "Europe/Berlin")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return torch_examples.write_digits(tmp_path, rows=350)


SPLIT = "pictures, held, labels, wanted = train_test_split(pictures, labels, test_size=0.2, random_state=0)\n"
STOPPING = """    reached = accuracy(model, held, wanted)
    if reached > best:
        best, kept = reached, copy.deepcopy(model.state_dict())
"""


def read(text: str) -> torch_scripts.Script:
    return torch_scripts.read(Path("train.py"), text.encode(), "digits.csv")


def changed(*pairs: tuple[str, str]) -> str:
    text = torch_examples.CNN
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def loop(folder: Path) -> Any:
    """The class of the case that was written."""
    found: dict[str, Any] = {}
    exec((folder / "loop.py").read_text(encoding="utf-8"), found)  # our test's own text
    return found["Loop"]()


def scripted(folder: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, torch.Tensor]:
    """What the script itself saves."""
    exec(compile(code, str(folder / "train.py"), "exec"), {"__name__": "__main__"})  # our test's own text
    saved: dict[str, torch.Tensor] = torch.load(folder / "model.pt", weights_only=True)
    return saved


def records(folder: Path, train: str, columns: list[str], label: str, name: str) -> Dataset:
    table = pd.read_csv(folder / train)
    return Dataset(table[columns].to_numpy(dtype=float), table[label].to_numpy(), table[name].to_numpy(dtype=str))


def test_the_loop_trains_the_very_model_of_the_script(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["init", "made", "--from", "train.py", "--data", "digits.csv", *TIME]) == 0
    assert not (here / "model.pt").exists()  # nothing ran
    own = scripted(here, torch_examples.CNN, monkeypatch)
    made = loop(here / "made")
    made.take_rows(labels=list(range(10)))
    data = records(here, "digits.csv", [f"p{number}" for number in range(64)], "digit", "customer_id")
    learned = made.learn(data, 12345)
    assert all(torch.equal(own[name], each) for name, each in learned.state_dict().items())
    assert made.predict(learned, data.features[:7]).shape == (7, 10)
    model = tomllib.loads((here / "made" / "audit.toml").read_text(encoding="utf-8"))
    assert model["procedure"] == {"entry": "loop.py:Loop", "seed": model["procedure"]["seed"]}
    assert model["data"]["label"] == "digit"


def test_every_statement_is_carried_over_or_listed(here: Path) -> None:
    said = "\n".join(read(torch_examples.CNN).said)
    assert "loop.py: written, out of train.py: lines 2, 4-8, 10-12, 14-15, 18-29, 32-35, 44-47, 49-53, 55-67" in said
    for line in (
        "line 44: pd.read_csv('digits.csv'): the table of --data is handed over in its place",
        "line 50: optimiser: torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=0.0001)",
        "line 51: schedule: torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, T_max=EPOCHS)",
        "line 60: drawn at random in training, and left out of predictions: inputs = augment(inputs)",
        "line 38: not carried over: nothing of the training calls it",
        "line 69: not carried over: it follows on the training",
        "line 70: not carried over: it writes, shows or sends",
        "every training starts from the script's own seed",
    ):
        assert line in said, line
    lines = [number for number, line in enumerate(torch_examples.CNN.splitlines(), start=1) if line.strip()]
    assert max(lines) == 70


def test_a_split_and_early_stopping_stay_within_the_training(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = changed(
        ("import torch\n", "import torch\nimport copy\nfrom sklearn.model_selection import train_test_split\n"),
        ("model = Net()", f"{SPLIT}best, kept = 0.0, None\nmodel = Net()"),
        ("    schedule.step()\n", f"    schedule.step()\n{STOPPING}"),
        ('print("accuracy"', 'model.load_state_dict(kept)\nprint("accuracy"'),
    )  # fmt: skip
    (here / "train.py").write_text(code, encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "digits.csv", *TIME]) == 0
    own = scripted(here, code, monkeypatch)
    made = loop(here / "made")
    made.take_rows(labels=list(range(10)))
    learned = made.learn(records(here, "digits.csv", [f"p{number}" for number in range(64)], "digit", "customer_id"), 1)
    assert all(torch.equal(own[name], each) for name, each in learned.state_dict().items())


def test_labels_by_name_are_mapped_as_the_script_does(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch_examples.write_messages(here)
    assert run(["init", "made", "--from", "train.py", "--data", "messages.csv", *TIME]) == 0
    own = scripted(here, torch_examples.TRANSFORMER, monkeypatch)
    made = loop(here / "made")
    made.take_rows(labels=["bill", "order", "other"])
    data = records(here, "messages.csv", [f"w{number}" for number in range(8)], "subject", "message_id")
    learned = made.learn(data, 1)
    assert all(torch.equal(own[name], each) for name, each in learned.state_dict().items())
    reached = (
        made.predict(learned, data.features).argmax(axis=1) == np.searchsorted(["bill", "order", "other"], data.labels)
    ).mean()
    assert reached > 0.5


def test_labels_in_another_order_than_sorted_keep_the_columns_of_predictions(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch_examples.write_messages(here)
    text = torch_examples.TRANSFORMER.replace('"bill": 0, "order": 1, "other": 2', '"bill": 2, "order": 0, "other": 1')
    (here / "train.py").write_text(text, encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "messages.csv", *TIME]) == 0
    own = scripted(here, text, monkeypatch)
    made = loop(here / "made")
    made.take_rows(labels=["bill", "order", "other"])
    data = records(here, "messages.csv", [f"w{number}" for number in range(8)], "subject", "message_id")
    learned = made.learn(data, 1)
    assert all(torch.equal(own[name], each) for name, each in learned.state_dict().items())
    with torch.no_grad():
        outputs = learned(made.inputs(data.features)).softmax(dim=1).double().numpy()
    assert np.allclose(made.predict(learned, data.features), outputs[:, [2, 0, 1]])
    # A network of more outputs than there are labels is not cut to them.
    assert made.probabilities(torch.zeros(2, 4)).shape == (2, 4)


YES_NO = """import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
table = pd.read_csv("members.csv")
{before}
for name in ["Basis", "Profi"]:
    table["plan_" + name] = (table["plan"] == name).astype(float)
for name in ["age", "visits"]:
    table[name] = table[name] / 10
inputs = torch.tensor(table[["age", "visits", "plan_Basis", "plan_Profi"]].to_numpy(dtype="float32"))
labels = torch.tensor({labels}.to_numpy(dtype="{kind}"))
model = nn.Linear(4, {outputs})
optimiser = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(60):
    for rows, wanted in DataLoader(TensorDataset(inputs, labels), batch_size=64, shuffle=True):
        optimiser.zero_grad()
        loss = {loss}
        loss.backward()
        optimiser.step()
torch.save(model.state_dict(), "model.pt")
"""
ONE_LOGIT = {"outputs": "1", "kind": "float32", "loss": "nn.BCEWithLogitsLoss()(model(rows).squeeze(1), wanted)"}
TWO_LOGITS = {"outputs": "2", "kind": "int64", "loss": "nn.CrossEntropyLoss()(model(rows), wanted)"}
ENCODED = {
    "a table": ("", 'table["churned"].map({"nein": 0, "ja": 1})'),
    "a comparison": ("", '(table["churned"] == "ja").astype(int)'),
    "a comparison with the other": ("", '(table["churned"] == "nein").astype(int)'),
    "a table in the column's place": ('table["churned"] = table["churned"].map({"nein": 0, "ja": 1})', 'table["churned"]'),
}


def write_members(folder: Path) -> None:
    rng = np.random.default_rng(2)
    age, plan = rng.integers(18, 70, size=300), rng.choice(["Basis", "Profi"], size=300)
    table = pd.DataFrame({"customer_id": [f"C{at}" for at in range(300)], "age": age, "visits": rng.integers(9, size=300)})
    table["plan"], table["churned"] = plan, np.where((plan == "Basis") == (rng.random(300) < 0.9), "ja", "nein")
    table.to_csv(folder / "members.csv", index=False)
    (folder / "log.jsonl").write_text(
        '{"request_id": "R", "record_ids": ["C3"], "received_at": "2026-01-03T10:00:00Z", '
        '"executed_at": "2026-01-04T10:00:00Z"}\n'
    )


@pytest.mark.parametrize("network", [ONE_LOGIT, TWO_LOGITS], ids=["one logit", "two logits"])
@pytest.mark.parametrize("name", ENCODED)
def test_yes_and_no_whose_sorted_order_is_not_the_scripts_are_carried_over(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str, network: dict[str, str]
) -> None:
    write_members(here)
    before, labels = ENCODED[name]
    code = YES_NO.format(before=before, labels=labels, **network)
    (here / "train.py").write_text(code, encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "members.csv", "--log", "log.jsonl"]) == 0
    own = scripted(here, code, monkeypatch)
    made = loop(here / "made")
    made.take_rows(labels=["ja", "nein"])
    table = pd.read_csv(here / "members.csv")
    data = Dataset(table[["age", "visits", "plan"]], table["churned"].to_numpy(), table["customer_id"].to_numpy(dtype=str))
    learned = made.learn(data, 1)
    assert all(torch.equal(own[name], each) for name, each in learned.state_dict().items())
    right = np.array(["ja", "nein"])[made.predict(learned, data.features).argmax(axis=1)] == data.labels
    assert right.mean() > 0.8  # and 0.2 where columns are exchanged


@pytest.mark.parametrize(
    "before",
    [
        'table = table.replace({"nein": 0, "ja": 1})',
        'table = table.replace({"churned": {"nein": 0, "ja": 1}})',
        'table["churned"] = table["churned"].map({"nein": 0, "ja": 1})\ntable["churned"] = 1 - table["churned"]',
        'table.loc[table["churned"] == "ja", "churned"] = 1',
        'table["churned"] = table["age"]',
        'for name in ["churned"]:\n    table[name] = table[name].map({"nein": 0, "ja": 1})',
        'table = table.assign(churned=table["churned"].map({"nein": 0, "ja": 1}))',
        'table["churned"].replace({"nein": 0, "ja": 1}, inplace=True)',
    ],
)
def test_labels_that_are_encoded_where_nobody_can_follow_are_refused(
    here: Path, capsys: pytest.CaptureFixture[str], before: str
) -> None:
    write_members(here)
    code = YES_NO.format(before=before, labels='table["churned"]', **ONE_LOGIT)
    (here / "train.py").write_text(code, encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "members.csv", "--log", "log.jsonl"]) == 2
    said = capsys.readouterr().err
    assert "line 8: expected labels " in said or "line 9: expected labels " in said
    assert not (here / "made").exists()


def test_an_encoding_that_is_no_position_of_an_output_is_refused_with_one_that_is(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torch_examples.write_messages(here)
    text = torch_examples.TRANSFORMER.replace('"bill": 0, "order": 1', '"bill": 1, "order": 1')
    (here / "train.py").write_text(text, encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "messages.csv", *TIME]) == 2
    assert ".map({'bill': 0, 'order': 1, 'other': 2})" in capsys.readouterr().err
    assert not (here / "made").exists()


def test_all_that_is_wrong_with_a_script_is_said_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own_dataset = "class Mine(torch.utils.data.Dataset):\n    pass\n\n\ndef accuracy("
    code = changed(
        ("def accuracy(", own_dataset),
        ("TensorDataset(", "Mine("),
        (" / 16\n", " / 16\npictures = pictures - pictures.mean()\n"),
        ('torch.tensor(table["digit"].to_numpy())', 'torch.tensor(table["digit"].to_numpy() - 1)'),
        ("model = Net()", 'more = pd.read_csv("more.csv")\nmodel = Net(features.shape[1])'),
    )
    (here / "train.py").write_text(code, encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "digits.csv", *TIME]) == 2
    said = capsys.readouterr().err
    for line in (
        "line 38: expected a TensorDataset of two names",
        "line 51: expected the inputs of a row worked out from that row alone",
        "line 52: expected labels as the table has them",
        "line 54: expected no other file",
        "line 55: expected a network that is made of constants alone",
        "5 problems",
    ):
        assert line in said, line


FEATURES = "torch.tensor(features.to_numpy(), dtype=torch.float32).reshape(-1, 1, 8, 8) / 16"
DIGITS = 'torch.tensor(table["digit"].to_numpy())'
SEVERAL_LINES = """rows = TensorDataset(
    pictures,  # those of the table
    torch.tensor(
        table["digit"].to_numpy()
    ),
)
loader = DataLoader(rows, """
EXPRESSIONS = [
    [
        ("TensorDataset(pictures, labels)", f"TensorDataset({FEATURES}, {DIGITS})"),
        (f"pictures = {FEATURES}\nlabels = {DIGITS}\n", ""),
    ],
    [("TensorDataset(pictures, labels)", "TensorDataset(pictures.float(), labels)")],
    [("loader = DataLoader(TensorDataset(pictures, labels), ", SEVERAL_LINES)],
]


@pytest.mark.parametrize("pairs", EXPRESSIONS, ids=["both", "one call", "over several lines"])
def test_a_dataset_of_expressions_is_followed(here: Path, monkeypatch: pytest.MonkeyPatch, pairs: list[tuple[str, str]]) -> None:
    code = changed(*pairs)
    code = code.replace('print("accuracy", accuracy(model, pictures, labels))\n', "")
    (here / "train.py").write_text(code, encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "digits.csv", *TIME]) == 0
    own, made = scripted(here, code, monkeypatch), loop(here / "made")
    made.take_rows(labels=list(range(10)))
    data = records(here, "digits.csv", [f"p{number}" for number in range(64)], "digit", "customer_id")
    learned = made.learn(data, 12345)
    assert all(torch.equal(own[name], each) for name, each in learned.state_dict().items())
    with torch.no_grad():
        pictures = torch.tensor(data.features[:7], dtype=torch.float32).reshape(-1, 1, 8, 8) / 16
        expected = torch.softmax(learned.eval()(pictures), dim=1).numpy()
    assert np.allclose(made.predict(learned, data.features[:7]), expected, atol=1e-6)


@pytest.mark.parametrize(
    "made",
    ["list(map(abs, [-1])) and TensorDataset(pictures.float(), labels)", "TensorDataset(*(pictures, labels))"],
)
def test_a_dataset_of_expressions_is_refused_where_something_comes_first(
    here: Path, capsys: pytest.CaptureFixture[str], made: str
) -> None:
    (here / "train.py").write_text(changed(("TensorDataset(pictures, labels)", made)), encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "digits.csv", *TIME]) == 2
    assert "line 53: expected names in a TensorDataset" in capsys.readouterr().err


def test_pictures_of_an_npz_file_are_handed_over_as_the_script_read_them(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digits = records(here, "digits.csv", [f"p{number}" for number in range(64)], "digit", "customer_id")
    pictures = digits.features.reshape(-1, 1, 8, 8).astype(np.uint8)
    np.savez(here / "digits.npz", features=pictures, labels=digits.labels, ids=digits.ids)
    code = changed(
        ('table = pd.read_csv("digits.csv")\n', 'arrays = np.load("digits.npz")\n'),
        ('features = table.drop(columns=["customer_id", "email", "digit"])\n', ""),
        (
            "torch.tensor(features.to_numpy(), dtype=torch.float32).reshape(-1, 1, 8, 8)",
            'torch.tensor(arrays["features"]).float()',
        ),
        ('torch.tensor(table["digit"].to_numpy())', 'torch.tensor(arrays["labels"])'),
    )
    (here / "train.py").write_text(code, encoding="utf-8")
    row = {
        "request_id": "R",
        "record_ids": ["C1003"],
        "received_at": "2026-01-03T10:00:00Z",
        "executed_at": "2026-01-04T10:00:00Z",
    }
    (here / "log.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "digits.npz", "--log", "log.jsonl"]) == 0
    assert tomllib.loads((here / "made" / "audit.toml").read_text(encoding="utf-8"))["data"]["shape"] == [1, 8, 8]
    own = scripted(here, f"{code}\narrays.close()\n", monkeypatch)
    made = loop(here / "made")
    made.take_rows(labels=list(range(10)), shape=[1, 8, 8])
    learned = made.learn(digits, 1)
    assert all(torch.equal(own[name], each) for name, each in learned.state_dict().items())


SHUFFLED = """order = np.random.permutation(len(table))
cut = int(0.8 * len(table))
shown, wanted = pictures[order[:cut]], labels[order[:cut]]
model = Net()"""
BATCHES = """    for inputs, targets in loader:
        inputs, targets = inputs.to(DEVICE), targets.to(DEVICE)
        inputs = augment(inputs)
"""
LOADER = "loader = DataLoader(TensorDataset(pictures, labels), "
FRACTIONS = f"""chance = torch.Generator().manual_seed(5)
kept, held = torch.utils.data.random_split(TensorDataset(pictures, labels), [0.8, 0.2], generator=chance)
{LOADER.replace("TensorDataset(pictures, labels)", "kept")}"""
LENGTHS = f"""rows = TensorDataset(pictures, labels)
held = len(rows) // 5
kept, _ = torch.utils.data.random_split(rows, [len(rows) - held, held])
{LOADER.replace("TensorDataset(pictures, labels)", "kept")}"""
SPLITS = {
    "by positions that are shuffled": (
        ("model = Net()", SHUFFLED),
        ("random.seed(7)\n", "random.seed(7)\nnp.random.seed(7)\n"),
        (BATCHES, "    for rows in torch.randperm(len(shown)).split(BATCH):\n"),
        ("criterion(model(inputs), targets)", "criterion(model(shown[rows]), wanted[rows])"),
        (f"{LOADER}batch_size=BATCH, shuffle=True)\n", ""),
        ("{total / len(loader):.4f}", "{total:.4f}"),
    ),
    "by fractions": ((LOADER, FRACTIONS),),
    "by lengths of the dataset": ((LOADER, LENGTHS),),
}


@pytest.mark.parametrize("name", SPLITS)
def test_a_split_that_fits_fewer_rows_is_carried_over(here: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The model of fewer rows is the one that the script gives on them."""
    code = changed(*SPLITS[name])
    (here / "train.py").write_text(code, encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "digits.csv", *TIME]) == 0
    model = tomllib.loads((here / "made" / "audit.toml").read_text(encoding="utf-8"))
    assert model["data"]["label"] == "digit"
    table = pd.read_csv(here / "digits.csv")
    table.drop(index=[3, 40, 41]).to_csv(here / "digits.csv", index=False)
    own = scripted(here, code, monkeypatch)
    made = loop(here / "made")
    made.take_rows(labels=list(range(10)))
    data = records(here, "digits.csv", [f"p{number}" for number in range(64)], "digit", "customer_id")
    learned = made.learn(data, 1)
    assert all(torch.equal(own[name], each) for name, each in learned.state_dict().items())
    assert made.predict(learned, data.features[:7]).shape == (7, 10)


def test_a_regression_with_amounts_as_the_table_has_them_is_carried_over(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = changed(
        ("nn.CrossEntropyLoss()", "nn.MSELoss()"),
        ("lr=0.1, momentum=0.9", "lr=0.001"),
        ("self.head = nn.Linear(8 * channels, 10)", "self.head = nn.Linear(8 * channels, 1)"),
        ('torch.tensor(table["digit"].to_numpy())', 'torch.tensor(table["digit"].to_numpy(), dtype=torch.float32).unsqueeze(1)'),
    )
    (here / "train.py").write_text(code, encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "digits.csv", *TIME]) == 0
    assert tomllib.loads((here / "made" / "audit.toml").read_text(encoding="utf-8"))["data"]["task"] == "regression"
    own = scripted(here, code, monkeypatch)
    made = loop(here / "made")
    made.take_rows(labels=None)
    data = records(here, "digits.csv", [f"p{number}" for number in range(64)], "digit", "customer_id")
    learned = made.learn(data, 1)
    assert all(torch.equal(own[name], each) for name, each in learned.state_dict().items())
    with torch.no_grad():
        amounts = learned(made.inputs(data.features[:7])).reshape(-1).double().numpy()
    assert np.array_equal(made.predict(learned, data.features[:7]), amounts)


HALVES = "halves = torch.utils.data.random_split(TensorDataset(pictures, labels), "
REFUSED: dict[str, tuple[str, int, str]] = {
    "pretrained weights": (
        changed(("model = Net().to(DEVICE)", "model = Net().to(DEVICE)\nmodel.load_state_dict(torch.load('base.pt'))")),
        50, "no other file than the table of --data",
    ),
    "a hub": (changed(("model = Net()", 'model = torch.hub.load("a/b", "net")')), 49, "weights that this training makes itself"),
    "another table": (
        changed(("model = Net()", 'more = pd.read_csv("more.csv")\nmodel = Net()')),
        49, "no other file than the table of --data",
    ),
    "several processes": (
        changed(("model = Net().to(DEVICE)", "model = nn.parallel.DistributedDataParallel(Net())")),
        49, "a training in one process",
    ),
    "AMP": (
        changed(("criterion = nn", "scaler = torch.cuda.amp.GradScaler()\ncriterion = nn")),
        52, "a training in full precision",
    ),
    "the command line": (
        changed(("EPOCHS = 6", "import argparse\nEPOCHS = argparse.ArgumentParser().parse_args().epochs")),
        11, "settings as constants",
    ),
    "numbers of all rows": (
        changed((" / 16\n", " / 16\npictures = (pictures - pictures.mean()) / pictures.std()\n")),
        47, "the inputs of a row worked out from that row",
    ),
    "a batch that is prepared in the loop": (
        changed(("inputs = augment(inputs)", "inputs = inputs / 2")),
        60, "a batch that goes into the network as it is",
    ),
    "a Dataset of its own": (
        changed(
            ("def accuracy(", "class Mine(torch.utils.data.Dataset):\n    pass\n\n\ndef accuracy("), ("TensorDataset(", "Mine("),
        ),
        38, "a TensorDataset of two names",
    ),
    "a network of the table": (
        changed(("model = Net()", "model = Net(features.shape[1])")), 49, "a network that is made of constants alone",
    ),
    "scaled labels": (
        changed(('torch.tensor(table["digit"].to_numpy())', 'torch.tensor(table["digit"].to_numpy() - 1)')),
        47, "labels as the table has",
    ),
    "a loss that nobody knows": (changed(("nn.CrossEntropyLoss()", "nn.TripletMarginLoss()")), 55, "one of PyTorch's losses"),
    "two networks": (
        changed(("schedule = ", "other = Net()\nfurther = torch.optim.SGD(other.parameters(), lr=1.0)\nschedule = ")),
        57, "one network",
    ),
    "a loop that changes the table": (
        changed(("features = table", 'for name in list(table)[2:4]:\n    table[name] = table[name] / 16\nfeatures = table')),
        45, "the inputs worked out statement by statement",
    ),
    "a loop that chooses rows": (
        changed(("features = table", 'for name in ["p1", "p2"]:\n    table = table[table[name] > 1]\nfeatures = table')),
        45, "the inputs worked out statement by statement",
    ),
    "a function that may change the inputs": (
        changed(("model = Net()", "augment(pictures)\nmodel = Net()")), 49, "the inputs worked out statement by statement",
    ),
    "a layer that is exchanged": (
        changed(("optimiser =", "model.head = nn.Linear(64, 12)\noptimiser =")), 50, "a network that is whole once it is made",
    ),
    "scaling within what is drawn": (
        changed(("inputs = augment(inputs)", "inputs = inputs / 2 * torch.rand(1)")), 60, "a batch that goes into the network",
    ),
    "a split by fixed lengths": (
        changed(("model = Net()", f"{HALVES}[300, 50])\nmodel = Net()")),
        49, "lengths as fractions, such as [0.8, 0.2], or worked out from len() of the dataset",
    ),
    "a split by lengths that are constants": (
        changed(
            ("EPOCHS = 6", "EPOCHS, HELD = 6, 50\nKEPT = 350 - 50"),
            ("model = Net()", f"{HALVES}(KEPT, HELD))\nmodel = Net()"),
        ),
        50, "lengths as fractions",
    ),
    "scaled amounts": (
        changed(
            ("nn.CrossEntropyLoss()", "nn.MSELoss()"),
            ('torch.tensor(table["digit"].to_numpy())', 'torch.tensor((table["digit"] / table["digit"].max()).to_numpy())'),
        ),
        47, "amounts as the table has them, since predictions are compared with those: leave the scaling out",
    ),
    "missing values that pandas is told": (
        changed(('read_csv("digits.csv")', 'read_csv("digits.csv", na_values=["-"])')),
        44, "the table as pandas reads it by itself",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_changes_what_is_learned_is_refused_with_its_line(here: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    text, line, expected = REFUSED[name]
    (here / "train.py").write_text(text, encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "digits.csv", *TIME]) == 2
    said = capsys.readouterr().err
    assert f"train.py: line {line}: expected {expected}" in said
    assert not (here / "made").exists()


def test_a_function_behind_the_loop_is_refused_only_where_it_may_be_called(here: Path) -> None:
    ascent = "\n\ndef unlearn(model):\n    torch.optim.SGD(model.parameters(), lr=1.0).step()\n"
    (here / "train.py").write_text(torch_examples.CNN + ascent, encoding="utf-8")
    assert "line 73: not carried over: nothing of the training calls it" in "\n".join(read(torch_examples.CNN + ascent).said)
    for called in ("run = unlearn\nrun(model)\n", "getattr(sys.modules[__name__], 'unlearn')(model)\n"):
        with pytest.raises(InputError, match="a network that stays what the loop made of it"):
            read(torch_examples.CNN + ascent + called)
    with pytest.raises(InputError, match="a network that stays what the loop made of it"):
        read(torch_examples.CNN + ascent.replace("def ", "@once\ndef "))


@pytest.mark.parametrize("framework", ["lightning", "pytorch_lightning", "accelerate"])
def test_a_framework_is_refused_with_the_page_that_shows_the_loop(framework: str) -> None:
    text = f"import torch\nimport {framework} as L\nL.Trainer(max_epochs=3).fit(None)\n"
    assert torch_scripts.trains(text.encode())
    with pytest.raises(InputError, match=r"docs/networks\.md#a-training-loop-of-your-own.*" + framework):
        read(text)


def test_a_script_of_scikit_learn_is_none(here: Path) -> None:
    assert not torch_scripts.trains(b"import torch\nfrom sklearn.svm import SVC\nSVC().fit(X, y)\n")
    assert not torch_scripts.trains(b"def (")


_RUN_LOOP = """
import sys
import numpy as np, pandas as pd, torch
sys.path.insert(0, "made")
from auditor.api import Dataset
import loop
table = pd.read_csv("digits.csv")
ids = table["customer_id"].to_numpy(dtype=str)
data = Dataset(table.filter(regex="^p").to_numpy(dtype=float), table["digit"].to_numpy(), ids)
made = loop.Loop()
made.take_rows(labels=list(range(10)))
torch.save(made.learn(data, 5).state_dict(), "made.pt")
"""


def test_the_loop_adds_up_as_the_script_does_where_the_sandbox_asks_for_other_sums(here: Path) -> None:
    """Without its own way back, MKL's sums in the sandbox differ from those of a script in the last bits."""
    code = changed(
        ("self.head = nn.Linear(8 * channels, 10)", "self.head = nn.Sequential(nn.Linear(8 * channels, 37), nn.Linear(37, 10))"),
        ('print("accuracy", accuracy(model, pictures, labels))\n', ""),
    )
    (here / "train.py").write_text(code, encoding="utf-8")
    assert run(["init", "made", "--from", "train.py", "--data", "digits.csv", *TIME]) == 0
    plain = {name: value for name, value in os.environ.items() if name != "MKL_CBWR"} | {"OMP_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "train.py"], check=True, env=plain, stdout=subprocess.DEVNULL)
    subprocess.run([sys.executable, "-c", _RUN_LOOP], check=True, env={**plain, "MKL_CBWR": "AUTO"})
    own, made = (torch.load(here / name, weights_only=True) for name in ("model.pt", "made.pt"))
    assert all(torch.equal(own[name], made[name]) for name in own)


@pytest.mark.parametrize("says", ["", 'os.environ["MKL_CBWR"] = "AUTO"\n'])
def test_a_script_that_says_how_to_add_up_keeps_its_word(here: Path, says: str) -> None:
    (here / "train.py").write_text(
        changed(("torch.manual_seed(7)\n", f"import os\n{says}torch.manual_seed(7)\n")), encoding="utf-8"
    )
    assert run(["init", "made", "--from", "train.py", "--data", "digits.csv", *TIME]) == 0
    written = (here / "made" / "loop.py").read_text(encoding="utf-8")
    assert ('os.environ.pop("MKL_CBWR", None)' in written) is not bool(says)
    assert says.strip() in written
