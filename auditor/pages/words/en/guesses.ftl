# How well anyone could tell two equally likely worlds apart: right guesses out of 100, where guessing is right 50 times.

guesses-very-hard = very hard to tell
guesses-limited = limited: up to { $most } of 100
guesses-no-use = no useful promise
guesses-just-under = just under { $edge }
guesses-promise-very-hard = very hard to tell: at most { $most } of 100 guesses are right, where guessing is right 50 times
guesses-promise-limited = limited: up to { $most } of 100 guesses are right, where guessing is right 50 times
guesses-promise-no-use = no useful promise: up to { $most } of 100 guesses can be right, where guessing is right 50 times
