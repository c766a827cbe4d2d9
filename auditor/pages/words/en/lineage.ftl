# What was made from the model, by its dates: nobody examined any of it.

descent-nothing-deleted = No record was deleted since it was made.
descent-after = Made on { $day }, after the model was updated.
descent-remade = Made again on { $day }, after the model was updated.
descent-retired = Neither used nor kept since { $day }.
descent-earlier = Made from the model as it was before a deletion, and not made again or retired since.
descent-same-day = Made on the very day on which its source was replaced: it may come from either.
descent-undated = Nobody says when it was made.
descent-other-release = Made from another release than this one.
descent-not-replaced = Nobody says from which release it was made, nor since when this one is in use.
descent-planned = To be made again, or retired, on a day that has not come.
descent-made-on = Last made on { $on }.
descent-plan-remade = To be made again on { $on }.
descent-plan-retired = To be retired on { $on }.
descent-source = What it was made from may hold deleted records itself.
