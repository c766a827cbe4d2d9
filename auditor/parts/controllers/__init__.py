"""Whole programs: history independence, control and confidentiality, reports under continual release.

How a history goes through it:

1. `auditor.settings.controller` reads what channels of a controller may ask, and what commutes; `base.histories` has the normal
   form that follows.
2. `observing.histories` writes histories: scripted and random ones, and those that hypothesis finds. `drawing` makes another
   history that means the same.
3. `sandboxed` plays both in processes that are told neither which side they are nor what is compared; `experiment` compares the
   states, byte for byte under one tape, or as laws over fresh tapes.
4. `shrinking` leaves out operations as long as the states differ; two fresh processes must show what remains once more.
5. `judging.history` decides; `counterexamples` writes `counterexample-N.json`, which `auditor replay` plays again.

How a game with and without one person goes through it:

1. `observing.games.executions` makes a game of a history: one channel is the person, the others are the environment, and each
   definition says when it ends and what of it is compared.
2. `experiment` plays every adversary's games in two processes, real executions in one and ideal ones in the other, under one
   tape. What differs is shortened, and two fresh processes must show it once more.
3. Where tapes count, laws over fresh tapes are compared; where a tape has few bits, `exact` plays all of them. `pan_privacy`
   plays the game with one look at the state.
4. `judging.control` and `judging.privacy_continual` decide. A failure refutes the guarantee that it covers; finding nothing is no
   premise of anything.
"""
