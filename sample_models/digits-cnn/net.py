"""The controller's own network: an ordinary module with BatchNorm and dropout, as anybody would write it."""

from __future__ import annotations

from torch import Tensor, nn


class Net(nn.Module):
    """What `[procedure] entry` in audit.toml names; `params` of that table are its arguments.

    It gets pictures of shape (rows, 1, 8, 8), by `[data] shape`, and gives logits of shape (rows, 10). It is in training mode for
    a step, and in eval mode for a prediction.
    """

    def __init__(self, channels: int) -> None:
        """Two convolutions, each with BatchNorm, and a linear layer behind dropout."""
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(channels, 2 * channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(2 * channels),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
        )
        self.drop = nn.Dropout(0.3)
        self.head = nn.Linear(8 * channels, 10)

    def forward(self, pictures: Tensor) -> Tensor:
        """Logits of the ten digits."""
        logits: Tensor = self.head(self.drop(self.features(pictures)))
        return logits
