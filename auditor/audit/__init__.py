"""One audit from case to evidence: what runs, in which stages, what is compared, and the sections that describe it."""
