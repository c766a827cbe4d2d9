# Sentences of `inference.difference`, `inference.example` and `inference.instance`.

reason-inference-no-labels = Does not apply: the records have no labels. The games of inference.instance need none.
reason-inference-all-ties = Every game was a tie: the answers on both records were the same before and after the deletion. That nothing shows does not mean that the record is gone; other checks judge the unlearning.
reason-inference-refuted = Weak deletion compliance with any epsilon below { NUM($epsilon, as: ".3f") } is refuted (Theorem 5.2). That says nothing about what a single release shows.
reason-inference-foreign = The controller's own code may recognise a game and answer otherwise than on the log: a pass needs the attested statement { $word }.
reason-inference-log-above = The releases of the log itself show more than the policy allows, so the games alone do not pass.
reason-inference-no-remedy = None of the remedies measured would keep every attack within the limit for certain.
reason-inference-incomplete = Not every attack played, so nothing is decided.
reason-inference-difference-other-procedure = Reads the steps of [procedure] use = "certified-removal"; this version knows no other procedure's.
reason-inference-difference-one-release = Nobody is said to see the model from before a deletion as well: policy.before_and_after is false, and no request had seen a release. No guarantee for a single release protects against anyone who does see both.
reason-inference-difference-no-single-record = No batch deleted a single record, and records that went together cannot be distinguished.
reason-inference-difference-informative = Informative: the policy sets neither max_inference nor max_compliance_epsilon.
reason-inference-difference-too-few = Too few games to decide: what they allow lies on both sides of the threshold.
reason-inference-on-log = On the log itself, the loss of { $first } of { $records } deleted records rose more than that of up to { $decoys } records of their class that stayed; guessing finds { NUM($guessed, as: ".1f") }.
reason-inference-difference-played = The weights before and after a deletion, and a Hessian of { $holdout ->
    [true] the holdout
   *[false] what remains
}, point at a record: the deleted one came out first of up to { $candidates } in { $first } of { $games } batches of one record. Against one other record it was named correctly { $wins } times.
inference-attack-rise = the rise in loss (Algorithm 3.2)
inference-attack-move = the move of the answer (Algorithm 3.4)
inference-attack-yeom-label = membership inference by loss
inference-attack-shokri-label = membership inference by a classifier trained on shadow models
inference-attack-shokri-confidence = membership inference by a classifier trained on shadow models, by how sure it is
inference-attack-lira-label = membership inference by likelihood ratio (LiRA)
inference-attack-lira-confidence = membership inference by likelihood ratio (LiRA), by how sure it is
inference-attack-rmia-label = membership inference against a population (RMIA)
inference-attack-rmia-confidence = membership inference against a population (RMIA), by how sure it is
inference-attack-entropy-label = membership inference by entropy
inference-attack-entropy-confidence = membership inference by entropy, by how sure it is
inference-remedy-labels = answering with the predicted class alone
inference-remedy-rounded = rounding answers to two digits
inference-remedy-several-2 = deleting 2 records at a time
inference-remedy-several-5 = deleting 5 records at a time
inference-remedy-several-10 = deleting 10 records at a time
inference-remedy-several-20 = deleting 20 records at a time
inference-remedy-waiting = waiting for the next scheduled retraining
inference-remedy-private = private training of a linear model
inference-played = { $games } games, each with models of its own of { $trained } records: { $attack } named the deleted record correctly in { $right }, ties by a fair coin.{ $others ->
    [0] { "" }
    [1] {" "}1 other attack played the same games.
   *[other] {" "}{ NUM($others) } other attacks played the same games.
}
inference-ties = { $ties } % of games were ties. Counted as wins, as some tables do, they would make it { $wins_or_ties } %.
inference-strongest = The strongest attack was { $attack }: right in { $success } % of games.
inference-own = The value is that of one deletion. With up to { $deletions }, all but one of which the adversary asks for, the most successful attack was { $attack }, with the adversary’s deletions { $variant ->
    [own-before] before
   *[own-after] after
} the one that is guessed: right in { $success } % of games.
inference-refuted-own = By { $attack }, right in { $success } % of games { $variant ->
    [own-before] after deletions of the adversary’s own
    [own-after] before deletions of the adversary’s own
   *[two] with one deletion
}, weak deletion compliance for up to { $deletions } deletions with any epsilon below { NUM($epsilon, as: ".3f") } is refuted (Definition 5.1). That says nothing about what a single release shows.
inference-above-own = Above the threshold for certain where the adversary asks for deletions of its own: { $attacks }.
inference-above = Above the threshold for certain: { $attacks }.
inference-reversed = Wrong far more often than right: { $attacks }. The opposite answer would be an attack above the threshold, so this is no pass.
inference-remedies = Measured on these data, { $remedies } would keep every attack within the limit.
