-- What the lines of a run file without a header say about its form.
--
-- Grain:  a single row.
-- Params: none.
-- Reads:  lines, the file as trec_run reads it.
-- Edges:  in a TREC run, all lines have one second field, such as Q0. Lines of two tags are of two runs. A list is
--         disordered if the item of its lowest rank does not have its highest score, or its lowest one if scores
--         ascend, or if all scores of the run are equal; some tools write one rank for all.
SELECT
  coalesce(sum(lines_of_list), 0) AS line_count,
  coalesce(sum(sound_lines_of_list), 0) AS sound_lines,
  min(lowest_iteration) AS first_iteration,
  max(highest_iteration) AS last_iteration,
  min(model) AS first_tag,
  max(model) AS last_tag,
  count(CASE WHEN is_disordered THEN 1 END) AS disordered_lists,
  min(CASE WHEN is_disordered THEN query END) AS disordered_query,
  count(CASE WHEN is_disordered_ascending THEN 1 END) AS disordered_ascending_lists,
  min(CASE WHEN is_disordered_ascending THEN query END) AS disordered_ascending_query
FROM (
  SELECT
    query,
    model,
    count(*) AS lines_of_list,
    sum(is_sound) AS sound_lines_of_list,
    min(iteration) AS lowest_iteration,
    max(iteration) AS highest_iteration,
    min(rank) < max(rank) AND (
      arg_min(score, rank) < max(score) OR min(min(score)) OVER () = max(max(score)) OVER ()
    ) AS is_disordered,
    min(rank) < max(rank) AND (
      arg_min(score, rank) > min(score) OR min(min(score)) OVER () = max(max(score)) OVER ()
    ) AS is_disordered_ascending
  FROM lines
  GROUP BY query, model
) AS lists
