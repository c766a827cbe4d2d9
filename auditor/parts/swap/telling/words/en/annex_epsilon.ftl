# What `epsilon.consistency` compared: stated upper bounds on ε and the lower bounds that attacks showed.

epsilon-label-swap-paper = single records, as the paper has it
epsilon-label-whole-set = the adversary that sees whole sets
epsilon-label-requester = a requester, against any law
epsilon-label-requester-advantage = a requester, by its advantage
epsilon-label-two-records = chains with either of two records
epsilon-label-two-sample = chains with the record and without
epsilon-label-reencoding = the requester of Theorem 4.5 on chains
epsilon-label-membership-tests = two membership tests on chains
epsilon-at-order = {" "}at order { $order }
epsilon-renyi-at-most = Rényi ε ≤ { $epsilon }{ $order }
epsilon-at-delta = {" "}at δ = { $delta }
epsilon-with-confidence = {" "}with { $confidence } confidence
epsilon-shows = { $title } shows { $unit } of at least { $epsilon }{ $at }{ $trust }
epsilon-refuted-by = Refuted: { $statements }. { $shown }.
epsilon-no-pair = There is no pair of bounds to compare.
epsilon-renyi-order = Rényi order { $order }
