"""A directory that everybody reads: the part of the pair that forgets."""

import json


class Directory:
    """Keeps one listing of each member; anybody may look listings up by the name that they begin with."""

    def initialize(self, seed):  # noqa: ARG002 - it draws nothing
        """Begin empty."""
        self.listings = {}

    def activate(self, channel, operation, argument):
        """Carry out one operation of one member.

        Args:
            channel: The member, as text.
            operation: "set", "get" or "delete".
            argument: The listing, or the name that is looked up.

        Returns:
            The listings that were found, one a line, or None.
        """
        if operation == "set":
            self.listings[channel] = argument
        elif operation == "delete":
            self.listings.pop(channel, None)
        elif operation == "get":
            return "\n".join(sorted(each for each in self.listings.values() if each.split(" ")[0] == argument)) or None
        return None

    def state(self):
        """Everything that is kept, as bytes: the listings in order of their members."""
        return json.dumps(self.listings, sort_keys=True).encode()
