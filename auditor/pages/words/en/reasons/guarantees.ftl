# What each guarantee says in plain words.

guarantee-title-certified-removal = Certified removal of the model
guarantee-by-certified-removal-retraining = Retraining without the deleted records
guarantee-brief-certified-removal = the model is nearly as if the deleted records had never been in it (certified removal)
guarantee-brief-data-deletion = models after a deletion tell little about the deleted records (data deletion)
guarantee-brief-deletion-as-control = what is kept tells nothing, or little, about people who were deleted (deletion-as-control)
guarantee-brief-deletion-as-confidentiality = what others see tells little about people who were deleted (deletion-as-confidentiality)
guarantee-brief-adaptive-unlearning = the models are nearly as if trained again, even if requests depend on what came before (adaptive unlearning)
guarantee-title-data-deletion = Data deletion of the model
guarantee-title-deletion-as-control = Deletion-as-control
guarantee-title-deletion-as-confidentiality = Deletion-as-confidentiality
guarantee-title-adaptive-unlearning = Adaptive machine unlearning of the models
guarantee-unlearning = For requesters who see every model and choose requests by it: except with probability γ over the requests that were made, the models are (α, β)-close to models learned from the records that are left, with α = { $alpha } and γ = { $gamma } for β = { $beta }, and a γ for every other β above 0.
guarantee-unlearning-open = For requesters who see every model and choose requests by it: it would say how close the models are to models learned from the records that are left. No numbers were shown.
guarantee-unlearning-covers = It covers the models at one time, which was fixed in advance. It is not deletion-as-control: it says nothing of what the controller does later, of the data store, or of anything else that is kept (Section 3.4).
guarantee-right = is right at most { $most } of 100 times, where guessing is right 50 times ({ $hard })
guarantee-removal-loss = Anyone who sees the released model once and guesses whether it is one that was trained without any of the deleted records, { $right }.
guarantee-removal-loss-open = Anyone who sees the released model once could tell it from one that was trained without any of the deleted records no better than ε and δ allow, if the guarantee held.
guarantee-removal-loss-covers = This covers the model alone and one release: it gives no protection against anyone who also has the model from before the removal.
guarantee-removal-noise = Where the seed was drawn at random and kept secret, and noise, residual budget and regularisation were fixed without looking at the data, as the controller attests: anyone who sees the released model once, and knows neither the noise in it nor its seed, and guesses whether it is the exact retraining without the records that the log names, released with noise of the same size, { $right }.
guarantee-removal-noise-open = Where the seed was drawn at random and kept secret, and noise, residual budget and regularisation were fixed without looking at the data, as the controller attests: anyone who sees the released model once, and knows neither the noise in it nor its seed, could tell it from the exact retraining without the records that the log names, released with noise of the same size no better than ε and δ allow, if the guarantee held.
guarantee-removal-noise-covers = This covers requests that were fixed in advance, the training records as they were given, the model alone and one release: it gives no protection against anyone who also has the model from before the removal.
guarantee-removal-factor = No event's probability differs by more than a factor e^ε, up to δ.
guarantee-removal-extracted = The extractor that made the features is not retrained: by the privacy of its training it counts as one that never saw the deleted records, which is part of ε and δ.
guarantee-control = What the controller's whole state says about the person after deletion is bounded by ε and δ, beyond what they allowed others to learn while their data was there. Their data may have reached other people before the deletion: control allows that.
guarantee-control-guess = Anyone who sees that state and guesses whether their data was ever there { $right }.
guarantee-control-same = Of any number of people who are deleted together it says the same, with the same ε and δ.
guarantee-control-private = This rests on noise in the training of a model that is never updated: it holds up to a factor e^ε and δ for each person.
guarantee-control-released = This rests on noise in what is reported and kept: it holds up to a factor e^ε and δ for each person, up to the horizon, and not for people who come back.
guarantee-control-several = Of k people together it says { $by ->
    [curve] what its trade-off function leaves of them
   *[numbers] kε and δ(e^(kε) − 1)/(e^ε − 1)
}{ $shown ->
    [yes] { ":" } ε = { $epsilon } and δ = { $delta } for { $people } people. Anyone who guesses whether all { $people } were ever there is right at most { $most } of 100 times
   *[no] { "" }
}.
guarantee-control-no-groups = No statement about groups.
guarantee-confidential = Beyond control: what others see, before the deletion and after it, differs little from what they would have seen had the person's data never been there: ε = { $epsilon } and δ = { $delta }. Anyone who guesses whether it was there { $right }.
guarantee-confidential-open = Beyond control: what others see, before the deletion and after it, differs little from what they would have seen had the person's data never been there, by a factor e^ε and up to δ. No ε and no δ were shown.
guarantee-confidential-control = From confidentiality alone follows control, with the same ε and δ, for people who say nothing to others and delete only when told (Theorem 4.3), and for nobody else.
guarantee-confidential-covers = It covers people whose data nobody answers to and who act in no other way (silent subjects), the releases up to the horizon of the mechanism, and nobody who returns after a deletion.
guarantee-confidential-stored = It covers people who send nothing to others (silent subjects).
guarantee-confidential-batch = It covers people who send nothing to others (silent subjects), and the one outcome.
guarantee-deletion-person = a deleted person's records
guarantee-deletion-request = the records of one request
guarantee-deletion-none = No bound was derived on what models after a deletion reveal about { $whose }.
guarantee-deletion-twins = In every run with other records in the place of { $whose } each model after the deletion was the same, bit for bit. Where that is so of all records, and not of those alone that were tried, and where nothing that the procedure's code and settings bring along was made from the deleted records, no model after the deletion reveals anything about them.
guarantee-deletion-loose = Models after the deletion keep to a bound against those that never saw { $whose }, and it is too loose to say how well anybody could tell them apart.
guarantee-deletion-right = Anyone who sees every model after the deletion, and guesses whether { $whose } were ever learned from, { $right }.
guarantee-deletion-covers = { $holds ->
    [none] One would hold
    [measured] It would then hold
   *[shown] This holds
} for ever and for all later models together. { $holds ->
    [none] It would cover
   *[other] It covers
} the released model alone, { $seen ->
    [0] requests that were fixed in advance
    [1] requesters who had seen one released model at most where a deleted person's own request was fixed in advance
   *[other] requesters who had seen { NUM($seen) } released models at most where a deleted person's own request was fixed in advance
}, and noise that is kept secret.
guarantee-deletion-several = Its ε is that of { $records } records together, { $records }² times that of one.
guarantee-deletion-others = It does not cover other records of the same person, whom the log does not name or who may have more than it lists.
guarantee-deletion-before = It gives no protection against anyone who has a model from before the deletion.
