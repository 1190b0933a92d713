"""Compare every path to an answer with the plain-Python reference on random data sets.

    PYTHONPATH=.:tests python -m random_data --data-sets 50000 --seed 16

A case is one question about one data set, or about many as slices or models. It is answered on several paths:
`evaluate` with and without fast plans, the statement of `sql`, the table macros, each metric alone, shuffled rows. Case
n of a seed does not depend on the other cases, so `--case n` repeats it on all paths and prints a script of it.
"""
