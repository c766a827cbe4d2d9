"""A classifier of short messages: a frozen transformer block, whose weights lie in base/, and a head that is learned."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

WORDS, LENGTH, WIDTH, HEADS = 48, 12, 32, 2
BASE = Path(__file__).resolve().parent / "base" / "model.safetensors"


class Block(nn.Module):
    """Embeddings of words and places, one layer of attention and one of products; the mean over the message."""

    def __init__(self) -> None:
        """Draw the weights."""
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.asked, self.found, self.said = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.into, self.out = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)
        self.before, self.after = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, tokens: Tensor) -> Tensor:
        """From words (messages, length), int64, to features (messages, width)."""
        held = self.words(tokens) + self.places.weight
        normal = self.before(held)
        asked, found, said = (_apart(layer(normal)) for layer in (self.asked, self.found, self.said))
        shares = torch.softmax(asked @ found.transpose(-1, -2) / math.sqrt(WIDTH // HEADS), dim=-1)
        held = held + (shares @ said).transpose(-2, -3).reshape(held.shape)
        held = held + self.out(torch.relu(self.into(self.after(held))))
        features: Tensor = held.mean(dim=-2)
        return features


class Tagger(nn.Module):
    """A head on the frozen block."""

    def __init__(self, labels: int = 3) -> None:
        """Read the block, and draw the head.

        Args:
            labels: How many there are.
        """
        super().__init__()
        self.block = Block()
        self.block.load_state_dict(load_file(BASE))
        self.block.requires_grad_(requires_grad=False)
        self.head = nn.Linear(WIDTH, labels)

    def forward(self, rows: Tensor) -> Tensor:
        """Logits of messages, whose words come as numbers of the dtype of the weights."""
        logits: Tensor = self.head(self.block(rows.long().clamp(0, WORDS - 1)))
        return logits


def _apart(vectors: Tensor) -> Tensor:
    """From (messages, length, width) to (messages, heads, length, width of a head)."""
    return vectors.reshape(*vectors.shape[:-1], HEADS, -1).transpose(-2, -3)
