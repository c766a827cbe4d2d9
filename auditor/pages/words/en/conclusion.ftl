# The conclusion of an audit. Its four terms are borrowed from ISAE 3000 (Revised).

conclusion-unmodified = Unmodified conclusion
conclusion-qualified = Qualified conclusion
conclusion-disclaimed = Disclaimer of conclusion
conclusion-adverse = Adverse conclusion
conclusion-by-nobody = { $conclusion } (no auditor named)
conclusion-terms = Computed by a program; not an assurance engagement. The terms are borrowed from ISAE 3000 (Revised).
conclusion-because-unmodified = Unmodified: { $reasons }.
conclusion-because-qualified = Qualified, because { $reasons }.
conclusion-because-disclaimed = Disclaimed, because { $reasons }.
conclusion-because-adverse = Adverse, because { $reasons }.
conclusion-reason-failed = { $count ->
    [one] a required check failed
   *[other] { $count } required checks failed
}
conclusion-reason-first-stage = this is the first stage, and the rest is still to run
conclusion-reason-broke-off = the audit broke off
conclusion-reason-open = { $count ->
    [one] a required check is open
   *[other] { $count } required checks are open
}
conclusion-reason-claims = { $count ->
    [one] a claim could not be shown
   *[other] { $count } claims could not be shown
}
conclusion-reason-refuted = { $count ->
    [one] the run contradicts a statement
   *[other] the run contradicts { $count } statements
}
conclusion-reason-silent = { $count ->
    [one] nobody makes a statement that a pass asks for
   *[other] nobody makes { $count } statements that a pass asks for
}
conclusion-reason-lineage = { $count ->
    [one] something made from the model may still hold deleted records
   *[other] { $count } things made from the model may still hold deleted records
}
conclusion-reason-own-code = tests alone cannot clear the case’s own code
conclusion-reason-walls = the case’s code could reach the inputs of its audit
conclusion-reason-forgetting = nothing that passes examines the forgetting
conclusion-reason-on-word = { $count ->
    [one] a statement is taken on trust
   *[other] { $count } statements are taken on trust
}
conclusion-reason-unsaid = { $count ->
    [one] nobody makes one of the statements that it rests on
   *[other] nobody makes { $count } of the statements that it rests on
}
conclusion-reason-not-listed = the evidence does not say what a pass rests on
conclusion-reason-limited-promise = it carries no useful promise (grade { $names })
conclusion-reason-made-earlier = { $count ->
    [one] something made from the earlier model lives on
   *[other] { $count } things made from the earlier model live on
}
conclusion-reason-both-models = somebody may hold the models from before and after a deletion
conclusion-reason-part-run = not all checks were to run
conclusion-reason-quick = samples were smaller than in a full run
conclusion-reason-weaker-policy = the policy asks for less than the default
conclusion-reason-without-deadlines = deadlines do not decide here
conclusion-reason-default-policy = it would not pass under the default policy
conclusion-reason-foreign-parts = parts of third parties took part
conclusion-reason-not-examined = not everything was examined
conclusion-reason-met = every required check passed, and nothing is taken on trust

conclusion-gaps-heading = Not examined, and how much it matters
conclusion-gaps-none = Nothing that a deletion has to reach was left out.
conclusion-weight-high = matters a lot
conclusion-weight-medium = matters somewhat
conclusion-weight-low = matters little
conclusion-gap-model = The model in use
conclusion-gap-model-why = No file of it was given: nothing here is about it.
conclusion-gap-model-part = The other steps of the model in use
conclusion-gap-model-part-why = Nothing here is about them.
conclusion-gap-model-open = The model file
conclusion-gap-model-open-why = It was given. Whether the declared procedure makes it is not settled.
conclusion-gap-procedure = How the procedure forgets
conclusion-gap-procedure-why = No check that tests it came to a result.
conclusion-gap-program = How the program deletes
conclusion-gap-program-why = No check that tests it came to a result.
conclusion-gap-store = The data store
conclusion-gap-store-why = Deleted records may still be there.
conclusion-gap-store-part = Part of the data store
conclusion-gap-store-part-why = Deleted records may be in what could not be read.
conclusion-gap-kept-elsewhere = Part of what is kept beyond the data store
conclusion-gap-kept-elsewhere-why = Deleted records may be in what nothing explains.
conclusion-gap-unsaid-model = A model that was trained on these data
conclusion-gap-unsaid-model-why = Nobody said whether a model was trained on these data.
conclusion-gap-places = The places
conclusion-gap-places-why = Deleted people may still be there.
conclusion-gap-places-part = Part of the places{ $places ->
    [none] { "" }
   *[other] : { $places }
}
conclusion-gap-places-part-why = Deleted people may be in what could not be read or explained.
conclusion-gap-kept = What the program keeps
conclusion-gap-kept-why = Deleted records may still be there.
conclusion-gap-kept-part = Part of what the program keeps
conclusion-gap-kept-part-why = Deleted records may be in what could not be read.
conclusion-gap-backups = Backups
conclusion-gap-backups-why = Nobody says that they hold no deleted record.
conclusion-gap-backups-undated-why = They are declared, and for some of them no day by which they hold no deleted record.
conclusion-gap-backups-early-why = They are declared gone by { $day }, before the last erasure on { $erased }: what was erased later may still be in them.
conclusion-gap-backups-still-why = They are declared gone by { $day }, and the data of { $count ->
    [one] one request are
   *[other] { NUM($count) } requests are
} { $still ->
    [found] still there
    [both] still there, or only marked as erased
   *[marked] only marked as erased
}, so new backups may hold them.
conclusion-gap-backups-said = Backups
conclusion-gap-backups-said-why = Somebody says under their name that they hold no deleted record, or until when.
conclusion-gap-elsewhere = { $places }
conclusion-gap-elsewhere-why = Nobody said anything about them.
conclusion-gap-elsewhere-told = Nobody said anything, but for { NUM($count) } of { NUM($of) } deletions the log says that recipients were told, or that there were none.
conclusion-gap-declared = Declared: { $places }
conclusion-gap-declared-why = On somebody’s word.
conclusion-gap-made-earlier = Made from the model: { $places }
conclusion-gap-made-earlier-why = By their dates, deleted records may live on there.
conclusion-gap-both-models = Who holds the model before and after a deletion
conclusion-gap-both-models-why = Nobody said. With both, one may tell who was deleted.
conclusion-gap-no-attack = The models before and after a deletion
conclusion-gap-no-attack-why = Somebody may hold both, and no attack compared them.

conclusion-both-held = The case says that somebody may see the model before a deletion and the one after it.
conclusion-both-seen = The log says, or does not rule out, that a request comes from someone who had seen an earlier model.
conclusion-both-unsaid = Whether anybody holds the model from before a deletion and the one after it: nobody said.
conclusion-both-games = { $said } Given both, the best deletion inference attack names the deleted one of two records in { $right } of 100 games, on models made alike. Guessing gives 50.
conclusion-both-log = { $said } Given both, a deletion inference attack on the log’s own releases picked out { NUM($first) } of { NUM($records) } deleted records, each among { NUM($among) } records.
conclusion-both-not-made = { $said } No deletion inference attack was made.

conclusion-responsible-heading = Who answers for what
conclusion-responsible-controller = The controller answers for the data, { $of ->
    [learned] the log, the model in use
    [searched] the log, the places
   *[program] the program in use
} and the policy.
conclusion-responsible-words = People who are named with a statement that nobody examined answer for it.
conclusion-responsible-runner = The person who ran the audit, named below, answers for running it on this very case.
conclusion-responsible-nobody = Nobody is named who answers for running it on this very case.
conclusion-responsible-program = Results and conclusion are computed by auditor { $version }. The decision is the controller’s.
conclusion-no-model = { $name } says that no model was trained on these data.
