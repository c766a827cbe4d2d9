"""What commands share, those of the core and those that parts bring: options and arguments, and how they print.

options     options that several commands take, and the words that they take
output      results on stdout, narration and errors on stderr
progress    what long work shows of itself
"""
