"""Peers as their authors publish them: each package in an environment of its own, with what it asks for and nothing of ours.

One that does not install, or whose module does not import, stays on the page with the last line of its error.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import numpy as np

ROOT: Final = Path(__file__).resolve().parents[2]
SCRIPTS: Final = Path(__file__).with_name("scripts")
_SECONDS: Final = 1800
_SHOWN: Final = ("numpy", "scipy", "scikit-learn", "torch", "jax", "dp-accounting")
_VERSIONS: Final = """
import importlib, json, sys
from importlib import metadata
importlib.import_module(sys.argv[1])
found = {}
for name in sys.argv[2:]:
    try:
        found[name] = metadata.version(name)
    except metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
"""


@dataclass(frozen=True, slots=True)
class Peer:
    """One package."""

    name: str
    """What its authors call it, and its environment's folder in lower case."""
    package: str
    module: str
    """What is imported of it to see that it can be used."""
    extra: str = ""
    """An extra of the package, in brackets."""
    torch: bool = False
    """Whether it needs PyTorch: the version of this installation, so that no other is fetched."""
    besides: tuple[str, ...] = ()
    """What our script needs in its environment, where the package does not bring it."""
    note: str = ""
    """What its package lacks, where it cannot be used."""


PEERS: Final = (
    Peer("SACRO-ML", "sacroml", "sacroml.attacks.likelihood_attack", torch=True),
    Peer("jax_privacy", "jax_privacy", "jax_privacy.auditing"),
    Peer("Opacus", "opacus", "opacus.accountants", torch=True),
    Peer("dp-accounting", "dp-accounting", "dp_accounting.pld"),
    Peer("Tombstone", "tombstone-erase", "tombstone.verify.physical", besides=("numpy",)),
    Peer("vector-forget", "vector-forget", "vector_forget.pgvector", extra="[pgvector]"),
    Peer("Privacy Meter", "privacy_meter", "privacy_meter.audit", note="its package names no requirement"),
    Peer("LeakPro", "leakpro", "leakpro.attacks", note="the package of this name holds no attack"),
)


@dataclass(frozen=True, slots=True)
class Environment:
    """What became of a peer's installation."""

    packages: Mapping[str, str]
    """Versions of the peer and of what its figures rest on."""
    problem: str = ""
    """The last line of its error; empty where it can be used."""


def python(peer: Peer) -> Path:
    """The interpreter of its environment."""
    return Path(sys.prefix) / "peers" / peer.name.lower().replace(" ", "-") / "bin" / "python"


def prepare(*, install: bool) -> dict[str, Environment]:
    """Look at every peer's environment, and make those that are missing.

    Args:
        install: Whether to fetch packages; otherwise what is missing counts as not installed.
    """
    return {peer.name: _prepared(peer, install=install) for peer in PEERS}


def _prepared(peer: Peer, *, install: bool) -> Environment:
    if not python(peer).exists():
        if not install:
            return Environment({}, "not installed")
        if problem := _install(peer):
            return Environment({}, problem)
    asked = [str(python(peer)), "-I", "-c", _VERSIONS, peer.module, peer.package, *_SHOWN]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=_SECONDS)
    if done.returncode:
        version = subprocess.run(
            [*asked[:4], "json", peer.package], capture_output=True, text=True, check=False, timeout=_SECONDS
        )
        return Environment(json.loads(version.stdout or "{}"), _last_line(done.stderr))
    return Environment(json.loads(done.stdout.splitlines()[-1]))


def _install(peer: Peer) -> str:
    """Make its environment; the last line of the error where that fails."""
    folder = python(peer).parents[1]
    pip = [str(python(peer)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    wanted = [f"{peer.package}{peer.extra}", *peer.besides]
    with tempfile.TemporaryDirectory() as name:
        steps = [[sys.executable, "-m", "venv", str(folder)]]
        if peer.torch:
            torch = f"torch=={metadata.version('torch').partition('+')[0]}"
            held = Path(name) / "held.txt"
            held.write_text(f"{torch}\n", encoding="utf-8")
            steps.append([*pip, torch])
            pip += ["--constraint", str(held)]
        steps.append([*pip, *wanted])
        for step in steps:
            done = subprocess.run(step, capture_output=True, text=True, check=False, timeout=_SECONDS)
            if done.returncode:
                return _last_line(done.stderr)
    return ""


def _last_line(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip() and "warning" not in line.lower()]
    return lines[-1].replace(str(ROOT), "…") if lines else "no message"


def ask(name: str, script: str, arrays: Mapping[str, Any], **settings: Any) -> dict[str, Any]:
    """Run one of our scripts with a peer's interpreter.

    Args:
        name: The peer.
        script: Of the folder scripts/, without its ending.
        arrays: What it reads as a file of NumPy arrays.
        settings: What else it is told.

    Raises:
        RuntimeError: If it fails.
    """
    peer = next(each for each in PEERS if each.name == name)
    with tempfile.TemporaryDirectory() as folder:
        given, answer = Path(folder) / "given.npz", Path(folder) / "answer.json"
        np.savez(given, **arrays)
        words = [
            str(python(peer)),
            "-I",
            "-W",
            "ignore",
            str(SCRIPTS / f"{script}.py"),
            str(given),
            str(answer),
            json.dumps(settings),
        ]
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        done = subprocess.run(
            words, cwd=folder, env=os.environ | threads, capture_output=True, text=True, check=False, timeout=_SECONDS
        )
        if done.returncode:
            raise RuntimeError(f"{name}: {_last_line(done.stderr)}")
        found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
        return found


def stated(environments: Mapping[str, Environment]) -> dict[str, Any]:
    """The environments as results.json keeps them."""
    return {name: asdict(each) for name, each in environments.items()}
