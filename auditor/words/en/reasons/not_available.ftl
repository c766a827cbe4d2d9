# Sentences of the checks that this version cannot make.

reason-state-history_independent-not-available = This version has no test of history independence.
