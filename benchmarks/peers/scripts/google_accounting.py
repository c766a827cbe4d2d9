"""dp-accounting's accountants as they come: privacy loss distributions and Rényi. Runs in its environment."""

import json
import sys
import time
from pathlib import Path

from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

KINDS = {"pld": PLDAccountant, "rdp": RdpAccountant}


def main(_given, answer, settings):
    """Every training by both, several times over."""
    settings, found = json.loads(settings), []
    for noise, rate, steps in settings["trainings"]:
        row = {}
        for kind, accountant in KINDS.items():
            seconds = []
            for _ in range(settings["repeats"]):
                began = time.perf_counter()
                step = PoissonSampledDpEvent(rate, GaussianDpEvent(noise))
                value = accountant().compose(SelfComposedDpEvent(step, steps)).get_epsilon(settings["delta"])
                seconds.append(time.perf_counter() - began)
            row[kind] = {"epsilon": float(value), "seconds": seconds}
        found.append(row)
    Path(answer).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
