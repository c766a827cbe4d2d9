# The main report: six pages that an officer reads and signs.

main-title = Unlearning audit report
main-document = Unlearning audit: { $name }
main-document-officer = Unlearning audit, main part: { $name }
main-running-head = { $name } · release { $release }
main-contents = Contents
main-page = page
main-annex-title = Technical annex

# 1 Decision

main-decision-title = Decision
main-release = Release { $release }
main-release-unseen = Release { $release }, of which no file was examined
main-release-part = Release { $release }, of which a part was examined
main-no-purpose = What the system is for is not given.
main-system = Its model was trained on { $training }.
main-became = According to the log, { $by ->
    [request] there are { $people } for erasure
   *[person] { $people } asked for erasure
}: { NUM($deleted) } recorded as deleted ({ $records }){ $nothing ->
    [0] { "" }
   *[other] , { NUM($nothing) } told nothing is held
}{ $refused ->
    [0] { "" }
   *[other] , { NUM($refused) } refused
}{ $withdrew ->
    [0] { "" }
   *[other] , { NUM($withdrew) } { $by ->
        [request] withdrawn
       *[person] withdrew
    }
}{ $waiting ->
    [0] { "" }
   *[other] , { NUM($waiting) } waiting
}{ $several ->
    [0] { "" }
    [one] ; one of them has requests of several outcomes, and is counted at each
   *[other] ; { NUM($several) } of them have requests of several outcomes, and are counted at each
}.
main-became-reason = Why nothing is held, by the log’s word, which nobody examined: “{ $reason }” ({ $count ->
    [one] one request
   *[other] { $count } requests
}{ $others ->
    [0] { "" }
    [one] ; one more has a reason of its own
   *[other] ; { $others } more have reasons of their own
}).
main-system-by-chance = In { $count ->
    [one] 1 request
   *[other] { $count } requests
} an unknown id resembles a known one only as many of these resemble one another.

main-headline-met = Policy met{ $only ->
    [true] {" "}for the procedure only
   *[false] { "" }
}{ $grade ->
    [none] { "" }
   *[other] , grade { $grade }
}, { $file }, { $count ->
    [0] rests on no unchecked statement
    [one] rests on 1 unchecked statement
   *[other] rests on { $count } unchecked statements
}{ $unsaid ->
    [0] { "" }
   *[other] { $whole ->
        [true] {" "}that nobody makes
       *[false] , { $unsaid } of which nobody makes
    }
}.
main-headline-not-met = Policy not met: { $failed } of { $count ->
    [one] 1 deciding check
   *[other] { $count } deciding checks
} failed, { $file }.
main-headline-open = Inconclusive: { $held } of { $count ->
    [one] 1 deciding check
   *[other] { $count } deciding checks
} could not be settled, { $file }.
main-headline-open-yet = Inconclusive: every deciding check that was run passed, { $file }.
main-headline-open-besides = Inconclusive: every deciding check passed, but something else keeps this from a pass, { $file }.
main-headline-model = model file examined
main-headline-no-model = model file not examined
main-headline-part = model file examined in part
main-headline-file-open = model file given and not settled

main-box-legend = ● met. ◐ on trust, or in part. ■ not met. ○ not examined, or not shown.
main-box-model = Model file
main-box-model-none = Not examined: no model file was given. The audit covers the procedure alone.
main-box-model-answers = Not examined: its answers were given, as the controller wrote them down.
main-box-model-same = Examined: it is the model that the declared procedure produces.
main-box-model-part = { $part ->
    [estimator] Examined in part: it holds the estimator that the declared procedure produces, and nothing of what prepares its rows.
   *[other] Examined in part: it holds one step of the model, the one that the declared procedure produces. No other step was given.
}
main-box-model-other = Examined: it is not the model that the declared procedure produces.
main-box-model-open = Given, but whether the declared procedure produces it could not be settled.
main-box-store = Data store
main-box-store-none = Not examined: no data store was given.
main-box-store-unsearched = Given, and not searched.
main-box-store-clean = Searched: no deleted record was found.
main-box-store-trusted = Searched: no deleted record was found, if what the controller says about the rest is true.
main-box-store-open = Searched in part: nothing certain was found, and some of it could not be read.
main-box-store-elsewhere = Searched: no deleted record was found in it. Nothing explains part of what else is kept.
main-box-store-found = { $count ->
    [one] 1 deleted record was found again in data that are still kept.
   *[other] { $count } deleted records were found again in data that are still kept.
}
main-box-store-copies = { $said } { NUM($found) } of { NUM($deleted) } equal a kept record, or nearly: no more often than other records do.
main-box-procedure = Procedure
main-box-procedure-none = Not examined: no deciding check tests how it forgets.
main-box-procedure-not-run = Not run: no procedure was given. What it forgot is judged by answers alone.
main-box-procedure-answered-wrongly = Not run. By the answers given, it does not forget as required.
main-box-procedure-met = Run again and tested: it forgets as declared.
main-box-procedure-trusted = Run again and tested: it forgets as declared, if { $count ->
    [one] 1 statement that nobody checked is true.
   *[other] { $count } statements that nobody checked are true.
}
main-box-procedure-given = Run again and tested: it forgets as declared, but what it is given holds something of deleted records.
main-box-procedure-broke = It stopped with an error before it could be tested.
main-box-procedure-open = Run again and tested, but not every test could decide.
main-box-procedure-fails = Run again and tested: it does not forget as required.
main-box-procedure-premise = Run again and tested: something that its proof needs was found to be false.
main-box-procedure-unproved = Run again: what was proved of its forgetting does not reach what was promised.
main-box-procedure-idle = Run again and tested: it forgets nothing. In the SWAP test every model behaved like one that was left alone.
main-box-people = People not found again
main-box-people-data = { $count ->
    [one] The data of 1 request were found again.
   *[other] The data of { $count } requests were found again.
}
main-box-people-model-rerun = Attacks pick out deleted records from the answers of the rerun’s model. No model file was tested.
main-box-people-model = Attacks pick out deleted records from the model's answers.
main-box-people-allowed = { $said } The policy sets no limit to this.
main-box-people-compared = Attacks that compare the model before and after a deletion name the deleted record.
main-box-people-rebuilt = Attacks that compare the model before and after a deletion rebuild the deleted record.
main-box-people-exact = Not in the data searched. The model is the one that training without them gives, so that no attack was needed.
main-box-people-none = Neither in the data searched nor by attacks on the released model.
main-box-people-rerun = Neither in the data searched nor in the model of the rerun. The model about to be released was not tested.
main-box-people-game = Not in the data searched. In a trial with records drawn at random, attacks found nothing.
main-box-people-open = Not in the data searched. Whether the model gives them away is not known.
main-box-people-unsearched = Not known: there was no data store to search. Whether the model gives them away is on the page on attacks.
main-box-people-unknown = Not known: not all that is kept could be searched and explained.
main-box-erased-by = Erased by the deadline
main-box-informed-by = Informed by the deadline
main-time-erased-by-missed = { $count ->
    [one] No: the data of 1 request were not erased by the deadline.
   *[other] No: the data of { NUM($count) } requests were not erased by the deadline.
}
main-time-informed-by-missed = { $count ->
    [one] No: in 1 case the person was not informed by the deadline.
   *[other] No: in { NUM($count) } cases the person was not informed by the deadline.
}
main-time-still-open = { $count ->
    [one] 1 of these people was answered in time, but the request
   *[other] { NUM($count) } of these people were answered in time, but the requests
} { $count ->
    [one] is
   *[other] are
} still open.
main-time-silent = { $count ->
    [one] Of 1 of them
   *[other] Of { NUM($count) } of them
} the log records no answer.
main-time-in-doubt = { $count ->
    [one] { $more ->
        [yes] 1 more is
       *[no] Not known: 1 request is
    }
   *[other] { $more ->
        [yes] { NUM($count) } more are
       *[no] Not known: { NUM($count) } requests are
    }
} late, unless a wait for the person gave more time.
main-time-model-later = { $count ->
    [one] In 1 case the model was updated only after the deadline.
   *[other] In { NUM($count) } cases the model was updated only after the deadline.
}
main-time-model-in-doubt = { $count ->
    [one] In 1 case the model was updated too late,
   *[other] In { NUM($count) } cases the model was updated too late,
} unless a wait for the person gave more time.
main-time-again = Records of { $count ->
    [one] 1 request
   *[other] { NUM($count) } requests
} were found again, although the log says that they are gone.
main-time-marked = Not known: according to the log, the data of { $count ->
    [one] 1 request are
   *[other] { NUM($count) } requests are
} only marked as erased, and not yet overwritten.
main-time-again-more = { $count ->
    [one] Records of 1 more
   *[other] Records of { NUM($count) } more
} were found again.
main-time-marked-more = The data of { $count ->
    [one] 1 more are
   *[other] { NUM($count) } more are
} only marked as erased.
main-time-not-known = Not known: { $all ->
    [yes] the log does not say when people were informed.
   *[no] for { NUM($count) } of { NUM($of) } requests the log does not say when the person was informed.
}
main-time-open = Not known: the log is not clear enough to say.
main-time-met = According to the log, yes: { $count ->
    [one] 1 request
   *[other] { NUM($count) } requests
}.{ $running ->
    [0] {""}
    [one] {" "}One more is not due yet.
   *[other] {" "}{ NUM($running) } more are not due yet.
}
main-time-none-due = { $running ->
    [0] No request asks for it.
   *[other] Nothing is due yet.
}
main-box-strength = Strength
main-box-strength-none = No grade: only a policy that is met is graded.
main-box-strength-grade = Grade { $grade }, { $said }.

main-promise-heading = The promise in one number
main-promise-at-most = at most
main-promise-of = of 100
main-promise-line = Promise: at most { $share } of 100. { $said }
main-promise-agrees = Its interval reaches down to the promise, so it refutes nothing.
main-promise-number = Somebody guesses whether a person's data were ever in the model. At best, this many of 100 guesses are right. Blind guessing gets 50.
main-promise-number-held = Somebody guesses whether a person's data were ever in the model: at best, this many of 100 guesses are right. Blind guessing gets 50.
main-promise-none = No promise in numbers holds for this model. What is known comes from tests alone.
main-promise-short = No promise in numbers is met: what was proved does not reach it. The annex of the full report has what was proved, check by check.
main-promise-given = No promise in numbers was made. What the procedure is given holds something of deleted records, and so may its model.
main-promise-exact = No promise in numbers was made. The procedure was run again: what the deleted records held made no difference to its model.
main-promise-refuted = No promise in numbers holds: a limit was promised, and attacks did better than it allows.
main-promise-statements = { $count ->
    [0] It rests on what was examined:
    [one] It holds only if what follows is true, of which nobody checked 1 statement:
   *[other] It holds only if what follows is true, of which nobody checked { $count } statements:
}
main-promise-pass-statements = { $count ->
    [0] The result rests on what was examined:
    [one] The result holds only if what follows is true, of which nobody checked 1 statement:
   *[other] The result holds only if what follows is true, of which nobody checked { $count } statements:
}
main-promise-fail-statements = { $count ->
    [0] The failure does not depend on these. A pass would rest on what was examined:
    [one] The failure does not depend on these. A pass would rest on them, and nobody checked 1 statement:
   *[other] The failure does not depend on these. A pass would rest on them, and nobody checked { $count } statements:
}

main-limit-heading = The biggest limit
main-limit-remembers-rerun = It is not known whether attacks can pick out the deleted people in a model of this procedure: the test does not settle it.
main-limit-remembers = It is not known whether attacks can pick out the deleted people in this very model: the test does not settle it.
main-limit-attacks = It is not known whether attacks can pick out deleted people.
main-caveat-model = No model file was given: the audit covers the procedure alone, not any model about to be released.
main-caveat-part = { $part ->
    [estimator] The model file holds the estimator alone: the audit covers no file of what prepares its rows.
   *[other] The model file holds one step of the model, { $part }: the audit covers no file of the other steps.
}
main-caveat-base = What the files in { $folders } were made from was not examined: if data of a deleted person was in it, such as in what a base model was trained on, nothing here shows that it is gone.
main-caveat-answers = Nothing was rerun. The audit rests on tables of answers that the controller made: whether they are those of the released model was not examined.
main-caveat-idle = The declared procedure does not unlearn: a deletion leaves its model as it is.
main-caveat-blind = No check that decides this verdict examines the unlearning itself: the policy requires none.
main-caveat-store = No data store was given: whether the deleted records are gone from the controller's data was not examined.
main-caveat-first = This is the first stage of an audit, not its result: checks that say “not run yet” were still to run, and nothing passes until they have.
main-first-stage = First stage, not the final report
main-headline-first = First stage, not the final report. { $said }
main-caveat-quick = This was a quick run with smaller samples: some questions may be open that a full run would settle.
main-caveat-budget = The audit was fitted into a given time: some samples are smaller than declared, or checks that decide nothing were left out. The annex of the full report lists them.
main-caveat-capped = Foreign code ran at isolation level “{ $level }”, which is too weak to trust its answers: the verdict can be no better than inconclusive.
main-caveat-part-taken = A part that is not the auditor’s took part, { $name } ({ $package } { $version }): those who ran the audit installed it and vouch for it, and what it alone found can support a guarantee and never show it.
main-caveat-part-concludes = { $name } concludes by { $citation }: { $standing }.

main-recommend-heading = What the audit recommends
main-recommend-release = Release. The policy is met, and nothing that it rests on is taken on trust.
main-recommend-fail = Do not release. Something that the policy asks for is not met.
main-recommend-fail-answers = Do not release. The requests are not in order; nothing that is required of model and data failed.
main-recommend-fail-program = Do not use it. Something that the policy asks for is not met.
main-recommend-open-program = Do not use it yet. No deciding check failed, but something could not be shown.
main-recommend-open = Do not release yet. No deciding check failed, but something could not be shown.
main-recommend-weak = Do not release on this result. The policy is met, but it promises next to nothing.
main-recommend-no-model = Release with conditions. The procedure passed, but no released model was compared with it.
main-recommend-blind = Release with conditions. No deciding check tests how the model forgets, and no released model was examined.
main-recommend-part = Release with conditions. The procedure passed, but of the released model one step alone was compared with it.
main-recommend-statements = Release with conditions: { $count ->
    [one] have the one unchecked statement confirmed.
   *[other] have the { $count } unchecked statements confirmed.
}
main-recommend-qualified = Release with conditions: the conclusion is qualified.
main-recommend-limited = Release with conditions: the promise is limited.
main-action-again = Audit again.
main-action-weak = Require a check that tests how the model forgets, then audit again.
main-action-no-model = Put the model file into the case, then audit again.
main-action-no-model-answers = Have someone ask the released model again about the same records, and compare.
main-action-no-model-text = Have someone confirm that the language model in use is the one that the declared procedure makes of these sentences.
main-action-no-model-unseen = Have someone confirm that the model in use is the one that the declared procedure makes of these records.
main-action-part = Have someone confirm that the other steps in use are those that the declared procedure makes of these records.
main-action-statements = Ask the people who can know. The page on the promise names them.
main-action-assumption = Ask the people who can know. The page on the promise names them. One of the statements no test can confirm: accept it, or use noise at release, which does without it.
main-action-release = Sign below, and keep this report with the release.
main-action-limited = Decide whether this promise is enough for the people concerned.
main-valid-answers = Valid for these tables of answers alone. Audit again when the model, the log or the tables change.
main-valid = Valid until the model file, the deletion log or the procedure changes. Then audit again.

main-identity-controller = Controller
main-identity-dpo = Data protection officer
main-identity-run-by = Audit run by
main-identity-relation-self = self-assessment
main-identity-relation-internal = internal audit, same organisation
main-identity-relation-third-party = third party
main-identity-unknown = not given: no auditor is named, and it may be a self-assessment
main-identity-audited = Audited
main-identity-quick = Quick run: smaller samples than a full one.
main-identity-evidence = Evidence, SHA-256
main-identity-signature = This file
main-identity-signed = signed with key { $key }, in statement.dsse.json

main-sign-title = Decision of the controller
main-sign-release = Release
main-sign-conditions = Release with conditions
main-sign-no = Do not release
main-sign-release-program = Use
main-sign-conditions-program = Use with conditions
main-sign-no-program = Do not use
main-sign-which = Conditions, and by when
main-sign-advice = Advice of the data protection officer
main-sign-name = Name and office
main-sign-date = Date
main-sign-signature = Signature

main-not-legal = This is not a finding of anonymity, not legal advice.
main-thresholds = Thresholds are as declared; when they were chosen cannot be told from here.

# 2 What we found

main-found-title = What we found

# 3 What to do

main-todo-title = What to do

# 4 People and deadlines

main-people-title = People and deadlines

# 5, 6

main-promise-title = The promise in plain numbers
main-attacks-title = What attacks found

# 7

main-outside-title = Outside the model
main-outside-title-program = Outside the program

# 8

main-signoff-title = Crosswalk and sign-off

main-ask = Question
main-answer = Answer
main-proof = How we know
main-more = More
main-answer-yes = yes
main-answer-no = no
main-answer-trust = yes, on trust
main-answer-unknown = not known
main-answer-not-asked = does not apply
main-found-lede = A “yes” is always good news. “On trust” means: only if what the controller says is true.

main-ask-erased = Are the erased records gone from the places that were searched?
main-ask-file = Is the file about to be released the model that the declared procedure produces?
main-ask-promise = Is it shown that the model forgets as far as was promised?
main-ask-forget = Does the declared procedure forget the deleted records?
main-ask-attacks = Do the deleted people stay hidden from attacks on the model?
main-ask-deleting = Does a deletion stay hidden from someone who compares two versions of the model?
main-ask-rebuilding = Is a deleted record safe from being rebuilt out of two versions of the model?
main-ask-agree = Did no attack find anything against the promise?
main-ask-erased-by = Were the data erased by the deadline?
main-ask-informed-by = Was every person informed by the deadline?
main-ask-log = Do the rows of the log agree with one another, and with what was found?
main-ask-useful-allowed = Is the loss of accuracy within what the policy allows ({ $allowed } points)?
main-ask-useful = Is the model still about as accurate as one trained from scratch?

main-proof-not-run = This was not tested.
main-proof-erased = The audit searched { $places } for { $records }. None was found.
main-proof-erased-found = { $found } of { $records } were found again: in { $where }. The audit searched { $places }.
main-proof-erased-no-store = No data store was among them.
main-proof-erased-open = The audit searched { $places } for { $records }. Not everything kept there could be read.
main-proof-file-none = No model file was given.
main-proof-file-same = The procedure was run again. All { $count } numbers of the model agree.
main-proof-file-saved = The procedure was run again. It saves the same file, which predicts by itself as the rerun does.
main-proof-file-part = The procedure was run again. The file holds one step, which agrees. Nothing says so of the other steps.
main-proof-file-part-said = The procedure was run again. The file holds one step, which agrees. Of the other steps the controller says so.
main-proof-file-own-other = The procedure was run again. It saves another model.
main-proof-file-other = The procedure was run again. The numbers of the model do not agree.
main-proof-file-open = The procedure was run again. Whether the numbers agree could not be settled.
main-proof-promise-given = The procedure was run again. What it is given holds something of deleted records, and so may its model.
main-proof-promise-exact = The procedure was run again. What the deleted records held made no difference to the model.
main-proof-promise-shown = Shown by calculation: { $names }.
main-proof-promise-supported = Calculated, if { $count ->
    [one] 1 statement is true
   *[other] { $count } statements are true
}: { $names }.
main-proof-promise-refuted = An attack did better than the promise allows.
main-proof-promise-broken = What was proved does not reach what was promised. How much is left in the model is not known.
main-proof-promise-file = The model file lies further from an exactly trained model than the proof allows.
main-proof-promise-premise = Something that the promise rests on was found to be false.
main-proof-promise-none = No promise in numbers was made, or none could be shown.
main-proof-attacks-exact = No attack was needed: what the deleted records held made no difference to the model of the rerun.
main-proof-attacks-given = No attack was made. What the procedure is given holds something of deleted records.
main-proof-attacks-other = The file about to be released is not the model that was rerun, and was not attacked.
main-proof-attacks-requester = Someone who sees a model and then asks for deletions can pick out deleted records.
main-proof-attacks-release = Attacks can tell this model apart from models trained without the deleted records.
main-proof-attacks-release-rerun = Attacks can tell the model of the rerun apart from models trained without the deleted records. No model file was tested.
main-proof-attacks-game = In a trial with records drawn at random, attacks can tell deleted records from records that the model never saw.
main-proof-attacks-answers = By the answers given, deleted records look like records that the model never saw.
main-proof-attacks-answers-found = By the answers given, the model knows deleted records better than records that it never saw.
main-proof-attacks-none = Attacks cannot tell this model apart from models trained without the deleted records.
main-proof-attacks-game-only = In a trial with records drawn at random, attacks found nothing. On this very model, the test was too weak.
main-proof-attacks-open = The attacks found nothing, but they were too weak to be sure.
main-proof-attacks-like-untouched = The model shows about as much as models that still hold the deleted data, but the test was too weak to be sure.
main-proof-deleting = The best attack named the deleted one of two records in { $right } of 100 games. Guessing gives 50.
main-proof-rebuilding = The best guess was nearer to the deleted record than to every decoy in { $right } of 100 games. Guessing gives { $chance }.
main-proof-agree-exceeded = An attack did better than the promise allows.
main-proof-agree-no-promise = No promise in numbers is shown, so there is none to compare with.
main-proof-agree-none-made = No promise in numbers was made.
main-proof-agree-exact = The rerun equals a retrained model.
main-proof-agree-recognised = Attacks recognise deleted records. That this is more than is promised was not shown.
main-proof-agree-nothing-found = Attacks that notice missing unlearning found nothing.
main-proof-agree-within = No attack exceeded it. All may be too weak.
main-proof-agree-weak = The attacks were too weak to test it.
main-proof-agree-untested = No attack put the promise to the test.
main-proof-agree-other-number = Attacks that notice missing unlearning found nothing. None could test the number itself.
main-proof-program-fresh = What is kept looks random each time, so it does not show what was there before. That follows from how this built-in program is made, and nobody measured it: with the same random numbers, some histories did leave different states.
main-proof-program-within = Noise hides what was there before within ε = { $epsilon } and δ = { $delta }. That follows from how this built-in program is made; games found no more, and cannot show that there is no more.
main-proof-log-again = The log says that the records of { $count ->
    [one] one request
   *[other] { NUM($count) } requests
} are gone, and they were found again.
main-proof-log = { $requests } were checked. { $count ->
    [0] No problem was found.
    [one] 1 problem was found.
   *[other] { $count } problems were found.
}{ $amended ->
    [0] {""}
    [one] {" "}The log has 1 amendment.
   *[other] {" "}The log has { NUM($amended) } amendments.
}
main-proof-useful = Right on { $ours } of 100 held-out records; trained from scratch, { $fresh } of 100 ({ $records }). Points lost: { $lost } (between { $low } and { $high }).
main-proof-useful-no-limit = Right on { $ours } of 100 held-out records; trained from scratch, { $fresh } of 100. No limit was set.
main-proof-useful-none = No records that the model never saw were named ([data] holdout).
main-proof-useful-regression = Accuracy is measured only for models that sort into classes.


main-untested-title = What was not tested
main-untested-area = Area
main-untested-why-title = Why
main-untested-who-title = Who could
main-untested-missing = Required checks
main-untested-missing-why = No result: { $checks }.
main-untested-missing-who = The auditor, in a full run
main-untested-model = The released model
main-untested-model-why = No model file was given.
main-untested-part = The rest of the released model
main-untested-part-why = The model file holds one step of the model, and no other was given.
main-untested-part-who = The controller: confirm which other steps are in use
main-untested-model-who = The controller: name the file, audit again
main-untested-model-unseen = The released model
main-untested-model-unseen-why = This kind of model has no parameters, and no .skops file of it was given.
main-untested-model-unseen-who = The controller: confirm which model is in use
main-untested-model-answers = The released model
main-untested-model-answers-why = Its answers were given, as the controller wrote them down.
main-untested-model-answers-who = Somebody who can run it: audit with [procedure]
main-untested-store-answers = Stored data
main-untested-store-answers-why = Nothing is searched where answers alone are audited.
main-untested-store-answers-who = The controller: search it by other means
main-untested-model-text = The released model
main-untested-model-text-why = The counts of a language model are compared with no file.
main-untested-model-text-who = The controller: confirm which model is in use
main-untested-store-text = Stored data
main-untested-store-text-why = No store can be searched for sentences.
main-untested-store-text-who = The controller: search it by other means
main-untested-store = Stored data
main-untested-store-why = No data store was given.
main-untested-store-who = The controller: name the store, audit again
main-untested-disguised = Disguised copies in the store
main-untested-disguised-why = Encrypted copies are not found, nor are a few rows with reordered columns that were also changed or spread out.
main-untested-disguised-who = The controller: confirm that there are none
main-untested-base = What the base model was trained on
main-untested-base-why = The files in { $folders } were taken as they are; nobody traced what they were made from.
main-untested-base-who = Its maker
main-untested-waiting = Open requests
main-untested-waiting-why = { $count ->
    [one] 1 request is not carried out yet.
   *[other] { $count } requests are not carried out yet.
}
main-untested-waiting-who = The controller: carry them out, audit again
main-untested-claims = Further claims
main-untested-claims-why = No check came to a result on them: { $claims }.
main-untested-claims-who = A specialist
main-untested-release = Attacks on this very model
main-untested-release-why = They did not run.
main-untested-release-who = The auditor, in a full run
main-untested-game = Attacks on records drawn at random
main-untested-game-why = The trial did not run.
main-untested-game-regression = The trial is only for models that sort into classes.
main-untested-game-who = A specialist
main-untested-comparing = Someone who kept the old model and compares
main-untested-comparing-why = This version has no such attack on this procedure.
main-untested-comparing-one-release = The case does not say whether anybody has it. If somebody does, this report covers less.
main-untested-comparing-who = A specialist in such attacks
main-untested-rebuilding = Rebuilding a record from the model
main-untested-rebuilding-why = It was not asked for, or this version has no such attack on this model.
main-untested-rebuilding-who = A specialist in such attacks
main-untested-accuracy = How accurate the model is
main-untested-accuracy-why = No records were held out for it.
main-untested-accuracy-who = The controller: give holdout data
main-untested-quick = Small effects
main-untested-quick-why = This was a quick run with small samples.
main-untested-quick-who = The auditor, in a full run
main-untested-outside = Backups, caches, copies of others
main-untested-outside-why = No check of this version reads them.
main-untested-outside-who = The controller: see what it declares

main-step-why = Why
main-step-owner = Who, by when
main-step-requests = Requests
main-step-tell = Tell them
main-step-proof = Done when
main-step-proof-check = “{ $title }” { $expected }
main-step-release = The release
main-step-command = Command
main-step-all-requests = All { $count } that were carried out.
main-step-some-requests = { $named } and { $more } more; the attached table has all.
main-step-further = Further steps
main-todo-lede-pass = The policy is met. What is left is for people to do.
main-todo-lede-fail = Nothing should be released until the first steps are done. The most urgent comes first.
main-todo-lede-open = No deciding check failed. These steps settle what is still open.
main-todo-none = Nothing is left to do.

# What the controller states, in a few words.

main-word-log-complete = the log is complete
main-word-requests-fixed = nobody chose, after seeing a model, what to have erased
main-word-own-request-fixed = nobody's own request was chosen after seeing a model
main-word-seen-releases = people who asked had seen no more models than the log says
main-word-preprocessing-clean = the data were prepared without the deleted records: no scaling, label or row was made from them
main-word-people-declared = the column says correctly whose record each is
main-word-derivations-declared = rows were made from the records that their column names, and from no others
main-word-backups-clean = no backup holds the deleted records past a declared day
main-word-seed-secret = the seed is secret
main-word-residual-independent = what a removal leaves behind does not depend on the noise
main-word-settings-fixed = the settings were fixed before anyone saw the data
main-word-release-reproduced = the model that is released is the one that this procedure gives
main-word-code-clean = the code brings along nothing made from a deleted record
main-word-answers-genuine = the recorded answers are those that were really given, unchanged
main-word-embedding-genuine = the function that embeds is the one in use, and treats no record apart
main-word-procedure-honest = the code does in use what it does in the test
main-word-copies-are-others = look-alike records belong to other people
main-word-store-holds-no-copies = what could not be read in the store holds no deleted record
main-word-nothing-held = nothing is held of the people who were told so
main-word-refusals-grounded = refusals rest on the law, and people withdrew on their own
main-word-extractor-private = the features come from a private training, as declared
main-word-every-extractor = the budget would hold for any such features
main-word-subjects-complete = no person has more records than the log lists
main-word-dp-per-subject = the training hides each person as declared (differential privacy)
main-word-loss-convex = the loss has the shape that the theorem needs
main-word-loss-constants = the loss has the constants that were declared
main-word-strongly-history-independent = what is kept depends on the data alone, not on how they came about
main-word-controller-is-implementation = the tested program is the whole system
main-word-logical-deletion = deleting means: as if the person had never given data
main-word-answers-from-own-data = nobody is answered from other people’s data
main-word-dictionary-before = the data lay in a store that keeps no traces
main-word-nothing-before-training = nothing was given out before the training
main-word-training-data-destroyed = the training data are destroyed
main-word-ids-in-dictionary = the list of people keeps no traces
main-word-one-release-channel = nobody can trigger a release or get a reply
main-word-first-part-strongly-history-independent = what the first part keeps depends on the data alone
main-word-first-part-answers-without-chance = answers of the first part owe nothing to chance
main-word-second-part-strongly-history-independent = what the second part keeps depends on the data alone
main-word-parts-share-nothing = the two parts share neither state nor randomness
main-word-parts-answer-the-asker = each part answers only the one who asks
main-word-lineage-complete = everything made from the model is declared
main-word-no-model-trained = no model was trained on these data, and every place with them is declared

# 4 People and deadlines: the page

main-people-lede = A request moves along a chain: the log records it, a search looks for its data, and tests examine the model. Only what was found at each link counts.
main-stage-link = Link
main-stage-state = State
main-stage-count = Requests
main-link-recorded = In the log
main-recorded-executed = recorded as executed
main-recorded-open = still open
main-recorded-denied = refused
main-recorded-revoked = withdrawn
main-recorded-no-match = matched no record
main-recorded-not-located = records not found in the training data
main-link-data = Their data
main-data-found = found again
main-data-not-found = not found where the audit searched
main-data-not-found-by-word = not found where the audit searched; the rest on trust
main-data-open = not found, but not all could be read
main-data-not-examined = not searched for: no data store was given
main-link-model = The model
main-model-shown = forgetting shown
main-model-supported = forgetting supported, in part on the controller's attestation
main-model-not-shown = forgetting not shown
main-model-refuted = a check of how it forgets failed
main-model-not-examined = no model file was examined
main-model-in-part = one step of the model was examined
main-link-erased-by = Erased by the deadline
main-erased-by-met = yes, according to the log
main-erased-by-again = according to the log, but found again
main-erased-by-marked = according to the log, but only marked as erased
main-erased-by-missed = no
main-erased-by-in-doubt = no, unless a wait for the person gave more time
main-erased-by-not-due-yet = not due yet
main-erased-by-not-known = not known
main-erased-by-paused = waiting for the person
main-erased-by-nothing-due = refused, withdrawn or no record, according to the log
main-link-informed-by = Informed by the deadline
main-informed-by-met = yes, according to the log
main-informed-by-missed = no
main-informed-by-in-doubt = no, unless a wait for the person gave more time
main-informed-by-not-known = not known: the log does not say
main-informed-by-not-due-yet = not due yet
main-informed-by-paused = waiting for the person
main-informed-by-nothing-due = withdrawn: no answer is due
main-exceptions-title = Not carried out, or not in time
main-exceptions-none = None. No request is late, open or refused, and no data were found again.
main-exceptions-none-known = The log shows none. No request is open or refused, and no data were found again. { $all ->
    [yes] When people were informed is not recorded.
   *[no] For { NUM($count) } of { NUM($of) } requests the log does not say when the person was informed.
}
main-tickets = { NUM($requests) } requests in { NUM($tickets) } tickets: where a ticket names several people, each of them counts.
main-exceptions-more = { $count } more are in the attached table of requests.
main-exceptions-all = requests.csv, which a PDF reader lists among the attachments, has every request with all its dates, and whether it is late.
main-exception-request = Request
main-exception-received = Received
main-exception-due = Due
main-exception-said = What is wrong, or why
main-exception-again = The data were found again.
main-exception-marked = The log only marks the data as erased.
main-exception-answered-late = The person was informed too late.
main-exception-erased-late = The data were erased too late.
main-exception-not-informed = The due date has passed, and no answer is recorded.
main-exception-model-late = The model was updated after the due date.
main-exception-model-in-doubt = The model was updated too late, unless a wait for the person gave more time.
main-exception-in-doubt = The person was informed too late, unless a wait for the person gave more time.
main-exception-in-doubt-erased = The data were erased too late, unless a wait for the person gave more time.
main-exception-in-doubt-unanswered = No answer is recorded by the due date: that is late, unless a wait for the person gave more time.
main-exception-open-late = It is still open, after its due date.
main-exception-paused = It is still open: according to the log, the controller has waited for the person since { $day }, because “{ $reason }”. The time to answer begins when that ends.
main-exception-open = It is still open.
main-exception-erased-while-open = According to the log, its stored data were erased on { $day }.
main-exception-marked-while-open = According to the log, its stored data were only marked as erased on { $day }.
main-exception-contradicted = The log calls it open, and dates an erasure.
main-exception-groundless = It was refused, and the log does not say on what ground.
main-exception-denied = It was refused.
main-exception-revoked = It was withdrawn.
main-exception-no-match = It matched no record.
main-exception-not-located = It names a record that is not in the training data.
main-exception-other = It was not carried out.
main-exception-reason = The log says: { $given }.
main-exception-extended = Its time was extended.
main-exception-not-extended = An extension is logged that does not count.
main-exception-paused-days = { $count ->
    [one] According to the log, the controller waited 1 day for the person before its time to answer began.
   *[other] According to the log, the controller waited { $count } days for the person before its time to answer began.
}
main-problems-title = Problems in the log
main-amendments-title = Amendments of the log
main-problems-row = Row
main-problems-said = What it says
main-problems-more = { $count } more are in the attached evidence.
main-problems-none = The rows of the log agree with one another.
main-pseudonyms = Request ids and pseudonyms are personal data of many people: give this report, and the files in it, to none of them. Each person has a letter.

# 7 Outside the model: the page

main-outside-lede-program = Erasure is about more than one program. Only what was searched is settled; for the rest, this page says who vouches for it.
main-outside-lede = Erasure is about more than one model. Only what was searched is settled; for the rest, this page says who vouches for it.
main-backups-gone = By what is declared, the last backup that holds an erased person is gone by { $day }.
main-backups-before = Backups are declared gone by { $day }, before the last erasure on { $erased }: nobody said when backups of people who were erased later are gone.
main-backups-found = Backups are declared gone by { $day }, but the data of { $count ->
    [one] 1 request were
   *[other] { NUM($count) } requests were
} found again{ $marked ->
    [0] {""}
    [one] , and those of 1 more are only marked as erased
   *[other] , and those of { NUM($marked) } more are only marked as erased
}: copies made since then may hold them too, and that date does not cover them.
main-backups-marked = Backups are declared gone by { $day }, but the data of { $count ->
    [one] 1 request are
   *[other] { NUM($count) } requests are
} only marked as erased: copies made since then may hold them too, and that date does not cover them.
main-backups-unsaid = Nobody said when the last backup that holds an erased person is gone.
main-place = Place
main-place-state = State
main-place-note = What is known
main-place-searched = searched
main-place-searched-said = No deleted record was found.
main-place-in-part = searched in part
main-place-in-part-open = { $size ->
    [none] No deleted record was recognised, but not all of it could be read.
   *[other] No deleted record was recognised, but nothing explains { $size } of it, which may hold one.
}
main-place-in-part-said = { $size ->
    [none] No deleted record was recognised. Not all of it could be read; that the rest holds none is taken on trust.
   *[other] No deleted record was recognised. Nothing explains { $size } of it; that this holds none is taken on trust.
}
main-place-in-part-code = No deleted record was recognised. That { $size } of code hold none is taken on trust.
main-place-found = searched
main-place-found-said = { $count ->
    [one] 1 deleted record was found.
   *[other] { $count } deleted records were found.
}
main-place-more = { $count } more places
main-place-more-said = The annex of the full report lists them.
main-place-open = not settled
main-place-not = not examined
main-place-declared = declared
main-place-declared-said = Declared by { $by }, no date.
main-place-declared-until = Gone by { $day }, declared by { $by }.
main-made-distilled = { $name } (distilled)
main-made-fine-tuned = { $name } (fine-tuned)
main-made-synthetic-data = { $name } (generated data)
main-made-embeddings = { $name } (embeddings)
main-made-other = { $name }
main-made = Made from the model, not examined: { $names }. { $said } So says { $by }.
main-made-more = { NUM($count) } more made from the model are in the evidence.
main-receipt = Receipt on file, on trust: { $processor }, { $day }, for { $count ->
    [one] one request
   *[other] { NUM($count) } requests
}: “{ $what }”; its digest begins { $sha256 }. Nobody checked it.
main-receipt-more = { NUM($count) } more receipts are in the evidence.
main-place-silent = Nothing is declared.
main-place-recipients-logged = For { NUM($count) } of { NUM($of) } deletions the log says that recipients were told, or that there were none.
main-place-recipients-told = Told: { $names }.
main-place-recipients-untold = Not told: { $names }.
main-place-recipients-against = { $count ->
    [one] Of 1 more it says that nobody received the data
   *[other] Of { NUM($count) } more it says that nobody received the data
}, but [[outside]] or a receipt names somebody: settle which is so.
main-place-by-log = according to the log
main-place-kind-backups = Backups
main-place-kind-caches = Caches
main-place-kind-feature-stores = Feature stores
main-place-kind-embeddings = Embeddings
main-place-kind-recipients = Recipients
main-place-kind-derived-models = Models and data made from this model
main-place-kind-derived-models-program = Models and data made from these data
main-map-title = Where the data went
main-map-description = Data, training, model and recipients, one after another, each with what is known of it.
main-map-data = Data store
main-map-data-none = not given
main-map-data-found = records found
main-map-data-clean = searched
main-map-data-trusted = searched, the rest on trust
main-map-data-open = searched in part
main-map-data-elsewhere = searched
main-map-data-unsearched = given, not searched
main-map-training = Training
main-map-training-again = run again
main-map-training-not = not examined
main-map-model = Model file
main-map-model-none = not given
main-map-model-part = examined in part
main-map-model-other = another model
main-map-model-same = examined
main-map-model-open = given, not settled
main-map-model-answers = answers alone
main-map-recipients = Recipients
main-map-recipients-logged = by the log
main-map-recipients-declared = declared
main-map-recipients-not = not examined
main-card-title = The model
main-card-answers = answers alone
main-card-procedure = Trained and unlearned by
main-card-trained = Records first trained on
main-card-left = Records left after the log
main-card-features = Features of a record
main-card-classes = Classes
main-card-parameters = Parameters
main-card-ratio = Parameters per record
main-card-use = In use since

# 8 Crosswalk and sign-off: the page

main-signoff-lede = Where this report can serve as a record. It names topics and quotes no law. Whether a duty is met is for people to judge. ● this report shows it; ◐ in part; ■ it shows that something is wrong; ○ not here.
main-law = Source
main-law-asks = What it is about
main-law-shows = What this report shows
main-law-add = What you must add
main-law-missing = Not given in the case
main-law-none = Nothing; no check covers it
main-law-others = GDPR 15, 18, 28
main-law-others-asks = Access; restriction; processors
main-law-others-shows = Nothing; no check covers them
main-law-others-add = What you answered, restricted and agreed
main-law-rest = GDPR 15, 18
main-law-rest-asks = Access; restriction
main-law-rest-add = What you answered and restricted
main-law-5-2 = GDPR 5(2)
main-law-5-2-asks = Being able to show what was done
main-law-5-2-add = Your signature
main-law-12 = GDPR 12
main-law-12-asks = Answering people, and by when
main-law-12-uk = UK GDPR 12
main-law-12-ccpa = CCPA 1798.130
main-law-12-shows = { $requests }, { $late ->
    [0] none late
   *[other] { NUM($late) } late
}{ $doubt ->
    [0] { "" }
   *[other] , { NUM($doubt) } in doubt
}{ $unrecorded ->
    [0] { "" }
   *[other] , of { NUM($unrecorded) } no answer is recorded
}
main-law-12-silent = { $requests }: when people were informed is not recorded
main-law-12-confirmed = { $said }{ $late ->
    [0] { "" }
    [one] ; 1 receipt confirmed late
   *[other] ; { NUM($late) } receipts confirmed late
}{ $unknown ->
    [0] { "" }
   *[other] ; of { NUM($unknown) } no confirmation is recorded
}
main-law-12-again = The records of { $count ->
    [one] one request
   *[other] { NUM($count) } requests
} were found again
main-law-12-add = Replies: “auditor reply”
main-law-17 = GDPR 17
main-law-17-asks = Erasing on request
main-law-17-shows = { $count ->
    [one] What became of 1 record
   *[other] What became of { $count } records
}
main-law-17-made = { $said }; { $open } of { $count } made from the model may hold them
main-law-17-add = The ground of each erasure
main-law-17-add-refused = Refusals, with their ground
main-law-19 = GDPR 19
main-law-19-asks = Telling recipients
main-law-19-logged = For { NUM($count) } of { NUM($of) } deletions, according to the log, that recipients were told, or that there were none
main-law-19-declared = What the case declares of recipients
main-law-19-add = Whom you told, and when
main-law-24 = GDPR 24
main-law-24-asks = Measures that fit the risk
main-law-24-shows = { $count ->
    [0] The thresholds, without reasons
    [one] The thresholds, 1 with its reason
   *[other] The thresholds, { $count } with reasons
}
main-law-24-add = Why they fit the risk
main-law-25 = GDPR 25
main-law-25-asks = Protection by design
main-law-25-shows = How far the model forgets
main-law-25-add = Why you chose this way
main-law-28 = GDPR 28
main-law-28-asks = Processors
main-law-28-shows = { $count ->
    [one] One receipt, on trust
   *[other] { NUM($count) } receipts, on trust
}
main-law-28-add = Their contracts; that they erased too
main-law-30 = GDPR 30
main-law-30-asks = Records of processing
main-law-30-add = The entry itself
main-law-33 = GDPR 33, 34
main-law-33-asks = Reporting a breach of personal data
main-law-33-shows = Data of { $count ->
    [one] one request
   *[other] { NUM($count) } requests
} found again; whether that is a breach is not judged here
main-law-33-add = Whether it is one: people must assess it
main-law-35 = GDPR 35
main-law-35-asks = Impact assessment
main-law-35-add = The assessment itself
main-law-58 = GDPR 58
main-law-58-asks = Powers of the authority
main-law-58-shows = How to repeat all of it, with digests
main-law-58-add = Data and code, if asked
main-law-77 = GDPR 77
main-law-77-asks = Complaints to an authority
main-law-77-add = Its address in each reply
main-law-edpb = EDPB Opinion 28/2024
main-law-edpb-asks = Personal data in AI models
main-law-edpb-shows = Attacks by kind, run or not
main-law-edpb-add = Your own finding for this model
main-law-erasure = EDPB report on erasure of 10 Feb 2026
main-law-erasure-asks = Procedures, backups, anonymising instead of deleting
main-law-erasure-shows = What deletion left in data and model; no backup was read
main-law-erasure-add = Your procedure, backups, what you only anonymised
main-law-cnil = CNIL, guidance on AI
main-law-cnil-asks = Rights of people in AI models
main-law-cnil-shows = Steps, each with its owner
main-law-cnil-add = Which guidance you follow
main-law-iso = ISO/IEC 42001
main-law-iso-asks = Managing an AI system
main-law-iso-shows = { $count ->
    [one] A repeatable test with 1 deciding check
   *[other] A repeatable test with { $count } deciding checks
}
main-law-iso-add = Its place in your system
main-law-nist = NIST AI RMF
main-law-nist-asks = Measuring risks of AI
main-law-nist-shows = What attacks found, and which were not made
main-law-nist-add = How you treat the risk
main-law-ai-act = AI Act, Annex IV
main-law-ai-act-asks = Technical documentation
main-law-ai-act-shows = Model, data and tests of this release
main-law-ai-act-add = The rest of the documentation
main-law-ai-logs = AI Act 12, 19, 26(6)
main-law-ai-logs-asks = Logs of a high-risk system, kept six months at least
main-law-ai-logs-shows = Not evidenced by this report
main-law-ai-logs-add = How keeping them fits with erasure
main-signatures-title = Sign-off
main-signatures-lede = A signature confirms that this report was read. It adds nothing to what was shown.
main-signatures-role = Role
main-signatures-name = Name
main-signatures-date = Date
main-signatures-signature = Signature
main-signatures-run = Audit run by
main-signatures-dpo = Read by the data protection officer
main-signatures-decided = Release decided by

main-always-title = In any case
main-always-reply = Reply to each person: “auditor reply” drafts the reply, and “auditor certificate” the letter that goes with it, which says what this audit found for that person alone.
main-always-answered = Enter into the log when each person was informed, or inform them: until then nobody knows whether that was in time.
main-always-waiting = Write to the people for whom you wait, or close their requests: nothing else ends the wait.
main-always-recipients = Tell everyone who received the data, and write down when.
main-always-backups = Find out when the last backup that holds the records will be gone.
main-always-again = Audit again before the next release, and whenever the model file or the log changes.
main-always-running = Compare the program that is in use with the one that was audited, by the digest in the evidence.
main-always-again-program = Audit again whenever the program changes.
main-always-keep = Keep this report with the release for as long as you must be able to show what was done, then erase it too. Store the digest of its evidence somewhere else, or sign it.

main-quote-title = In one sentence, to quote
main-quote-whole = As files and pipelines have it: { $said }
main-default-heading = Under the default policy
main-default = { $verdict }.
main-default-less = { $verdict }. The declared policy asks for less than the default policy.
main-default-deadlines = { $verdict }. Here deadlines were checked and do not decide.
main-default-more = { $verdict }. The default policy does not ask for what failed here.
main-verdict-pass = Met
main-verdict-fail = Not met
main-verdict-inconclusive = Inconclusive
main-annex = annex
main-annex-elsewhere = full report
main-annex-page = annex, page

# A whole controller, without a model.

main-system-program = It is audited as a whole program: requests of many people are played against it. No log of real requests was examined.
main-headline-program = whole program examined
main-promise-program = This audit promises no number. Tests look for a difference; that they find none promises nothing.
main-limit-program = Only the histories that were played are covered: a program can behave well in these and badly in others.
main-recommend-program = Use with conditions: no difference was found, and no test can show that there is none.
main-recommend-noise = Use with conditions: noise hides each person as far as the number says, if what nobody checked is true.
main-recommend-traceless = Use with conditions: what is kept shows nothing of who was deleted, if what nobody checked is true.
main-promise-others-not-shown = What others were answered is not covered, even if they store it again.
main-promise-others-refuted = What others were answered is not covered, even if they store it again: it can show the person.
main-promise-program-refuted = This audit promises no number: a test found that what others were answered, or what is kept, can show that a person was there.
main-promise-number-program = Somebody who sees only what the program keeps after a person’s deletion guesses whether that person was ever there. At best, this many of 100 guesses are right. Blind guessing gets 50.
main-promise-number-held-program = Somebody who sees only what the program keeps after a person’s deletion guesses whether that person was ever there: at best, this many of 100 guesses are right. Blind guessing gets 50.
main-action-program = Keep the program that was audited, and audit again when it changes.
main-box-program = Program
main-box-program-same = Whatever was added and deleted before, the same contents left the same state.
main-box-program-fresh = The same contents left the same state but for chance: under one seed states differed, and a fresh seed hides that by the program’s construction.
main-box-program-within = What was there before may show in its state, within ε = { $epsilon } and δ = { $delta }.
main-box-program-trusted = The same contents left the same state, if the program that runs is the one that was audited.
main-box-program-different = Its state shows what was there before, or in which order it came.
main-box-program-noise = Noise hides each person in its reports and in its state, if nobody knows the noise.
main-box-program-no-noise = The noise in its reports or in its state hides people less than was promised.
main-box-program-open = Requests were played, and whether its state shows the past is open.
main-box-program-none = No requests were played against it.
main-box-kept = What it keeps
main-box-kept-clean = Searched: nothing of the people who were deleted was found.
main-box-kept-found = { $count ->
    [one] One word of people who were deleted is still there.
   *[other] { $count } words of people who were deleted are still there.
}
main-box-kept-open = Searched. Nothing certain was found: not all of it could be read, or recognised.
main-box-kept-none = Not searched.
main-ask-noise = Does the noise in reports and in the state hide each person as far as was promised?
main-ask-program = Does what the program keeps show nothing of what was there before?
main-ask-kept = Are people who were deleted gone from everything that the program keeps?
main-untested-histories = Other requests
main-untested-histories-why = Only so many can be played; a rare combination may be missed.
main-untested-histories-who = The auditor, with more games
main-untested-program = The program in use
main-untested-program-why = The auditor played it, and not where it runs.
main-untested-program-who = The controller: compare the digest with what runs
main-untested-useful = Whether the program does its work
main-untested-useful-why = Answers are not judged, only what is kept.
main-untested-useful-who = The controller's own tests
main-law-17-program = What is left after a deletion
main-law-25-program = How the program keeps data
main-action-program-word = Have somebody other than the author confirm what nobody checked.
main-valid-program = Valid until the program changes. Then audit again.

# Places without a model.
main-places-heading = The places, level by level
main-level-answers = Answers
main-level-disk = On disk
main-level-derivable = Derivable
main-level-found = { $count ->
    [one] one deleted record was found
   *[other] { NUM($count) } deleted records were found
} { $where ->
    [answers] in answers
   *[disk] on disk
}{ $copies ->
    [open] ; copies in other forms are not ruled out until it passes
   *[other] { "" }
}
main-level-quoted = texts of { $count ->
    [one] one more may be quoted
   *[other] { NUM($count) } more may be quoted
}
main-level-named = { $count ->
    [one] a name or value of one deleted record
   *[other] names or values of { NUM($count) } deleted records
}, which on trust { $count ->
    [one] is
   *[other] are
} other people’s ({ $word })
main-level-unread = { $count ->
    [one] one unexplained byte
   *[other] { NUM($count) } unexplained bytes
}, on trust ({ $word })
main-cell-found = found
main-cell-deleted-rows = found in deleted rows
main-cell-open = open
main-cell-clear = not found
main-cell-clear-by-word = not found, on trust
main-cell-not-examined = not examined
main-places-note = Nothing but these places was examined: no model, no backup, no place that nobody named.
main-places-more = { $count ->
    [one] One more place is on the page “{ $page }”.
   *[other] { NUM($count) } more places are on the page “{ $page }”.
}
main-headline-places = places only, no model
main-promise-places = This audit promises no number: it searched places, and no model.
main-limit-places = Places only: no model was examined, and no place that nobody named.
main-recommend-places = Answer people with conditions: nothing of them was found in these places, and nothing is said of others.
main-action-places = Name every further place that holds their data, and scan again after each deletion.
main-recommend-fail-places = Do not tell people yet that their data was erased: data of some of them was found.
main-recommend-open-places = Do not tell people yet that their data was erased: not all places could be cleared.
main-system-places = { $count ->
    [one] One place was searched for the people of the log.
   *[other] { NUM($count) } places were searched for the people of the log.
}
main-box-unasked = A model
main-box-unasked-unsaid = Nobody said whether a model was trained on these data.
main-box-unasked-said = On trust: no model was trained on these data, according to { $name }.
main-box-places = Places
main-box-places-clean = Nothing of the deleted people was found, and every byte is accounted for.
main-box-places-trusted = Nothing of the deleted people was found, if what somebody says of the rest is true.
main-box-places-found = { $count ->
    [one] One deleted record was found.
   *[other] { NUM($count) } deleted records were found.
}
main-box-places-open = Nothing certain was found, and not all of it could be read or explained.
main-box-places-elsewhere = Nothing certain was found, and not all of it could be read or explained.
main-box-places-by-id = { $said } { $whose ->
    [all] The search was by id and by the log’s names and numbers only
   *[some] For some of them the search was by id and by the log’s names and numbers only
}: no values were given.
main-box-places-unsearched = Not searched.
main-box-places-none = None was named.
main-untested-unasked = Models trained on these data
main-untested-unasked-why = The case names places alone.
main-untested-unasked-who = The controller: say whether there is one, and audit it
main-untested-values = Copies under another id, scaled or rounded
main-untested-values-why = No table with the people’s values was given.
main-untested-values-who = The controller, with a table
main-law-25-places = What is left in the places
main-always-again-places = Scan again after each deletion, and whenever a place is added.
main-untested-disguised-places = Disguised copies in the places
main-untested-disguised-places-why = Encrypted copies are not found, nor a few rows with reordered columns that were also changed or spread out.
main-untested-disguised-places-who = The controller: confirm that there are none
main-sign-release-places = Tell people that their data was erased
main-sign-conditions-places = Tell them with conditions
main-sign-no-places = Do not tell them
main-valid-places = Valid until a place changes. Then scan again.
