"""What each version of Landlock is asked to forbid."""

import itertools

import pytest

from auditor.sandbox import landlock

# LANDLOCK_ACCESS_FS_*, by the version that brought them (linux/landlock.h).
FILES = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF, 5: 0xFFFF, 6: 0xFFFF, 7: 0xFFFF, 12: 0xFFFF}


@pytest.mark.parametrize(("version", "files"), FILES.items())
def test_everything_that_a_version_can_forbid_is_forbidden(version, files):
    found = landlock.handled(version)
    assert found.files == files
    assert found.network == (0b11 if version >= 4 else 0)
    assert found.scopes == (0b11 if version >= 6 else 0)


def test_a_later_version_forbids_no_less():
    for older, newer in itertools.pairwise(landlock.handled(version) for version in range(1, 20)):
        assert all(before & after == before for before, after in zip(older, newer, strict=True))


def test_nobody_makes_devices_and_readers_change_nothing():
    make_character_device, make_block_device = 1 << 6, 1 << 11
    for access in (landlock.READ, landlock.READ_AND_EXECUTE, landlock.READ_AND_WRITE, landlock.DEVICE):
        assert not access & (make_character_device | make_block_device)
    assert landlock.READ_AND_EXECUTE == landlock.EXECUTE | landlock.READ_FILE | landlock.READ_DIR
    assert not landlock.READ_AND_WRITE & landlock.EXECUTE


def test_a_kernel_without_landlock_offers_version_0():
    assert landlock.version({"landlock_create_ruleset": 100_000}) == 0
