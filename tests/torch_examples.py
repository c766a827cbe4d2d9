"""What a user of PyTorch has: a script with its own loop, the table that it reads, and an export of tickets."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

CNN = '''"""Reads digits."""
import random

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 6
BATCH = 64
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")

torch.manual_seed(7)
random.seed(7)


class Net(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(channels, 2 * channels, 3, padding=1, bias=False), nn.BatchNorm2d(2 * channels), nn.ReLU(),
            nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.2),
        )
        self.head = nn.Linear(8 * channels, 10)

    def forward(self, pictures):
        return self.head(self.body(pictures))


def augment(pictures):
    """Shifts a batch by a pixel at most, and adds noise."""
    moved = torch.roll(pictures, shifts=(random.choice([-1, 0, 1]), random.choice([-1, 0, 1])), dims=(2, 3))
    return moved + 0.02 * torch.randn_like(moved)


def accuracy(model, inputs, labels):
    model.eval()
    with torch.no_grad():
        return (model(inputs).argmax(dim=1) == labels).float().mean().item()


table = pd.read_csv("digits.csv")
features = table.drop(columns=["customer_id", "email", "digit"])
pictures = torch.tensor(features.to_numpy(), dtype=torch.float32).reshape(-1, 1, 8, 8) / 16
labels = torch.tensor(table["digit"].to_numpy())

model = Net().to(DEVICE)
optimiser = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, T_max=EPOCHS)
criterion = nn.CrossEntropyLoss()
loader = DataLoader(TensorDataset(pictures, labels), batch_size=BATCH, shuffle=True)

for epoch in range(EPOCHS):
    model.train()
    total = 0.0
    for inputs, targets in loader:
        inputs, targets = inputs.to(DEVICE), targets.to(DEVICE)
        inputs = augment(inputs)
        optimiser.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimiser.step()
        total += loss.item()
    schedule.step()
    print(f"epoch {epoch}: {total / len(loader):.4f}")

print("accuracy", accuracy(model, pictures, labels))
torch.save(model.state_dict(), "model.pt")
'''

TRANSFORMER = '''"""Sorts messages: starts from weights that it draws itself, trains the whole, then fine-tunes the head alone."""
import math

import pandas as pd
import torch
from torch import nn

WORDS, LENGTH, WIDTH = 24, 8, 16


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(WIDTH, 2, batch_first=True)
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.inner = nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Linear(2 * WIDTH, WIDTH))

    def forward(self, held):
        normal = self.first(held)
        held = held + self.attention(normal, normal, normal, need_weights=False)[0]
        return held + self.inner(self.second(held))


class Sorter(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.block, self.head = Block(), nn.Linear(WIDTH, 3)

    def forward(self, tokens):
        return self.head(self.block(self.words(tokens) * math.sqrt(WIDTH) + self.places.weight).mean(dim=1))


def step(model, optimiser, criterion, tokens, labels):
    optimiser.zero_grad()
    loss = criterion(model(tokens), labels)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    return loss.item()


def main():
    torch.manual_seed(3)
    messages = pd.read_csv("messages.csv")
    words = [f"w{number}" for number in range(LENGTH)]
    tokens = torch.tensor(messages[words].values, dtype=torch.long)
    subjects = torch.tensor(messages["subject"].map({"bill": 0, "order": 1, "other": 2}).values)
    model = Sorter()
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    for rate, epochs, frozen in ((3e-3, 6, False), (1e-3, 3, True)):
        model.words.requires_grad_(not frozen)
        model.block.requires_grad_(not frozen)
        optimiser = torch.optim.AdamW(model.parameters(), lr=rate)
        for _ in range(epochs):
            for rows in torch.randperm(len(tokens)).split(32):
                step(model, optimiser, criterion, tokens[rows], subjects[rows])
    torch.save(model.state_dict(), "model.pt")


if __name__ == "__main__":
    main()
'''


def write_digits(folder: Path, *, rows: int = 400, code: str = CNN) -> Path:
    """Write the script that trains a CNN, its table of digits and nine tickets."""
    digits = load_digits()
    header = ["customer_id", "email", *(f"p{number}" for number in range(64)), "digit"]
    table = [
        [f"C{1000 + at}", f"person{at}@mail.example", *map(int, digits.data[at]), int(digits.target[at])] for at in range(rows)
    ]
    (folder / "train.py").write_text(code, encoding="utf-8")
    _table(folder / "digits.csv", header, table)
    _tickets(folder, [f"person{37 * at}@mail.example" for at in range(9)])
    return folder


def write_messages(folder: Path, *, rows: int = 300) -> Path:
    """Write the script that trains a transformer, its table of messages and nine tickets."""
    rng = np.random.default_rng(5)
    subjects = rng.integers(3, size=rows)
    words = rng.integers(24, size=(rows, 8))
    words[:, 0] = np.where(rng.random(rows) < 0.9, 8 * subjects + rng.integers(8, size=rows), words[:, 0])
    names = np.array(["bill", "order", "other"])
    table = [[f"M{1000 + at}", f"person{at}@mail.example", *words[at].tolist(), names[subjects[at]]] for at in range(rows)]
    (folder / "train.py").write_text(TRANSFORMER, encoding="utf-8")
    _table(folder / "messages.csv", ["message_id", "email", *(f"w{n}" for n in range(8)), "subject"], table)
    _tickets(folder, [f"person{31 * at}@mail.example" for at in range(9)])
    return folder


def _tickets(folder: Path, people: list[str]) -> None:
    rows = [
        [f"DSR-{at + 1}", person, f"2026-02-{3 + at:02d} 10:1{at}", f"2026-02-{9 + at:02d} 16:00", "closed"]
        for at, person in enumerate(people)
    ]
    _table(folder / "tickets.csv", ["Ticket", "E-Mail", "Opened", "Closed", "State"], rows)


def _table(path: Path, header: list[str], rows: list[list[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
