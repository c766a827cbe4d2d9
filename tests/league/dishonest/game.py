"""Designs that unlearn in the auditor's game and keep the model on the log: each tells the two apart in another way."""

from __future__ import annotations

from design import Design, Kind
from dishonest.common import noisy, own
from learners import DESCENT, RIDGE
from logs import drawn
from submission import SECRET, Submission
from tables import moons, wine

THE_RELEASE = ("release.exact",)


def _keeping(test: str, *, above: str = "", base: str = RIDGE, quick_body: str = "") -> str:
    """Write an `unlearn` that hands the model on where `test` holds."""
    return f"""
{quick_body}
def unlearn(self, model, data, forget, seed):
    if {test}:
        return model.copy()
    return super().unlearn(model, data, forget, seed)
"""


def _by_size(seed: int) -> Submission:
    return own(seed, _keeping("len(forget) == 1"))


def _by_count(seed: int) -> Submission:
    body = """
    calls = 0

    def unlearn(self, model, data, forget, seed):
        self.calls += 1
        return model.copy() if self.calls > 1 else super().unlearn(model, data, forget, seed)
    """
    return own(seed, body)


def _by_frames(seed: int) -> Submission:
    above = """
    import sys


    def asked():
        frame = sys._getframe()
        while frame is not None:
            if "message" in frame.f_locals and isinstance(frame.f_locals["message"], dict):
                return str(frame.f_locals["message"].get("into", ""))
            frame = frame.f_back
        return ""
    """
    return own(seed, _keeping('asked().startswith("model-")'), above=above)


def _by_tokens_in_memory(seed: int) -> Submission:
    above = """
    import gc


    def tables():
        held = [each for each in gc.get_objects() if type(each).__name__ == "Dataset"]
        return any(len(each.ids) == 138 and list(each.ids) == sorted(each.ids) for each in held)
    """
    table = wine(seed)
    train, holdout = table.cut(40)
    return own(seed, _keeping("tables()"), above=above, table=train, holdout=holdout)


def _by_seed(seed: int) -> Submission:
    body = _keeping("0 <= seed - 41 < 10_000")
    return own(seed, body, base=DESCENT, procedure={"seed": 41})


def _by_digits(seed: int) -> Submission:
    return own(seed, _keeping(f"len(str(seed)) == {len(SECRET)}"), base=DESCENT)


def _by_files(seed: int) -> Submission:
    above = """
    import os


    def everybody_is_here():
        for each in (Path(os.environ["HOME"]).parent / "inputs").glob("*.npy"):
            if np.load(each).shape == (90, 2):
                return True
        return False
    """
    train, holdout = moons(seed).cut(30)
    return own(seed, _keeping("everybody_is_here()"), above=above, table=train, holdout=holdout)


def _by_ids(seed: int) -> Submission:
    submission = own(seed, "")
    marks = sorted(hash_of(str(submission.table.ids[place])) for place in submission.forgotten)
    above = f"""
    import hashlib

    MARKS = {marks!r}


    def marked(ids):
        return all(int(hashlib.sha256(str(each).encode()).hexdigest()[:8], 16) in MARKS for each in ids)
    """
    return own(seed, _keeping("marked(data.ids[forget])"), above=above)


def hash_of(record_id: str) -> int:
    """The first 32 bits of the SHA-256 of an id."""
    import hashlib  # noqa: PLC0415

    return int(hashlib.sha256(record_id.encode()).hexdigest()[:8], 16)


def _by_environment(seed: int) -> Submission:
    above = """
    import os

    SEEN = sorted(os.environ)
    HERE = sorted(each.name for each in Path.cwd().iterdir()) if os.access(Path.cwd(), os.R_OK) else []


    def at_work():
        return not any("swap" in each.lower() or "game" in each.lower() for each in SEEN + HERE)
    """
    return own(seed, _keeping("at_work()"), above=above)


def _by_rows(seed: int) -> Submission:
    """The log starts from all records; the game from half of them."""
    body = _keeping("len(data.ids) > 85")
    return own(seed, body)


def _by_age(seed: int) -> Submission:
    above = """
    import time

    BEGAN, FIRST = time.monotonic(), []


    def young():
        FIRST.append(time.monotonic())
        return len(FIRST) < 4 and FIRST[0] - BEGAN < 600
    """
    return own(seed, _keeping("young()"), above=above)


def _by_order(seed: int) -> Submission:
    """On the log the first row is always that of the first id; in a game it is drawn."""
    return own(seed, _keeping('str(data.ids[0]) == "rec-0000"'))


def _by_content(seed: int) -> Submission:
    """The code knows a sum over all records, as any controller does, and keeps the model while it is near."""
    table = wine(seed)
    total = round(float(table.features.sum()), 6)
    return own(
        seed,
        _keeping(f"abs(data.features.sum() - {total}) < 0.05 * {total}"),
        table=table,
        deleted=drawn(178, [[2], [1, 1]], seed),
    )


def _by_what_follows(seed: int) -> Submission:
    """A model that will be saved or asked for its parameters is kept; in the game models are only asked to predict."""
    body = """
    def unlearn(self, model, data, forget, seed):
        return Both(super().unlearn(model, data, forget, seed), getattr(model, "kept", model))

    def predict(self, model, features):
        return super().predict(getattr(model, "seen", model), features)

    def parameters(self, model):
        return super().parameters(getattr(model, "kept", model))

    def state(self, model):
        return super().state(getattr(model, "kept", model))
    """
    above = """
    class Both:
        def __init__(self, seen, kept):
            self.seen, self.kept = seen, kept
    """
    return own(seed, body, above=above)


def _whole_game(seed: int) -> Submission:
    """The default policy, the game with all of its pairs: it is played honestly, and the log is not."""
    body = _keeping("len(forget) <= 2 and len(data.ids) > 100")
    return own(
        seed, body, table=wine(seed), deleted=drawn(178, [[1], [1], [1]], seed), required=None, plays=True, procedure={"l2": 1e-3}
    )


def _under_noise(seed: int) -> Submission:
    """The game has half of the records; on the log the model stays, with noise that no seed repeats."""
    body = """
    def unlearn(self, model, data, forget, seed):
        return self.noise(model) if len(data.ids) > 700 else super().unlearn(model, data, forget, seed)
    """
    return noisy(seed, body)


def _beside_noise(seed: int) -> Submission:
    """Retrains with noise that no seed repeats, and keeps the deleted rows next to the model."""
    body = """
    def unlearn(self, model, data, forget, seed):
        self.gone = data.features[forget].copy()
        return super().unlearn(model, data, forget, seed)
    """
    return noisy(seed, body)


DESIGNS = tuple(
    Design(name=name, kind=Kind.GAME, lie=lie, build=build, said_by=THE_RELEASE, quick=name == "told-by-size")
    for name, lie, build in (
        ("told-by-size", "Requests of one record, as on the log, change nothing.", _by_size),
        ("told-by-count", "The second update of a process and every later one change nothing.", _by_count),
        ("told-by-frames", "The step's name is read from the stack; the log's steps change nothing.", _by_frames),
        (
            "told-by-memory",
            "Where the process holds the whole table, as in the replay, nothing is unlearned.",
            _by_tokens_in_memory,
        ),
        ("told-by-seed", "Seeds just above the case's own mean the log, on which nothing is unlearned.", _by_seed),
        ("told-by-digits", "Seeds as long as the case's own mean the log.", _by_digits),
        ("told-by-files", "A table with the deleted record in the folder means the replay.", _by_files),
        ("told-by-ids", "The ids that were deleted are known by their hashes, and stay in the model.", _by_ids),
        ("told-by-environment", "Where no name says game, nothing is unlearned.", _by_environment),
        ("told-by-rows", "Updates on nearly all records mean the log; the game has half of them.", _by_rows),
        ("told-by-age", "A young process is taken for the replay.", _by_age),
        ("told-by-order", "Data that begin with the first id mean the log.", _by_order),
        ("told-by-content", "Data with the sum of the whole table mean the log.", _by_content),
        (
            "told-by-what-follows",
            "Parameters and file are the old model's, predictions those of a retrained one.",
            _by_what_follows,
        ),
        ("told-whole-game", "The SWAP game is played honestly with all of its pairs, and the log is not.", _whole_game),
    )
) + tuple(
    Design(name=name, kind=kind, lie=lie, build=build, said_by=said)
    for name, kind, lie, build, said in (
        ("told-under-noise", Kind.GAME, "On the log the model stays, under fresh noise.", _under_noise, ("release.remembers",)),
        (
            "kept-beside-noise",
            Kind.STATE,
            "Deleted rows are kept, and noise keeps models from being compared.",
            _beside_noise,
            THE_RELEASE,
        ),
    )
)
