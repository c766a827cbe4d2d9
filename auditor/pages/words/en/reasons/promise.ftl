# Sentences of criteria that promise nothing.

reason-promise-delta = It promises nothing: δ = { NUM($delta, as: ".3g") } is not below 1/n for n = { $records } records, so that giving a whole record away now and then would meet it.
reason-promise-seed = It promises nothing: the noise comes from a seed of fewer than { $bits } bits, which can be found by trying.
nothing-promised = It promises nothing: ε = { NUM($epsilon, as: ".4g") } and δ = { NUM($delta, as: ".3g") } leave up to { $share } right guesses of 100 between a model that held a record and one that never did; below { $most } would say something.
nothing-promised-renyi = It promises nothing: a Rényi ε of { NUM($epsilon, as: ".4g") } at order { NUM($order, as: "g") } leaves up to { $share } right guesses of 100 between two models of which one held the record, as it keeps each of them near a third that never did; below { $most } would say something.
nothing-promised-together = It promises nothing to a person with { $records } records: all of them together{ $epsilon ->
    [none] { "" }
   *[other] , with a Rényi ε of { NUM($epsilon, as: ".4g") } at order { NUM($order, as: "g") },
} leave up to { $share } right guesses of 100 between a model that held them and one that never did; below { $most } would say something.
