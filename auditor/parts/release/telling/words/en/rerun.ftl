# Sentences of `model.reproduced`, `utility.accuracy` and `cost.speedup`.

reason-model-container-repeated = a name that its header repeats
reason-model-container-header = a header in another order or spelling
reason-model-container-padding = padding of another length
reason-model-container-compressed = compressed data, which can be packed in many ways
reason-model-container-date = a date
reason-model-container-npy = an array header in another spelling
reason-model-container-other = bytes in places that say nothing of the array
reason-model-container-pickled = the container of a file that torch.save wrote, whose bytes its tensors do not determine
reason-model-tensors-not-tied = tensors that the module has once, under several names, with other numbers under each
reason-model-tensors-some-left-out = a choice of which constant tensors are in it
reason-model-tensors-unknown = { $tensors ->
    [1] 1 tensor
   *[other] { NUM($tensors) } tensors
} that the module does not have ({ $bytes ->
    [1] 1 byte
   *[other] { NUM($bytes) } bytes
})
reason-model-tensors-missing = { $tensors ->
    [1] 1 tensor is
   *[other] { NUM($tensors) } tensors are
} missing
reason-model-tensors-other-shape = { $tensors ->
    [1] 1 tensor is
   *[other] { NUM($tensors) } tensors are
} of another shape or type
reason-model-tensors-other-constant = { $tensors ->
    [1] 1 tensor that training leaves alone holds
   *[other] { NUM($tensors) } tensors that training leaves alone hold
} something else ({ $bytes ->
    [1] 1 byte
   *[other] { NUM($bytes) } bytes
})
reason-model-reproduced-no-model = [model] was left out: the audit covers the procedure alone.
reason-model-reproduced-no-parameters = The procedure offers no parameters(), so nothing says that the model file is what it gives.
reason-model-reproduced-equal-bits = The parameters are those of the rerun, bit for bit.
reason-model-reproduced-many-midpoints = The rerun lies next to a midpoint of the grid in { $near_midpoints } parameters, each of which leaves a free bit; { $most } are allowed.
reason-model-reproduced-saved-other = What save() writes at the end of the replay holds other parameters than the file.
reason-model-reproduced-saved-unreadable = What save() writes at the end of the replay is no file with the one array `parameters`.
reason-model-reproduced-load-refused = load() refused the file in a fresh process, without training data and log.
reason-model-reproduced-load-failed = The model that load() made of the file in a fresh process, without training data and log, could not be asked for parameters and predictions.
reason-model-reproduced-other-shape = The numbers of parameters differ, so these are different models.
reason-model-reproduced-not-deterministic = The procedure is not deterministic, so equality cannot be expected.
reason-model-reproduced-tolerance-reruns = the difference of two reruns
reason-model-reproduced-tolerance-optimiser = the declared tolerance of the optimiser, over the strong convexity of its objective
reason-model-reproduced-tolerance-rounding = the rounding of the steps on another processor, over the strong convexity of the objective
reason-fact-release-reproduced-file-decides = model.reproduced did not find the model file equal to the rerun, and no word replaces that
reason-model-reproduced-tolerance-grid = half the declared grid, and the difference of two reruns
reason-fact-release-reproduced-bits = model.reproduced: the same in every bit, in a file that holds nothing else
reason-fact-release-reproduced-grid = model.reproduced: the same when rounded to the declared grid, in a file that holds nothing else; rounding moved a parameter by { NUM($difference, as: "up") } at most
reason-fact-release-reproduced-chosen = model.reproduced: the same on the declared grid, in a file that holds nothing else; in { NUM($near_midpoints) } of its parameters the rerun lies next to a midpoint, and that nobody chose which way they were rounded is the controller's word
reason-fact-release-reproduced-other = model.reproduced: the shipped model is another one
# A model file in a library's own format.
rerun-file-compared = The log was replayed. The shipped file has { NUM($bytes) } bytes, in { $kind }.
reason-model-reproduced-file-equal = The file is what the rerun saves: its bytes are the same, or the one canonical way to write them.
reason-model-reproduced-file-part = { $part ->
    [estimator] The file holds the estimator alone: what prepares its rows is in no file that was examined, and nothing here covers it.
   *[other] The file holds the step { $part } of a pipeline and no more: every other step that predicts with it is in no file that was examined, and nothing here covers it.
}
reason-model-reproduced-file-no-save = The class has no save(), so nothing says what file the procedure gives: give it save(model, path).
reason-model-reproduced-file-not-repeated = No second run saved a file, so nothing says whether the procedure gives the same file twice.
reason-model-reproduced-file-refused = What loads the file in a fresh process, without training data and log, refused it. Where it holds one step of a pipeline, name that step in [model] part.
reason-model-reproduced-file-failed = The model that the file made in a fresh process, without training data and log, gave no such predictions. Where it holds one step of a pipeline, name that step in [model] part.
reason-model-reproduced-file-not-loaded = Nothing here loads this file, so nothing ties it to what predicts. How to fix it: release the format that the library loads, or give the class load(path).
reason-model-reproduced-file-by-probes = On rows that both were asked about, the file predicts as the rerun does, within { NUM($moved, as: "up") }. That is by predictions on these rows alone: what it predicts elsewhere, and what else it holds, nothing here says. How to fix it: have save() write the file that is released.
reason-fact-release-reproduced-file = model.reproduced: the very file that the rerun saves, which predicts by itself as the rerun does
reason-fact-release-reproduced-part = { $part ->
    [estimator] model.reproduced: the estimator alone is the rerun's, and nothing of the model that prepares its rows was given
   *[other] model.reproduced: the step { $part } alone is the rerun's, and no other part of the model was given
}
reason-fact-release-reproduced-part-attested = { $part ->
    [estimator] model.reproduced: the estimator is the rerun's; that what prepares its rows is too is attested by { $by }, { $at }
   *[other] model.reproduced: the step { $part } is the rerun's; that the other steps are too is attested by { $by }, { $at }
}
rerun-file-place = { $tree ->
    [none] { $field ->
        [none] outside its trees
       *[other] in “{ $field }”
    }
   *[other] in tree { $tree }, counted from 0{ $field ->
        [none] { "" }
       *[other] , “{ $field }”
    }
}
rerun-file-other = The model in the file is not the rerun's: { $values ->
    [1] 1 value differs,
   *[other] { NUM($values) } values differ, the first
} { $place }.
reason-model-reproduced-earlier = The file holds an earlier model: the one that the procedure gives { $batch ->
    [0] before every erasure of the log
   *[other] after { $batch } of the log's { $batches } batches of erasures
}, from which it differs by { NUM($difference, as: "up") } at most. Records of later erasures are in its training. How to fix it: train again on what remains, and name that file in [model] path.
reason-model-reproduced-file-earlier = The file is an earlier model: the one that the procedure saves { $batch ->
    [0] before every erasure of the log
   *[other] after { $batch } of the log's { $batches } batches of erasures
}. Records of later erasures are in its training. How to fix it: train again on what remains, and name that file in [model] path.
rerun-file-near = { $values ->
    [1] 1 value differs,
   *[other] { NUM($values) } values differ, the first
} { $place }, none by more than { NUM($largest, as: "up") } of itself. Another machine may round like that, and a record may hide in it. How to fix it: release what the procedure saves on the machine of the audit, or audit where the file was made.
rerun-file-besides = The model in the file is the rerun's, but { $values ->
    [1] 1 value that describes it differs,
   *[other] { NUM($values) } values that describe it differ, the first
} { $place }. How to fix it: release the file as the library saves it, with the same settings and nothing added.
rerun-file-spelling = The file holds the rerun's values in another spelling or order, which leaves room. How to fix it: { $kind ->
    [skops] auditor canonical FILE -o OUT writes it without that room; release OUT.
   *[other] release the file as the library saves it.
}
rerun-file-unreadable = What save() writes at the end of the replay is no file in { $kind }. How to fix it: name the step of the pipeline that the file holds in [model] part, or have save() write the file that is released.
rerun-format-lightgbm = LightGBM's text format
rerun-format-lightgbm-dump = the JSON of LightGBM's dump_model
rerun-format-xgboost-json = XGBoost's JSON
rerun-format-xgboost-ubj = XGBoost's UBJSON
rerun-format-skops = the format of skops
rerun-format-onnx = ONNX
reason-utility-accuracy-no-holdout = The case names no holdout data ([data] holdout).
reason-utility-accuracy-regression = Accuracy is a measure of classification.
reason-utility-accuracy-no-predictions = The procedure gave no predictions.
reason-utility-accuracy-predicted = { $records } holdout records, predicted by the unlearned model and by one retrained on what is left.
reason-utility-accuracy-moved = On { $records } copies of them, moved a little towards a neighbour of the same label, { NUM($drop, as: ".3g") } is lost.
reason-utility-accuracy-unseen = On { $records } training records that the models of the SWAP test had not met, { NUM($drop, as: ".3g") } is lost.
reason-utility-accuracy-nothing-unseen = No SWAP test was played, so the only records that were unseen are those of the holdout.
reason-utility-accuracy-moved-refused = The procedure raised an error on copies of the holdout that were moved a little, so that nothing says that its accuracy reaches beyond the rows of the holdout.
reason-utility-accuracy-informative = Informative: the policy sets no max_accuracy_drop.
reason-cost-speedup-no-batch = No batch was unlearned, so there is no time to compare.
reason-cost-speedup-timed = Median time of one retraining from scratch over the median time of unlearning one batch, from question to answer by the auditor's clock. It is what the declared code took: retraining that is slow on purpose makes it larger, and work put off to another call or a background thread is not in it.
reason-cost-speedup-own-training = Retraining is the controller's own code, which could waste time wherever it does not unlearn. To pass, the controller has to attest procedure-honest.
reason-cost-speedup-informative = Informative: the policy sets no min_speedup.
reason-model-container-metadata = { $bytes ->
    [1] 1 byte
   *[other] { NUM($bytes) } bytes
} of metadata
reason-model-container-members = { $members ->
    [1] { NUM($members) } further array or file
   *[other] { NUM($members) } further arrays or files
}
reason-model-container-comment = { $bytes ->
    [1] 1 byte
   *[other] { NUM($bytes) } bytes
} of comments
reason-model-container-extra = { $bytes ->
    [1] 1 byte
   *[other] { NUM($bytes) } bytes
} of extra fields
reason-model-container-gap = { $bytes ->
    [1] 1 byte
   *[other] { NUM($bytes) } bytes
} of gaps before, between or after its parts
reason-model-reproduced-replayed = The log was replayed; the shipped file and the rerun hold { $shipped } and { $rerun } parameters. { $between_reruns ->
    [none] Two reruns had not even equally many parameters.
   *[other] Two reruns differed by { NUM($between_reruns, as: "up") } at most.
}
reason-model-reproduced-differing = { $parameters ->
    [1] 1 parameter is
   *[other] { NUM($parameters) } parameters are
} not those of the rerun in every bit: within that difference a parameter can hold { NUM($free_bits, as: ".3g") } bits on average, and nothing says what is in them.
reason-model-reproduced-reruns-differ = Two reruns differ by { NUM($between_reruns, as: ".3g") }, which leaves a parameter { NUM($free_bits, as: ".3g") } bits on average that nothing determines.
reason-model-reproduced-loaded-other = { $parameters ->
    [none] Loaded in a fresh process, the file gave a model of another number of parameters.
    [1] Loaded in a fresh process, the file gave a model in which 1 parameter is not those of the file.
   *[other] Loaded in a fresh process, the file gave a model in which { NUM($parameters) } parameters are not those of the file.
}
reason-model-reproduced-predicts-other = { $moved ->
    [none] What the file predicts, loaded in a fresh process, was not compared with the predictions of the replay.
   *[other] Loaded in a fresh process, without training data and log, the file predicts otherwise than the model at the end of the replay, by { NUM($moved, as: "up") } at most: what predicts there is not in the file.
}
reason-utility-accuracy-knows-holdout = The unlearned model is right on { NUM($originals, as: ".3g") } of the holdout records that could be moved and on { NUM($copies, as: ".3g") } of their copies, which were moved a little towards a neighbour of the same label. That is more than { NUM($allowed, as: ".3g") } apart with confidence { NUM($confidence, as: ".3g") }, which movement does not explain: it may answer rows that it knows from a table, so its accuracy on the holdout says little.
rerun-table-holdout = the holdout
rerun-table-moved = moved copies of the holdout
rerun-table-unseen = records that its models had not met
rerun-within-chance = On { $table } between { $low } and { $high } points of accuracy may be lost. The policy allows { $allowed }, which lies between: there are too few records to tell.
rerun-other-tensors = These are not the tensors of the declared module: { $how }.
rerun-container = The file holds more than its array determines: { $holds }.
rerun-equal-on-grid = The parameters are those of the rerun, rounded to multiples of { $grid }; the rerun lies next to a midpoint in { NUM($near_midpoints) } of them{ $near_midpoints ->
    [0] { "" }
   *[other] ; { $neighbours ->
        [1] 1 parameter is
       *[other] { NUM($neighbours) } parameters are
    } the neighbouring multiple
}.
rerun-grid-too-fine = The grid { $grid } is too fine: 16 times the difference of two reruns and 2^-40 of the largest parameter ask for { NUM($least, as: ".3g") } at least.
rerun-grid-too-coarse = The grid { $grid } is coarser than the largest parameter, { NUM($largest, as: ".3g") }: hardly anything of the model would be left.
rerun-off-grid = { $not_multiples } parameters are no multiples of the grid { $grid }, and { $elsewhere } are other multiples than the rounded rerun; within that difference a parameter can hold { NUM($free_bits, as: ".3g") } bits on average.
rerun-remedy = How to fix it: auditor canonical { $path } -o OUT{ $grid ->
    [none] { "" }
   *[other] {" "}--grid { $grid }
} writes a file without that room; release OUT{ $grid ->
    [none] { "" }
   *[other] {" "}and [model] grid = "{ $grid }"
}.
rerun-not-loaded = The class has { $lacking }, so nothing ties the file to the model that predicts: give it save(model, path), load(path) and parameters(model).
rerun-unchanged = Batch { $batches } left the model as it was: that took no time and unlearned nothing.
