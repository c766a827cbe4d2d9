"""SACRO-ML's attacks with its authors' defaults but for the number of shadow models. Runs in its environment."""

import json
import logging
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from sacroml.attacks.likelihood_attack import LIRAAttack
from sacroml.attacks.target import Target
from sacroml.attacks.worst_case_attack import WorstCaseAttack
from sklearn.ensemble import RandomForestClassifier

logging.disable(logging.CRITICAL)


def attacked(rows, *, attacks, trees, shadows, seed):
    """Attack one target with each; the baseline that the worst case would run as well takes time, and changes no other figure."""
    trained = RandomForestClassifier(n_estimators=trees, random_state=seed)
    trained.fit(rows["features"][rows["trained"]], rows["labels"][rows["trained"]])
    members, others = rows["members"], rows["others"]
    found = {}
    for name in attacks:
        with tempfile.TemporaryDirectory() as folder:
            target = Target(
                model=trained,
                dataset_name="rows",
                X_train=rows["features"][members],
                y_train=rows["labels"][members],
                X_test=rows["features"][others],
                y_test=rows["labels"][others],
            )
            shared = {"output_dir": folder, "write_report": False, "report_individual": True}
            began = time.perf_counter()
            if name == "worst case":
                attack = WorstCaseAttack(**shared, n_dummy_reps=0)
            else:
                attack = LIRAAttack(**shared, n_shadow_models=shadows)
            said = attack.attack(target)["metadata"]["global_metrics"]
            seconds = time.perf_counter() - began
        parts = [each["individual"] for each in attack.attack_metrics]
        found[name] = {
            "seconds": seconds,
            "scores": [np.asarray(each["member_prob"], dtype=float).tolist() for each in parts],
            "members": [np.asarray(each["member"], dtype=int).tolist() for each in parts],
            **verdicts(name, said),
            # Its p-values of the AUC, one a repeat.
            "p": [float(each["P_HIGHER_AUC"]) for each in attack.attack_metrics],
        }
    return found


def verdicts(name, said):
    """Whether its report calls the AUC significant, and for the worst case also after its correction for many tests."""
    if name == "worst case":
        return {"accused": said["n_sig_auc_p_vals"] > 0, "corrected": bool(said["n_sig_auc_p_vals_corrected"] > 0)}
    return {"accused": said["AUC_sig"].startswith("Significant")}


def main(given, answer, settings):
    """Read cases, attack each, write what was found."""
    arrays = np.load(given)
    settings = json.loads(settings)
    cases = settings.pop("cases")
    keep = settings.pop("scores")
    found = []
    for case in cases:
        rows = {name: arrays[f"{case}.{name}"] for name in ("features", "labels", "trained", "members", "others")}
        each = attacked(rows, seed=int(arrays[f"{case}.seed"]), **settings)
        if not keep:
            each = {name: {key: one[key] for key in one if key not in ("scores", "members")} for name, one in each.items()}
        found.append(each)
    Path(answer).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
