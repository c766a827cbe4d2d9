"""What comes of an audit, for the command line and for Python alike: files in a folder, documents on demand, rechecks.

folder      evidence, reports, counterexamples and statements of one audit, written whole
documents   one document for one reader, rendered from evidence
letters     one letter, and the statement about it
rendering   what renders pages again for a recheck
validating  a case that was read and not run;  rehearsals: what running it on a few rows showed
"""
