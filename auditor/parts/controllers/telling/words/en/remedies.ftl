# What to do about a whole program.

remedy-program-not-searched = Install auditor[controllers], which searches for games and histories, then audit again.
remedy-program-short-seed = Draw the noise from a secret source of at least 128 bits: the program draws it from a seed that can be found by trying.
remedy-program-same-seed = Have the program leave the same state with the person as without. That holds under the same seed too: which randomness it has used up must not tell. No test with fresh seeds can clear it.
remedy-program-seeded = Draw all randomness from the seed that initialize() is given, so that the same seed gives the same state.
remedy-program-more-games = Set games = { $games } under [controller], then audit again.
remedy-program-counter = Report through one of the auditor's own counters, by use under [controller]: of other code nothing tells which numbers are noise.
