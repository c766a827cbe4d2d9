# What commands print on a terminal, errors apart.

cli-auditing-places = Auditing { $name }: { $requests ->
    [one] one request
   *[other] { $requests } requests
}, a search of places, no model.
cli-ahead-places = An audit reads { $files ->
    [one] one file
   *[other] { NUM($files) } files
}.
cli-case-places = { $name }: { $places ->
    [one] one place
   *[other] { $places } places
} with { $files ->
    [one] one file
   *[other] { NUM($files) } files
}, { $requests ->
    [one] one request
   *[other] { NUM($requests) } requests
}, no model.
cli-auditing-program = Auditing { $name }: a program that stores data.
cli-scanning = Searching { $places ->
    [one] one place
   *[other] { $places } places
} for { $records ->
    [one] one deleted record
   *[other] { $records } deleted records
}{ $known ->
    [0] {""}
   *[other] {" "}among { $known } known records
}.
cli-scanning-before = Searching { $places ->
    [one] one place
   *[other] { $places } places
} for { $records ->
    [one] the one record
   *[other] the { $records } records
} that the log names.
cli-scan-row = { $name }: { $said }
cli-scan-out = With --out DIR, this also writes a report, and a case for letters and the next scan.
cli-scan-case = The report is { $report }. The case is { $folder }: to go on, edit { $folder }/audit.toml and run auditor check { $folder }.
cli-baseline-made = { $path }: { $forms ->
    [one] one exact form
   *[other] { $forms } exact forms
} of { $there } of { $requests ->
    [one] one request
   *[other] { $requests } requests
}.
cli-baseline-planted = Planted records found: { $there } of { $planted }.
cli-baseline-unread = { $files ->
    [one] One file could not be read, and is not in the baseline.
   *[other] { $files } files could not be read, and are not in the baseline.
}
cli-baseline-personal = { $path } and { $key } are personal data until the key is destroyed: keep them to yourself, out of backups. After the deletion, run the same command with --after { $path }, by { $day }.
cli-baseline-key-kept = { $key } is kept: with { $path } it is personal data until it is destroyed.
cli-baseline-key-destroyed = { $key } is overwritten and removed. On an SSD, or where the file system or a backup keeps copies, what it held may survive; wiping the drive or its encryption key is what ends that.
cli-baseline-person = { $request }, { $place }: { $state ->
    [gone] { $before } found before, none of these forms now
    [open] { $before } found before; { $after } now, names or values that another person may have
    [new] not there before, and { $after } found now
   *[still] { $before } found before, { $after } still there
}
cli-baseline-nobody = { $request }: { $state ->
    [added] came after the baseline: not known whether anything was there before
   *[absent] was not there before: that nothing is there now says nothing about erasure
}
cli-baseline-canaries = { $before } of { $planted ->
    [one] 1 planted record was
   *[other] { $planted } planted records were
} found before, { $after } after
cli-auditing = Auditing { $name }: { $requests } requests, { $records } records.
cli-notice = auditor: { $said }
cli-taken = Finished in an earlier audit, not run again: { $names }; --fresh runs everything again.
cli-timed-here = The procedure is tried and timed on this machine; the workers of the cluster may be faster or slower.
cli-cluster = Runs on { $seats } { $seats ->
    [one] worker
   *[other] workers
} of the cluster, which have the same versions as this machine.
cli-first-stage = { $verdict } (first)
cli-first = First answer after { $seconds }, in { $path }: { $sentence }
cli-to-come = Still to run{ $measured ->
    [true] , about { $seconds }
   *[false] {""}
}{ $long ->
    [true] , more than ten times the first stage; Ctrl-C ends the audit here and leaves the first answer
   *[false] {""}
}:
cli-to-come-row = {"  "}{ $name }: { $trainings } trainings, { $unlearnings } unlearnings, about { $seconds }, for { $checks }
cli-to-come-unmeasured = {"  "}and what was not measured, for { $checks }
cli-laying-out = Laying out the report …
cli-progress = auditor: { $elapsed } so far: { $running }
cli-progress-steps = { $name }, { $done } of { $total } steps
cli-progress-left = , about { $left } left for these steps
cli-progress-about = about { $left } left
cli-progress-unknown = , time left unknown
cli-progress-between = working
cli-progress-whole = in all
cli-progress-of = { $done }/{ $total } steps
cli-span-under-a-second = under a second
cli-span-seconds = { $count } s
cli-span-minutes = { $count } min
cli-span-hours = { $hours } h { $minutes } min
cli-report-at = Report: { $path }
cli-no-pdf = No report.pdf: for a PDF, run { $command }, then auditor report EVIDENCE.
cli-removed-report = auditor: removed { $path }, of an earlier audit
cli-signed = Signed: { $path }, key { $key }
cli-letters-of-another = auditor: { $count ->
    [one] one letter in { $folder } is of the earlier audit. Move it
   *[other] { $count } letters in { $folder } are of the earlier audit. Move them
} to where you keep what was sent, or auditor verify finds that the folder does not agree.
cli-nothing-signed = , and nothing was signed
cli-not-rendered = The evidence was written to { $path }; the report could not be rendered{ $unsigned }.
cli-removed-signature = auditor: removed { $path }: it signed earlier results, and the new ones are not signed; sign them with --sign KEY
cli-a-model-file = a model file
cli-no-model-file = no model file: the audit would cover the procedure alone
cli-answers-alone = answers alone: nothing is rerun
cli-case = { $name }: { $records } records of { $features } features, { $requests } requests, { $model }.
cli-case-program = { $name }: a program that stores data, { $controller }; it is asked to { $operations }.
cli-keep-until = Records and kept runs of this case are kept until { $day } ([case] keep_until); then auditor purge removes them.
cli-keep-a-year = [case] keep_until is not declared: records and kept runs of this case are kept for one year after the audit; then auditor purge removes them.
cli-valid-read-alone = {" "}Nothing was run.
cli-warning = Warning: { $said }
cli-warning-short-seed = the seed has { $bits } bits; under { $wanted } it can be guessed, and a certificate protects nobody. auditor init draws a longer one.
cli-warning-not-located = { $count ->
    [one] 1 row of the log names records
   *[other] { $count } rows of the log name records
} that are not in the data (row { $rows }): correct the id, or set status = "no_match" in the row.
cli-warning-purged = { $count } row(s) of the log name records that are not in the data (row { $rows }). auditor purge took rows of a person out of { $files } ({ $receipts }): if these are theirs, leave the log as it is; the case can no longer be audited as it was, and its evidence still verifies. Otherwise correct the id.
cli-warning-identity-after-answer = { $count } request(s) have identity_checked_at after answered_at ({ $requests }): correct one of them. A reply leaves a blank for it.
cli-warning-identity-in-wait = { $count } request(s) have identity_checked_at while the log still waits for the person to confirm who they are ({ $requests }): correct it, or the pause. A reply leaves a blank for it.
cli-warning-receipt-before-notice = { $count } receipt(s) are older than the notice of the erasure in recipients_notified ({ $requests }; in brackets the receipt and the notice): correct one of them. Letter and reply say that the two do not agree.
cli-warning-promise-beyond = { $count } undertaking(s) end after the last day that the law gives ({ $requests }; in brackets the two days), and the log has no extension that allows it. Letter and reply say so.
cli-warning-outside-short = [[outside]] { $name } says “{ $what }”, and until = { $until }. Counted from the erasure that is too early for { $count } request(s): { $requests }. Letter and reply say so; move the day.
cli-warning-other-release = [[lineage]] { $name } was made from release { $release }, and the release of this case is { $own }. So it stays open, as made from another release: correct from_release if it is the same one.
cli-warning-other-format = what the procedure saves is no file of the format of { $file }, so model.reproduced cannot pass: name the step of the pipeline that the file holds under [model] part.
cli-warning-regime-empty = regime is empty in { $count } row(s) of the log (row { $rows }), which are taken as eu; other rows name a law. Letters and replies cite it: name the law of each.
cli-warning-joined-ids = { $count } row(s) of the log have "{ $sign }" between ids (row { $rows }): separate ids with ";".
cli-warning-equal-rows = { $count } deleted record(s) have identical rows that remain under other ids, for example { $first } ({ $copies }): do these belong to the same person?
cli-warning-pair-noise-first = the first program ({ $use }) hides people by noise: Theorem 6.4 needs an exact one there, so no control of the pair follows. Put the noise into [controller.second].
cli-warning-pair-fading-second = Theorem 6.4 is not applied with { $use } as the second program, so no control of the pair follows. Use a counter, a batch or a store there.
cli-warning-pair-words = control of the pair also rests on { $words }: attest what is true of it, or control is not shown.
cli-warning-pair-words-of-one = { $words } covers a single program and counts for no pair: first-part-… and second-part-… cover its parts.
cli-warning-program-without-noise = [claims] dp is not examined: { $named } adds no noise.
cli-rehearsed = The procedure ran on { $rows } of { $records } records; a training on all of them took { $seconds }.
cli-rehearsed-about = The procedure ran on { $rows } of { $records } records; a training on all of them would take about { $seconds }.
cli-rehearsed-program = The program answered a short history.
cli-ahead = auditor check trains { $trainings } times and unlearns { $unlearnings } times: about { $seconds } with { $workers ->
    [one] 1 run
   *[other] { $workers } runs
} at a time.
cli-ahead-open = Where the release is not what retraining gives, it trains { $trainings } times and unlearns { $unlearnings } times: up to { $seconds }.
cli-ahead-nothing = Nothing is run: tables of answers are read.
cli-ahead-histories = auditor check plays about { $histories } histories: about { $seconds }.
cli-cost-more = { $seconds }, and more that was not measured
cli-cost-none = nothing that runs
cli-unknown = not measured
cli-more-than = more than { $amount }
cli-about = about { $amount }
cli-decides = yes
cli-one-run = Power of the single run: { $guesses } guesses about { $canaries } canaries. If all of them are right, they refute any ε below { $epsilon } for removing the whole set (δ = { $delta }, confidence { $confidence } %), and none above.
cli-one-run-noticed = { $share ->
    [none] No share of right guesses would be distinguished from guessing with a probability of 80 %.
   *[other] A share of { $share } right guesses is distinguished from guessing with a probability of 80 %.
}
cli-one-run-nothing = Power of the single run: none. With δ = { $delta } and a confidence of { $confidence } %, { $guesses } guesses about { $canaries } canaries can refute no ε.
cli-one-run-claim = { $needed ->
    [none] So it cannot refute the claimed ε of { $claimed }: raise alpha in [swap], or use more records.
   *[other] The claimed ε of { $claimed } is refuted with a probability of 80 % only where the true ε is { $needed } or more.
}
cli-one-run-unplayable = Power of the single run: none, as { $why }.
cli-memory = Memory: { $total }, with { $at_a_time ->
    [one] 1 run at a time of { $worker }
   *[other] { $at_a_time } runs at a time of { $worker } each
} and { $auditor } for the auditor. Attacks and pages need more, which was not measured.
cli-memory-elsewhere = Memory: { $worker } for each run, on the workers of the cluster, and { $auditor } for the auditor on this machine. Attacks and pages need more, which was not measured.
cli-memory-fewer = A run was measured with { $rows } of { $records } records; with all of them it takes more.
cli-memory-unknown = Memory: not measured.
cli-memory-jobs = The runs may use half of the free memory, { $half }: give --jobs { $jobs }, or set memory_mb in [sandbox].
cli-memory-too-much = The runs may use half of the free memory, { $half }, and one run takes more: set memory_mb in [sandbox], or audit on another machine.
cli-disk = Disk: { $kept } for finished runs{ $whole ->
    [none] {""}
   *[other] , { $whole } where the release is not what retraining gives
}{ $free ->
    [none] {""}
   *[other] ; { $free } are free
}.
cli-disk-none = Disk: no finished run is kept, because the case's own code runs below the isolation level confined.
cli-disk-results = Evidence and report: { $results ->
    [none] not measured
   *[other] { $results } last time
}.
cli-size-kb = { $amount } kB
cli-size-mb = { $amount } MB
cli-size-gb = { $amount } GB
cli-ahead-always = always
cli-ahead-if-open = if the release differs
cli-ahead-if-rejected = if it looks as if it held the records
cli-ahead-if-revealed = if the games reveal too much
cli-ahead-too-long = never: too long
cli-ahead-second = Of this, { $seconds } are for { $name } ({ $trainings } trainings), which run only where the first ones reject the release. One honest release in twenty needs them.
cli-ahead-second-too-long = Where the first shadow models reject the release, { $name } ({ $trainings } trainings) would take { $seconds }, too long to run: the check then stays open. With --budget the audit gets the time that you give.
cli-fitted = { $cuts ->
    [0] The whole audit fits: up to { $seconds }.
   *[other] Fitted into the budget: up to { $seconds }. What that costs:
}
cli-fitted-swap-pairs = swap.pairs: { $used } instead of { $declared }. Up to { $after } of all models may not have been unlearned without it showing, instead of { $before }.
cli-fitted-release-models = release.models: { $used } instead of { $declared }. The smallest possible p is { $after }, instead of { $before }.
cli-fitted-release-second-stage = Second stage of the attack on the release: none, instead of { $declared } further shadow models. A release that the first stage rejects stays open, and does not fail.
cli-fitted-inference-games = inference.games: { $used } instead of { $declared }. Shares are known to about ±{ $after }, instead of ±{ $before }.
cli-fitted-left-out = Left out, as nothing rests on them: { $names }.
cli-obstacle = { $call }{ $rows }: { $said }
cli-obstacle-rows = {" "}with { $rows } records
cli-obstacle-few = ; it may work with all records, which was not tried because it takes long
cli-obstacle-stderr = The last lines that the procedure wrote to stderr:
cli-not-installed = The procedure imports { $module }, which is not installed in the environment that auditor runs in. If you trust it, install the package that brings it there: { $python } -m pip install { $module }. If it is a file of yours, put it next to the procedure's entry.
cli-obstacles = { $count ->
    [one] 1 obstacle
   *[other] { $count } obstacles
}: auditor check would end with exit code 4
cli-valid-program = Valid: every input of { $name } can be read.
cli-log-row = row { $row }: { $code }: { $said }
cli-explain-value = Its value: { $unit }.
cli-explain-failure = If it fails:
cli-explain-remedy = What to do:
cli-explain-since = In reports since version { $version }.
cli-explain-counts = { $when ->
    [informative] It never counts against the verdict unless [policy] required lists it.
    [every-case] It is required in every case by default, whether or not it ran.
    [when-run] It is required whenever it ran, whatever [policy] required lists.
    [when-run-unless-blind] It is required whenever it ran, whatever [policy] required lists, with one exception: open because it cannot recognise even models that hold the records, with p above 0.05 and not listed there, it does not decide if something stronger does (docs/verdict.md).
   *[applies] It is required wherever it applies, unless [policy] required says otherwise.
}
cli-explain-needs = It uses the results of: { $checks }.
cli-explain-unsteady = Its value varies from run to run: { $why }
cli-explain-placed = Places it among the notions, but does not lead to it: { $rule }
cli-explain-nothing = The audit of { $name } established nothing that { $title } needs.
cli-explain-steps = Steps to a firmer guarantee:
cli-explain-terms = Terms:
cli-explain-here = In the audit of { $name }: { $status }.
cli-explain-found = Found: { $value } ({ $unit }){ $threshold ->
    [none] .
   *[other] ; to pass: { $threshold }.
}
cli-explain-do = What to do there:
cli-log-more = … and { $more } more; --json lists them all.
cli-columns-unread = Columns of the log that no check reads: { $names }.
cli-valid = Valid: every input of { $name } can be read; the log is free of contradictions.
cli-valid-but-fails = Readable, but an audit of { $name } would fail: { $findings ->
    [one] one finding in the log fails
   *[other] { $findings } findings in the log fail
} log.consistency.
cli-valid-but-open = Readable, but an audit of { $name } would stay inconclusive: { $findings ->
    [one] one finding in the log leaves
   *[other] { $findings } findings in the log leave
} log.consistency open.
cli-log-refused-bare = { $count } refused request(s) without a reason, or without the exception of the law that the refusal rests on
cli-removed-baseline = { $path } and its key: an expired baseline
cli-baseline-lies = { $path } is a baseline{ $state ->
    [unsealed] , expired on { $day }, and left alone: the file that is called as its key would be does not seal it. Remove both by hand.
   *[lies] , personal data until its key is destroyed; it expires on { $day }.
}
cli-removed = Removed: { $run } kept run(s), { $partial } half-written file(s), { $scratch } scratch folder(s); { $size } bytes.
cli-purge-gone = { $path }  { $bytes } bytes
cli-purge-gone-unnamed = { $count ->
    [one] 1 file whose name
   *[other] { $count } files whose names
} may name somebody: { $kind }
cli-purge-cut = { $path }: { $rows ->
    [one] 1 row
   *[other] { $rows } rows
} of the person
cli-purge-stays = Stays: { $what }{ $files ->
    [one] {""}
   *[other] {" "}({ $files } files)
}: { $why }{ $held ->
    [yes] ; it holds the person
   *[other] {""}
}
cli-purge-why-yours = yours, or under a name that you chose: auditor leaves it
cli-purge-why-result = a result, verified without the records
cli-purge-why-receipt = the receipt of an earlier purge, which names nobody
cli-purge-why-needed = the list of folders that letters and audits were written to; auditor purge reads it
cli-purge-holding = Outside the case, it holds the person: { $path }
cli-purge-left-file-gone = Written to { $path } on { $day }, and not there any more: if it was moved, delete it yourself.
cli-purge-left-file-changed = Written to { $path } on { $day }, and changed since: delete it yourself.
cli-purge-why-file-gone = not where it was written; delete it yourself if it was moved
cli-purge-why-file-changed = changed since it was written; delete it yourself
cli-purge-of-others = Left alone: { $folder }. Its letters and replies were written from a case in another folder, as where this one is a copy. If they are this case's, which was moved or wrote them before such notes were kept, name it with --also.
cli-purge-missing = Not there any more: { $folder }. Look where it was moved to, and name that with --also, or --out if it was an audit's.
cli-purge-why-folder-gone = not there any more
cli-purge-why-kept-until = its day has not passed
cli-purge-why-of-others = of other people
cli-purge-why-not-shown-ours = nothing shows that your auditor wrote it, as of letters from before it noted them: look at it, and delete it yourself
cli-purge-why-link = a link, which is not followed
cli-purge-why-failed = it could not be removed
cli-purge-why-shared = other cases need it
cli-purge-why-not-searched = yours; what is in it cannot be searched, and it may hold the person
cli-purge-files = { $dry ->
    [yes] Would remove
   *[no] Removed
}: { $files ->
    [one] 1 file
   *[other] { $files } files
}, { $size ->
    [one] 1 byte
   *[other] { $size } bytes
}; { $rows ->
    [one] 1 row
   *[other] { $rows } rows
} from copies.{ $dry ->
    [yes] {" "}Nothing was changed.
   *[no] {""}
}
cli-purge-scratch = { $dry ->
    [yes] Would also remove
   *[no] Also removed
}: { $count ->
    [one] 1 working folder that auditor made among the temporary files, left by a run that was killed. It
   *[other] { $count } working folders that auditor made among the temporary files, left by runs that were killed. They
} { $dry ->
    [yes] would go
   *[no] went
} unsearched, may be of other cases, and may hold records that a run was given{ $person ->
    [yes] , the person's too
   *[no] {""}
}.
cli-purge-no-rerun = A copy lacks the person's rows now: the case can no longer be audited as it was. Its evidence still verifies.
cli-purge-no-rerun-would = A copy would lack the person's rows: the case could no longer be audited as it was. Its evidence would still verify.
cli-purge-no-day = No audit has ended here and [case] keep_until is not declared: copies of tables stay.
cli-purge-until = { $state ->
    [over] Tables and letters of this case were kept until { $day }
   *[ahead] Tables and letters of this case are kept until { $day }
}{ $declared ->
    [yes] {" "}([case] keep_until)
   *[no] , one year after the audit, as [case] keep_until is not declared
}{ $state ->
    [over] .
   *[ahead] ; then auditor purge removes them.
}
cli-purge-receipt = Receipt, which names nobody: { $path }
cli-not-in-history = auditor: this audit is not in the history: { $error }
cli-since = Compared with the audit of { $day }{ $released ->
    [yes] {" "}(release { $release })
   *[no] {""}
}{ $kept ->
    [yes] {" "}in { $path }
   *[no] {""}
}: { $new ->
    [one] 1 new request
   *[other] { $new } new requests
}, { $stand } unchanged, { $changed } changed{ $missing ->
    [0] {""}
   *[other] , { $missing } missing from the log
}.
cli-since-other = Not compared: { $place } is of another case called { $name }.
cli-since-new = New: { $names }.
cli-since-changed = Outcome changed: { $names }. { $kept ->
    [yes] To see how: { $command }
   *[no] This audit replaced the evidence of the earlier one; to compare audits, write each to a folder of its own (--out).
}
cli-since-rows = The log says something else: { $rows }.
cli-since-rows-more = The log says something else of { $count } more; --json lists them.
cli-since-not-whole = Not compared: ids of records, search terms, batches, notes and the hours of receipt in the log; one of the audits did not mark them, or did with another user's key.
cli-since-missing = In the log then, and not now: { $names }.
cli-since-deadline = Expired: { $name } is still open, and was due on { $day }.
cli-since-outside = Expired: by { $day } nothing of the erased records was to be left in { $name }.
cli-since-lineage = Expired: { $name } was made before the latest deletions; make it again or retire it.
cli-since-attestation = Expired: { $name } { $count ->
    [one] was
   *[other] were
} attested on { $day }, before the audit of another release; attest { $count ->
    [one] it
   *[other] them
} for this one.
cli-since-records = Expired: records of the earlier audit are kept until { $day }; auditor purge removes what has expired.
cli-since-more = Expired: { $count } more; --json lists them.
cli-over-time = { $old } → { $new }: { $count ->
    [0] no check changed.
   *[other] { $changes }.
}
cli-over-time-unread = {"  "}What the log says of requests was not compared: the evidence of both audits is not there as it was written.
cli-over-time-rows-more = the log says something else of { $count } more: { $command }
cli-over-time-check = { $name } { $old } → { $new }
cli-no-audit = No audit is recorded.
cli-no-audit-of = No audit of { $case } is recorded.
cli-no-ledger = AUDITOR_HISTORY is empty: none is kept.
cli-ledger = Ledger: { $file }
cli-audits-in = Audits in { $place }
cli-left-out = auditor: left out, as it cannot be read: { $error }
cli-of-controller = {" "}of { $name }
cli-written = Written: { $path }
cli-letter-the-same = { $path } is there already, the same letter: nothing was written.
cli-checking-machine = Checking this machine …
cli-mlflow-logged = Logged as run { $run } in the experiment { $experiment }: { $verdict }.
cli-mlflow-sends = Sending { $name } …
cli-ready = Ready: this machine can audit.{ $absent ->
    [0] {""}
   *[other] {" "}Missing, and needed by some audits only: { $absent }.
}
cli-ready-to-verify = Ready: this installation verifies, renders and compares.
cli-doctor-ok = ok
cli-doctor-missing = missing
cli-doctor-absent-heading = What is missing, and what brings it:
cli-doctor-absent = none
cli-not-ready = Not ready: { $count } needed part(s) missing.
cli-new-passphrase = New passphrase for { $file }
cli-not-encrypted = auditor: { $private } is not encrypted: anyone who can read it can sign in your name
cli-private-key = Private key: { $path }; keep it and its passphrase secret.
cli-public-key = Public key: { $path }; give it to anyone who needs to verify your results.
cli-passphrase-of = Passphrase of { $path }
cli-passphrase-again = The same again
cli-removed-letter-signature = auditor: removed { $path }: it signed an earlier draft, and this one is not signed; sign it with --sign KEY
cli-may-have-been-sent = { $path } is there already, and may have been sent: it is not overwritten. Move it away, or name another place.
cli-letters-sent = Letters of { $names } are there already, and may have been sent: none is overwritten. Name a new folder for each audit, such as { $folder }/{ $day }.
cli-reply-blanks = { $count ->
    [one] 1 blank to fill, marked [like this].
   *[other] { $count } blanks to fill, marked [like this].
}
cli-reply-keys = The log or audit.toml can fill: { $keys }. The rest is written by hand.
cli-letters-written = Written: { $count ->
    [one] 1 letter
   *[other] { $count } letters
} in { $folder }
cli-not-found-by-purge = { $folder } is not listed in a case: when it is time to purge, name it: auditor purge CASE --also { $folder }
cli-letters-over-draft = { $count ->
    [one] It replaced a draft that was there.
   *[other] { $count } of them replaced drafts that were there.
}
cli-letters-the-same = { $count ->
    [one] 1 letter was there already, the same, and was left as it is.
   *[other] { $count } letters were there already, the same, and were left as they are.
}
cli-request-meant = did you mean { $near }?
cli-requests-held = { $count ->
    [one] it holds only { $first }
   *[other] it holds { $count }, from { $first } to { $last }
}
cli-and-more = { $shown } and { $more } more
cli-next-blank = fill in audit.toml, then: auditor validate
cli-next-check = auditor check
cli-next-validate = auditor validate
cli-next-log = write deletions.jsonl (auditor log import), then: auditor validate
cli-init-taken = { $key } = { $value }: { $why }.
cli-init-carried =
    { $count } statements between the table and fit are carried over, { $rest ->
        [0] and none is left out.
        [one] and one is not:
       *[other] and { $rest } are not:
    }
cli-init-addresses = Ids of records ({ $column }) look like e-mail addresses{ $log ->
    [yes] , and deletions.jsonl names people by them
   *[no] {""}
}: better take a column of pseudonyms (--id COLUMN), or put pseudonyms into table and log, before the folder is passed on.
cli-init-log = { $rows } requests. The last hash of the log: { $head }; keep it in another place.
cli-next = Next: { $following } { $folder }
cli-premise-fails = auditor: a premise fails: { $name }; found { $found }
cli-first-of-another = { $folder } holds the first stage of another audit than the one in this folder.
cli-purged-since = Receipts of purges, which nothing signs, say what was removed since: { $names }
cli-not-rechecked = Not files of an audit, and not rechecked: { $names }
cli-rechecked = { $name } ({ $kind }), SHA-256 { $sha256 }
cli-rechecked-part = {" "} { $name }{ $agreed } of { $total }
cli-rechecked-conclusion = {" "} derived again: { $conclusion }
cli-verify-more = { $count ->
    [one] One more is not shown
   *[other] { $count } more are not shown
}: these are the first of each kind. auditor verify --json lists all.
cli-taken-on-trust = {" "} taken on trust: { $said }
cli-report-again = Rendering the report again, to compare its pages …
cli-letter-again = Rendering the letter about { $request_id } again …
letter-attached = What this letter says, for machines
cli-counterexamples = { $count ->
    [one] Counterexample: { $path }; replay it with auditor replay.
   *[other] { $count } counterexamples, the first { $path }; replay them with auditor replay.
}
