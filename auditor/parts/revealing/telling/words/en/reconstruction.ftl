# Sentences of `reconstruction.*`.

reason-reconstruction-label-none = Does not apply: sentences have no labels.
reason-reconstruction-instance-sentences = Does not apply: sentences are rebuilt by another check.
reason-reconstruction-instance-other-procedure = This version rebuilds records from a nearest neighbour or from least squares; it has no attack on models of this kind.
reason-reconstruction-sentence-no-text = Does not apply: the model does not learn from text.
reason-reconstruction-all-ties = Every game was a tie: the guess was no nearer to one record than to another. That nothing shows does not mean that the record is gone; other checks judge the unlearning.
reason-reconstruction-refuted = The guesses tell the deleted record from one other so often that weak deletion compliance with any epsilon below { NUM($epsilon, as: ".3f") } is refuted (Theorems 4.2 and 5.2). That says nothing about what a single release shows.
reason-reconstruction-foreign = The controller's own code may recognise a game and answer otherwise than on the log: a pass needs the attested statement { $word }.
reason-reconstruction-incomplete = Not every attack played, so nothing is decided.
reason-reconstruction-sentence-out-of-time = In { $games } games the clock cut the search short: another run may find more.
rebuilding-attack-range = naming the class that lost most probability at points of the data range (Algorithm C.1)
rebuilding-attack-records = naming the class that lost most probability at records that were never learned (Algorithm C.1)
rebuilding-attack-constant = extrapolating the two predictions by one factor for all records (Algorithm C.3)
rebuilding-attack-leverage = extrapolating the two predictions by the factor of the record's leverage (Algorithm C.3)
rebuilding-attack-region = the majority of the records whose predicted class changed (Algorithm 4.3)
rebuilding-attack-difference = the direction in which the model's answers moved
rebuilding-attack-runs = joining the runs of words that became less likely (Appendix D)
rebuilding-played = { $games } games, each with models of its own of { $trained } records: { $attack } gave a guess that was nearer to the deleted record than to { $decoys ->
    [1] 1 decoy
   *[other] each of { NUM($decoys) } decoys
} in { $right }, ties by a fair draw. A guess that owes nothing to the deletion or to the record wins { $chance }.{ $others ->
    [0] { "" }
    [1] {" "}1 other attack played the same games.
   *[other] {" "}{ NUM($others) } other attacks played the same games.
}
rebuilding-ties = { $ties } of games were ties.
rebuilding-strongest = The strongest attack was { $attack }: { $success } of games.
rebuilding-above = Above the threshold for certain: { $attacks }.
rebuilding-rate = If every record is as likely to be deleted as any other, the class is named correctly in { $rate } of deletions.
rebuilding-distance = The guess lies { NUM($distance, as: ".4g") } from the deleted label on average, the better of the two predictions { NUM($nearer, as: ".4g") }: { $left } of the error is left.{ $without ->
    [none] { "" }
   *[other] {" "}The prediction before the deletion alone wins { $without } of games.
}
rebuilding-alike = Both models were asked about at least { $probes } other records in each game. The guess and the deleted record have a cosine of { $alike } on average.
rebuilding-alike-bits = Both models were asked about at least { $probes } other records in each game. Of the features as bits, { $alike } of those guessed were right on average.
rebuilding-without = Without the deletion, what other records of the same class have in common wins { $without } of games{ $alike ->
    [none] { "" }
   *[other] , with { $alike } of bits right
}.
rebuilding-named = The model from before the deletion gives the guess the class of the deleted record in { $named } of games, and what the class has in common in { $without }.
rebuilding-blank = In { $blank } of games nothing changed that the attack could go by, and it guessed at random.
rebuilding-sentences = The words guessed have an F1 of { NUM($f1, as: ".3f") } on average; { $rate ->
    [none] single words say nothing of their order
   *[other] { $rate } of sentences were rebuilt word for word
}.
reason-reconstruction-no-remedy = None of the remedies measured would keep every attack within the limit for certain.
rebuilding-attack-runs-clearly = joining the runs of words that became less likely by more than rounding moves them
