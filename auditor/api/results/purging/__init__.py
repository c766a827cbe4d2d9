"""`auditor purge`: removes what an audit no longer needs of people, and writes a receipt.

purge     plans it and carries it out;  plan: what is to be done, and what was
survey    what the case declares and holds
kept_runs, papers  which runs, letters and replies go
files     examined and removed by name in open folders, renamed first
copies    tables that the auditor copied into a case;  people: who is meant, and which files hold them

The receipt, what was removed, what stays and why, is `auditor.document.purge_receipt`.
Only what is shown to be this user's own is removed: kept runs by their seal, copies by a note of their digest, letters by the
evidence that they repeat. The user's table and log are read, and never changed.
"""
