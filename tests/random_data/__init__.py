"""Compare every path to an answer with the plain-Python reference on random data sets.

    PYTHONPATH=.:tests python -m random_data --questions 3000 --seed 16

A case is one question about one data set, or about a few as slices or models, with names, types and policies of its
own. If they remove all that a model retrieves, it must be refused. It is answered on several paths:
`evaluate` in lists and in rows, the statement of `sql`, the table macros, each metric alone, shuffled rows. Case
n of a seed does not depend on the other cases, so `--case n` repeats it on all paths and prints its data.
"""
