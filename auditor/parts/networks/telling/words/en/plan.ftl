# A plan for a model that is kept up to date from a stream, on a terminal and in the sentence of its document.

plan-continual-no-case = no case
plan-continual-goal = ε = { $epsilon } at δ = { $delta } for { $records ->
    [1] one record
   *[other] the { NUM($records) } records of one person
}, over { $horizon ->
    [1] one release
   *[other] { NUM($horizon) } releases
} of { $parameters ->
    [1] one number
   *[other] { NUM($parameters) } numbers
}
plan-continual-lead = { $case }: { $goal }.
plan-continual-heading-factorisation = factorisation
plan-continual-heading-noise = noise
plan-continual-heading-epsilon = ε
plan-continual-heading-right = right ≤
plan-continual-heading-release = at release
plan-continual-heading-kept = kept
plan-continual-heading-rate = rate
plan-continual-heading-loss = loss ≤
plan-continual-legend = ▶ recommended  ● meets the target  ○ does not  = as declared. noise: noise_multiplier, in each number of each sum that is kept, in units of the clipping norm; at release: the most that a number of the summed gradients carries when it is released, state and release together; kept: the sums that are held at a time; right ≤: the most guesses of 100 that anyone gets right about whether the records were there, read off the trade-off function; rate and loss ≤: the best rate, and the bound that it gives.
plan-continual-assume-neighbours = Neighbours: streams that differ in { $records ->
    [1] one record
   *[other] the { NUM($records) } records of one person
}, added or removed. Adversary: sees every release, and once all that is kept.
plan-continual-assume-once = Each record is learned once, its gradient clipped, at weights that were released. Epochs, restarts that see records again, and the same seed for two streams are not covered.
plan-continual-assume-loss = Loss ≤ holds for convex losses with gradients at most 1 long and one record for each release: the mean loss beyond that of any weights of length { $norm }. It says nothing of networks with hidden layers, nor of accuracy.
plan-continual-too-long = "square-root" is worked out for { NUM($most) } releases at most
plan-continual-too-large = "square-root" keeps a sum for each release; the built-in procedure holds { NUM($most) } numbers at most
plan-continual-no-noise = no finite noise gives such an ε and δ
plan-continual-change = noise_multiplier = { $noise } with factorisation = "{ $factorisation }" and steps = { $steps }
plan-continual-fewer = the declared noise and factorisation with steps = { $steps }
plan-continual-changes = To meet it: { $changes }. Each is a new stream, with a seed of its own: what was released stays released.
plan-continual-meets = As declared ε is { $epsilon }, and { $right } of 100 guesses can be right: within { $goal }.
plan-continual-misses = As declared ε is { $epsilon }, and { $right } of 100 guesses can be right: more than { $goal }.
plan-continual-none = Nothing gives { $goal }: { $why }.
plan-continual-recommended = Recommended for { $goal }: factorisation = "{ $factorisation }", noise_multiplier = { $noise }, steps = { $steps }. A release carries noise of { $release } times the clipping norm in each number of the sum; at most { $right } of 100 guesses are right, and guessing is right 50 times.
