"""Opacus's accountants. Runs in its environment."""

import json
import sys
import time
from pathlib import Path

from opacus.accountants import create_accountant

KINDS = ("prv", "rdp", "gdp")


def epsilon(kind, noise, rate, steps, delta):
    """The ε of so many steps."""
    accountant = create_accountant(kind)
    accountant.history = [(noise, rate, steps)]
    return float(accountant.get_epsilon(delta=delta))


def main(_given, answer, settings):
    """Every training by every accountant, several times over."""
    settings, found = json.loads(settings), []
    for training in settings["trainings"]:
        row = {}
        for kind in KINDS:
            seconds = []
            for _ in range(settings["repeats"]):
                began = time.perf_counter()
                try:
                    value = epsilon(kind, *training, settings["delta"])
                except Exception as error:  # noqa: BLE001 - whatever it says stands on the page
                    row[kind] = {"problem": f"{type(error).__name__}: {error}".splitlines()[0]}
                    break
                seconds.append(time.perf_counter() - began)
            else:
                row[kind] = {"epsilon": value, "seconds": seconds}
        found.append(row)
    Path(answer).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
