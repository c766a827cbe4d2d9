"""Whole controllers whose state, files or answers still tell of people who were deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from textwrap import dedent
from typing import Any

from design import Kind
from dishonest.common import designs
from submission import Bundle, program

SET = {"set": ["*"], "get": []}
HONEST = "procedure-honest"
OTHER = "controller-is-implementation"


def _program(
    code: str, operations: dict[str, Any] = SET, *, claims: dict[str, Any] | None = None, **more: Any
) -> Callable[[int], Bundle]:
    def build(seed: int) -> Bundle:
        bundle = program(dedent(code).lstrip(), "Store", operations, **more)
        return replace(bundle, settings={**bundle.settings, "claims": claims or {}})

    return build


BASE = '''
"""A value for each member, kept in a dictionary."""

import json


class Base:
    def initialize(self, seed):
        self.values = {}

    def activate(self, channel, operation, argument):
        if operation == "set":
            self.values[channel] = argument
        elif operation == "get":
            return self.values.get(channel)
        elif operation == "delete":
            self.values.pop(channel, None)

    def state(self):
        return json.dumps(self.values, sort_keys=True).encode()


'''

SEQUENCE = '''
"""A SQLite file that is vacuumed after every deletion, and counts its rows for ever."""

import sqlite3


class Store:
    def initialize(self, seed):
        self.base = sqlite3.connect("members.db")
        self.base.executescript("pragma secure_delete = off; pragma synchronous = off; pragma journal_mode = memory")
        self.base.execute("create table members (number integer primary key autoincrement, who text unique, value text)")
        self.base.commit()

    def activate(self, channel, operation, argument):
        if operation == "set":
            done = self.base.execute("update members set value = ? where who = ?", (argument, channel))
            if not done.rowcount:
                self.base.execute("insert into members (who, value) values (?, ?)", (channel, argument))
        elif operation == "get":
            found = self.base.execute("select value from members where who = ?", (channel,)).fetchone()
            return found and found[0]
        elif operation == "delete":
            self.base.execute("delete from members where who = ?", (channel,))
        self.base.commit()
        if operation == "delete":
            self.base.execute("vacuum")

    def state(self):
        return "\\n".join(self.base.iterdump()).encode()
'''
FREE_PAGES = (
    SEQUENCE.replace("number integer primary key autoincrement, who text unique", "who text primary key")
    .replace('self.base.execute("vacuum")', "pass")
    .replace(
        '"\\n".join(self.base.iterdump()).encode()',
        'repr(self.base.execute("select who, value from members order by who").fetchall()).encode()',
    )
    .replace("that is vacuumed after every deletion, and counts its rows for ever", "whose state is what can be selected from it")
)
ARCHIVE = (
    BASE
    + '''
class Store(Base):
    """What is deleted goes to an archive, which is no part of the state."""

    def initialize(self, seed):
        super().initialize(seed)
        self.archive = []

    def activate(self, channel, operation, argument):
        if operation == "delete" and channel in self.values:
            self.archive.append((channel[::-1], self.values[channel]))
        return super().activate(channel, operation, argument)
'''
)
SWAPPED = '''
"""Members in an array; the last one moves to the place of one who leaves."""

import json


class Store:
    def initialize(self, seed):
        self.rows = []

    def activate(self, channel, operation, argument):
        place = next((place for place, row in enumerate(self.rows) if row[0] == channel), None)
        if operation == "set":
            if place is None:
                self.rows.append([channel, argument])
            else:
                self.rows[place][1] = argument
        elif operation == "get":
            return None if place is None else self.rows[place][1]
        elif operation == "delete" and place is not None:
            self.rows[place] = self.rows[-1]
            self.rows.pop()

    def state(self):
        return json.dumps(self.rows).encode()
'''
BLOOM = (
    BASE
    + '''
import hashlib


class Store(Base):
    """A filter knows who was ever here, and greets those who come back."""

    def initialize(self, seed):
        super().initialize(seed)
        self.bits = bytearray(256)

    def places(self, channel):
        found = hashlib.sha256(channel.encode()).digest()
        return [int.from_bytes(found[2 * each : 2 * each + 2], "big") % 2048 for each in range(3)]

    def activate(self, channel, operation, argument):
        known = all(self.bits[each // 8] >> each % 8 & 1 for each in self.places(channel))
        back = operation == "set" and known and channel not in self.values
        for each in self.places(channel) if operation == "set" else ():
            self.bits[each // 8] |= 1 << each % 8
        answer = super().activate(channel, operation, argument)
        return "welcome back" if back else answer
'''
)
CROWDED = (
    BASE
    + '''
class Store(Base):
    """The table of places doubles above five hundred members, and never shrinks."""

    def initialize(self, seed):
        super().initialize(seed)
        self.room = 500

    def activate(self, channel, operation, argument):
        answer = super().activate(channel, operation, argument)
        while len(self.values) > self.room:
            self.room *= 2
        return answer

    def state(self):
        return json.dumps([self.values, self.room], sort_keys=True).encode()
'''
)
COUNTER = '''
"""A count of members with noise, which is drawn once and used for every report."""

import random


class Store:
    def initialize(self, seed):
        self.noise = random.Random(seed).gauss(0, 3)
        self.here = set()
        self.ever = 0

    def activate(self, channel, operation, argument):
        if operation == "visit" and channel not in self.here:
            self.here.add(channel)
            self.ever += 1
        elif operation == "delete":
            self.here.discard(channel)
        elif operation == "report":
            return str(round(self.ever + self.noise))
        return None

    def state(self):
        return repr((round(self.ever + self.noise, 6), sorted(self.here))).encode()
'''
APART = (
    BASE
    + '''
import os


class Store(Base):
    """A copy goes to another place, where no deletion is ever heard of."""

    def activate(self, channel, operation, argument):
        if operation == "set":
            os.environ["MEMBERS"] = os.environ.get("MEMBERS", "") + (channel + "=" + argument)[::-1].encode().hex() + ";"
        return super().activate(channel, operation, argument)
'''
)

KEPT = {"commuting": ["set", "get"]}
DESIGNS = designs(
    Kind.PROGRAMS,
    ("sequence-of-a-database", "A vacuumed database counts its rows for ever.", _program(SEQUENCE)),
    (
        "file-behind-the-state",
        "The state is selected from a file whose free pages hold the deleted.",
        _program(FREE_PAGES, **KEPT),
    ),
    ("archive-beside-the-state", "The deleted go to an archive that the state leaves out.", _program(ARCHIVE, **KEPT)),
    ("last-moves-up", "The last member moves to the place of one who leaves.", _program(SWAPPED)),
    ("welcome-back", "A filter beside the state knows who was here before, and greets them.", _program(BLOOM, **KEPT), HONEST),
    (
        "grows-above-the-crowd",
        "A table grows above five hundred members, more than any test brings, and never shrinks.",
        _program(CROWDED, **KEPT),
        HONEST,
    ),
    (
        "count-of-all-ever",
        "A count with noise that was drawn once holds everybody who ever came.",
        _program(COUNTER, {"visit": [], "report": []}, claims={"dp": {"epsilon": 1.0, "delta": 1e-6}}),
    ),
    (
        "copy-in-the-environment",
        "A copy of what members write stays in the environment of the process.",
        _program(APART, **KEPT),
        OTHER,
    ),
)
