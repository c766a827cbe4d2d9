"""Procedures that write checkpoints, honestly and not."""

import os
import time
from pathlib import Path

import numpy as np


class Plain:
    checkpoint_to = None
    checkpoint_from = None

    def learn(self, data, seed):
        found = None if self.checkpoint_from is None else Path(self.checkpoint_from).read_bytes()
        if self.checkpoint_to is not None:
            self.write(self.checkpoint_to)
        return np.array([-1.0 if found is None else float(len(found)), time.monotonic() * 0])

    def write(self, path):
        partial = path.with_name("partial")
        partial.write_bytes(b"four")
        partial.replace(path)

    def unlearn(self, model, data, forget, seed):
        return self.learn(data, seed)

    def predict(self, model, features):
        return np.tile([0.5, 0.5], (len(features), 1))

    def parameters(self, model):
        return model


class Undeclared(Plain):
    checkpoint_to = "elsewhere"


class Endless(Plain):
    """Writes one and then hangs, unless it goes on from one."""

    def learn(self, data, seed):
        resumed = self.checkpoint_from is not None
        found = super().learn(data, seed)
        if self.checkpoint_to is not None and not resumed:
            time.sleep(60)
        return found


class Failing(Plain):
    def learn(self, data, seed):
        super().learn(data, seed)
        raise ValueError


class Link(Plain):
    def write(self, path):
        path.symlink_to("/etc/hostname")


class SecondName(Plain):
    def write(self, path):
        (path.parent / "other").write_bytes(b"four")
        os.link(path.parent / "other", path)


class Pipe(Plain):
    def write(self, path):
        os.mkfifo(path)


class Folder(Plain):
    def write(self, path):
        path.mkdir()


class Full(Plain):
    """Takes more disk than allowed, with the checkpoint and other files together."""

    def write(self, path):
        for each in (path, path.with_name("more")):
            each.write_bytes(b"x" * 6 * 2**20)
        time.sleep(60)


class Whispering(Plain):
    """Writes in one step what it wants to know in another, under every name that it can think of."""

    def write(self, path):
        for number in range(1, 6):
            path.with_name(f"{number}.checkpoint").write_bytes(b"longer")

    def learn(self, data, seed):
        found = super().learn(data, seed)
        return np.array([found[0], sum(path.name.endswith(".checkpoint") for path in self.seen(data)) * 0.0])

    def seen(self, data):
        return []
