# Sentences about columns that were fitted on deleted records.

preprocessing-standardised = { $count ->
    [1] feature
   *[other] features
} { $columns }: mean 0 and deviation 1 over all training records, and not over those that remain
preprocessing-min-max = { $count ->
    [1] feature
   *[other] features
} { $columns }: scaled to a smallest and a largest value of which only deleted records reach both
preprocessing-one-hot = { $count ->
    [1] feature
   *[other] features
} { $columns }: 0 or 1, and only deleted records have a 1
preprocessing-target-mean = { $count ->
    [1] feature
   *[other] features
} { $columns }: for each category what the labels of all training records come to, and not of those that remain
preprocessing-fitted = the training data show a fit on deleted records: { $found }
preprocessing-beside = Scaling or encoding was fitted on deleted records, which the values of others keep a trace of: { $found }. Fit it on the records that remain, or on none, and train again.
