"""The tables and figures of Tu, Hu and Ma (swap-test.md, Section 4) in shape, on bundled data: `python -m benchmarks.paper.swap`.

swap       the command
learners   what is trained, privately or not, and what it is unlearned by;  playing: the models of one game
scoring    the attacks on them: quality, AUC, and each split by itself
splits     Table 2: pairs of random splits next to swap pairs;  confusion: Table 3;  lookup: Proposition 3.9
published  the paper's numbers;  orders: which order a score keeps
document   the page and its figures from the results alone;  tables, drawing: their parts

And the figures of Guo et al. 2020 (certified-removal.md, Section 4.1): `python -m benchmarks.paper.removal`.

removal    the command;  removal_page, removal_drawing: the page and its figures

And what learning from a stream costs in accuracy (Cohen et al. 2023, Proposition 5.13): `python -m benchmarks.paper.continual`.

continual  the command;  continual_page: the page and its figure

And the tables and figures of Gao et al. 2022 (deletion-inference.md): `python -m benchmarks.paper.deletion_inference`.

deletion_inference  the command;  inference: its parts
"""
