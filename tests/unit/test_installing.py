"""What `make` installs, hash by hash, and that no CUDA library comes along unasked."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cases import SAMPLES
from tests.licences_page import lock_script

ROOT = SAMPLES.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
GROUPS: dict[str, list[str]] = PROJECT["dependency-groups"]


lock = lock_script()
PINS = lock.read(lock.LOCK.read_text(encoding="utf-8"))
BY_NAME = {canonicalize_name(name): pin for name, pin in PINS.items()}


def refuse_cuda(folder: Path, packages: list[str], **given: str) -> subprocess.CompletedProcess[str]:
    """Run the script with a pip that would install these packages."""
    (folder / "pip").mkdir()
    (folder / "pip" / "__init__.py").touch()
    report = json.dumps({"install": [{"metadata": {"name": name}} for name in packages]})
    (folder / "pip" / "__main__.py").write_text(f"print({report!r})", encoding="utf-8")
    surroundings = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder), **given}
    script = [sys.executable, str(ROOT / ".ci" / "refuse-cuda")]
    return subprocess.run(script, env=surroundings, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("packages", "given", "code"),
    [
        (["torch", "filelock"], {}, 0),
        (["torch", "nvidia-cublas", "triton"], {}, 2),
        (["torch", "nvidia-cublas"], {"TORCH_CUDA": "yes"}, 0),
        ([], {}, 0),
    ],
)
def test_cuda_libraries_are_refused_unless_asked_for(
    packages: list[str], given: dict[str, str], code: int, tmp_path: Path
) -> None:
    ran = refuse_cuda(tmp_path, packages, **given)
    assert ran.returncode == code, ran.stderr
    assert ("TORCH_INDEX=ADDRESS" in ran.stderr) == (code == 2)


@pytest.mark.parametrize(
    ("needed_by", "asked"),
    [
        ("always", PROJECT["project"]["dependencies"]),
        *((name, asked) for name, asked in EXTRAS.items() if name not in {"all", *lock.APART_EXTRAS}),
        *(("all", EXTRAS[name]) for name in ("controllers", "networks", "report")),
        *GROUPS.items(),
        ("build", PROJECT["build-system"]["requires"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_lock_holds_every_dependency_within_its_bounds(needed_by: str, asked: list[str]) -> None:
    for each in map(Requirement, asked):
        if each.name == lock.APART:
            assert each.name not in BY_NAME
            continue
        pin = BY_NAME[canonicalize_name(each.name)]
        assert {needed_by, "always"} & pin.needed_by, f"{each} is not locked for {needed_by}"
        assert each.specifier.contains(pin.version), f"{each}, but {pin.version} is locked"


def test_the_lock_has_hashes_of_all_and_the_versions_of_the_constraints() -> None:
    constraints = dict(
        line.split("==") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if "==" in line
    )
    assert {canonicalize_name(name): version for name, version in constraints.items()} == {
        **{name: pin.version for name, pin in BY_NAME.items()},
        lock.APART: constraints[lock.APART],
    }
    for pin in PINS.values():
        assert pin.hashes, pin.name
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in pin.hashes)
        assert pin.needed_by <= {"always", *EXTRAS, *GROUPS}
    assert "".join(pin.lines() for pin in PINS.values()) in lock.LOCK.read_text(encoding="utf-8")


def test_what_is_installed_asks_for_nothing_that_the_lock_lacks() -> None:
    for name, pin in PINS.items():
        if not pin.needed_by & {"always", "all", "dev"}:
            continue
        for each in map(Requirement, requires(name) or ()):
            if each.name != lock.APART and (each.marker is None or each.marker.evaluate({"extra": ""})):
                assert BY_NAME[canonicalize_name(each.name)].needed_by & {"always", "all", "dev"}, f"{name} needs {each}"


def test_what_pytorch_needs_without_cuda_is_what_it_says() -> None:
    asked = [each for each in map(Requirement, requires("torch") or ()) if each.marker is None]
    own = [each for each in asked if not each.name.startswith(("nvidia-", "cuda-", "triton"))]
    assert {canonicalize_name(each.name) for each in own} == {Requirement(each).name for each in GROUPS["torch"]}


def test_no_committed_list_of_packages_names_an_index() -> None:
    for name in ("requirements.lock", "constraints.txt", "pyproject.toml", "Makefile", ".ci/Containerfile", ".ci/lock"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert not re.search(r"https?://(?!127\.0\.0\.1)|index-url +\w|\b(pypi|docker|ghcr|quay)\.", text), name


def test_a_package_index_that_lacks_a_file_is_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip" / "__init__.py").touch()
    (tmp_path / "pip" / "__main__.py").write_text("raise SystemExit('no matching distribution')", encoding="utf-8")
    surroundings = {"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path), "LOCK_TARGET": "demo"}
    asked = [sys.executable, str(ROOT / ".ci" / "lock"), "install", "always", "report"]
    ran = subprocess.run(asked, env=surroundings, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "lacks the locked files or serves different ones" in ran.stderr
    assert "make demo LOCK=no" in ran.stderr


def test_an_unknown_extra_is_refused() -> None:
    ran = subprocess.run([ROOT / ".ci" / "lock", "show", "reprot"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "knows no reprot" in ran.stderr


def test_the_image_is_built_on_a_digest_and_from_the_lock() -> None:
    text = (ROOT / ".ci" / "Containerfile").read_text(encoding="utf-8")
    bases = re.findall(r"^(?:FROM|ARG BASE=) *(\S+)", text, re.MULTILINE)
    assert bases[1:] == ["${BASE}"]
    assert re.fullmatch(r"debian@sha256:[0-9a-f]{64}", bases[0])
    assert "lock install always build" in text
    assert "--no-deps --no-build-isolation" in text


def test_the_demo_installs_what_it_needs_and_the_tests_everything(tmp_path: Path) -> None:
    def told(target: str, *more: str) -> str:
        asked = ["make", "-n", target, f"VENV={tmp_path / 'venv'}", *more]
        return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert "'.[report]'" in told("demo")
    assert "torch" not in told("demo")
    assert ".ci/lock install always report build" in told("demo")
    assert "LOCK" not in told("demo", "LOCK=no")
    assert "--constraint constraints.txt" in told("demo", "LOCK=no")
    assert ".[all]" not in told("demo")
    assert "refuse-cuda" in told("install")
    assert "'.[all,dev]'" in told("test")


def system_packages(
    folder: Path, *, root: bool, installed: tuple[str, ...] = (), missing: str = "nothing", apt: int | None = 0
) -> tuple[int, str, list[str]]:
    """Run the script where only these programs exist, one library is missing, and apt-get ends with this code or is absent."""
    programs = dict.fromkeys(installed, "exit 0") | {"id": f"echo {0 if root else 1000}"}
    programs["python"] = f'case "$*" in *{missing}*) exit 1;; esac'
    if apt is not None:
        programs["apt-get"] = f'echo "$*" >> {folder / "asked"}; exit {apt}'
    for name, script in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    command = ["/bin/sh", str(ROOT / ".ci" / "system-packages"), str(folder / "python")]
    ran = subprocess.run(command, env={"PATH": str(folder)}, capture_output=True, text=True, check=False)
    asked = (folder / "asked").read_text(encoding="utf-8").splitlines() if (folder / "asked").exists() else []
    return ran.returncode, ran.stderr, [line.split()[-1] for line in asked if line.startswith("install")]


def test_with_bubblewrap_and_the_libraries_nothing_is_installed(tmp_path: Path) -> None:
    assert system_packages(tmp_path, root=True, installed=("bwrap",)) == (0, "", [])


def test_root_on_debian_gets_bubblewrap(tmp_path: Path) -> None:
    code, said, asked = system_packages(tmp_path, root=True)
    assert (code, asked) == (0, ["bubblewrap"])
    assert said == "Installing Debian packages: bubblewrap\n"


def test_bubblewrap_that_cannot_be_installed_is_no_obstacle(tmp_path: Path) -> None:
    code, said, _ = system_packages(tmp_path, root=True, apt=100)
    assert code == 0
    assert said.endswith("Bubblewrap could not be installed: the sandbox goes without it, one level weaker.\n")


@pytest.mark.parametrize(("root", "apt"), [(False, 0), (True, None)])
def test_elsewhere_bubblewrap_is_named_and_nothing_is_installed(root: bool, apt: int | None, tmp_path: Path) -> None:
    code, said, asked = system_packages(tmp_path, root=root, apt=apt)
    assert (code, asked) == (0, [])
    assert said.startswith("Optional, for the strongest level of the sandbox")
    assert said.endswith("sudo apt-get install bubblewrap\n")


def test_a_library_is_required(tmp_path: Path) -> None:
    code, said, asked = system_packages(tmp_path, root=False, missing="libgomp")
    assert (code, asked) == (2, [])
    assert said.endswith("sudo apt-get install libgomp1\n")


@pytest.mark.parametrize(("apt", "expected"), [(0, 0), (100, 100)])
def test_root_on_debian_gets_the_library_or_an_error(apt: int, expected: int, tmp_path: Path) -> None:
    code, _, asked = system_packages(tmp_path, root=True, missing="libgomp", apt=apt, installed=("bwrap",))
    assert code == expected
    assert asked == (["libgomp1"] if apt == 0 else [])


@pytest.mark.parametrize(("version", "code"), [(None, 0), ("0.0.1", 1)])
def test_a_bill_of_materials_is_compared_with_the_lock(version: str | None, code: int, tmp_path: Path) -> None:
    pins = [pin for pin in PINS.values() if pin.needed_by & {"always", "report"}]
    components = [{"name": pin.name.replace("-", "_"), "version": pin.version} for pin in pins]
    components[0]["version"] = version or components[0]["version"]
    (tmp_path / "sbom.json").write_text(json.dumps({"components": components}), encoding="utf-8")
    asked = [ROOT / ".ci" / "lock", "listed", tmp_path / "sbom.json", "always", "report"]
    ran = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert ran.returncode == code, ran.stderr
    assert ran.stderr == "" if version is None else pins[0].requirement in ran.stderr
