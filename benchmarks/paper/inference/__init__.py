"""What Gao, Garg, Mahmoody and Vasudevan measure (deletion-inference.md), on bundled data: the parts of its command.

data       tables;  learners: Appendix A, as scikit-learn has it today and as it had it then
playing    games of Definition 3.1 (Tables 2 and 3);  labels: Tables 5 and 6;  reductions: Table 4's shape
large      Figures 1 and 2;  neighbours: Figure 3;  sentences: Table 7
cells      every cell by name, each a function of its games;  keeping: a JSON a cell, resumed
published  the paper's numbers;  page, drawing: the page and its figures
"""
