"""What CUDA finds open behind the walls, and what a child is told; with nodes that are plain files."""

import json
from pathlib import Path

import pytest

from auditor.base.errors import SandboxError
from auditor.sandbox import Device, Level, allowed_paths, bubblewrap, child_plan, devices, executed, landlock, wire
from auditor.sandbox.devices import NoDeviceError, asserted, driver_folders, nodes, require_nodes
from auditor.sandbox.scratch import Scratch
from nvidia import NODES, put_nodes

FOUND = {"device": "cuda", "device_name": "A GPU"}


@pytest.fixture
def libraries(monkeypatch, tmp_path):
    """A folder with the driver's library, which nothing but LD_LIBRARY_PATH leads to."""
    folder = tmp_path / "driver" / "lib64"
    folder.mkdir(parents=True)
    (folder / "libcuda.so.1").touch()
    monkeypatch.setattr(devices, "_cached_folders", tuple)
    monkeypatch.setattr(devices, "_USUAL_FOLDERS", ())
    monkeypatch.setenv("LD_LIBRARY_PATH", f"relative::{tmp_path}/none:{folder}")
    return folder


def test_nodes_are_those_that_compute(monkeypatch, tmp_path):
    put_nodes(
        monkeypatch,
        tmp_path,
        (*NODES, "nvidia10", "nvidia2", "nvidia-modeset", "nvidia-caps", "nvidia2x", "nvidia٣", "null", "dri"),
    )
    found = [Path(node).name for node in nodes()]
    assert found == ["nvidia0", "nvidia2", "nvidia10", "nvidiactl", "nvidia-uvm", "nvidia-uvm-tools"]
    require_nodes()


@pytest.mark.parametrize(
    ("present", "reason"),
    [
        ((), "there is no NVIDIA device node"),
        (("nvidiactl", "nvidia-uvm"), "there is no NVIDIA device node"),
        (("nvidia0", "nvidiactl"), "there is no /dev/nvidia-uvm, which nvidia-modprobe -c 0 -u makes"),
        (("nvidia1",), "there is no /dev/nvidiactl and no /dev/nvidia-uvm, which nvidia-modprobe -c 0 -u makes"),
    ],
)
def test_a_missing_node_is_named(monkeypatch, tmp_path, present, reason):
    put_nodes(monkeypatch, tmp_path, present)
    with pytest.raises(NoDeviceError) as caught:
        require_nodes()
    assert caught.value.reason == reason
    assert isinstance(caught.value, SandboxError)
    assert caught.value.exit_code == 4
    assert str(caught.value) == (
        f"--device cuda was asked, and no CUDA device can be used inside the sandbox: {reason}; run with --device cpu or auto"
    )


def test_no_dev_at_all(monkeypatch, tmp_path):
    monkeypatch.setattr(devices, "_DEV", tmp_path / "none")
    assert nodes() == ()


def test_the_cpu_has_no_opening_for_a_gpu(monkeypatch, tmp_path, libraries):
    put_nodes(monkeypatch, tmp_path)
    opened = allowed_paths.openings(inputs=[], outputs=[])
    assert opened.accelerators == ()
    assert not set(opened.facts) & set(devices.FACTS)
    assert not any(str(tmp_path) in path for kind in opened for path in kind)


def test_openings_for_cuda(monkeypatch, tmp_path, libraries):
    folder = put_nodes(monkeypatch, tmp_path / "dev")
    plain = allowed_paths.openings(inputs=[], outputs=[])
    opened = allowed_paths.openings(inputs=[], outputs=[], device="cuda")
    assert opened.accelerators == tuple(str(folder / name) for name in NODES)
    assert set(plain.facts) | set(devices.FACTS) == set(opened.facts)
    assert set(opened.programs) - set(plain.programs) == {str(libraries)}
    assert (opened.devices, opened.inputs, opened.outputs) == (plain.devices, plain.inputs, plain.outputs)
    assert not {"/", "/dev", "/proc", "/sys", "/sys/kernel"} & {path for kind in opened for path in kind}


def test_bubblewrap_binds_the_nodes_behind_its_own_dev(monkeypatch, tmp_path, libraries):
    folder = put_nodes(monkeypatch, tmp_path / "dev")
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: f"/somewhere/{name}")
    arguments = bubblewrap.command(allowed_paths.openings(inputs=[], outputs=[], device="cuda"), "/work")
    places = [place for place, word in enumerate(arguments) if word == "--dev-bind-try"]
    assert [arguments[place + 1 : place + 3] for place in places] == [[str(folder / name)] * 2 for name in NODES]
    assert min(places) > arguments.index("--dev")
    shown = {arguments[place + 1] for place, word in enumerate(arguments) if word == "--ro-bind-try"}
    assert shown >= {"/sys/bus", "/sys/class", "/sys/devices", "/sys/module", str(libraries)}
    assert "--dev-bind-try" not in bubblewrap.command(allowed_paths.openings(inputs=[], outputs=[]), "/work")


@pytest.mark.parametrize("level", [Level.CONFINED, Level.NAMESPACED])
def test_landlock_lets_the_driver_be_talked_to(monkeypatch, tmp_path, libraries, level):
    folder = put_nodes(monkeypatch, tmp_path / "dev")
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: f"/somewhere/{name}")
    scratch = Scratch()
    try:
        cuda, cpu = (json.loads(executed.command(level, 3, scratch, device)[-1]) for device in ("cuda", "cpu"))
    finally:
        scratch.remove()
    added = dict(cuda["opened"]).items() - dict(cpu["opened"]).items()
    reading = landlock.READ_FILE | landlock.READ_DIR
    expected = {str(folder / name): landlock.READ_FILE | landlock.WRITE_FILE | landlock.IOCTL_DEV for name in NODES}
    expected |= dict.fromkeys(devices.FACTS, reading) | {str(libraries): reading | landlock.EXECUTE}
    assert dict(added) == expected
    assert (cuda["names_threads"], cpu["names_threads"]) == (True, False)


def test_a_case_among_the_driver_s_libraries_is_refused(libraries):
    case = libraries / "case"
    allowed_paths.require_apart(case)
    with pytest.raises(SandboxError, match="which every procedure may read"):
        allowed_paths.require_apart(case, "cuda")


def test_the_driver_is_found_under_every_name_that_leads_to_it(monkeypatch, tmp_path, libraries):
    named, cached = tmp_path / "named", tmp_path / "cached"
    named.symlink_to(libraries)
    cached.mkdir()
    (cached / "libcuda.so.1").symlink_to(libraries / "libcuda.so.1")
    monkeypatch.delenv("LD_LIBRARY_PATH")
    assert driver_folders() == ()
    monkeypatch.setattr(devices, "_USUAL_FOLDERS", (str(named), str(tmp_path / "none")))
    monkeypatch.setattr(devices, "_cached_folders", lambda: (str(cached),))
    assert driver_folders() == tuple(map(str, (cached, libraries, named)))


def test_the_loader_s_cache_is_read(monkeypatch, tmp_path):
    program = tmp_path / "ldconfig"
    program.write_text(
        "#!/bin/sh\necho '3 libs found in cache'\n"
        "printf '\\tlibcuda.so.1 (libc6,x86-64) => /opt/driver/libcuda.so.1\\n'\n"
        "printf '\\tlibcuda.so (libc6,x86-64) => /elsewhere/libcuda.so\\n\\tlibm.so.6 (libc6) => /lib/libm.so.6\\n'\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(devices, "_LDCONFIG", (str(tmp_path / "none"), str(program)))
    assert devices._cached_folders.__wrapped__() == ("/opt/driver",)
    monkeypatch.setattr(devices, "_LDCONFIG", ())
    assert devices._cached_folders.__wrapped__() == ()


def test_a_child_on_the_cpu_is_told_so_and_sees_no_gpu(monkeypatch, tmp_path, libraries):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    told = child_plan.environment(tmp_path)
    assert told == child_plan.environment(tmp_path, "cpu")
    assert (told["AUDITOR_DEVICE"], told["CUDA_VISIBLE_DEVICES"]) == ("cpu", "")
    assert "LD_LIBRARY_PATH" not in told
    assert told["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"


def test_a_child_on_cuda_is_told_so_and_sees_what_the_auditor_sees(monkeypatch, tmp_path, libraries):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    told = child_plan.environment(tmp_path, "cuda")
    assert "CUDA_VISIBLE_DEVICES" not in told
    assert (told["AUDITOR_DEVICE"], told["LD_LIBRARY_PATH"]) == ("cuda", str(libraries))
    assert told["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"
    for shown in ("", "1,0"):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", shown)
        assert child_plan.environment(tmp_path, "cuda")["CUDA_VISIBLE_DEVICES"] == shown
    # What the loader finds by itself, it is not led to.
    monkeypatch.setattr(devices, "_cached_folders", lambda: (str(libraries),))
    assert "LD_LIBRARY_PATH" not in child_plan.environment(tmp_path, "cuda")


def test_the_request_and_its_answer():
    assert json.loads(wire.request(Device(), 1, wire.Called(()))) == {"number": 1, "step": "device"}
    assert wire.positions(Device()) == {}
    assert asserted(FOUND) == "A GPU"
    assert asserted(FOUND | {"device_name": " A\n\x1b[31mGPU " + "x" * 500}) == "A [31mGPU " + "x" * 90


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"device": "cuda"},
        FOUND | {"device": "cpu"},
        FOUND | {"device": True},
        FOUND | {"device_name": ""},
        FOUND | {"device_name": " \x00 "},
        FOUND | {"device_name": 1.0},
        FOUND | {"more": "x"},
    ],
)
def test_an_answer_that_names_no_device_is_none(facts):
    with pytest.raises(NoDeviceError, match="names no CUDA device"):
        asserted(facts)
