# The main report: eight pages that an officer reads and signs.

main-title = Unlearning audit report
main-decision-title = Decision
main-found-title = What we found
main-todo-title = What to do
main-people-title = People and deadlines
main-promise-title = The promise in plain numbers
main-attacks-title = What attacks found
main-outside-title = Outside the model
main-signoff-title = Crosswalk and sign-off
main-annex-title = Technical annex
