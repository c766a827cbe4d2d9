"""The classes of whole controllers that come with the auditor.

Each has `initialize(seed)`, `activate(channel, operation, argument) -> output` and `state() -> bytes` (Cohen et al. 2023,
Section 2.1); each object plays one history. The name that `[controller] use` gives it, and what it may be asked, is its entry in
`auditor.parts.controllers.settings`.
"""
