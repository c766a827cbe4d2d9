"""Controllers that hide what they keep of the deleted: elsewhere, in another writing, or from whoever looks too briefly."""

import base64
import hashlib
import json
import zlib
from pathlib import Path

_EVERYBODY = []
_HISTORIES = [0]
"""Both live as long as the process."""


class Plain:
    """Sound: one value a channel, in order of the channels' names."""

    def initialize(self, seed):
        self.kept = {}

    def activate(self, channel, operation, argument):
        if operation == "set":
            self.kept[channel] = argument
        elif operation == "delete":
            self.delete(channel)
        return self.kept.get(channel)

    def delete(self, channel):
        if channel in self.kept:
            self.gone(channel, self.kept.pop(channel))

    def gone(self, channel, argument):
        """Where each of them goes wrong."""

    def state(self):
        return json.dumps(sorted(self.kept.items())).encode()


class InAnAttribute(Plain):
    """`state` is canonical; an attribute keeps the names."""

    def initialize(self, seed):
        super().initialize(seed)
        self.before = []

    def gone(self, channel, argument):
        self.before.append(channel)


class CompressedInAnAttribute(InAnAttribute):
    """As above, compressed."""

    def gone(self, channel, argument):
        self.before.append(zlib.compress(f"{channel} {argument}".encode()))


class InAFile(Plain):
    """A file of the working folder keeps the names."""

    def gone(self, channel, argument):
        with Path("deleted.log").open("a") as log:
            log.write(f"{channel}\n")


class InTheModule(Plain):
    """A list of the module keeps the names; the state does not."""

    def gone(self, channel, argument):
        _EVERYBODY.append(channel)


class InBase64(Plain):
    """The state keeps what was deleted, in base64."""

    def initialize(self, seed):
        super().initialize(seed)
        self.more = []

    def gone(self, channel, argument):
        self.more.append(base64.b64encode(channel.encode()).decode())

    def state(self):
        return super().state() + "".join(self.more).encode()


class ByHash(InBase64):
    """The state keeps a hash of each deleted name: anyone who guesses a name can look whether it was there."""

    def gone(self, channel, argument):
        self.more.append(hashlib.sha256(channel.encode()).hexdigest())


class AcrossObjects(Plain):
    """What one object forgot another one of the same process writes down."""

    def gone(self, channel, argument):
        _EVERYBODY.append(channel)

    def state(self):
        return super().state() + str(len(_EVERYBODY)).encode()


class AfterAWhile(InBase64):
    """It behaves for fifty histories of a process."""

    patience = 50

    def initialize(self, seed):
        super().initialize(seed)
        _HISTORIES[0] += 1

    def state(self):
        return super().state() if _HISTORIES[0] > self.patience else Plain.state(self)


class AnswersOtherwiseLater(Plain):
    """After fifty histories of a process it answers otherwise, in every process alike; the state stays as it was."""

    def initialize(self, seed):
        super().initialize(seed)
        _HISTORIES[0] += 1

    def activate(self, channel, operation, argument):
        said = super().activate(channel, operation, argument)
        return f"{said} again" if _HISTORIES[0] > AfterAWhile.patience else said


class AfterAMillion(AfterAWhile):
    """It behaves for longer than any audit looks."""

    patience = 1_000_000
