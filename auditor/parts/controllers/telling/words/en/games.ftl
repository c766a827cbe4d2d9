# Sentences of `control.game` and `confidentiality.game`.

reason-games-no-controller = Does not apply: the case declares no whole controller.
reason-games-not-shown = Not shown: { $why }.
reason-games-played = { NUM($games, as: "g") } executions were played, { NUM($operations, as: "g") } operations in all, by 400 people at most; what the program does with more is not shown.
reason-games-same = With and without the person everything compared was the same, byte for byte. No distinguishing case was found; that there is none is not shown.
reason-games-different = { $cases ->
    [1] One game
   *[other] { NUM($cases) } games
} came out differently with the person and without, { $answers ->
    [true] by what others were answered
   *[false] by the state
}. The shortest takes { NUM($operations) } operations.
reason-games-apart = With a fresh seed each time { $apart ->
    [1] one game is
   *[other] { NUM($apart) } games are
} told apart: ε is at least { NUM($epsilon, as: ".4g") } at δ = { NUM($delta, as: ".4g") }.
reason-games-hidden = { $cases ->
    [1] One game
   *[other] { NUM($cases) } games
} came out differently under the same seed. By construction of this controller another seed, just as likely, explains each of them, so this is no finding.
reason-games-hidden-within = { $cases ->
    [1] One game
   *[other] { NUM($cases) } games
} came out differently under the same seed. By construction of this controller, other seeds explain each of them up to ε = { NUM($epsilon, as: ".4g") } and δ = { NUM($delta, as: ".4g") }, and no game with fresh seeds shows more. So this is no finding.
reason-games-exact = { NUM($games) } games were played under every one of { NUM($tapes) } random tapes, with the person and without. For each of them the default simulator explains what is left, ε = { NUM($epsilon, as: ".4g") } and δ = { NUM($delta, as: ".4g") } being allowed: nothing in that is estimated.
reason-games-exact-apart = Under every one of { NUM($tapes) } random tapes { $far ->
    [1] one of { NUM($games) } games comes
   *[other] { NUM($far) } of { NUM($games) } games come
} out with probabilities that no simulator explains, ε = { NUM($epsilon, as: ".4g") } and δ = { NUM($delta, as: ".4g") } being allowed.
reason-games-fresh-open = With a fresh seed each time no difference beyond what is promised was found. That decides nothing: encrypted data kept together with their key would look random too.
reason-games-few = Too few games were played to decide anything.
reason-games-contradicts = What was found and what is shown of it contradict each other, so nothing is decided.
reason-games-chance = The controller is not deterministic: the same game under the same seed came out differently, so results were compared by how often they occur.
reason-games-chance-open = No difference was found that way, but a small one could be missed.
reason-games-doubted = With fresh seeds the two executions differ more than chance explains in 999 of 1,000 honest audits: too much for a pass, and not enough to fail.
reason-games-quick = A quick run finds differences and decides nothing where it finds none.
reason-games-not-searched = Games were not searched for: hypothesis is not installed (pip install 'auditor[controllers]').
reason-fact-games-told-apart = { $check }: games with and without the person come out differently, ε = { NUM($epsilon, as: ".4g") } and δ = { NUM($delta, as: ".4g") } being allowed

# Of a learner.
games-learner-played = { NUM($games) } games were played with the person and without, { NUM($records) } other records being there. Compared: { $compared }.{ $watched ->
    [true] {" "}Others were also answered while the person’s record was in the model.
   *[false] { "" }
}
games-learner-differing = { $games ->
    [1] One game comes
   *[other] { NUM($games) } games come
} out differently: { $named }{ $more ->
    [0] { "" }
   *[other] ; and { NUM($more) } more
}.
games-learner-game = { $going } ({ $kinds })
games-learner-apart = With fresh seeds each time the two worlds are told apart: ε is at least { $epsilon } at δ = { NUM($delta, as: ".4g") }.
games-going-alone = the person comes and goes, nobody else does
games-going-between = the person goes between two others
games-going-last = the person goes last
games-going-together = the person goes in one batch with another
games-going-two-records = the person’s two records go one by one
games-kind-answers-before = answers while the person was there
games-kind-answers = answers to others after the person had gone
games-kind-parameters = parameters
games-kind-state = state()
games-kind-saved-file = saved file
games-kind-object = objects in memory
games-kind-scalar = single numbers in memory
games-kind-files = files that it left
games-kind-process = other memory of the process
reason-games-learner-not-seen = no learner was played
reason-games-learner-chance = The same game under the same seeds came out differently, so the two worlds were compared by how often what they show occurs.
reason-games-learner-seen = For others who were answered while the person’s record was in the model, { $games ->
    [1] one game comes
   *[other] { NUM($games) } games come
} out differently. The log does not say of every request that no earlier model was seen, so this stays open.
reason-games-learner-same = Once the person has gone, everything compared is the same with them and without, byte for byte. Not compared are times of files, the spare room of lists and tables, and part of what the kernel keeps. No distinguishing case was found; that there is none is not shown.
reason-games-learner-unseen = Others who are answered while the person’s record is in the model tell the two worlds apart, in { $games ->
    [1] one further game
   *[other] { NUM($games) } further games
}. The log says that nobody saw such a model.
reason-games-learner-not-attested = Nothing differed that counts. That rests on { $word }, which nobody attests, so it is no pass.
reason-games-learner-unseen-model = The model shows neither parameters nor a saved file, or answers nothing, so nothing is decided.
reason-games-learner-moving = { $numbers ->
    [1] One single number in memory moves
   *[other] { NUM($numbers) } single numbers in memory move
} from one run of the same game to the next. What it may say of the person cannot be compared, so nothing is decided.
reason-games-learner-elsewhere = Nothing that counts differs, but other memory of the process does in { $games ->
    [1] one game
   *[other] { NUM($games) } games
}, as where libraries remember calls. Whether it says anything of the person is not shown.
