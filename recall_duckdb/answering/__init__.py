"""Answers questions: composes a statement, runs it, and reads from its columns whether the data are sound.

`lists` answers with the list form, `one_pass` over connections to other engines. The evaluation by definition answers
what neither can, and names the fault if the data are not sound.
"""
