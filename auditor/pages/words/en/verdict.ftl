# The result of an audit in sentences that can be quoted.

verdict-word-pass = pass
verdict-word-fail = fail
verdict-word-inconclusive = inconclusive
verdict-of-case = “{ $name }”
verdict-of-release = “{ $name }” release { $release }
verdict-of-places = the places-only case “{ $name }”
verdict-of-controller = the program of “{ $name }”
verdict-of-answers = the set of answers about “{ $name }”
verdict-of-procedure = the procedure of “{ $name }”
verdict-pass = Pass{ $only ->
    [true] {" "}for the procedure only
   *[false] { "" }
}{ $strength ->
    [none] { "" }
   *[other] {" "}(strength { $strength })
}: { $subject } meets { $required ->
    [one] its 1 required check
   *[other] all { $required } required checks
}{ $count ->
    [0] { "" }
    [one] , resting on 1 unchecked statement
   *[other] , resting on { $count } unchecked statements
}{ $without_values ->
    [all] ; of deleted people’s data, ids and what the log names were looked for, and no values
    [some] ; of some deleted people’s data, ids and what the log names were looked for, and no values
   *[nobody] { "" }
}{ $verdict ->
    [none] { "" }
   *[other] ; under the default policy: { $verdict }
}.
verdict-pass-others = { $others ->
    [0] No other check was run.
    [one] 1 other check was not required or not run.
   *[other] { $others } other checks were not required or not run.
}
verdict-pass-blind = No check that it meets examines the unlearning itself.
verdict-fail = Fail: { $subject } fails { $failed } of { $required } required { $required ->
    [one] check
   *[other] checks
}: { $names }.
verdict-open = Inconclusive: { $cause ->
    [none] for { $subject }
   *[other] the audit of { $subject } broke off ({ $cause })
}, { $open } of { $required } required { $required ->
    [one] check
   *[other] checks
} { $open ->
    [one] is
   *[other] are
} open: { $names }.
verdict-open-first = Inconclusive so far: nothing that was required of { $subject } has failed, and the rest has not run yet.
verdict-open-nothing = Inconclusive: nothing that was required of { $subject } could be shown.
verdict-open-but = Inconclusive: { $subject } meets { $required ->
    [one] its 1 required check
   *[other] all { $required } required checks
}, but { $held }.
verdict-named = { $names } and others, { $count } in all
verdict-all-named = All of these: { $names }.
verdict-held-unexamined = nothing that passes examines the forgetting
verdict-why-unexamined = Nothing that passes examines the forgetting.
verdict-held-capped = foreign code ran in a sandbox too weak for a verdict
verdict-why-capped = Foreign code ran in a sandbox too weak for a verdict.
verdict-held-claim = the claim { $name } is { $refuted ->
    [true] refuted
   *[false] not shown
}
verdict-why-claim = The claim { $name } is { $refuted ->
    [true] refuted
   *[false] not shown
}{ $person }.
verdict-held-claim-person = {" "}(a person with all the records that the log names for one gets ε up to { $epsilon }{ $delta ->
    [none] { "" }
   *[other] {" "}and δ up to { $delta }
})
verdict-held-contradicted = what was found contradicts { $names }
verdict-why-contradicted = What was found contradicts { $names }.
verdict-held-silent = nobody attests { $names }
verdict-why-silent = Nobody says that { $said }. If it is known to be true, put { $names } into [claims] attested in audit.toml, with a name and a date.
verdict-held-lineage = by its dates, what was made from the model may still hold deleted records ({ $names })
verdict-why-lineage = The policy asks that nothing made from the model depends on deleted records. By the dates declared this may: { $names }. Make it again or retire it, and declare the day under [[lineage]].
verdict-held-cap = the controller's own code cannot pass by tests of the code alone
verdict-why-cap = The controller's own code cannot pass by tests of the code alone: it would take { $ways }.
verdict-held-answers = answers that the controller wrote down cannot pass by themselves
verdict-why-answers = Answers that the controller wrote down cannot pass by themselves: it would take { $ways }.
verdict-that-log-complete = the log lists every erasure ({ $name })
verdict-that-preprocessing-clean = nothing was prepared with the deleted records ({ $name })
verdict-that-lineage-complete = everything made from the model is declared ({ $name })
verdict-that-extractor-private = the features come from a private extractor and no other fitted step ({ $name })
verdict-or = { $first }, or { $last }
verdict-checks-to-pass = { $names } to pass
verdict-words-to-be-attested = { $names } to be attested
verdict-further-data-deletion-claim = a claim of data deletion
verdict-further-equal-counterfactual-runs = counterfactual runs that give equal bytes at every batch
verdict-rests = It rests { $said }.
verdict-on-word = on the controller's word that { $that }
verdict-that-code-clean = nothing that its code brings along was made from a deleted record ({ $name })
verdict-that-answers-genuine = the recorded answers are those that were really given, unchanged ({ $name })
verdict-that-embedding-genuine = the function that embeds is the one in use, and treats no record apart ({ $name })
verdict-that-procedure-honest = its code acts on the log as it does in the tests ({ $name })
verdict-on-statements = on { $word ->
    [true] its
   *[false] the controller's
} unexamined { $count ->
    [one] statement
   *[other] statements
} { $names }
verdict-also-rests = It also takes the controller's unexamined { $count ->
    [one] statement
   *[other] statements
} { $names }.
verdict-unsaid = It { $also ->
    [true] also rests
   *[false] rests
} on { $count ->
    [one] a statement that nobody makes
   *[other] statements that nobody makes
}: { $names }.
premises-unsaid = Said by nobody
premises-said = Said by { $by }{ $at ->
    [none] { "" }
   *[other] , { $at }
}
premises-said-before = { $said }, before the audit of another release on { $audited }, and not again since
premises-said-for = { $said }, before the audit of release { $release } on { $audited }, and not again since
premises-examined = Examined by { $check }, and not contradicted
premises-refuted = Found to be false by { $check }
premises-check = the check “{ $title }”
premises-run = the audit
premises-code-and-base = the code, with the files in { $folders }, brings along nothing made from a deleted record
premises-backups-silent = no backup holds the deleted records, and none is declared
premises-backups-undated = no backup holds the deleted records any more, although some are declared without a day
premises-backups-before = no backup holds the deleted records any more, although those declared gone by { $day } may hold what was erased later, up to { $erased }
premises-backups-until = no backup holds the deleted records after { $day }, the day that is declared
premises-backups-others = no backup holds the deleted records but those that are declared, gone by { $day }
premises-backups-found = no backup holds the deleted records after { $day }, although copies made since may hold what was found again
premises-backups-marked = no backup holds the deleted records after { $day }, although copies made since may hold what is only marked as erased
premises-line = { $heading }: { $premises }.
verdict-promise-rests = Its promise rests on the controller's { $further ->
    [true] further unexamined
   *[false] unexamined
} { $count ->
    [one] statement
   *[other] statements
} { $names }.
verdict-by-default = By the auditor's default policy: { $verdict }
verdict-other-by-default = Under the default policy the verdict is { $verdict }.
verdict-weaker = The policy asks for less than the default ({ $weaker }): under the default policy the verdict is { $verdict }.
verdict-without-deadlines = Deadlines were checked and do not decide here; if they did, under the default policy, the verdict would be { $verdict }.
verdict-weaker-left-out = it does not require { $names }
verdict-weaker-attacks = attacks { $names } instead of all
verdict-weaker-setting = { $name } = { $declared } instead of { $default }
verdict-setting-policy-deadline-days = deadline_days
verdict-setting-policy-min-quality = min_quality
verdict-setting-swap-pairs = pairs
verdict-setting-swap-models = models
verdict-setting-swap-alpha = alpha
verdict-setting-swap-confidence = confidence
verdict-setting-inference-confidence = confidence of deletion inference
verdict-default-policy-deadline-days = one calendar month
verdict-examined-places = places
verdict-examined-program = program
verdict-examined-kept = what it keeps
verdict-examined-model = model file
verdict-examined-store = data store
verdict-examined-trusted = yes, the rest on trust
verdict-examined-procedure = procedure
verdict-examined-backups = backups
verdict-worth-hard = very hard to tell whose data were used{ $count ->
    [0] { "" }
    [one] , if 1 unchecked statement holds
   *[other] , if { NUM($count) } unchecked statements hold
}
verdict-worth-unsaid = very hard to tell whose data were used, if { $count ->
    [one] 1 unchecked statement holds
   *[other] { NUM($count) } unchecked statements hold
}, { NUM($unsaid) } of which nobody makes
verdict-worth-exact = no mathematical promise: what the deleted records held made no difference to the model of the rerun, and no model file was compared with it
verdict-worth-part = no mathematical promise: what the deleted records held made no difference to the model of the rerun, and of the released model one step alone was compared with it
verdict-worth-nothing-found = no mathematical promise: what decides examined the forgetting, and found nothing
verdict-worth-controller = no promise in numbers: tests found no difference
verdict-worth-controller-number = tests found no difference; the number that is promised rests on statements that nobody checked
verdict-worth-none = no useful promise: nothing that decides examines it
verdict-first = First stage of the audit, not its result.
verdict-first-more = More is still to run, and nothing passes until then.
verdict-only = It covers only the checks named with --only.
verdict-chances-none = No statistical test decides here: chance cannot make this audit fail an honest case, or leave it open.
verdict-chances-places = The search of places uses statistical tests whose chances are not counted here: it may find somebody who is not there, or leave an honest case open.
verdict-chances = If nothing were wrong, this audit would { $accused ->
    [0] never fail by chance
   *[other] fail by chance in at most { NUM($accused, as: ",") } of 100,000 repetitions
}, and { $left ->
    [0] never be left open by chance
   *[other] be left open by chance in at most { NUM($left, as: ",") } of 100,000
}.
verdict-chances-apart-accuses = The attack on the release is counted apart: it finds something by chance in at most { NUM($accused, as: ",") } of 100,000.
verdict-chances-apart-leaves-open = The attack on the release is counted apart: it stays open by chance in at most { NUM($left, as: ",") } of 100,000 audits.
verdict-chances-apart-both = The attack on the release is counted apart: it finds something by chance in at most { NUM($accused, as: ",") } of 100,000, and stays open in at most { NUM($left, as: ",") } of 100,000.
