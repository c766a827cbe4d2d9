"""The checks of an audit, one family a file: each plans nothing but what it needs and judges what the rerun observed."""
