from __future__ import annotations

import pytest

from auditor.case.declaration import declare
from auditor.case.files import Source
from auditor.parts.removal.settings import CertifiedRemoval
from auditor.settings.learning import Foreign
from auditor.settings.tables import Settings
from auditor.verdict.checks import definitions
from case_examples import SOUND, places

PROCEDURE = 'use = "certified-removal"\nl2 = 1e-3\nsigma = 1.0\nseed = 20261121'


def declared(text: str | bytes):
    return declare(Source("audit.toml", text if isinstance(text, bytes) else text.encode()))


def settings(text: str) -> Settings:
    found = declared(text)
    assert found.settings is not None, found.problems
    return found.settings


def with_procedure(text: str) -> str:
    assert PROCEDURE in SOUND
    return SOUND.replace(PROCEDURE, text)


def test_defaults():
    found = settings(SOUND)
    procedure = found.procedure
    assert isinstance(procedure, CertifiedRemoval)
    assert (procedure.loss, procedure.perturbation, procedure.unlearn) == ("logistic", "gaussian", "newton")
    assert (procedure.tolerance, procedure.release_noise, procedure.retrain_at_budget) == (1e-8, 0.0, False)
    assert (procedure.epsilon, procedure.delta) == (None, None)
    assert found.data.id == "id"
    assert found.data.label == "label"
    assert (found.policy.required, found.policy.min_quality, found.policy.deadline_days) == (None, 0.95, None)
    assert (found.sandbox.timeout_s, found.sandbox.isolation) == (600.0, "auto")
    assert (found.swap.pairs, found.swap.models, found.swap.alpha, found.swap.confidence) == (20, 1, 0.1, 0.95)
    assert (found.inference.games, found.inference.confidence) == (1000, 0.95)
    assert found.claims.certified_removal is None


def test_model_may_be_left_out():
    assert settings(SOUND.replace('[model]\npath = "model.safetensors"\n', "")).model is None


@pytest.mark.parametrize(
    ("written", "grid"),
    [
        ('"2^-24"', 2.0**-24),
        ('"2**-24"', 2.0**-24),
        ("5.960464477539063e-08", 2.0**-24),
        ('"2^3"', 8.0),
        ("8", 8.0),
        ("1", 1.0),
        ('"2^-1000"', 2.0**-1000),
    ],
)
def test_a_grid_is_a_power_of_two_as_a_number_or_as_text(written, grid):
    found = settings(SOUND.replace("[procedure]", f"grid = {written}\n\n[procedure]"))
    assert found.model.grid == grid
    assert settings(SOUND).model.grid is None


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("1e-9", 'expected a power of two, such as "2^-30", found 1e-09'),
        ("3", 'expected a power of two, such as "2^2", found 3'),
        *((each, "expected a power of two, such as") for each in ("0", "-0.5", "nan", "inf", "true", '"fine"', '"2^1001"', "[]")),
        ("1e-320", "at least 2^-1000"),
        ("1e308", "at most 2^1000"),
    ],
)
def test_a_grid_that_is_no_power_of_two_is_refused_with_the_nearest(written, words):
    (problem,) = declared(SOUND.replace("[procedure]", f"grid = {written}\n\n[procedure]")).problems
    assert problem.where == "model.grid"
    assert words in str(problem)


def test_claims_and_policy():
    found = settings(
        SOUND
        + "[claims]\ncertified_removal = {epsilon = 1, delta = 1e-4}\ndata_deletion = {q = 2, epsilon = 0.1, adaptive = 3}\n"
        + f"[policy]\nrequired = {list(definitions())}\ndeadline_days = 45\nmax_epsilon = 1\n".replace("'", '"')
    )
    assert found.claims.certified_removal is not None
    assert found.claims.certified_removal.epsilon == 1.0
    assert found.claims.data_deletion is not None
    assert found.claims.data_deletion.adaptive == 3
    assert found.policy.required == tuple(definitions())


def test_controllers_own_code():
    procedure = settings(
        with_procedure('entry = "code/own.py:Mine"\nseed = "7"\nunlearn = "fisher"\nsizes = [1, 2.5, {deep = true}]')
    ).procedure
    assert isinstance(procedure, Foreign)
    assert (procedure.file, procedure.entry, procedure.seed) == ("code/own.py", "code/own.py:Mine", 7)
    assert procedure.params == {"unlearn": "fisher", "sizes": [1, 2.5, {"deep": True}]}


@pytest.mark.parametrize("seed", ["0", '"0"', "18446744073709551617", f'"{"9" * 300}"'])
def test_seeds_may_be_long(seed):
    assert settings(SOUND.replace("20261121", seed)).procedure.seed == int(seed.strip('"'))


def test_the_seed_is_in_no_representation_and_no_dump():
    found = settings(SOUND.replace("20261121", "987654321"))
    for text in (repr(found), str(found), repr(found.procedure), found.model_dump_json(), str(found.procedure.model_dump())):
        assert "987654321" not in text
    own = settings(with_procedure('entry = "own.py:Mine"\nseed = 987654321')).procedure
    assert "987654321" not in repr(own) + own.model_dump_json()


@pytest.mark.parametrize(
    "seed", ["-987654321", '"987654321x"', "987654321.5", '"0x987654321"', '["987654321"]', "{a = 987654321}", '" 987654321"']
)
@pytest.mark.parametrize("procedure", [PROCEDURE, 'entry = "own.py:Mine"\nseed = 20261121'])
def test_a_wrong_seed_is_not_shown_either(seed, procedure):
    (problem,) = declared(with_procedure(procedure).replace("20261121", seed)).problems
    assert problem.where == "procedure.seed"
    assert "987654321" not in str(problem)


@pytest.mark.parametrize(
    ("old", "new", "where", "said"),
    [
        ('name = "example"', "", "case.name", "required"),
        ('name = "example"', "name = true", "case.name", "true"),
        ('name = "example"', 'name = ""', "case.name", ""),
        ('name = "example"', 'name = "a\\u001b[31m"', "case.name", "U+001B"),
        ('name = "example"', 'name = "a"\nrelase = "b"', "case.relase", "did you mean release?"),
        ('"classification"', '"clasification"', "data.task", "did you mean classification?"),
        ('train = "train.npz"', "train = 3", "data.train", "3"),
        ('train = "train.npz"', "", "data.train", "required"),
        ('path = "model.safetensors"', 'pth = "x"\npath = "m.npz"', "model.pth", "did you mean path?"),
        ('log = "deletions.jsonl"', 'log = ["a"]', "deletions.log", "an array of 1"),
        ('log = "deletions.jsonl"', 'log = "deletions.jsonl"\ntimezone = "Mars/Olympus"', "deletions.timezone", "Mars/Olympus"),
        ('log = "deletions.jsonl"', 'log = "deletions.jsonl"\ntimezone = "../etc/passwd"', "deletions.timezone", "time zone"),
        ('log = "deletions.jsonl"', 'log = "deletions.jsonl"\ntimezone = "/etc"', "deletions.timezone", "time zone"),
        ('log = "deletions.jsonl"', 'log = "deletions.jsonl"\ntimezone = "Europe"', "deletions.timezone", "time zone"),
        ('log = "deletions.jsonl"', 'log = "deletions.jsonl"\ntimezone = 1', "deletions.timezone", "1"),
        ('log = "deletions.jsonl"', 'log = "deletions.jsonl"\nholidays = ["1 May"]', "deletions.holidays.0", "1 May"),
        (
            'log = "deletions.jsonl"',
            'log = "deletions.jsonl"\nholidays = ["2026-05-01", "2026-05-01"]',
            "deletions.holidays",
            "listed twice",
        ),
        ("l2 = 1e-3", "l2 = true", "procedure.l2", "true"),
        ("l2 = 1e-3", "l2 = 0", "procedure.l2", "greater than 0"),
        ("l2 = 1e-3", "l2 = nan", "procedure.l2", "nan"),
        ("l2 = 1e-3", "l2 = inf", "procedure.l2", "inf"),
        ("l2 = 1e-3", 'l2 = "1e-3"', "procedure.l2", "a number"),
        ("l2 = 1e-3", "", "procedure.l2", "required"),
        ("l2 = 1e-3", "l2 = 1\nlambda = 1", "procedure.lambda", "unknown key"),
        ("sigma = 1.0", "sigma = -1", "procedure.sigma", "-1"),
        ("sigma = 1.0", f"sigma = {'9' * 400}", "procedure.sigma", "bits"),
        ("sigma = 1.0", "sigma = 1\nepsilon = 1", "procedure.delta", "needs both"),
        ("sigma = 1.0", "sigma = 1\ndelta = 1e-5", "procedure.epsilon", "needs both"),
        ("sigma = 1.0", "sigma = 1\nepsilon = -1\ndelta = 1e-5", "procedure.epsilon", "-1"),
        ("sigma = 1.0", "sigma = 1\nepsilon = 1\ndelta = 1.0", "procedure.delta", "less than 1"),
        ("sigma = 1.0", "sigma = 1\ntolerance = 0", "procedure.tolerance", "greater than 0"),
        ("sigma = 1.0", 'sigma = 1\nunlearn = "newtn"', "procedure.unlearn", "did you mean newton?"),
        ("sigma = 1.0", "sigma = 1\nhalved = true", "procedure", 'halved only with loss = "least-squares"'),
        ("sigma = 1.0", 'sigma = 1\nloss = "logistc"', "procedure.loss", "did you mean logistic?"),
        ("sigma = 1.0", "sigma = 0", "procedure", "a sigma above 0, or a release_noise above 0"),
        ("sigma = 1.0", 'sigma = 1\nperturbation = "gausian"', "procedure.perturbation", "did you mean gaussian?"),
        ("sigma = 1.0", "sigma = 1\nrelease_noise = 0.5", "procedure", "no residual_budget"),
        ("sigma = 1.0", "sigma = 1\nresidual_budget = 0.5", "procedure", "only with a release_noise above 0"),
        ("sigma = 1.0", "sigma = 1\nrelease_noise = 1\nresidual_budget = 1e-8", "procedure", "a tolerance below residual_budget"),
        (
            "sigma = 1.0",
            "sigma = 1\nrelease_noise = 1\nresidual_budget = 1\nretrain_at_budget = true",
            "procedure",
            "retrain_at_budget = false with release_noise",
        ),
        ("sigma = 1.0", "sigma = 1\nrelease_noise = -0.5", "procedure.release_noise", "at least 0"),
        ("sigma = 1.0", "sigma = 1\nretrain_at_budget = 1", "procedure.retrain_at_budget", "true or false"),
        ('"certified-removal"', '"certified-removl"', "procedure.use", "did you mean certified-removal?"),
        ('"certified-removal"', "1", "procedure.use", "1"),
        ('use = "certified-removal"', "", "procedure", "neither"),
        ('use = "certified-removal"', 'use = "certified-removal"\nentry = "a.py:B"', "procedure", "both"),
    ],
)
def test_one_wrong_key_is_one_problem_in_its_place(old, new, where, said):
    assert old in SOUND
    (problem,) = declared(SOUND.replace(old, new, 1)).problems
    assert (problem.file, problem.where) == ("audit.toml", where)
    assert said in str(problem)


@pytest.mark.parametrize(
    ("added", "where", "said"),
    [
        ('[policy]\nrequired = ["removal.budgt"]', "policy.required.0", "did you mean removal.budget?"),
        ("[policy]\nrequired = []", "policy.required", "at least one"),
        ('[policy]\nrequired = ["log.deadlines", "log.deadlines"]', "policy.required", "more than once"),
        ('[policy]\nrequired = "log.deadlines"', "policy.required", "an array"),
        ("[policy]\nmin_quality = 1.5", "policy.min_quality", "at most 1"),
        ("[policy]\ndeadline_days = 30.0", "policy.deadline_days", "an integer"),
        ("[policy]\ndeadline_days = -1", "policy.deadline_days", "at least 0"),
        ("[policy]\nmax_epsilom = 1", "policy.max_epsilom", "did you mean max_epsilon?"),
        ("[policy]\nbefore_and_after = 1", "policy.before_and_after", "true or false"),
        ("[claims]\ndp = {epsilon = 1}", "claims.dp.delta", "required"),
        ("[claims]\ndp = {epsilon = 1, delta = 0, detla = 0}", "claims.dp.detla", "did you mean delta?"),
        ("[claims]\ndata_deletion = {q = 1, epsilon = 1}", "claims.data_deletion.q", "greater than 1"),
        ("[claims]\ndata_deletion = {q = 2, epsilon = 1, adaptive = true}", "claims.data_deletion.adaptive", "an integer"),
        ("[claims]\ncertified_remoal = {}", "claims.certified_remoal", "did you mean certified_removal?"),
        ("[claims]\ndp = 3", "claims.dp", "a table"),
        ("[sandbox]\ntimeout_s = 0", "sandbox.timeout_s", "greater than 0"),
        ('[sandbox]\nisolation = "strickt"', "sandbox.isolation", "did you mean strict?"),
        ("[sandbox]\nmemory_mb = 0", "sandbox.memory_mb", "at least 1"),
        ("[swap]\npairs = true", "swap.pairs", "an integer"),
        ("[policy]\nmax_inference = 1.01", "policy.max_inference", "at most 1"),
        ("[policy]\nmax_inference = 0.4", "policy.max_inference", "at least 0.5"),
        ("[policy]\nmax_reconstruction = -0.1", "policy.max_reconstruction", "at least 0"),
        ("[policy]\nmax_compliance_epsilon = 2", "policy.max_compliance_epsilon", "at most 1"),
        ("[inference]\nconfidence = 1", "inference.confidence", "less than 1"),
        ("[swop]\n", "swop", "did you mean swap?"),
    ],
)
def test_one_wrong_table_is_one_problem_in_its_place(added, where, said):
    (problem,) = declared(SOUND + added).problems
    assert (problem.file, problem.where) == ("audit.toml", where)
    assert said in str(problem)


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        ('entry = "own.py"', "procedure.entry"),
        ('entry = "own.txt:Mine"', "procedure.entry"),
        ('entry = "own.py:not a name"', "procedure.entry"),
        ('entry = "own.py:"', "procedure.entry"),
        ("entry = 1", "procedure.entry"),
        ('entry = "own.py:Mine"\nwhen = 2026-01-01', "procedure.when"),
        ('entry = "own.py:Mine"\nrate = nan', "procedure.rate"),
        ('entry = "own.py:Mine"\nbig = 9007199254740993', "procedure.big"),
        ('entry = "own.py:Mine"\ndeep = ' + "[" * 20 + "]" * 20, "procedure.deep"),
        ('entry = "own.py:Mine"\ntext = "a\\u0000"', "procedure.text"),
    ],
)
def test_own_code_is_checked_as_far_as_it_can_be(lines, where):
    (problem,) = declared(with_procedure(lines)).problems
    assert problem.where == where


@pytest.mark.parametrize(
    "text", ["case = [", "[" * 200_000, "a = " + "[" * 5000, b"name = \xff", "[case]\n[case]\n", f"a = {'1' * 5000}", "\0"]
)
def test_what_is_no_toml_is_one_problem(text):
    found = declared(text)
    assert found.settings is None
    assert len(found.problems) == 1


def test_a_byte_order_mark_is_fine():
    assert declared(b"\xef\xbb\xbf" + SOUND.encode()).settings is not None


def test_an_empty_file_names_every_missing_table():
    found = declared("").problems
    assert places(found) == {("audit.toml", name) for name in ("case", "data", "procedure", "deletions")}


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("[deletions]", "[deletion]", "deletion"),
        ('name = "example"', 'nmae = "example"', "case.nmae"),
        ('train = "', 'trian = "', "data.trian"),
        ("sigma = ", "sgima = ", "procedure.sgima"),
        ("[policy]", '[claims]\nattested = ["code-clean"]\nattestd_by = "Kim"\nattested_at = 2026-01-01', "claims.attestd_by"),
    ],
)
def test_a_misspelt_name_is_one_problem_and_not_a_missing_one_as_well(old, new, where):
    text = SOUND if old in SOUND else f"{SOUND}\n{old}\n"
    (problem,) = declared(text.replace(old, new, 1)).problems
    assert problem.where == where
    assert "did you mean" in problem.expected


def test_files_of_misspelt_keys_are_still_checked():
    found = declared(SOUND.replace("[deletions]", "[deletion]").replace("train =", "trian ="))
    assert found.settings is None
    assert found.text("deletions", "log")
    assert found.text("data", "train")


def test_what_a_suggestion_does_not_name_is_missing_all_the_same():
    found = declared(SOUND.replace("[deletions]", "[delete_these]").replace('name = "example"', 'relase = "1"'))
    assert {where for _, where in places(found.problems)} == {"delete_these", "deletions", "case.relase", "case.name"}


def test_every_wrong_key_of_every_table_at_once():
    text = (
        '[case]\nname = 1\n[data]\ntask = "x"\n[procedure]\nuse = "certified-removl"\nl2 = -1\ndelta = 2\n'
        "[deletions]\nlgo = 1\n[swap]\npairs = 0"
    )
    assert {where for _, where in places(declared(text).problems)} == {
        "case.name",
        "data.train",
        "data.task",
        "procedure.use",
        "procedure.l2",
        "procedure.sigma",
        "procedure.delta",
        "procedure.epsilon",
        "deletions.lgo",
        "swap.pairs",
    }


@pytest.mark.parametrize(
    ("procedure", "key", "meant", "others"),
    [
        ('us = "sklearn"\nunlearn = "retrian"', "us", "use", {"procedure.unlearn", "procedure.estimator"}),
        ('Use = "certified-removal"\nl2 = 1e-3\nsigma = 1.0', "Use", "use", set()),
        ('name = "certified-removal"\nl2 = 1e-3', "name", "use", {"procedure.sigma"}),
        ('entri = "procedure.py:Removal"', "entri", "entry", set()),
        ('code = "procedure.py:Removal"', "code", "entry", set()),
        ('ues = "estimator"\nentry = "procedure.py:build"', "ues", "use", set()),
    ],
)
def test_a_key_written_for_use_or_entry_is_named_with_what_was_meant(procedure: str, key: str, meant: str, others: set[str]):
    first, *rest = declared(with_procedure(procedure)).problems
    assert (first.where, first.found) == (f"procedure.{key}", f'an unknown key "{key}"')
    assert first.expected.endswith(f" (did you mean {meant}?)")
    assert {each.where for each in rest} == others, "what was meant is read, with every problem of its own"


def test_a_parameter_of_a_class_may_be_called_almost_like_use():
    found = settings(with_procedure('entry = "procedure.py:Removal"\nused = 3\nbase = "torch"')).procedure
    assert isinstance(found, Foreign)
    assert found.params == {"used": 3, "base": "torch"}
