"""Makes the modules beside this file importable from every test, and keeps property tests independent of the clock."""

from hypothesis import settings

# A machine that does other work as well must not turn a correct property into a failure.
settings.register_profile("auditor", deadline=None)
settings.load_profile("auditor")
