# Sentences on what a table of noisy gradient descent declares, what a theorem gives for it, and the theorem's premises.

reason-descent-loss-clipped-fix = leave out clip, or set it to { NUM($largest, as: ".6g") } or more, or use loss = "logistic"
reason-descent-network-clipped-fix = leave out clip, and declare lipschitz and smoothness with loss_cap, or with convex = true
reason-descent-deep-network-fix = use loss = "logistic" or "softmax", or a network whose loss has a Lipschitz constant and a smoothness
reason-descent-neither = the network's loss is neither bounded nor said to be convex
reason-descent-neither-fix = declare loss_cap, or convex = true where it is
reason-descent-mini-batches = Theorems 5.1 and 5.2 are for full batches
reason-descent-mini-batches-fix = set policy.use_gaussian_tradeoff = true, with which the trade-off of mini-batches decides
reason-bounds-too-large = B = e^(4 loss_cap/sigma2) exceeds the floating-point range
reason-bounds-too-large-fix = declare a smaller loss_cap, or a larger sigma2
reason-bounds-no-epsilon = Theorem { $theorem } gives no ε here: { $why }
reason-bounds-mini-batches = the trade-off of mini-batches gives no ε here: { $why }
reason-premise-loss-convex-unknown = not known to be convex
reason-premise-loss-convex-not-said = not said to be convex
reason-premise-loss-convex-attested = no curvature was examined
reason-premise-loss-convex-bent = said to be convex, and yet a second difference along a random direction is { NUM($least, as: ".3g") }
reason-premise-loss-convex-tested = tested: second differences along random directions are { NUM($least, as: ".3g") } at least; that alone shows little
reason-premise-loss-convex-fix = a loss that is convex in the parameters, or a bounded one (loss_cap)
reason-premise-loss-bounded-above = a loss of { NUM($largest, as: ".6g") }, and loss_cap is { NUM($cap, as: "g") }
reason-premise-loss-bounded-capped = c(1 - e^(-loss/c)) with c = { NUM($cap, as: "g") }
reason-premise-loss-bounded-fix = cap the loss as declared
reason-premise-loss-constants-above = a record's gradient of norm { NUM($largest, as: ".6g") }, and L is said to be { NUM($lipschitz, as: "g") }
reason-premise-loss-constants-above-fix = a lipschitz of { NUM($largest, as: ".6g") } or more, if that bounds every gradient
reason-premise-loss-constants-fix = declare lipschitz and smoothness of the loss
reason-premise-rows-bounded-fix = scale the rows to norm 1 at most, or set row_norms = "scale"
reason-premise-step-size-trade-off = { NUM($rate, as: ".9g") }; no step moves two models apart
reason-premise-step-size-unknown = { NUM($rate, as: ".9g") }; no beta is known to hold it against
reason-premise-step-size-theorem = { NUM($rate, as: ".9g") }, 1/(2(l2 + smoothness)) = { NUM($wanted, as: ".9g") }
reason-premise-step-size-fix = a rate of { NUM($wanted, as: ".12g") }
reason-premise-full-batch-descent = all records and noise in every step, and the last iterate is the model
reason-premise-mini-batch-descent = { $batches } batches by the records' own ids, { $most } records or fewer in each, sums divided by { $most }; whole epochs in one order, noise in every step, and the last iterate is the model
reason-premise-start-gaussian-any = drawn without the data
reason-premise-start-gaussian-5-1 = N(0, sigma2/(l2(1 - rate l2/2)) I)
reason-premise-start-gaussian-5-2 = N(0, (sigma2/l2) I)
reason-premise-in-one-process = { $what }; in one process with the controller's code
reason-premise-built-in = { $what }; built-in procedure noisy-gd
reason-premise-built-in-batches = { $what }; built-in procedure noisy-sgd
reason-premise-steps-counted-fix = run the steps that are declared, or declare those that are run
reason-premise-noise-measured-fix = add noise of the declared variance, or declare that of the noise which is added
reason-premise-noise-measured-untold = the rerun reports no noise
reason-premise-noise-measured-untold-fix = steps that add noise
reason-premise-labels-fixed-lost = a label that only deleted records had still has its place in the model, whatever the noise
reason-premise-labels-fixed-there = every label of the training data is still there after the last batch
reason-premise-labels-fixed-fix = retrain the model from scratch for the labels that are left
reason-premise-stateless-carried = state.stateless found more than the model carried on
reason-premise-stateless-descent = built-in procedure noisy-gd: an update reads the parameters alone
reason-premise-stateless-batches = built-in procedure noisy-sgd: an update reads the parameters alone
reason-premise-stateless-by-construction = a built-in procedure, by construction
reason-premise-stateless-not-refuted = state.stateless found no case that tells
reason-premise-stateless-unsettled = the network is the controller's own code, and no experiment settled it
reason-premise-stateless-not-shown = state.stateless did not show it
reason-premise-stateless-not-shown-fix = offer parameters(), save() and load()
reason-premise-stateless-fix = keep nothing between updates but the model that is released
reason-descent-loss-clipped = the gradients of the { $loss } loss are clipped to { NUM($clip, as: "g") }, and clipped gradients that are no scalar times the record are the gradient of no loss in general (Lemma F.3 is false there)
reason-descent-network-clipped = the gradients of the network are clipped, and clipped gradients that are no scalar times the record are the gradient of no loss in general (Lemma F.3 is false there)
reason-descent-network-clipped-deep-fix = use loss = "logistic" or "softmax", or a network whose loss has a Lipschitz constant and a smoothness; without the clip a network with hidden layers has no constants: its gradients grow with products of weights, and ReLU is not smooth
reason-descent-deep-network = whatever is declared, a network with hidden layers has no constants: its gradients grow with products of weights, and ReLU is not smooth
reason-descent-step-size = Theorem 5.1 asks for the step size 1/(2(l2 + smoothness)) = { $wanted ->
    [none] nothing
   *[other] { NUM($wanted, as: ".12g") }
}, declared is { NUM($rate, as: ".12g") }
reason-descent-step-size-fix = set rate = "theorem", which is { $wanted ->
    [none] nothing
   *[other] { NUM($wanted, as: ".12g") }
}
reason-descent-step-size-fix-attested = set rate = { $wanted ->
    [none] nothing
   *[other] { NUM($wanted, as: ".12g") }
}
reason-premise-loss-convex-known = { $clip ->
    [none] { $loss } loss
   *[other] { $loss } loss, gradients clipped to { NUM($clip, as: "g") }, each a scalar times its record
}
reason-premise-steps-counted-untold = declared { $learn } for learning and { $unlearn } for each batch; the rerun does not tell how many it took
reason-premise-steps-counted-declared = declared { $learn } for learning and { $unlearn } for each batch; counted as declared in { $updates } updates
reason-premise-steps-counted-other = declared { $learn } for learning and { $unlearn } for each batch; { $counted } were counted in { $number ->
    [0] learning
   *[other] batch { NUM($number) }
}
descent-unknown = unknown
descent-known = L = { $known_lipschitz } and beta = { $known_smoothness } for rows of norm { $norm } at most
descent-no-constants = the network's table does not name { $names }
descent-no-constants-fix = declare { $names } of the loss
descent-failed = declare settings that keep every number within the floating-point range
descent-stated = L = { $lipschitz }, beta = { $smoothness }
descent-stated-known = L = { $lipschitz }, beta = { $smoothness }, of the { $loss } loss for rows of norm 1 at most
descent-stated-attested = L = { $lipschitz }, beta = { $smoothness }, as declared
descent-stated-tested = L = { $lipschitz }, beta = { $smoothness }, as declared; gradients had norms of { NUM($largest, as: "up") } at most
descent-stated-linear = L = { $lipschitz }, beta = { $smoothness }; softmax regression with an intercept has { $known }
descent-stated-linear-fix = declare { $known }
descent-rows-bounded = the largest of { $rows } rows has norm { $norm }{ $scaled ->
    [true] , each longer row scaled to norm 1
   *[false] { "" }
}
descent-noise = mean square { NUM($measured, as: ".6g") } of { $count } numbers, declared { NUM($declared, as: "g") }; a variance off by { $detects } % would be found with probability { $power } %
descent-noise-refused = { $said }; refused for { $first ->
    [0] learning
   *[other] batch { NUM($first) }
}{ $others ->
    [0] { "" }
   *[other] {" "}and { NUM($others) } other updates
}
