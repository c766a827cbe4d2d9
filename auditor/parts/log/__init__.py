"""The deletion log: its consistency, deadlines and hash chain, and tickets that become one.

What a row means is worked out in `base.deletion_log`, since the whole audit reads it; here it is judged, and imported.
"""
