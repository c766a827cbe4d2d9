"""A list of members that hides them from each other and keeps those who leave at the wrong moment (Theorem 4.5)."""

import json
import random

NUMBERS = 21
"""T in the theorem: the chance that somebody is kept is one in so many, for those who do not choose their moment."""


class DelayedDeletion:
    """Each member is given a number, and kept a little longer if the list has so many members when they leave."""

    def initialize(self, seed):
        """Begin without members. `seed` is the only source of chance."""
        self.seed = seed
        self.members = {}
        self.leaving = None

    def activate(self, channel, operation, argument):  # noqa: ARG002 - every controller is given three texts
        """Carry out one operation of one member.

        Args:
            channel: The member, as text.
            operation: "insert" or "delete".
            argument: Not used.

        Returns:
            The member's number as text where they come in, or None.
        """
        self.members.pop(self.leaving, None)
        self.leaving = None
        if operation == "insert":
            # From the member's own part of the seed: who else is there makes no difference.
            number = random.Random(f"{self.seed}/{channel}").randint(1, NUMBERS)  # noqa: S311 - the seed is given
            self.members[channel] = number
            return str(number)
        if operation == "delete" and self.members.get(channel) == len(self.members):
            self.leaving = channel
        elif operation == "delete":
            self.members.pop(channel, None)
        return None

    def state(self):
        """Everything that is kept, as bytes: the members in order of their names, and who leaves at the next operation."""
        return json.dumps([self.members, self.leaving], sort_keys=True).encode()
