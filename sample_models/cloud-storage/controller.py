"""A private cloud storage in forty lines: everybody keeps files that nobody else can read."""

import json


class CloudStorage:
    """Each account holds files by name. Closing an account leaves nothing of it."""

    def initialize(self, seed):
        """Begin with no account. `seed` is the only source of chance; this program needs none."""
        self.accounts = {}

    def activate(self, channel, operation, argument):
        """Carry out one operation of one account.

        Args:
            channel: The account, as text.
            operation: "upload", "download" or "delete".
            argument: "name=content" of an upload, the name of a download, None of a deletion.

        Returns:
            The content of a downloaded file as text, or None.
        """
        files = self.accounts.get(channel, {})
        if operation == "upload":
            name, _, content = (argument or "").partition("=")
            # A new dictionary, in order of the names: when a file came shows nowhere.
            self.accounts[channel] = dict(sorted({**files, name: content}.items()))
        elif operation == "download":
            return files.get(argument)
        elif operation == "delete":
            self.accounts.pop(channel, None)
        return None

    def state(self):
        """Everything that is kept, as bytes: the accounts in order of their names, never in the order in which they came."""
        return json.dumps(self.accounts, sort_keys=True).encode()
