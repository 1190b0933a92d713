-- How similar the lists of different queries are: the mean, over all pairs of queries, of the share of the top k that
-- both lists contain. One minus overlap is called personalization, or inter-user diversity.
--
-- Grain:  one row per model.
-- Params: $k, the cutoff; NULL for the whole list, with k the length of the longest list.
-- Depth:  $k
-- Better: lower
-- Empty:  skip
-- Source: Zhou et al., Solving the apparent diversity-accuracy dilemma of recommender systems, PNAS 107(10), 2010.
-- Edges:  only the lists of judged queries count, without those that a policy leaves out; weights have no effect. Fewer
--         than k items: still divided by k. A single list: NULL. An item in n_i of the n lists is shared by
--         n_i (n_i - 1) of the n (n - 1) pairs.
SELECT
  model,
  CAST(sum(holding * (holding - 1)) AS DOUBLE)
  / nullif(CAST(max(lists) * (max(lists) - 1) AS DOUBLE) * CAST(max(cutoff) AS DOUBLE), 0) AS overlap
FROM (
  SELECT
    model,
    item,
    sum(CASE WHEN in_top(rank, $k) THEN 1 ELSE 0 END) AS holding
  FROM shown
  GROUP BY model, item
) AS items
INNER JOIN (
  SELECT
    model,
    count(*) AS lists,
    coalesce($k, max(longest)) AS cutoff
  FROM (
    SELECT
      model,
      query,
      count(*) AS longest
    FROM shown
    GROUP BY model, query
  ) AS each_list
  GROUP BY model
) AS all_lists USING (model)
GROUP BY model
