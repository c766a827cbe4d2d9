# What to do: page 3, Markdown, JUnit, SARIF, terminal.
# A "-found" text says what was found; the text of the same name without it says what to do.

remedy-heading = What to do

remedy-owner-data = Data team
remedy-owner-model = Model team
remedy-owner-requests = Team that answers requests
remedy-owner-controller = Controller
remedy-owner-audit = Team that runs the audit

remedy-tell-nobody = Nobody needs to be told.
remedy-tell-found = Tell these people that their data were found again, what you are doing about it, and by when: “auditor reply” drafts it. Do not confirm the erasure yet.
remedy-tell-model = Do not tell these people that the model has forgotten their data. Tell them that it is being corrected, and when you will write again.
remedy-tell-open = Do not tell these people yet that the model has forgotten their data. Tell them when you will know.
remedy-tell-late = Tell these people why the answer is late, and that they may complain to the authority at any time: “auditor reply” drafts it.
remedy-tell-doubt = Once that is assessed, tell those whose answer is late why, and that they may complain to the authority at any time: “auditor reply” drafts it.
remedy-tell-refused = Tell these people why their request was refused, and that they may complain to the authority at any time: “auditor reply” drafts it.
remedy-tell-log = Ask these people for details that help you find their data.
remedy-tell-done = Once that is recorded, reply to these people: “auditor reply” drafts it.
remedy-tell-marked = Do not tell these people that the erasure is complete. Tell them when it will be.
remedy-tell-recipients = Tell these people who received their data if they ask.
remedy-tell-seen = Tell these people that someone who compares two versions of the model may find out that their data was erased.

remedy-release-held-model = Do not release this model. If it is in use, decide whether to take it out of use.
remedy-release-held-procedure = Do not release a model that this procedure made. If one is in use, decide whether to take it out of use.
remedy-release-held-places = Do not tell people that their data was erased.
remedy-release-open-places = Do not tell people on the strength of this report that their data was erased.
remedy-release-held-program = Do not rely on this program for erasure. If it is in use, decide whether to go on using it.
remedy-release-open-program = Do not rely on this program for erasure on the strength of this report. Anyone who does so all the same should write down why.
remedy-release-open-model = Do not release this model on the strength of this report. Anyone who releases it all the same should write down why.
remedy-release-open-procedure = Do not release a model on the strength of this report. Anyone who releases one all the same should write down why.
remedy-release-condition = Until this condition is met, part of the result is taken on trust.
remedy-release-besides = This is not what holds the release back.
remedy-release-undecided = The policy does not require this check: by itself it decides nothing.
remedy-release-policy = Erasure does not depend on it. Meet it or change the policy, with a reason, before the release.

remedy-by-release = Before the release.
remedy-by-sign-off = With the sign-off of this report.
remedy-by-due = Before { $day }, when the first of these requests is due.
remedy-by-now = At once: the first of these requests was due on { $day }.

remedy-proof-pass = passes
remedy-proof-all-pass = { $checks } pass
remedy-proof-at-most = passes, with a value of at most { $threshold }
remedy-proof-at-least = passes, with a value of at least { $threshold }
remedy-proof-claims = is shown or supported
remedy-proof-guarantee = { $title } is shown or supported
remedy-proof-deadlines = lists no request that is still open, and none that was refused without a reason
remedy-proof-attested = no check contradicts { $name }
remedy-proof-verdict = the verdict is pass
remedy-proof-strength = the strength is A or B
remedy-proof-statements = a note says who confirmed what, and when

# The deletion log
remedy-log-found = { $count ->
    [one] One entry of the deletion log contradicts the data or another entry. { $first }
   *[other] { $count } entries of the deletion log contradict the data or another entry. { $first }
}
remedy-log-row = Row { $row }: { $message }.
remedy-log = { $count ->
    [one] Correct row { $rows } of the deletion log.
   *[other] Correct rows { $rows } of the deletion log.
}{ $alike ->
    [yes] {" "}Where an id only looks like another person's, say why in near_match.
   *[no] {""}
}
remedy-late-found = { $count ->
    [one] One request was not answered in time.
   *[other] { $count } requests were not answered in time.
}
remedy-refused-found = { $count ->
    [one] One request was refused, and the log does not say on what ground.
   *[other] { $count } requests were refused, and the log does not say on what ground.
}
remedy-refused = Write the reason and the exception into the log, or carry the request out.
remedy-late-open-found = { $count ->
    [one] One request is still open after its due date.
   *[other] { $count } requests are still open after their due dates.
}
remedy-late-open = Carry out or refuse what is overdue and still open, and tell these people what was done.{ $reasons ->
    [all] {""}
    [some] {" "}Where the log does not say yet why it took so long, write it there (late_reason).
   *[none] {" "}Write into the log (late_reason) why it took so long.
}
remedy-late-unrecorded-found = { $count ->
    [one] One request is past its due date, and the log records no answer.
   *[other] { $count } requests are past their due dates, and the log records no answer.
}
remedy-marked-found = According to the log, the data of { $count ->
    [one] one request are
   *[other] { $count } requests are
} only marked as erased.
remedy-marked = Erase the data of { $names }, which are only marked as erased, and record it in the log (storage_state “physical”).
remedy-untold-found = According to the log, a recipient of the data of { $count ->
    [one] one request was
   *[other] { $count } requests was
} not told of the erasure.
remedy-untold = Tell each recipient who was not told of the erasure of { $names }, and record when in the log (recipients_notified).
remedy-untold-receipt-found = Such a recipient gave a receipt that covers { $names }: log and receipt do not agree.
remedy-untold-receipt = Where a receipt says otherwise, find out which is right, and correct the log.
remedy-late-unrecorded = Find out whether these people were answered, and enter answered_at (“auditor log amend” if chained). Answer those who were not.
remedy-late-done = Write into the log (late_reason) why these answers were late. No later step undoes that: as long as they are in the log, this check fails. Decide about the release with that on record.
remedy-late-said = Decide about the release with these late answers on record: no step undoes that, and as long as they are in the log, this check fails. The log says why they were late.

# Files
remedy-erased-found = { $count ->
    [one] One deleted record was found in the { $place }.
   *[other] { $count } deleted records were found in the { $place }.
}
remedy-erased-store = Erase the deleted records from the { $place }. Find out which job puts them there, or they will come back.{ $format ->
    [sqlite] {" "}An SQLite file holds deleted rows until VACUUM, and next to it its -wal or -journal file does.
    [parquet] {" "}A Parquet file may list names that no row has: write it again from its rows.
   *[other] { "" }
}
remedy-erased-place = Remove the deleted records from the { $place }. Write it again from data without them.
remedy-erased-open-found = Some places could not be searched fully: { $places }.
remedy-erased-open = Give what could not be searched as CSV, Parquet, NPZ or SQLite. It has to be readable row by row. If nobody can, attest store-holds-no-copies if it is true.
remedy-erased-unexplained-found = Nothing explains what these places hold: { $items }.
remedy-erased-parameters = Train again from the start, or use a procedure that a proof covers. What parameters hold cannot be removed from them.
remedy-erased-unexplained = Remove what is not needed from: { $place }. Keep the rest where the audit can read it.
remedy-erased-unexplained-words = Remove what is not needed from: { $place }. Of the rest, attest what is true: { $names }.
remedy-erased-unexplained-store = Write again without what is not needed: { $place }.{ $format ->
    [sqlite] {" "}Do so by PRAGMA secure_delete = ON and VACUUM INTO a new file, once no program has it open, so that no -wal or -shm file stays.
    [parquet] {" "}Do so from its rows.
   *[other] { "" }
} List columns that the training data lack under store_columns in [data].{ $names ->
    [none] { "" }
   *[other] {" "}Only of what is left after that, attest what is true: { $names }.
}
remedy-erased-spare-found = Row numbers, counters or settings of databases, the spelling of cells, or how Parquet files are written, could carry parts of a record: { $places }.
remedy-erased-spare = Write CSV, JSON lines and Parquet again with one writer, as pandas' read_csv and to_csv, read_parquet and to_parquet do. Write a database's rows into a new one, as sqlite3 OLD .dump | sqlite3 NEW does, and VACUUM that: rows are numbered from 1, and counters start again. PRAGMA user_version = 0 and PRAGMA application_id = 0 clear these two, ANALYZE counts keys again.
remedy-erased-unread-found = The case brings code that no audit accounts for: { $items }.
remedy-erased-unread = Read the case's code; if it holds nobody's data, attest code-clean. Read its text, numbers and comments above all. The name belongs under [claims] attested in audit.toml.
remedy-erased-copies-found = { $count ->
    [one] One deleted record has a near copy among the records that stay.
   *[other] { $count } deleted records have a near copy among the records that stay.
}
remedy-erased-singled-found = { $count ->
    [one] One deleted record equals a retained one in every column, dates or text of a person's own among them.
   *[other] { $count } deleted records equal retained ones in every column, dates or text of a person's own among them.
}
remedy-erased-derived-found = { $count ->
    [one] One deleted record has a row among those that stay that looks derived from it.
   *[other] { $count } deleted records have rows among those that stay that look derived from them.
}
remedy-erased-derived = Find out how the rows came about that look derived from deleted records. Erase those that were made from deleted records, and declare made rows by [data] derived_from. If all are other people's own, attest copies-are-others.
remedy-erased-copies = Find out whose the near copies of deleted records are. Erase those of the same person. If all belong to other people, attest copies-are-others.
remedy-erased-related-found = { $count ->
    [one] One deleted record shares its { $column } with a record that stays.
   *[other] { $count } deleted records share their { $column } with records that stay.
}
remedy-erased-related = Find out whose the records are that share a value with deleted ones. Erase those of the same people, and name the column that says whose a record is under [data] person. If they are other people's, attest copies-are-others.
remedy-erased-parted-found = { $count ->
    [one] One person's request was carried out for some of their records only.
   *[other] { $count } requests were carried out for some of the people's records only.
}
remedy-erased-parted = Carry out the requests for their other records, or refuse them with a reason.
remedy-erased-fitted-found = The data were prepared with deleted records: { $where }.
remedy-erased-fitted = Prepare the data again from the records that stay, then train again.
remedy-nothing-deleted-found = No request in the log was carried out, so nothing could be tested.
remedy-nothing-deleted = Carry out the requests, then audit again.
remedy-no-model-found = No model file was given, so no released model was examined.
remedy-no-model = Name the model file under [model] path in audit.toml. Then audit again.
remedy-part-found = The model file holds one step of the released model: the other steps were not examined.
remedy-part = Have someone confirm that the other steps in use came from the declared procedure. They have to be those that it makes of these records.
remedy-no-model-unseen-found = No released model was examined: this kind of model has no parameters, and no .skops file of it was given.
remedy-no-model-unseen = Have someone confirm that the model in use came from the declared procedure. It has to be the one that it makes of these records. Or release it as a .skops file and name that under [model] path.
remedy-no-model-answers-found = No released model was examined: its answers were given, as the controller wrote them down.
remedy-no-model-answers = Have someone ask the released model again about the same records, and compare.
remedy-no-store-answers-found = No data store was searched: nothing is, where answers alone are audited.
remedy-no-store-answers = Search where the data are kept for the deleted records. Write down who did so, and when.
remedy-no-model-text-found = No released model was examined: this version cannot compare the counts of a language model with a file.
remedy-no-model-text = Have someone confirm that the language model in use came from the declared procedure. It has to be the one that it makes of these sentences.
remedy-no-store-text-found = No data store was searched: this version cannot search one for sentences.
remedy-no-store-text = Search where sentences are kept for the deleted ones. Write down who did so, and when.
remedy-no-store-found = No data store was given, so it was not searched for the deleted records.
remedy-no-store = Name where the data are kept under [data] store in audit.toml. Then audit again.
remedy-other-model-found = { $file } is not the model that the log leads to: { $differing } of { $parameters } weights differ, by up to { $largest }.
remedy-other-shape-found = { $file } is not the model that the log leads to: it has a different number of weights.
remedy-other-file-found = { $file } is not the model that the log leads to: what it holds differs from what the rerun saves.
remedy-earlier-file-found = { $file } is the model from before { $batch ->
    [0] every erasure of the log
   *[other] the last { $later } of the log's { $batches } batches of erasures
}: records of later erasures are in its training.
remedy-earlier-file = Train again on the records that remain, and name that file in audit.toml under [model] path.
remedy-own-file = Release the very file that the declared procedure saves for this log.
remedy-own-file-part = Name the step of the pipeline that the file holds under [model] part, or have save() write the file that is released. Then audit again.
remedy-other-model = Replace { $file } with what the declared procedure makes. It has to be the model of this log. If something else was run, declare that.
remedy-other-rounding = Train { $file } again as the audit does: on the same processor, with the same libraries, with one thread (OMP_NUM_THREADS=1) and, for PyTorch, with MKL_CBWR=AUTO. The difference is of the size of rounding; it cannot pass, as what rounding leaves open could hold something else. If something else was run, declare that.
remedy-by-chance-found = The same training gives a different model each time, so models cannot be compared.
remedy-by-chance = Draw all randomness from the seed that the procedure is given. The same seed has to give the same model.
remedy-room-found = { $file } has room for more than the weights that the log leads to.
remedy-room = Write { $file } again so that it holds its weights alone. Release that file, then audit it.
remedy-room-grid = Write { $file } again on a grid of { $grid }, and set the same under [model] grid. Release that file, then audit it.
remedy-file-methods = Give the class { $names }, so that the file can be tied to the model that answers.
remedy-file-tied = Give the class save(model, path), load(path) and parameters(model). Release the file that save() writes.

# The unlearning itself
remedy-retrain = Train a new model without the deleted records, and release that one. It has to start from nothing that learned from them.
remedy-exact-unchanged-found = Nothing changed in the model after batch { $batches }, although its records were to be deleted.
remedy-exact-retrain = Train again from the start at every batch, with that batch's seed. Release exactly that model.
remedy-exact-differs-found = After batch { $batch } the model is not what training without the deleted records gives. What differs: { $items }.
remedy-exact-declare = Find out why { $items } differ after batch { $batch }. If the procedure is meant to train again, declare retraining = true under [claims].
remedy-exact-by-chance = Draw all randomness from the seed that the procedure is given. The same seed has to give the same model. A class whose randomness has to come from the system may pass by attacks instead: list release.remembers, swap.quality and swap.strong under [policy] required, without swap.controls, and claim no retraining. The step for swap.quality then says how many pairs would decide.
remedy-exact-still-found = The learner gives the same model whatever rows or labels it is given, or refuses fewer rows, so its models are no evidence.
remedy-exact-still = Let the learner learn from as few records as there are, or audit it on more. Set it so that rows and labels matter, for example by smaller leaves.
remedy-exact-files-found = After batch { $batch } the model differs only in files that the procedure left in its working directory.
remedy-exact-files = Have trainings and updates leave no file behind. Delete these files at the end of each, or write none: with memory=None a Pipeline of scikit-learn keeps no cache.
remedy-exact-times-found = After batch { $batch } the model differs only in what scikit-learn's search notes. The times in it differ at every training, and could carry data.
remedy-exact-times = Remove what scikit-learn's search notes where the model is fitted. Hand on best_estimator_, or have the class that build returns delete cv_results_ and refit_time_ at the end of fit.
remedy-remembers-found = Attacks can tell this model apart from { $models } models trained without the deleted records.
remedy-remembers-few-found = The model was compared with { $models } retrained models, which is too few.
remedy-remembers-few = Set [release] models = { $models } in audit.toml, then audit again. { $time }
remedy-remembers-second-found = Attacks tell this model from the retrained models that it was compared with. Only a second stage can say whether that is chance.
remedy-remembers-second = Audit again with the time for { $models } further retrained models. Give it a larger --budget, or more --jobs. { $time } Or train the model again from the start.
remedy-remembers-between-found = Attacks place this model higher than all but a few of { $models } retrained models (p = { $p }): not enough to accuse it, and too much to pass.
remedy-remembers-between = Say how this model was made, if not as declared. It may be another library, or the best of several seeds. Otherwise train it again from the start, which release.exact can confirm.
remedy-remembers-unseen-found = There are no records that no model has seen, to compare the deleted ones with.
remedy-holdout-found = The case names no holdout, so the loss of accuracy was not measured.
remedy-holdout = Put records aside before training, and name them under [data] holdout. None of them may be trained on.
remedy-remembers-general-found = The model differs from retrained models on all records, not only on the deleted ones.
remedy-remembers-general = Train the released model for as long, and in the same way, as the declared procedure does. Then audit again.
remedy-remembers-blind-found = The attacks recognised only { $told } of { $of } models that still hold the records. So they could have missed this one.
remedy-remembers-blind = Train again from the start, or use a procedure that a proof covers. These attacks cannot settle it: more models would not help.
remedy-remembers-half-found = On the deleted records, the model shows { $share } % of what a model that still holds them shows.
remedy-remembers-half = Set [release] models = { $models } in audit.toml instead of { $had }. If p stays near { $p }, they show whether attacks can tell this model. { $time } To pass, it has to show less than half: unlearn for longer, or train again from the start.
remedy-remembers-half-no = Unlearn for longer until the model shows less, or train again from the start. More models would not help: attacks do not tell this model, and yet it shows more than half.
remedy-remembers-share-found = Training is deterministic, and the model shows { $share } % of what a model that still holds the records shows.
remedy-remembers-share = Unlearn for longer, until the model shows at most { $most } %, or train again. More models would not help.
remedy-state-found = These survive an update, and the next update reads them: { $names }.
remedy-state = Have each update start from the released model alone. Clear { $names } after every update.
remedy-state-hidden-found = An update reads something from before that could not be named.
remedy-state-hidden = Have each update start from the released model alone, in a new process.
remedy-state-untried-found = No update could be tried from the released model alone: { $why }.
remedy-state-untried = Give the procedure save(), load() and parameters(), so that an update can be tried in a new process.
remedy-controls-found = Two retrainings with the same seed gave different models. So the SWAP test shows nothing here.
remedy-strong-found = An attack that sees both sets named the deleted one for { $share } of 100 models.
remedy-games-found = Someone who sees the model before and after a deletion names the deleted one of two records in { $right } % of the games.
remedy-rebuilt-label = Someone who sees the model before and after a deletion guesses the label of the deleted record in { $right } % of the games.
remedy-rebuilt-instance = Someone who sees the model before and after a deletion rebuilds the deleted record, nearer to it than to every decoy, in { $right } % of the games.
remedy-rebuilt-sentence = Someone who sees the model before and after a deletion rebuilds the deleted sentence, nearer to it than to every decoy, in { $right } % of the games.
remedy-games-enough = Apply a remedy measured as sufficient: { $first }.{ $more ->
    [0] { "" }
   *[other] {" "}Sufficient: { $remedies }.
} Or let nobody see both models.
remedy-games-none = Let nobody see the model from before a deletion as well as the one after it. None of the milder remedies that the audit measured is enough for certain. Or have more games played.
remedy-games-more = Set [inference] games = { $games } in audit.toml, then audit again.
remedy-two-releases-found = An attack that sees the model before and after a deletion reaches { $value }.
remedy-two-releases = Let nobody see both models, delete records in larger batches, or add noise at release.

remedy-swap-found = Attacks can tell deleted records from records that the model never saw: quality is { $value }, and { $threshold } was required. The attack { $attack } found most.
remedy-swap-open-found = Quality is { $value }, between { $low } and { $high } with { $had } pairs, and { $threshold } was required.
remedy-more-pairs = Set [swap] pairs = { $pairs } in audit.toml instead of { $had }. That should decide, if quality stays where it is. { $time }
remedy-more-pairs-plain = Set [swap] pairs = { $pairs } in audit.toml, then audit again. { $time }
remedy-time-unknown = How long that takes was not measured.
remedy-time-short = It takes less than a minute of training.
remedy-time-minutes = { $count ->
    [one] It takes about one minute of training.
   *[other] It takes about { $count } minutes of training.
}
remedy-time-hours = { $count ->
    [one] It takes about one hour of training.
   *[other] It takes about { $count } hours of training.
}
remedy-swap-blind-found = Quality is { $value }, and { $threshold } was required. But a model that forgot nothing gets { $idle }, so this test cannot tell.
remedy-swap-close-found = Quality is { $value }, so close to the required { $threshold } that no sensible number of pairs would decide.
remedy-swap-blind = Let another check decide: train again from the start, or use a procedure with a certificate.
remedy-swap-one-run-found = A single run was played: it can refute unlearning, and never shows it.
remedy-swap-one-run = Set mode = "pairs" under [swap], and audit again. { $time }
remedy-swap-unplayable-found = The SWAP test could not be played: { $why }.
remedy-swap-unplayable = Take a case with at least { $least } training records, or let a check decide that needs fewer.

# Promises
remedy-no-threshold-found = Neither the policy nor a claim says how much is allowed.
remedy-no-threshold = Say under [policy] what is allowed: max_epsilon, and max_delta where it applies. Then audit again.
remedy-budget-found = The removals broke the budget at batch { $batch }, number { $number } of { $of }. By the end they had used { $percent } % of it.
remedy-budget-none-found = At this ε and δ no residual is allowed, and there is one.
remedy-budget = Train again from the start at batch { $batch } and after it. A noise of about sigma = { $sigma } would have covered the whole log; retrain_at_budget = true retrains in time.
remedy-budget-plain = Train again from the start at batch { $batch } and after it. With retrain_at_budget = true the procedure does so in time.
remedy-residual-found = The released weights leave a residual of { $value }, and the removals in the log account for { $threshold }.
remedy-residual = Do not release this model file. Carry out the removals as declared, or train again from the start, and release that model.
remedy-epsilon-found = ε is { $value }, and { $threshold } is allowed.
remedy-noise = Set release_noise to about { $noise } under [procedure] and release the model again.
remedy-steps = Set unlearn_steps = { $steps } under [procedure]. Run the deletions again and release that model. Or claim a larger ε, if people accept it.
remedy-steps-none = Train with more noise, or claim a larger ε. More unlearning steps alone do not get there.
remedy-premise-found = A condition of the proof does not hold. { $why }
remedy-premise = Meet the proof's condition: { $fix }.
remedy-premises = Meet the proof's condition: { $first }. Its check names other ways.
remedy-no-proof-found = No proof covers what ran: { $why }.
remedy-no-proof = Use a procedure that a proof covers, such as use = "noisy-gd". Or train again from the start, or withdraw the claim.
remedy-training = Train with more noise, on smaller samples or for fewer steps. Or promise ε = { $value }, which is what this training gives.
remedy-training-plain = Train with more noise, on smaller samples or for fewer steps, and declare what was run.
remedy-refuted-adaptive = Withdraw the refuted claim under [claims]: it cannot hold. Do not let people who make requests see earlier models, or use noisy gradient descent, which a proof covers.
remedy-adaptive-seen-found = The claim is for { $claimed } earlier models, but the log names { $log }.
remedy-adaptive-seen = Claim data deletion for { $log } earlier models, or show fewer models before a request.
remedy-untested-found = Nothing in this run could be compared with this claim: { $why }.
remedy-untested = Take epsilon.consistency out of [policy] required. The proof then carries the claim, and the report calls it not tested. Or withdraw it.
remedy-untested-far-found = The claim is ε = { $epsilon }, and this run would have noticed only ε = { $noticed } or more.
remedy-untested-far = Set [swap] pairs = { $pairs } in audit.toml to notice more. If that does not do it, take epsilon.consistency out of [policy] required: the report then calls the claim not tested.
remedy-left-open-found = The stated ε is { $epsilon }, and this run's attacks suggest { $shown } or more: too much for a pass, and too few draws to refute it.
remedy-left-open = Withdraw this claim, or find what the attacks see and audit again: no number of pairs is known to decide.
remedy-more-games = Set [requester] games = { $games } in audit.toml, then audit again.
remedy-refuted-found = An attack contradicts { $against }: it states ε = { $epsilon }, and the attack shows at least { $low }.
remedy-refuted = Withdraw the refuted claim under [claims]: it cannot hold. Train again from the start, and find out which of its conditions is false.

# What no single check decides
remedy-missing-found = The policy requires a check that has no result.
remedy-missing = Run { $check }, or take it out of the policy.
remedy-person-found = The claim { $claim } is too small for a person with several records, who gets up to { $values }.
remedy-person = Claim { $values }, which covers each person with all their records. Or make it smaller: add noise, or run more unlearning steps.
remedy-claim-found = The claim { $claim } is { $standing }.
remedy-claim = Withdraw the claim { $claim }, or give the audit what it lacks. It lacks: { $lacking }.
remedy-attest-found = For this promise only statements that nobody makes are missing: { $guarantee }.
remedy-attest = { $more ->
    [0] If true, declare that { $first }. { $means }.
    [one] If true, declare that { $first }, and 1 more. { $means }.
   *[other] If true, declare that { $first }, and { $more } more. { $means }.
}
remedy-contradicted-found = The controller attests { $name }, and the audit found the opposite.
remedy-contradicted-unsaid = Nobody attests { $name }, and the audit found the opposite.
remedy-contradicted = Correct what the audit found. Attest { $name } only when it is true.
remedy-contradicted-preprocessing-clean = Prepare the data without the deleted records and train again. Attest { $name } only when it is true.
remedy-contradicted-program = Correct the program. Attest { $name } only when it is true of the program.
remedy-contradicted-release-reproduced = Release the model that the procedure makes. Attest { $name } only when it is true.
remedy-contradicted-seed-secret = Draw a long seed at random, keep it secret and train again. Attest { $name } only when it is true.
remedy-unexamined-found = No check that passes examines the forgetting.
remedy-unexamined = Leave required out of [policy], or unlearn in a way that a check can judge.
remedy-answers-found = By the answers given, the model knows deleted records better than unseen ones: quality is { $value }.
remedy-answers = Train again without the deleted records, and audit the new model's answers. They have to be about the same records.
remedy-answers-open-found = The answers given do not show whether the deleted records are forgotten.
remedy-answers-retrained = Give the answers of a model that was trained without the deleted records, as [answers] retrained.
remedy-answers-before = Give the answers from before the deletions, as [answers] before.
remedy-answers-procedure = Audit the procedure itself, where it can be run: so few deleted records leave answers alone undecided.
remedy-answers-route-found = Answers that the controller wrote down cannot pass by themselves.
remedy-answers-route = Make a pass possible for written answers: that takes { $ways }.
remedy-own-code-found = The controller's own code cannot pass by tests of that code alone.
remedy-own-code = Make a pass possible for the case's own code: that takes { $ways }.
remedy-own-code-noise = Use a built-in program in place of the case's own code, or leave out the part that adds noise. Own code passes only with { $check }, which no pair with such a part passes.
remedy-isolation-found = The code ran at isolation level { $level }, where it could have tampered with the audit.
remedy-isolation = Audit again on a machine where the sandbox can confine the code.
remedy-error-found = The audit stopped with an error: { $cause }.
remedy-error = Find out why the audit stopped, fix it, and audit again. Nothing was decided.
remedy-only-found = The option --only left { $check } out.
remedy-only = Audit again without --only.
remedy-not-yet-found = This is the first stage of the audit: some checks were not run yet.
remedy-not-yet = Let the audit go on: auditor check without --first takes over what has run.
remedy-not-run = Give the audit what { $check } needs, or take it out of the policy.
remedy-erased-program-set = Set { $key } = true in params under [controller], so that the program overwrites what it deletes. What was deleted before stays in its files until they are written again.
remedy-erased-program = Have the program overwrite what it deletes, and not only mark it. The places are { $places }.
remedy-erased-not-recognised = Have someone who knows the program say what it keeps. The audit reads words, and recognises none in what is kept.
remedy-seed = Draw a seed of at least { $bits } bits at random, as auditor init does, and set it as seed under [procedure]. Then train and run the deletions again.
remedy-as-the-reason-says = Settle what leaves { $check } open: its reason says what. Then audit again. This does not count against the model.
remedy-any = Change what the sentence of the verdict names, and audit again.
remedy-quick-found = This was a quick run with small samples.
remedy-quick = Audit again without --quick.
remedy-weak-promise-found = The promise says almost nothing about one person.
remedy-weak-promise = Aim for a promise that lets at most 55 of 100 guesses be right. auditor plan shows what it costs.
remedy-silent-found = Nobody attests { $names }, without which no log of deletions passes.
remedy-silent = If it is true, add { $names } to [claims] attested in audit.toml. Ask those who can know. Add the name of the person who says so under attested_by and the day under attested_at. If nobody knows, leave it out.
remedy-lineage-found = According to the dates declared, { $names } may still depend on deleted records.
remedy-lineage = Make { $names } again from this release, or retire it. Then add from_release and remade_at, or retired_at, under [[lineage]] in audit.toml.
remedy-unsaid-found = { $count ->
    [one] The result rests on a statement that nobody has made.
   *[other] The result rests on { $count } statements that nobody has made.
}
remedy-statements-found = { $count ->
    [one] Of the statements that the result rests on, one can be confirmed by a person and was not examined.
   *[other] Of the statements that the result rests on, { $count } can be confirmed by a person and were not examined.
}
remedy-statements = { $more ->
    [0] Have a second person confirm that { $first }.
    [one] Have a second person confirm that { $first }, and confirm 1 other statement.
   *[other] Have a second person confirm that { $first }, and confirm { $more } other statements.
}
remedy-means = { $means } ({ $name })
remedy-stated = Under { $where }: { $names }
remedy-where-backups-clean = [[outside]] with name = "backups" and, under until, a day that is not before the last erasure
remedy-where-people-declared = [data] person
remedy-where-derivations-declared = [data] derived_from
remedy-where = [claims] attested

# Accuracy and cost
remedy-accuracy-found = The model lost { $drop } percentage points of accuracy, and { $most } are allowed.
remedy-accuracy = Train again from the start, or allow a larger loss in the policy before the next run.
remedy-accuracy-chance-found = { $count ->
    [one] One holdout record is too few to tell the loss of accuracy from chance.
   *[other] { $count } holdout records are too few to tell the loss of accuracy from chance.
}
remedy-accuracy-chance = Take about { $records } holdout records, none of which was trained on.
remedy-cost-found = Unlearning is { $value } times as fast as training again, and { $threshold } was required.
remedy-cost = Weigh whether unlearning is worth its effort here. Training again is always allowed.
# As the sentences of reasons say it before the fix.
remedy-how-to-fix = How to fix it:
remedy-shared = For steps { $numbers }:
remedy-shared-all = For each of these steps:
