# Lines of `auditor replay`.

cli-other-controller = This is not the controller that the counterexample was found with.
cli-still-different = Still different: two equivalent histories leave states of { $left } and { $right } bytes, which differ from byte { $place } on.
cli-still-answered = Still different: two equivalent histories leave the same state, and the last questions are answered differently.
cli-no-longer-different = No longer different: both histories leave the same state.
