# What to do about a whole program.

remedy-program-not-searched = Install auditor[controllers], which searches for games and histories, then audit again.
remedy-program-short-seed = Draw the noise from a secret source of at least 128 bits: the program draws it from a seed that can be found by trying.
remedy-program-same-seed = Have the program leave the same state with the person as without. That holds under the same seed too: which randomness it has used up must not tell. No test with fresh seeds can clear it.
remedy-program-seeded = Draw all randomness from the seed that initialize() is given, so that the same seed gives the same state.
remedy-program-more-games = Set games = { $games } under [controller], then audit again.
remedy-program-counter = Report through one of the auditor's own counters, by use under [controller]: of other code nothing tells which numbers are noise.

# Of a learner that is played with one person and without.
remedy-learner-different = Keep nothing of a deletion, neither a list nor a count nor an old model, and train again on the records that remain. What differs is named with the result.
remedy-learner-watched = Show nobody a model before pending deletions are done, and take before_and_after out of the policy then; or train with differential privacy.
remedy-learner-seeded = Draw all randomness from the seed that learn() and unlearn() are given, so that the same seed gives the same model.
remedy-learner-seen = If nobody saw a model that an erased record was in, say so in the log with seen_releases = 0. Otherwise release a model only once pending deletions are done, or train with differential privacy.
remedy-learner-not-attested = If it is true, attest { $word } under [claims].
remedy-learner-unseen-model = Give the class parameters() or save(), so that models can be compared.
remedy-learner-moving = Keep no times and no counts of calls in the model or in the class, then audit again.
remedy-learner-elsewhere = Leave nothing in the modules of libraries, then audit again.
