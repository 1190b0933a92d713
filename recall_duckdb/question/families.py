"""The names of trec_eval that stand for several measures, with its cutoffs.

`recall` and `success` are not among them: they are metrics of whole lists here.
"""

from __future__ import annotations

_DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


def _at_depths(name: str) -> str:
    return ",".join(f"{name}_{depth}" for depth in _DEPTHS)


FAMILIES = {
    **{name: _at_depths(name) for name in ("P", "ndcg_cut", "map_cut", "relative_P")},
    "iprec_at_recall": ",".join(f"iprec_at_recall_{tenths / 10:.2f}" for tenths in range(11)),
    "Rprec_mult": ",".join(f"Rprec_mult_{tenths / 10:.2f}" for tenths in range(2, 22, 2)),
    "set": "set_P,set_relative_P,set_recall,set_map,set_F",
    "unj": "unj_5,unj_10,unj_20",
}
FAMILIES["official"] = (
    f"num_q,num_ret,num_rel,num_rel_ret,map,gm_map,Rprec,bpref,recip_rank,{FAMILIES['iprec_at_recall']},{FAMILIES['P']}"
)
FAMILIES["all_trec"] = (
    f"{FAMILIES['official']},{_at_depths('recall')},infAP,gm_bpref,{FAMILIES['Rprec_mult']},"
    f"utility,11pt_avg,binG,G,ndcg,ndcg_rel,Rndcg,{FAMILIES['ndcg_cut']},{FAMILIES['map_cut']},"
    f"{FAMILIES['relative_P']},success_1,success_5,success_10,{FAMILIES['set']},num_nonrel_judged_ret,"
    f"rbp(gain=scaled),rbp_resid,{FAMILIES['unj']}"
)
