-- The top of every query's list as a list of its items, best first, and the first fault of its rows.
--
-- Grain:  one row per (model, query) of the run.
-- Params: $rank, $model, $query and $item, the arguments; $depth, the deepest cutoff, NULL for the whole list.
-- Edges:  DuckDB computes only the branch that the arguments choose: `max(row, k)` keeps k rows a list and sorts no
--         other, but takes memory for k of them, so that a sort is faster for more than 100. Of ranks, the lowest is
--         the best; they are a fault unless they are 1, 2, 3, … down to the depth. An item that fills up lists is the
--         lowest or the highest.
SELECT
  model,
  query,
  recommended,
  fault,
  CASE
    WHEN fault IS NOT NULL
      THEN concat_ws(
        ', ',
        CASE WHEN $model IS NOT NULL THEN shown_pair($model, model) END,
        shown_pair($query, query),
        CASE WHEN fault IN ('run_duplicates', 'run_text_lists') THEN shown_pair($item, odd_item) END
      )
  END AS example,
  lowest,
  highest
FROM (
  SELECT
    model,
    query,
    recommended,
    odd_item,
    lowest,
    highest,
    CASE
      WHEN null_ids > 0 THEN 'run_ids'
      WHEN null_scores > 0 AND $rank IS NULL THEN 'run_scores'
      WHEN null_scores > 0 THEN 'run_ranks'
      WHEN odd_item IS NOT NULL AND all_differ(recommended) THEN 'run_text_lists'
      WHEN odd_item IS NOT NULL THEN 'run_duplicates'
      WHEN $rank IS NULL THEN NULL
      WHEN list_extract(ranks, 1) <> 1 OR len(list_distinct(ranks)) < len(ranks) THEN 'ranks'
      WHEN list_slice(ranks, 1, len(recommended)) <> range(1, len(recommended) + 1) THEN 'ranks_gap'
    END AS fault
  FROM (
    SELECT
      *,
      CASE WHEN all_differ(recommended) THEN first_list_text(recommended) ELSE repeated_in(recommended) END AS odd_item
    FROM (
      SELECT
        model,
        query,
        CASE
          WHEN $rank IS NULL AND $depth <= 100
            THEN list_transform(
              max({ 'score': score, 'item': item }, greatest(least(coalesce($depth, 1), 100), 1)),
              LAMBDA _row: struct_extract(_row, 'item')
            )
          WHEN $rank IS NULL THEN list_slice(list(item ORDER BY score DESC, item DESC), 1, coalesce($depth, count(*)))
          WHEN $depth <= 100
            THEN list_transform(
              min({ 'score': score, 'item': item }, greatest(least(coalesce($depth, 1), 100), 1)),
              LAMBDA _row: struct_extract(_row, 'item')
            )
          ELSE list_slice(list(item ORDER BY score ASC), 1, coalesce($depth, count(*)))
        END AS recommended,
        CASE
          WHEN $rank IS NULL THEN NULL
          WHEN $depth <= 100
            THEN min(TRY_CAST(score AS DOUBLE), greatest(least(coalesce($depth, 1), 100), 1) + 1)
          ELSE list_slice(list(TRY_CAST(score AS DOUBLE) ORDER BY score ASC), 1, coalesce($depth, count(*)) + 1)
        END AS ranks,
        CASE WHEN model IS NULL OR query IS NULL THEN count(*) ELSE count(*) - count(item) END AS null_ids,
        CASE
          WHEN $rank IS NULL THEN count(*) - count(number_of(TRY_CAST(score AS DOUBLE), 'error'))
          ELSE count(*) - count(whole_number(TRY_CAST(score AS DOUBLE)))
        END AS null_scores,
        min(item) AS lowest,
        max(item) AS highest
      FROM run
      GROUP BY model, query
    ) AS lists
  ) AS odd
) AS found
