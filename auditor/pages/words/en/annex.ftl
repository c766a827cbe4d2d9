# The technical annex: for a reviewer who rechecks.

annex-lead = For a reviewer who wants to recheck. Values are those of evidence.json, rounded to four digits: measured values to the nearest, bounds outward, so that an upper one is printed higher and a lower one lower. Whatever is too long to print is attached as a file; the file index lists them.

annex-method = Method and thresholds
annex-method-answers = The controller wrote down what models answered, and the auditor compared these tables: deleted records with records that no model had, answers from before and after, right answers. No procedure was rerun and no model was loaded, so whether the answers are those of the released model was not examined. The thresholds below are as declared. When they were chosen cannot be told from here. The digest covers the required checks, the policy, the claims and what is attested: change one and it changes.
annex-method-places = The auditor read the places that the case names, file by file, in a process of limited memory and time without network. It looked for deleted people by id, by the names and numbers of the log, and by value where a table was given, and took account of every byte. No model was examined. The thresholds below are as declared.
annex-method-program = The auditor played requests of made-up people against the declared program and compared what it kept and answered, with and without the person. There was no learning procedure, no training data and no log of real requests. The thresholds below are as declared. When they were chosen cannot be told from here. The digest covers the required checks, the policy, the claims and what is attested: change one and it changes.
annex-method-how = The auditor ran the declared procedure again on the controller's data, replayed the deletion log batch by batch and measured the result. It compared this with the thresholds below, as declared. When they were chosen cannot be told from here. The digest covers the required checks, the policy, the claims and what is attested: change one and it changes.
annex-policy-digest = Digest of the policy
annex-deciding = Deciding checks
annex-deciding-default = { $checks }. The policy lists none, so every check that applies decides, apart from those that only a claim calls for.
annex-deciding-none = None.
annex-threshold = Threshold
annex-threshold-value = Value
annex-threshold-reason = Reason given
annex-reason-none = none given
annex-claimed = claimed: { $name }
annex-thresholds-none = The policy sets no threshold of its own. Claims and the procedure's own budget take their place.
annex-attested = Attested by { $who }: { $names }. What no check examined of this is taken on trust.
annex-attested-none = The controller attests nothing.
annex-claims-not-examined = No check of this run examines these claims: { $names }.
annex-claim-procedure = { $claim }, for the procedure only: no whole model was compared with it
annex-claims-standing = Claims bind the verdict: { $claims }.
annex-rules = A required check that fails makes the verdict “fail”. Where none fails but one could not be decided, or a claim is not at least supported, the verdict is “inconclusive”: silence is never read as a pass. Tests of the controller's own code are never enough for a pass; { $way }.
annex-rules-way = here the way called { $route } is open
annex-rules-no-way = here no such way is open
annex-rules-no-code = here nothing rests on such tests alone
annex-procedure = Procedure
annex-procedure-answers = None was given: the case has answers that the controller wrote down
annex-procedure-built-in = { $use }, built into the auditor
annex-procedure-around = { $use }, built into the auditor, around { $entry }, the controller's own code
annex-procedure-own = { $entry }, the controller's own code
annex-procedure-none = none was declared
annex-unlearning = Unlearning by
annex-records = Records trained on
annex-records-left = { $all }, of which { $left } are left after the log
annex-shape = Features, classes, parameters
annex-holdout = Records held out
annex-seed = Seed of the procedure
annex-seed-digest = A secret, and not in this report. Salted SHA-256 { $digest }, salt { $salt }.
annex-seed-short = A secret, and not in this report. No digest of it is given: the seed is so short that the digest would give it away.
annex-hyperparameters = Declared hyperparameters
annex-chances = How often an honest case is accused
annex-chances-text = Tests that accuse are exact; the sum counts each at its full level, and makes no assumption about how they depend on each other. A case that is too small to decide always stays open, which is not counted as chance; the check names the number that would suffice. Checks that are not listed leave nothing to chance.
annex-chances-check = Check
annex-chances-level = How often each test errs in 100,000 audits, at most: with a plus, several tests of one check
annex-chances-accuses = accuses an honest case
annex-chances-leaves-open = leaves an honest case open
annex-chances-pass-needs = lets pass what is worse than the policy allows
annex-limits = What no audit of this kind can say
annex-limits-text = The audit covers the files whose digests it lists and the procedure as declared: another model, log or procedure needs another audit. A check that passes shows that its value met its threshold, not that no trace of a person remains anywhere. What is attested rests on the controller's word. A guarantee covers one release: anyone who also has an earlier model can compare the two, unless the guarantee says otherwise. An attack that finds nothing shows only that this attack found nothing.

annex-checks = Checks that ran
annex-checks-lead = The line below each name gives the status, the value and the threshold. “Informative” checks were measured and do not decide.
annex-checks-none = No check came to a result.
annex-decides = decides
annex-on-trust = on trust
annex-informative = informative
annex-does-not-decide = does not decide
annex-value-none = no value
annex-interval = interval { $interval }
annex-passes = passes if { $threshold }
annex-all-rows = All { $count } rows are in { $file }.
annex-first-rows = The first { $most } of { $count } rows; all of them are in evidence.json.
annex-rows-in-evidence = All { $count } rows are in evidence.json.
annex-not-run = Checks that did not run
annex-check = Check
annex-why = Why
annex-no-result = Required by the policy; the evidence holds no result for it.

annex-overdue = Requests that are late, or late unless a doubt excuses it, or refused without a reason, the worst first
annex-overdue-received = Received
annex-overdue-rule = Rule
annex-overdue-due = Due
annex-overdue-what = What is wrong
annex-place = Place
annex-searched = Records searched
annex-found = Deleted records found
annex-how = How
annex-not-searched = Not searched: { $place } ({ $why }).
annex-remembers-levels = { $detected } of { $tried } have a p of at most 0.05, at which they count as detected, and { $accused } of at most 0.01, at which a release is accused.
annex-remembers-singly = { $count } of { $of } requests could not have been detected one by one.
annex-remembers-tried = Models that still hold the deleted records took the release's place and were judged in exactly the same way. Their { $what }: { $values }. By the scores alone that compare deleted records with unseen ones, the release has { $specific }.
annex-remembers-stages = Two stages: the first compared it with { $first } retrained models ({ $what } { $value }), the second with { $second } others (p = { $p }). The second alone decides, at { $level }.
annex-swap-how = Each pair draws two sets of equal size. One model learns and unlearns the first set (the forget set), another the second; both keep the retain set. Attacks then try membership inference on every record of both sets. An attack's advantage is the share of deleted records that it takes for training data (true positive rate) minus that of records that the model never saw (false positive rate), over both models of a pair, averaged over the pairs.
annex-swap-attacks = Signed advantage of each attack, largest in size first; 0 means guessing
annex-attack = Attack
annex-auc = AUC, procedure
annex-procedure-side = Procedure
annex-baseline-side = No unlearning
annex-retrained-side = Retrained
annex-attack-decides = decides
annex-swap-measures = Q and related measures
annex-measure = Measure
annex-value = Value
annex-interval-head = Interval
annex-swap-silent = What this test does not show. { $sentences }
annex-swap-pairs = The advantages of every pair are in evidence.json.
annex-strong-how = This adversary knows both sets of a pair, sees one model, and names the set that the model once held. If the model reveals nothing about either, it is right half of the time.
annex-side = Model
annex-share = Share named correctly
annex-compared = Stated upper bounds on ε, and the lower bounds that attacks show
annex-statement = Statement, attack
annex-confidence = Confidence
annex-for-retraining = For retraining
annex-outcome = Outcome
annex-refuted = refuted
annex-not-refuted = not refuted
annex-not-refuted-from = not refuted; the run could refute no stated ε above { $refutable }, and would notice a true one from { $noticed }
annex-not-tested = not tested
annex-not-tested-from = not tested below { $noticed }
annex-lower-decides = decides
annex-lower-compares = for comparison
annex-removal-claim-read = The claim names no number of records. It is read as one about any removal by the controller’s own code, and so about all records that the game removes together; the SWAP test says how many those are. What is refuted is the claim so read.
annex-for-retraining-note = “For retraining” is the same bound for retraining against retraining, where the true value is 0: whatever it shows there is noise. A dash: the method has no such bound.
annex-not-compared = Not compared: { $statement }. { $why }
annex-budget-sources = ε and δ by { $source }
annex-budget-source-value = ε { $epsilon }, δ { $delta }
annex-budget-classical = The classical budget is the paper's own, σε/√(2 ln(1.5/δ)), for comparison. { $covered ->
    [yes] { "" }
   *[no] Its proof covers ε ≤ 1 only, and so not this case.
}
annex-budget-bounds = Worst case: from ‖x‖ ≤ 1 alone, corrected for b ≠ 0. As printed: Corollaries 1 and 2 of Guo et al. 2020. Online: ½γ‖X‖₂ max‖x‖ ‖δ‖₂ √(δᵀXᵀXδ), γ = 1/(6√3). Tightened: ½γ‖X‖₂‖Xδ‖₄². Local: as tightened, with a Lipschitz constant γᵢ for the segment that record i moves along. Measured: the norm itself, no bound. Tightened and local are the auditor’s own; their proofs are in its documentation.
annex-budget-papers-exceed = By the paper’s own bounds, as printed, the budget is exceeded: { $printed } of { $budget }. That it is kept rests on the auditor’s { $criterion } bound, { $value }.
annex-budget-series = Residual β after each batch, bound by bound
annex-batch = Batch
annex-removed = Removed
annex-left = Left
annex-worst-case = Worst case
annex-as-printed = As printed
annex-online = Online
annex-tightened = Tightened
annex-local = Local
annex-measured = Measured
annex-retrained = retrained
annex-budget-hardest = What one batch adds to β: as in the log, and for as many records with the worst margins
annex-budget-log = the log's { $batch }
annex-budget-worst = worst margins instead
annex-budget-hardest-note = No request named the records with the worst margins; a later one may. It decides nothing.
annex-privacy-loss = A diagnostic of the assumption that the residual u is independent of b: over { $draws } fresh b, not the secret one, the exact privacy loss after the log had a standard deviation of { $deviation } and at most { $largest } in absolute value. If they are independent, the standard deviation would be ‖u‖/σ, on average { $shift }. It certifies nothing.
annex-unmet = Premises that are not met
annex-premise = Premise
annex-holds = Holds
annex-fix = How to fix it: { $fix }
annex-deletion-orders = Bounds by Rényi order
annex-order = Order q
annex-guesses = Right guesses of 100, by the lesser of √(ε/2) and the bound at the order
annex-role = Role
annex-role-declared = declared
annex-role-best = best on the grid
annex-deletion-forms = The same in (ε, δ), one-directional, each at its best order
annex-mironov = ε (Mironov 2017)
annex-canonne = ε (Canonne et al. 2020)
annex-deletion-batches = Batch by batch: one record, and all that left together
annex-before = Before, n
annex-one-record = ε_dd, one record
annex-all-together = ε, all m together
annex-excess-risk = Numbers in brackets are equations of Forget Unlearning (Chourasia and Shah 2023). Excess risk is the mean regularised loss above its minimum, in the units of the loss and on average over the noise. The theorem gives only its order; the bound with constants is the auditor's, and its proof is in the auditor's documentation.
annex-deletion-silent = What data deletion does not cover. { $sentences }
annex-no-steps-figure = There is no figure of ε_dd against the steps: { $why ->
    [void] a premise is false, and no bound holds at any number of them.
   *[unknown] no bound is known at any number of them.
}
annex-adaptive-requests = Request by request
annex-request = Request
annex-seen-stated = Seen, as logged
annex-seen-counted = Counted, p
annex-epsilon-p = ε(p)
annex-adaptive-counted = Counted is what all requesters together may have seen of the models from before the deletion. A dash: the row names no number, and every model published before it counts.
annex-no-requester = No adaptive requester played against the procedure in this run.
annex-requester-how = The requester sees published models, chooses later requests by them, and an adversary examines what is released after the target's deletion. An advantage in this game is evidence against the claimed ε; no result is evidence for it.
annex-carried = What survived an update in addition to the model: { $names }.
annex-carried-nothing = Nothing but the model was found to survive an update.
annex-differing = Updates that gave another result without it
annex-after-update = After update
annex-difference = Largest difference
annex-resumed = Updates resumed in a fresh process
annex-resumed-from = Resumed from
annex-came-out = Result
annex-not-known = Why it is not known

annex-certificates = Certificates
annex-certificates-lead = A certificate is arithmetic: from its inputs, its rule gives the same numbers on any machine. Inputs, conditions and all results of each are in { $file }; auditor verify derives all of them again, and auditor calc RULE derives one.
annex-certificates-none = The audit derived no certificate: no rule applied to what was declared and measured.
annex-rule = Rule
annex-certificate-of = From
annex-also-yields = Also yields
annex-conditions = Conditions
annex-conditions-met = { $count ->
    [0] { $given } taken as given
   *[other] { NUM($count) } computed{ $given ->
        [0] {""}
       *[other] , { NUM($given) } taken as given
    }
}
annex-times = × { $count }
annex-conditions-unmet = not met: { $names }
annex-more = { $count } more

annex-guarantees = Guarantees relied on
annex-guarantees-lead = A guarantee is the conclusion of a theorem and is only as strong as its weakest premise. Shown: every premise was computed or measured here. Supported: it holds if what the controller attests is true.
annex-guarantees-none = No guarantee is relied on: no theorem leads to one from the facts at hand.
annex-guarantee-epsilon = ε = { $epsilon }
annex-guarantee-right = at most { $most } of 100 guesses right
annex-guarantee-curve = ε = { $epsilon } at δ = { $delta }, a tenth of 1/n
annex-guarantee-order = Rényi ε = { $epsilon } at order { $order }
annex-by-theorem = By { $rule }.
annex-uncontradicted = No premise, but compared: { $fact } ({ $checks })
annex-uncontradicted-untested = { $fact } This says nothing for the guarantee: no attack could test it ({ $checks }).
annex-premises = Premises relied on, the weakest first
annex-known-by = Known by
annex-premise-found = Evidence
annex-guarantees-others = Guarantees not relied on
annex-guarantee-refuted = { $title } is refuted: “{ $fact }” was found false ({ $found }).
annex-guarantee-premise = { $title } is not shown: its premise “{ $fact }” is not met ({ $found }).
annex-guarantee-no-theorem = { $title } is not shown: no theorem leads to it from the facts at hand.
annex-guarantee-not-shown = { $title } is not shown.
annex-guarantee-missing = { $title } is not shown: the nearest theorem ({ $rule }) lacks { $count ->
    [one] one of { $total } premises
   *[other] { $count } of { $total } premises
}, among them { $named }.

annex-reproduce = How to reproduce
annex-reproduce-how = With the same inputs, version and seed on the same kind of machine, the first command gives the same evidence except for times and durations. CASE is the folder with audit.toml and the input files below. The other commands run none of the controller's code: they derive everything again and compare, render this report, and write the attached tables.
annex-containment-none = The procedure ran without containment.
annex-containment = Before the procedure ran, the auditor tried to escape from a sandbox of level “{ $level }”. { $escaped ->
    [0] None of { $all } attempts escaped.
    [one] 1 of { $all } attempts escaped; this level does not promise to stop it.
   *[other] { $escaped } of { $all } attempts escaped; this level does not promise to stop them.
}
annex-escaped = Escaped
annex-contained-by = Stopped: { $found }
annex-capped = The sandbox is too weak for foreign code, so the verdict is at most inconclusive.
annex-run = Kind of run
annex-run-quick = quick: smaller samples than a full run
annex-run-full = full
annex-budget = Time given
annex-budget-resized = { $key }: { $used } instead of { $declared }
annex-budget-left-out = left out: { $names }
annex-budget-nothing = nothing was cut for it
annex-isolation = Isolation
annex-device = Device
annex-version = auditor, Python
annex-auditor-seed = Auditor's seed, exit code
annex-packages = Packages
annex-imported = Loaded by the procedure
annex-imported-elsewhere = Loaded from no package

annex-files = File index
annex-files-print = evidence.json is attached to this PDF, with the tables that are too long for print. auditor verify makes each table again from the evidence and compares.
annex-files-screen = This page renders one evidence.json. auditor report writes its long tables.
annex-evidence-digest = SHA-256 of evidence.json; the foot of each page has its first 16 digits
annex-case-digest = Digest of the inputs
annex-files-signed = The file statement.dsse.json signs the evidence with key { $key }, together with both renderings of the report, and with the model file where there is one. This page saying so shows nothing: auditor verify compares the files with the statement, and the statement with a public key that you have from elsewhere.
annex-files-unsigned = The digest protects the content only once it is kept or signed somewhere else: this report is UNSIGNED.
annex-kept-until = The controller declares that the records of this case and kept runs are kept until { $day }. auditor purge removes them; this evidence is verified without them.
annex-kept-a-year = No day is declared until which the records of this case and kept runs are kept: it is { $day }, one year after the audit. auditor purge removes them; this evidence is verified without them.
annex-file = File
annex-file-holds = Holds
annex-said = What files in the folders of models say of them, in the party's own words. Not examined, and nothing was decided by it.
annex-said-folder = Folder
annex-said-about = About
annex-said-adapter = Adapter
annex-said-architecture = Architecture
annex-said-base-model = Base model
annex-said-created = Made at
annex-said-framework = Framework
annex-said-kind = Kind of model
annex-said-licence = Licence
annex-said-mlflow = Version of MLflow
annex-said-model = Id of the model
annex-said-run = Id of the run
annex-said-task = Task
annex-said-transformers = Version of transformers
annex-said-words = Says
annex-input = Input
annex-bytes = Bytes
annex-inputs-none = The evidence lists no input file.
annex-file-evidence = The evidence that this report renders
annex-file-requests = Every request in the log, with its dates and outcome
annex-file-certificates = Every certificate with its inputs, conditions and results
annex-file-problems = Every problem found in the log
annex-file-inputs = Every input file with its digest
annex-file-rows = { $check }: all rows of “{ $key }”

annex-glossary = Glossary
annex-meaning = What it means here

# Deletion games

annex-games = Attacks in the game that decides: two records of the training data, one of them deleted
annex-games-number = Games
annex-games-right = Right, of 100
annex-games-ties = Ties, of 100
annex-games-not-lost = Right or tied, of 100
annex-rebuilt = Guesses at a deleted record, against records that stayed
annex-rebuilt-won = Nearest, of 100
annex-rebuilt-of-two = Nearer than one, of 100
annex-rebuilt-note = Nearest: the guess was nearer to the deleted record than to every decoy, ties by a fair draw. The last column holds the same guesses against a single decoy.
annex-rebuilt-remedies = The same guesses, if less were shown
annex-rebuilt-remedy = Remedy
annex-rebuilt-enough = Enough
annex-rebuilt-enough-yes = yes
annex-rebuilt-enough-no = no
annex-rebuilt-remedies-note = Of each remedy the attack that won most. Enough: every attack that was tried stays within the limit for certain. Fewer games are played where a remedy needs models of its own.
annex-games-note = A fair coin decides a tie. Some tables count ties as wins: that is the last column. Every variant and remedy is in the attached table of variants.
