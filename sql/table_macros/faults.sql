-- The faults of the data, with the texts of the checks.
--
-- Grain:  one row per check that finds something.
-- Params: $names, the names of checks in their order; $message, the rule of a check, '<do>' and what to do;
--         $only_faults, true for ranking_check, which also reports what policies may allow; $model and $query.
-- Edges:  a list, and the judged items of a query, count for the first of their faults. An item that fills up short
--         lists is -1, also as text, or the highest number of an unsigned type, if it is outermost and relevant for no
--         query. Texts hold several ids as in checks/qrels_joined_ids.sql.
SELECT
  fault AS "check",
  split_part(told, '<do>', 1) AS rule,
  faults,
  split_part(told, '<do>', 2) AS "do",
  example,
  place
FROM (
  SELECT
    fault,
    faults,
    example,
    place,
    $message AS told
  FROM (
    SELECT
      fault,
      count(*) AS faults,
      min(example) AS example,
      list_position($names, fault) AS place
    FROM (
      SELECT
        fault,
        example
      FROM run_lists
      WHERE $only_faults OR fault <> 'run_duplicates' OR query IN (SELECT query FROM qrels_lists)
      UNION ALL
      SELECT
        fault,
        example
      FROM qrels_lists
      UNION ALL
      SELECT
        'no_common_query' AS fault,
        concat_ws(', ', CASE WHEN $model IS NOT NULL THEN shown_pair($model, model) END, shown_pair($query, query))
          AS example
      FROM judged
      INNER JOIN (
        SELECT model
        FROM judged
        GROUP BY model
        HAVING max(retrieved) = 0
      ) AS lost_models USING (model)
      UNION ALL
      SELECT
        CASE WHEN known_rows = 0 AND split_rows > 0 AND 2 * split_rows >= all_rows THEN 'qrels_joined_ids' END AS fault,
        NULL AS example
      FROM (
        SELECT
          count(CASE WHEN part = joined_ids THEN 1 END) AS known_rows,
          count(DISTINCT CASE WHEN part <> joined_ids AND is_joined THEN joined_ids END) AS split_rows,
          max(all_rows) AS all_rows
        FROM (
          SELECT
            joined_ids,
            is_joined,
            all_rows,
            unnest(list_concat([joined_ids], regexp_split_to_array(trim(joined_ids), '[\s,;|]+'))) AS part
          FROM (
            SELECT
              is_joined,
              CAST(list_extract(relevant, 1) AS VARCHAR) AS joined_ids
            FROM qrels_lists
          ) AS texts
          CROSS JOIN (
            SELECT count(DISTINCT CASE WHEN is_joined THEN CAST(list_extract(relevant, 1) AS VARCHAR) END) AS all_rows
            FROM qrels_lists
            HAVING max(len(relevant)) = 1 AND 2 * count(CASE WHEN is_joined THEN 1 END) >= count(*)
          ) AS suspicion
        ) AS parts
        INNER JOIN (
          SELECT CAST(item AS VARCHAR) AS part
          FROM run_source
        ) AS run_items USING (part)
      ) AS matches
      UNION ALL
      SELECT
        CASE WHEN retrieved = 0 THEN 'missing' WHEN relevant_items = 0 THEN 'no_relevant' END AS fault,
        concat_ws(', ', CASE WHEN $model IS NOT NULL THEN shown_pair($model, model) END, shown_pair($query, query))
          AS example
      FROM judged
      WHERE $only_faults AND (retrieved = 0 OR relevant_items = 0)
      UNION ALL
      SELECT
        CASE
          WHEN lists = 0 THEN 'empty_run'
          WHEN count(retrieved) = 0 THEN 'empty_qrels'
          WHEN max(retrieved) = 0 THEN NULL
          WHEN max(relevant_items) = 0 THEN 'nothing_relevant'
          WHEN sum(found) = 0 AND $only_faults THEN 'no_common_item'
          WHEN filler IS NOT NULL THEN 'padding'
        END AS fault,
        NULL AS example
      FROM (
        SELECT
          lists,
          CASE
            WHEN
              NOT coalesce(
                bool_or(list_extract(grades, list_position(CAST(relevant AS VARCHAR[]), outermost_item)) > 0), FALSE
              )
              THEN outermost_item
          END AS filler
        FROM (
          SELECT
            count(*) AS lists,
            CASE
              WHEN max(item_type) = 'VARCHAR' AND CAST(max(highest) AS VARCHAR) >= ':' THEN NULL
              WHEN
                max(item_type) LIKE 'U%' AND CAST(max(highest) AS VARCHAR) IN ('4294967295', '18446744073709551615')
                THEN CAST(max(highest) AS VARCHAR)
              WHEN
                CAST(min(lowest) AS VARCHAR) = '-1'
                OR (max(item_type) <> 'VARCHAR' AND TRY_CAST(CAST(min(lowest) AS VARCHAR) AS DOUBLE) = -1)
                THEN CAST(min(lowest) AS VARCHAR)
            END AS outermost_item
          FROM run_lists
          LEFT JOIN (
            SELECT typeof(item) AS item_type
            FROM run_source
            LIMIT 1
          ) AS types ON TRUE
        ) AS ends
        LEFT JOIN qrels_lists ON outermost_item IS NOT NULL
        GROUP BY lists, outermost_item
      ) AS padding
      LEFT JOIN judged ON TRUE
      GROUP BY lists, filler
    ) AS each_fault
    WHERE fault IS NOT NULL
    GROUP BY fault
  ) AS counted
) AS counted_faults
