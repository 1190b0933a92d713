-- How often a user asks for ten more items before the first relevant one is shown: (rank - 1) / 10, rounded down.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff; NULL for 500, as in the challenge.
-- Depth:  $k
-- Better: lower
-- Slices: items
-- Source: Recommended Songs clicks of Spotify's Million Playlist Dataset Challenge, RecSys 2018.
-- Edges:  no relevant item in the top k: k / 10 + 1, which is 51 for 500.
SELECT
  model,
  query,
  coalesce(
    floor(CAST(min(CASE WHEN is_relevant = 1 AND in_top(rank, coalesce($k, 500)) THEN rank END) - 1 AS DOUBLE) / 10),
    CAST(coalesce($k, 500) AS DOUBLE) / 10 + 1
  ) AS clicks
FROM judged
GROUP BY model, query
