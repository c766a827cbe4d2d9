# Sentences about deletion games as such: when they are played, and why there may be none.

reason-deleting-not-asked = Not played: neither policy nor command line asks for it, and nobody is said to see the model from before a deletion as well as the one after it. If somebody may see both, set policy.before_and_after = true.
reason-deleting-few-records = with { $records } training records there is nothing to play: at least { $least } are needed
reason-deleting-no-split = in { $draws } draws no records were found to delete that leave one of every class: a class has too few
reason-deleting-not-played = Not played: { $why }.
reason-deleting-quick = A quick run plays too few games to decide anything: run without --quick.
reason-deleting-too-few = Too few games to decide: what they allow lies on both sides of the threshold.
reason-deleting-not-certain = More is won than the threshold allows, but { $games } games are too few to fail a procedure: chance must hardly ever fail an honest one. { $needed ->
    [none] However many games there were, they would not suffice at this rate.
   *[other] At this rate { $needed } games would suffice.
}
reason-deleting-informative = Informative: the policy sets no { $key }.
