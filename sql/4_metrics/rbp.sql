-- Rank-biased precision, for a reader who continues to the next rank with probability p: (1 - p) times the sum of
-- gain · p^(rank - 1).
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for the whole list. $p, the probability of continuing. $gain, the gain of an item of
--         relevance g: 1 if it is relevant (binary), g (linear), or g divided by the query's highest g if that is
--         above 1 (scaled). $over, what it divides by: nothing, or the value of an ideal list.
-- Option: $p = 0.9 in (0, 1)
-- Option: $gain = binary in {binary, linear, scaled}
-- Option: $over = nothing in {nothing, ideal}
-- Depth:  $k
-- Ties:   expected
-- Slices: items, but gain = scaled, over = ideal
-- Trec:   rbp (gain=scaled), rbp_p=$p (gain=scaled)
-- Also:   RBP (p=0.8, threshold=$threshold), RBP (p=0.8, gain=linear), RBP@$k (p=0.8, threshold=$threshold), RBP@$k
--         (p=0.8, gain=linear)
-- Source: Moffat and Zobel, Rank-Biased Precision for Measurement of Retrieval Effectiveness, TOIS 27(1), 2008, with
--         binary gains. trec_eval 10.0 also has p = 0.9, and scales the gains (m_rbp.c). ir-measures has p = 0.8; its
--         RBP has linear gains (trectools), its RBP(rel=1) binary gains (cwl_eval). over = ideal: LensKit's
--         RBP(normalize=True).
-- Edges:  rbp has binary gains; trec_eval's rbp is rbp(gain=scaled), also called rbp.p=0.9. With binary
--         relevance, all gains agree. Scaled gains divide by the query's highest judged relevance, retrieved or not.
--         Relevance below 0 has gain 0; the threshold does not affect linear and scaled gains. With linear gains above
--         1, the result can exceed 1. No gain: 0, or NULL over the
--         ideal. Summed exactly.
SELECT
  model,
  query,
  exact_sum(
    CASE
      WHEN in_top(rank, $k)
        THEN
          CASE
            WHEN $gain = 'binary' THEN CAST(is_relevant AS DOUBLE)
            WHEN gain > 0 THEN gain / top_gain
            ELSE CAST(0 AS DOUBLE)
          END * power($p, CAST(rank - 1 AS DOUBLE))
      ELSE 0
    END
  )
  * CASE
    WHEN $over = 'ideal' AND $gain = 'binary'
      THEN
        (1 - $p)
        / nullif(
          1
          - power(
            $p,
            CAST(
              CASE
                WHEN relevant_items(is_relevant) > coalesce($k, relevant_items(is_relevant)) THEN $k
                ELSE relevant_items(is_relevant)
              END AS DOUBLE
            )
          ),
          0
        )
    WHEN $over = 'ideal'
      THEN
        1 / nullif(
          exact_sum(
            CASE
              WHEN gain > 0 AND in_top(ideal_rank, $k)
                THEN gain / top_gain * power($p, CAST(ideal_rank - 1 AS DOUBLE))
              ELSE 0
            END
          ),
          0
        )
    WHEN $gain = 'linear' OR ($gain = 'scaled' AND max(top_gain) < 1) THEN (1 - $p) * max(top_gain)
    ELSE 1 - $p
  END AS rbp
FROM judged
GROUP BY model, query
