"""jax_privacy's lower bounds on ε with its authors' defaults. Runs in its environment."""

import json
import sys
import time
from pathlib import Path

import numpy as np
from jax_privacy.auditing import CanaryScoreAuditor

METHODS = ("epsilon_clopper_pearson", "epsilon_one_run", "epsilon_one_run_fdp", "epsilon_from_gdp")


def main(given, answer, settings):
    """Bound every draw of every mechanism by every method."""
    arrays, settings = np.load(given), json.loads(settings)
    coins, found = arrays["coins"], {}
    for mechanism in settings["mechanisms"]:
        found[mechanism] = {name: {"bounds": [], "seconds": []} for name in METHODS}
        for scores, coin in zip(arrays[mechanism], coins, strict=True):
            for name in METHODS:
                began = time.perf_counter()
                auditor = CanaryScoreAuditor(scores[coin], scores[~coin])
                bound = getattr(auditor, name)(significance=settings["alpha"], delta=settings["delta"])
                found[mechanism][name]["seconds"].append(time.perf_counter() - began)
                found[mechanism][name]["bounds"].append(float(bound))
    Path(answer).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
