{# Written from sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro check_rows(q, name) %}
  {{- return(adapter.dispatch('check_rows', 'recall_duckdb')(q, name)) -}}
{% endmacro %}

{% macro default__check_rows(q, name) -%}
{%- if name == 'empty_models' %}
/* Runs without rows, if other runs have rows. */
SELECT
{%- if q.models %}
  model AS model
FROM {{ recall_duckdb.read(q, 'named_models') }}
LEFT JOIN (
  SELECT
    model AS model,
    1 AS is_held
  FROM {{ recall_duckdb.read(q, 'per_query') }}
  GROUP BY
    model
) AS held_models
  USING (model)
{%- else %}
FROM {{ recall_duckdb.read(q, 'named_models') }}
CROSS JOIN (
  SELECT
    1 AS is_held
  FROM {{ recall_duckdb.read(q, 'per_query') }}
) AS held_models
{%- endif %}
WHERE
  COALESCE(is_held, 0) = 0
{%- elif name == 'empty_qrels' %}
/* Qrels without rows. */
SELECT
  COUNT(*) AS found
FROM (
  SELECT
    item AS item
  FROM {{ recall_duckdb.read(q, 'qrels') }}
  LIMIT 1
) AS first_row
HAVING
  COUNT(*) = 0
{%- elif name == 'empty_run' %}
/* A run without rows. */
SELECT
  COUNT(*) AS found
FROM (
  SELECT
    item AS item
  FROM {{ recall_duckdb.read(q, 'run') }}
  LIMIT 1
) AS first_row
HAVING
  COUNT(*) = 0
{%- elif name == 'catalog_ids' %}
/* Rows of catalog without an item. */
SELECT
  item AS item
FROM {{ recall_duckdb.read(q, 'catalog') }}
WHERE
  NOT (
    NOT item IS NULL
  )
{%- elif name == 'exclude_ids' %}
/* Rows of exclude without a query or an item. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'exclude') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT {{ query.column }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %} AND NOT item IS NULL
  )
{%- elif name == 'item_slices_ids' %}
/* Rows of item_slices without an item. */
SELECT
  item AS item
FROM {{ recall_duckdb.read(q, 'item_slices') }}
WHERE
  NOT (
    NOT item IS NULL
  )
{%- elif name == 'items_ids' %}
/* Rows of items without an item. */
SELECT
  item AS item
FROM {{ recall_duckdb.read(q, 'items') }}
WHERE
  NOT (
    NOT item IS NULL
  )
{%- elif name == 'obvious_ids' %}
/* Rows of obvious without a query or an item. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'obvious') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT {{ query.column }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %} AND NOT item IS NULL
  )
{%- elif name == 'qrels_ids' %}
/* Rows of the qrels without a query or an item. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance
FROM {{ recall_duckdb.read(q, 'qrels') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT {{ query.column }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %} AND NOT item IS NULL
  )
{%- elif name == 'query_slices_ids' %}
/* Rows of query_slices without a query. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'query_slices') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT {{ query.column }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %}
  )
{%- elif name == 'run_ids' %}
/* Rows of the run without a model, a query or an item. */
SELECT
{%- if q.models %}
  model AS model{% for query in q.queries %},
  {{ query.column }} AS {{ query.column }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'run') }}
WHERE
  NOT (
    NOT model IS NULL AND {% for query in q.queries %}NOT {{ query.column }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %} AND NOT item IS NULL
{%- else %}
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'run') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT {{ query.column }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %} AND NOT item IS NULL
{%- endif %}
  )
{%- elif name == 'run_ranks' %}
/* Rows of the run without a rank. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'run') }}
WHERE
  rank IS NULL
{%- elif name == 'training_ids' %}
/* Rows of training without a query or an item. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'training') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT {{ query.column }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %} AND NOT item IS NULL
  )
{%- elif name == 'features' %}
/* Rows of features without an item, a feature or a valid weight. */
SELECT
  item AS item,
  feature AS feature,
  weight AS weight
FROM {{ recall_duckdb.read(q, 'features') }}
WHERE
  NOT (
    NOT item IS NULL AND NOT feature IS NULL
  )
  OR weight IS NULL
  OR ABS(weight) > CAST(1.7e308 AS {{ recall_duckdb.type_double() }})
{%- elif name == 'gains' %}
/* Rows of the qrels whose relevance is too large for gain=exponential. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance
FROM {{ recall_duckdb.read(q, 'qrels') }}
WHERE
  relevance >= 40
{%- elif name == 'grades' %}
/* Rows of the qrels whose relevance is above the max_grade of a metric. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance
FROM {{ recall_duckdb.read(q, 'qrels') }}
WHERE
  relevance > CAST('{{ q.max_grade }}' AS {{ recall_duckdb.type_double() }}) * CAST(1.0000001 AS {{ recall_duckdb.type_double() }})
{%- elif name == 'item_slices_duplicates' %}
/* Items with more than one row in item_slices. */
SELECT
  item AS item,
  COUNT(*) AS copies
FROM {{ recall_duckdb.read(q, 'item_slices') }}
GROUP BY
  item
HAVING
  COUNT(*) > 1
{%- elif name == 'item_slices_missing' %}
/* Relevant items without a slice. */
SELECT
  item AS item,
  COUNT(*) AS queries
FROM {{ recall_duckdb.read(q, 'graded') }}
LEFT JOIN (
  SELECT
    item AS item,
    1 AS is_known
  FROM {{ recall_duckdb.read(q, 'numbered_items') }}
  GROUP BY
    item
) AS known_items
  USING (item)
WHERE
  relevance > 0 AND COALESCE(is_known, 0) = 0
GROUP BY
  item
{%- elif name == 'missing' %}
/* Judged queries that are missing from the run. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'per_query') }}
WHERE
  retrieved = 0{% if q.item_sliced %} AND item_slice_no < 1{% endif %}
{%- elif name == 'no_common_catalog' %}
/* A catalog that shares no item with the run. */
SELECT
  COUNT(*) AS found
FROM (
  SELECT
    item AS item
  FROM {{ recall_duckdb.read(q, 'run') }}
  INNER JOIN {{ recall_duckdb.read(q, 'catalog') }}
    USING (item)
  LIMIT 1
) AS common
HAVING
  COUNT(*) = 0
{%- elif name == 'no_common_exclude' %}
/* An exclude relation of which no pair is in the run. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item{% for query in q.queries %},
  excluded_{{ query.column }} AS excluded_{{ query.column }}{% endfor %},
  excluded_item AS excluded_item
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item
  FROM {{ recall_duckdb.read(q, 'run') }}
  ORDER BY
    {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %},
    item ASC NULLS FIRST
  LIMIT 1
) AS first_of_run
CROSS JOIN (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS excluded_{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS excluded_item
  FROM {{ recall_duckdb.read(q, 'exclude') }}
  ORDER BY
    {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %},
    item ASC NULLS FIRST
  LIMIT 1
) AS first_excluded
CROSS JOIN (
  SELECT
    COUNT(*) AS removed
  FROM (
    SELECT
      item AS item
    FROM {{ recall_duckdb.read(q, 'run') }}
    INNER JOIN {{ recall_duckdb.read(q, 'exclude') }}
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
    LIMIT 1
  ) AS first_removed
) AS all_removed
WHERE
  removed = 0
{%- elif name == 'no_common_features' %}
/* A features relation that shares no item with the run. */
SELECT
  COUNT(*) AS found
FROM (
  SELECT
    item AS item
  FROM {{ recall_duckdb.read(q, 'run') }}
  INNER JOIN {{ recall_duckdb.read(q, 'features') }}
    USING (item)
  LIMIT 1
) AS common
HAVING
  COUNT(*) = 0
{%- elif name == 'no_common_item' %}
/* Runs none of whose items is judged for its query. */
SELECT
{%- if q.models %}
  model AS model,
  COUNT(*) AS candidates,
  MIN(item) AS item,
  MAX(first_judged) AS judged_item
FROM {{ recall_duckdb.read(q, 'run') }}
LEFT JOIN (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    1 AS is_judged
  FROM {{ recall_duckdb.read(q, 'qrels') }}
  GROUP BY
    {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item
) AS judged_items
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
CROSS JOIN (
  SELECT
    MIN(item) AS first_judged
  FROM {{ recall_duckdb.read(q, 'qrels') }}
) AS all_judged
GROUP BY
  model
{%- else %}
  COUNT(*) AS candidates,
  MIN(item) AS item,
  MAX(first_judged) AS judged_item
FROM {{ recall_duckdb.read(q, 'run') }}
LEFT JOIN (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item,
    1 AS is_judged
  FROM {{ recall_duckdb.read(q, 'qrels') }}
  GROUP BY
    {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item
) AS judged_items
  USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
CROSS JOIN (
  SELECT
    MIN(item) AS first_judged
  FROM {{ recall_duckdb.read(q, 'qrels') }}
) AS all_judged
{%- endif %}
HAVING
  COALESCE(MAX(is_judged), 0) = 0
{%- elif name == 'no_common_items' %}
/* An items relation that shares no item with the run. */
SELECT
  COUNT(*) AS found
FROM (
  SELECT
    item AS item
  FROM {{ recall_duckdb.read(q, 'run') }}
  INNER JOIN {{ recall_duckdb.read(q, 'items') }}
    USING (item)
  LIMIT 1
) AS common
HAVING
  COUNT(*) = 0
{%- elif name == 'no_common_obvious' %}
/* An obvious relation that shares no item with the run. */
SELECT
  COUNT(*) AS found
FROM (
  SELECT
    item AS item
  FROM {{ recall_duckdb.read(q, 'run') }}
  INNER JOIN {{ recall_duckdb.read(q, 'obvious') }}
    USING (item)
  LIMIT 1
) AS common
HAVING
  COUNT(*) = 0
{%- elif name == 'no_common_pairs' %}
/* A pairs relation that shares no item with the run. */
SELECT
  COUNT(*) AS found
FROM (
  SELECT
    item AS item
  FROM {{ recall_duckdb.read(q, 'run') }}
  INNER JOIN {{ recall_duckdb.read(q, 'pairs') }}
    USING (item)
  LIMIT 1
) AS common
HAVING
  COUNT(*) = 0
{%- elif name == 'no_common_query' %}
/* Runs that hold none of the judged queries. */
SELECT
{%- if q.models %}
  model AS model{% for query in q.queries %},
  {{ query.column }} AS {{ query.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'per_query') }}
QUALIFY
  MAX(retrieved) OVER (PARTITION BY model) = 0
{%- else %}
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'per_query') }}
QUALIFY
  MAX(retrieved) OVER () = 0
{%- endif %}
{%- elif name == 'no_common_query_slices' %}
/* A relation query_slices that has a row for no judged query. */
SELECT
  COUNT(*) AS found
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
  FROM {{ recall_duckdb.read(q, 'per_query') }}
  INNER JOIN {{ recall_duckdb.read(q, 'query_slices') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
  LIMIT 1
) AS common
HAVING
  COUNT(*) = 0
{%- elif name == 'no_common_training' %}
/* A training relation that shares no item with the run. */
SELECT
  COUNT(*) AS found
FROM (
  SELECT
    item AS item
  FROM {{ recall_duckdb.read(q, 'run') }}
  INNER JOIN {{ recall_duckdb.read(q, 'training') }}
    USING (item)
  LIMIT 1
) AS common
HAVING
  COUNT(*) = 0
{%- elif name == 'no_judgements' %}
/* An items relation that shares no item with the qrels. */
SELECT
  COUNT(*) AS found
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
  FROM {{ recall_duckdb.read(q, 'judgements') }}
  LIMIT 1
) AS first_row
HAVING
  COUNT(*) = 0
{%- elif name == 'no_relevant' %}
/* Judged queries without a relevant item. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'per_query') }}
WHERE
  NOT (
    relevant <> 0
  ){% if q.item_sliced %} AND item_slice_no < 1{% endif %}
{%- elif name == 'nothing_relevant' %}
/* Qrels without any relevant item. */
SELECT
  COUNT(*) AS found
FROM {{ recall_duckdb.read(q, 'per_query') }}
HAVING
  NOT (
    MAX(relevant) <> 0
  )
{%- elif name == 'pairs' %}
/* Rows of pairs without two items and a valid similarity. */
SELECT
  item AS item,
  other AS other,
  similarity AS similarity
FROM {{ recall_duckdb.read(q, 'pairs') }}
WHERE
  NOT (
    NOT item IS NULL AND NOT other IS NULL
  )
  OR similarity IS NULL
  OR NOT (
    similarity BETWEEN -1 AND 1
  )
{%- elif name == 'qrels_duplicates' %}
/* Items that are judged more than once for a query. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  COUNT(*) AS copies,
  MIN(relevance) AS lowest,
  MAX(relevance) AS highest
FROM {{ recall_duckdb.read(q, 'qrels') }}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item
HAVING
  COUNT(*) > 1
{%- elif name == 'qrels_range' %}
/* Rows of the qrels whose relevance is too large for an exact mean over millions of queries. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance
FROM {{ recall_duckdb.read(q, 'qrels') }}
WHERE
  relevance >= CAST(1e12 AS {{ recall_duckdb.type_double() }})
{%- elif name == 'qrels_relevance' %}
/* Rows of the qrels without a relevance. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'qrels') }}
WHERE
  relevance IS NULL
{%- elif name == 'query_slices_duplicates' %}
/* Queries with more than one row in query_slices. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  COUNT(*) AS copies
FROM {{ recall_duckdb.read(q, 'query_slices') }}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
HAVING
  COUNT(*) > 1
{%- elif name == 'ranks' %}
/* Lists whose ranks are not 1, 2, 3, … down to the deepest rank that a metric reads. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  COUNT(*) AS items,
  MIN(rank) AS smallest,
  MAX(rank) AS largest
FROM {{ recall_duckdb.read(q, 'run') }}
{%- if not q.has_exclude %}
{%- if not q.has_items %}
{%- if not q.judged_only %}
{%- if q.depth is not none %}
WHERE
  rank <= {{ q.depth }}
{%- endif %}
{%- endif %}
{%- endif %}
{%- endif %}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
HAVING
  NOT (
    MIN(rank) = 1 AND MAX(rank) = COUNT(*) AND COUNT(DISTINCT rank) = COUNT(*)
  )
{%- elif name == 'ranks_given' %}
/* Lists with a rank below 1, or with two items at the same rank, if ranks are used as they are. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  COUNT(*) AS items,
  MIN(rank) AS smallest,
  COUNT(*) - COUNT(DISTINCT rank) AS repeated
FROM {{ recall_duckdb.read(q, 'run') }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
HAVING
  NOT (
    MIN(rank) >= 1 AND COUNT(DISTINCT rank) = COUNT(*)
  )
{%- elif name == 'reversed_scores' %}
/* Models whose relevant items rank so far below the other items of their lists that their scores may be distances. */
SELECT
{%- if q.models %}
  model AS model,
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + 100 * SUM(excess) / COUNT(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    model AS model,
    excess AS excess,
    SUM(excess) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY model, item) AS excess_of_item
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        model AS model{% for query in q.queries %},
        {{ query.column }} AS {{ query.column }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %} ORDER BY score DESC) AS first_place,
        COUNT(*) OVER (
          PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
GROUP BY
  model
{%- else %}
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + 100 * SUM(excess) / COUNT(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    excess AS excess,
    SUM(excess) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY item) AS excess_of_item
  FROM (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score DESC) AS first_place,
        COUNT(*) OVER (
          PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
{%- endif %}
HAVING
  SUM(excess) >= 0.2 * COUNT(excess)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_query)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_item)
{%- elif name == 'run_duplicates' %}
/* Items that occur more than once in a query's list, at any rank. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  COUNT(*) AS copies
FROM {{ recall_duckdb.read(q, 'run') }}
GROUP BY
  {% if q.models %}model,
  {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item
HAVING
  COUNT(*) > 1
{%- elif name == 'run_infinite' %}
/* Rows of the run with an infinite score: any two of them are tied. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  score AS score
FROM {{ recall_duckdb.read(q, 'run') }}
WHERE
  score > CAST('1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
  OR score < CAST('-1.7976931348623157e308' AS {{ recall_duckdb.type_double() }})
{%- elif name == 'run_scores' %}
/* Rows of the run without a score. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'run') }}
WHERE
  score IS NULL
{%- elif name == 'slice_nulls' %}
/* Judged queries whose slice is unknown. */
SELECT DISTINCT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
  {{ slice.column }} AS {{ slice.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'per_query') }}
WHERE
  NOT (
    {% for slice in q.slices %}NOT {{ slice.column }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %}
{%- if q.missing == 'skip' %}
  ) AND NOT (
    retrieved = 0
{%- endif %}
  )
{%- elif name == 'slices_of_qrels' %}
/* Queries with two slices. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'qrels') }}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
HAVING
  NOT (
    {% for slice in q.slices %}MIN({{ slice.column }}) = MAX({{ slice.column }}){{ ' AND ' if not loop.last }}{% endfor %}
  )
{%- elif name == 'slices_of_run' %}
/* Queries with two slices. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'run_source') }}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
HAVING
  NOT (
    {% for slice in q.slices %}MIN({{ slice.column }}) = MAX({{ slice.column }}){{ ' AND ' if not loop.last }}{% endfor %}
  )
{%- elif name == 'weights' %}
/* Rows of weights without a query or a valid weight. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  weight AS weight
FROM {{ recall_duckdb.read(q, 'weights') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT {{ query.column }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %}
  )
  OR weight IS NULL
  OR weight < 0
  OR weight > CAST(1.7e308 AS {{ recall_duckdb.type_double() }})
{%- elif name == 'weights_duplicates' %}
/* Queries with more than one weight. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  COUNT(*) AS copies
FROM {{ recall_duckdb.read(q, 'weights') }}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
HAVING
  COUNT(*) > 1
{%- elif name == 'weights_missing' %}
/* Judged queries without a weight, or all judged queries if no weight is above 0. */
SELECT DISTINCT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'per_query') }}
WHERE
  {% for weight in [1] %}query_weight IS NULL{{ ' AND ' if not loop.last }}{% endfor %}{% if q.item_sliced %} AND item_slice_no < 1{% endif %}
{%- elif name == 'weights_range' %}
/* Weights above 0 that are too small to count next to the largest. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% for weight in [1] %},
  query_weight AS share_of_largest{% endfor %}
FROM {{ recall_duckdb.read(q, 'weighted') }}
WHERE
  {% for weight in [1] %}query_weight > 0{{ ' AND ' if not loop.last }}{% endfor %} AND {% for weight in [1] %}query_weight < CAST(1e-9 AS {{ recall_duckdb.type_double() }}){{ ' AND ' if not loop.last }}{% endfor %}
{%- endif -%}
{% endmacro %}

{% macro trino__check_rows(q, name) -%}
{%- if name == 'no_common_query' %}
/* Runs that hold none of the judged queries. */
SELECT
{%- if q.models %}
  model{% for query in q.queries %},
  {{ query.column }}{% endfor %}
FROM (
  SELECT
    model AS model{% for query in q.queries %},
    {{ query.column }} AS {{ query.column }}{% endfor %},
    MAX(retrieved) OVER (PARTITION BY model) AS ranked_w
{%- else %}
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    MAX(retrieved) OVER () AS ranked_w
{%- endif %}
  FROM {{ recall_duckdb.read(q, 'per_query') }}
) AS ranked_t
WHERE
  ranked_w = 0
{%- elif name == 'reversed_scores' %}
/* Models whose relevant items rank so far below the other items of their lists that their scores may be distances. */
SELECT
{%- if q.models %}
  model AS model,
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + CAST(100 * SUM(excess) AS {{ recall_duckdb.type_double() }}) / COUNT(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    model AS model,
    excess AS excess,
    SUM(excess) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY model, item) AS excess_of_item
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        model AS model{% for query in q.queries %},
        {{ query.column }} AS {{ query.column }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %} ORDER BY score DESC) AS first_place,
        COUNT(*) OVER (
          PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
GROUP BY
  model
{%- else %}
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + CAST(100 * SUM(excess) AS {{ recall_duckdb.type_double() }}) / COUNT(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    excess AS excess,
    SUM(excess) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY item) AS excess_of_item
  FROM (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score DESC) AS first_place,
        COUNT(*) OVER (
          PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
{%- endif %}
HAVING
  SUM(excess) >= 0.2 * COUNT(excess)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_query)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_item)
{%- else -%}
{{ recall_duckdb.default__check_rows(q, name) }}
{%- endif -%}
{% endmacro %}

{% macro athena__check_rows(q, name) -%}
{%- if name == 'no_common_query' %}
/* Runs that hold none of the judged queries. */
SELECT
{%- if q.models %}
  model{% for query in q.queries %},
  {{ query.column }}{% endfor %}
FROM (
  SELECT
    model AS model{% for query in q.queries %},
    {{ query.column }} AS {{ query.column }}{% endfor %},
    MAX(retrieved) OVER (PARTITION BY model) AS ranked_w
{%- else %}
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    MAX(retrieved) OVER () AS ranked_w
{%- endif %}
  FROM {{ recall_duckdb.read(q, 'per_query') }}
) AS ranked_t
WHERE
  ranked_w = 0
{%- elif name == 'reversed_scores' %}
/* Models whose relevant items rank so far below the other items of their lists that their scores may be distances. */
SELECT
{%- if q.models %}
  model AS model,
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + CAST(100 * SUM(excess) AS {{ recall_duckdb.type_double() }}) / COUNT(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    model AS model,
    excess AS excess,
    SUM(excess) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY model, item) AS excess_of_item
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        model AS model{% for query in q.queries %},
        {{ query.column }} AS {{ query.column }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %} ORDER BY score DESC) AS first_place,
        COUNT(*) OVER (
          PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
GROUP BY
  model
{%- else %}
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + CAST(100 * SUM(excess) AS {{ recall_duckdb.type_double() }}) / COUNT(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    excess AS excess,
    SUM(excess) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY item) AS excess_of_item
  FROM (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score DESC) AS first_place,
        COUNT(*) OVER (
          PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
{%- endif %}
HAVING
  SUM(excess) >= 0.2 * COUNT(excess)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_query)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_item)
{%- else -%}
{{ recall_duckdb.default__check_rows(q, name) }}
{%- endif -%}
{% endmacro %}

{% macro bigquery__check_rows(q, name) -%}
{%- if name == 'no_common_exclude' %}
/* An exclude relation of which no pair is in the run. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item{% for query in q.queries %},
  excluded_{{ query.column }} AS excluded_{{ query.column }}{% endfor %},
  excluded_item AS excluded_item
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item
  FROM {{ recall_duckdb.read(q, 'run') }}
  ORDER BY
    {% for query in q.queries %}{{ query.column }} ASC{{ ', ' if not loop.last }}{% endfor %},
    item ASC
  LIMIT 1
) AS first_of_run
CROSS JOIN (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS excluded_{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS excluded_item
  FROM {{ recall_duckdb.read(q, 'exclude') }}
  ORDER BY
    {% for query in q.queries %}{{ query.column }} ASC{{ ', ' if not loop.last }}{% endfor %},
    item ASC
  LIMIT 1
) AS first_excluded
CROSS JOIN (
  SELECT
    COUNT(*) AS removed
  FROM (
    SELECT
      item AS item
    FROM {{ recall_duckdb.read(q, 'run') }}
    INNER JOIN {{ recall_duckdb.read(q, 'exclude') }}
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
    LIMIT 1
  ) AS first_removed
) AS all_removed
WHERE
  removed = 0
{%- elif name == 'no_common_query' %}
/* Runs that hold none of the judged queries. */
SELECT
{%- if q.models %}
  model{% for query in q.queries %},
  {{ query.column }}{% endfor %}
FROM (
  SELECT
    model AS model{% for query in q.queries %},
    {{ query.column }} AS {{ query.column }}{% endfor %},
    MAX(retrieved) OVER (PARTITION BY model) AS ranked_w
{%- else %}
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    MAX(retrieved) OVER () AS ranked_w
{%- endif %}
  FROM {{ recall_duckdb.read(q, 'per_query') }}
) AS ranked_t
WHERE
  ranked_w = 0
{%- elif name == 'reversed_scores' %}
/* Models whose relevant items rank so far below the other items of their lists that their scores may be distances. */
SELECT
{%- if q.models %}
  model AS model,
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + 100 * SUM(excess) / COUNT(excess)) AS INT64) AS percent_above
FROM (
  SELECT
    model AS model,
    excess AS excess,
    SUM(excess) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY model, item) AS excess_of_item
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        model AS model{% for query in q.queries %},
        {{ query.column }} AS {{ query.column }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %} ORDER BY score DESC) AS first_place,
        COUNT(*) OVER (
          PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
GROUP BY
  model
{%- else %}
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + 100 * SUM(excess) / COUNT(excess)) AS INT64) AS percent_above
FROM (
  SELECT
    excess AS excess,
    SUM(excess) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY item) AS excess_of_item
  FROM (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score DESC) AS first_place,
        COUNT(*) OVER (
          PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
{%- endif %}
HAVING
  SUM(excess) >= 0.2 * COUNT(excess)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_query)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_item)
{%- else -%}
{{ recall_duckdb.default__check_rows(q, name) }}
{%- endif -%}
{% endmacro %}

{% macro clickhouse__check_rows(q, name) -%}
{%- if name == 'catalog_ids' %}
/* Rows of catalog without an item. */
SELECT
  item AS item
FROM {{ recall_duckdb.read(q, 'catalog') }}
WHERE
  NOT (
    NOT (
      item IS NULL
    )
  )
{%- elif name == 'exclude_ids' %}
/* Rows of exclude without a query or an item. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'exclude') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT (
      {{ query.column }} IS NULL
    ){{ ' AND ' if not loop.last }}{% endfor %} AND NOT (
      item IS NULL
    )
  )
{%- elif name == 'item_slices_ids' %}
/* Rows of item_slices without an item. */
SELECT
  item AS item
FROM {{ recall_duckdb.read(q, 'item_slices') }}
WHERE
  NOT (
    NOT (
      item IS NULL
    )
  )
{%- elif name == 'items_ids' %}
/* Rows of items without an item. */
SELECT
  item AS item
FROM {{ recall_duckdb.read(q, 'items') }}
WHERE
  NOT (
    NOT (
      item IS NULL
    )
  )
{%- elif name == 'obvious_ids' %}
/* Rows of obvious without a query or an item. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'obvious') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT (
      {{ query.column }} IS NULL
    ){{ ' AND ' if not loop.last }}{% endfor %} AND NOT (
      item IS NULL
    )
  )
{%- elif name == 'qrels_ids' %}
/* Rows of the qrels without a query or an item. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance
FROM {{ recall_duckdb.read(q, 'qrels') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT (
      {{ query.column }} IS NULL
    ){{ ' AND ' if not loop.last }}{% endfor %} AND NOT (
      item IS NULL
    )
  )
{%- elif name == 'query_slices_ids' %}
/* Rows of query_slices without a query. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'query_slices') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT (
      {{ query.column }} IS NULL
    ){{ ' AND ' if not loop.last }}{% endfor %}
  )
{%- elif name == 'run_ids' %}
/* Rows of the run without a model, a query or an item. */
SELECT
{%- if q.models %}
  model AS model{% for query in q.queries %},
  {{ query.column }} AS {{ query.column }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'run') }}
WHERE
  NOT (
    NOT (
      model IS NULL
    ) AND {% for query in q.queries %}NOT (
      {{ query.column }} IS NULL
    ){{ ' AND ' if not loop.last }}{% endfor %} AND NOT (
{%- else %}
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'run') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT (
      {{ query.column }} IS NULL
    ){{ ' AND ' if not loop.last }}{% endfor %} AND NOT (
{%- endif %}
      item IS NULL
    )
  )
{%- elif name == 'training_ids' %}
/* Rows of training without a query or an item. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item
FROM {{ recall_duckdb.read(q, 'training') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT (
      {{ query.column }} IS NULL
    ){{ ' AND ' if not loop.last }}{% endfor %} AND NOT (
      item IS NULL
    )
  )
{%- elif name == 'features' %}
/* Rows of features without an item, a feature or a valid weight. */
SELECT
  item AS item,
  feature AS feature,
  weight AS weight
FROM {{ recall_duckdb.read(q, 'features') }}
WHERE
  NOT (
    NOT (
      item IS NULL
    ) AND NOT (
      feature IS NULL
    )
  )
  OR weight IS NULL
  OR ABS(weight) > CAST(1.7e308 AS {{ recall_duckdb.type_double() }})
{%- elif name == 'no_common_query' %}
/* Runs that hold none of the judged queries. */
SELECT
{%- if q.models %}
  model{% for query in q.queries %},
  {{ query.column }}{% endfor %}
FROM (
  SELECT
    model AS model{% for query in q.queries %},
    {{ query.column }} AS {{ query.column }}{% endfor %},
    MAX(retrieved) OVER (PARTITION BY model) AS ranked_w
{%- else %}
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    MAX(retrieved) OVER () AS ranked_w
{%- endif %}
  FROM {{ recall_duckdb.read(q, 'per_query') }}
) AS ranked_t
WHERE
  ranked_w = 0
{%- elif name == 'pairs' %}
/* Rows of pairs without two items and a valid similarity. */
SELECT
  item AS item,
  other AS other,
  similarity AS similarity
FROM {{ recall_duckdb.read(q, 'pairs') }}
WHERE
  NOT (
    NOT (
      item IS NULL
    ) AND NOT (
      other IS NULL
    )
  )
  OR similarity IS NULL
  OR NOT (
    similarity BETWEEN -1 AND 1
  )
{%- elif name == 'reversed_scores' %}
/* Models whose relevant items rank so far below the other items of their lists that their scores may be distances. */
SELECT
{%- if q.models %}
  model AS model,
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + 100 * SUM(excess) / COUNT(excess)) AS Nullable(Int64)) AS percent_above
FROM (
  SELECT
    model AS model,
    excess AS excess,
    SUM(excess) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY model, item) AS excess_of_item
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        model AS model{% for query in q.queries %},
        {{ query.column }} AS {{ query.column }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %} ORDER BY score DESC) AS first_place,
        COUNT(*) OVER (
          PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
GROUP BY
  model
{%- else %}
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + 100 * SUM(excess) / COUNT(excess)) AS Nullable(Int64)) AS percent_above
FROM (
  SELECT
    excess AS excess,
    SUM(excess) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY item) AS excess_of_item
  FROM (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / nullIf(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score DESC) AS first_place,
        COUNT(*) OVER (
          PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
{%- endif %}
HAVING
  SUM(excess) >= 0.2 * COUNT(excess)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_query)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_item)
{%- elif name == 'slice_nulls' %}
/* Judged queries whose slice is unknown. */
SELECT DISTINCT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
  {{ slice.column }} AS {{ slice.column }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'per_query') }}
WHERE
  NOT (
    {% for slice in q.slices %}NOT (
      {{ slice.column }} IS NULL
    ){{ ' AND ' if not loop.last }}{% endfor %}
{%- if q.missing == 'skip' %}
  ) AND NOT (
    retrieved = 0
{%- endif %}
  )
{%- elif name == 'weights' %}
/* Rows of weights without a query or a valid weight. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  weight AS weight
FROM {{ recall_duckdb.read(q, 'weights') }}
WHERE
  NOT (
    {% for query in q.queries %}NOT (
      {{ query.column }} IS NULL
    ){{ ' AND ' if not loop.last }}{% endfor %}
  )
  OR weight IS NULL
  OR weight < 0
  OR weight > CAST(1.7e308 AS {{ recall_duckdb.type_double() }})
{%- else -%}
{{ recall_duckdb.default__check_rows(q, name) }}
{%- endif -%}
{% endmacro %}

{% macro spark__check_rows(q, name) -%}
{%- if name == 'no_common_exclude' %}
/* An exclude relation of which no pair is in the run. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item{% for query in q.queries %},
  excluded_{{ query.column }} AS excluded_{{ query.column }}{% endfor %},
  excluded_item AS excluded_item
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS item
  FROM {{ recall_duckdb.read(q, 'run') }}
  ORDER BY
    {% for query in q.queries %}{{ query.column }} ASC{{ ', ' if not loop.last }}{% endfor %},
    item ASC
  LIMIT 1
) AS first_of_run
CROSS JOIN (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS excluded_{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    item AS excluded_item
  FROM {{ recall_duckdb.read(q, 'exclude') }}
  ORDER BY
    {% for query in q.queries %}{{ query.column }} ASC{{ ', ' if not loop.last }}{% endfor %},
    item ASC
  LIMIT 1
) AS first_excluded
CROSS JOIN (
  SELECT
    COUNT(*) AS removed
  FROM (
    SELECT
      item AS item
    FROM {{ recall_duckdb.read(q, 'run') }}
    INNER JOIN {{ recall_duckdb.read(q, 'exclude') }}
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
    LIMIT 1
  ) AS first_removed
) AS all_removed
WHERE
  removed = 0
{%- elif name == 'no_common_query' %}
/* Runs that hold none of the judged queries. */
SELECT
{%- if q.models %}
  model{% for query in q.queries %},
  {{ query.column }}{% endfor %}
FROM (
  SELECT
    model AS model{% for query in q.queries %},
    {{ query.column }} AS {{ query.column }}{% endfor %},
    MAX(retrieved) OVER (PARTITION BY model) AS ranked_w
{%- else %}
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    MAX(retrieved) OVER () AS ranked_w
{%- endif %}
  FROM {{ recall_duckdb.read(q, 'per_query') }}
) AS ranked_t
WHERE
  ranked_w = 0
{%- elif name == 'reversed_scores' %}
/* Models whose relevant items rank so far below the other items of their lists that their scores may be distances. */
SELECT
{%- if q.models %}
  model AS model,
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + 100 * SUM(excess) / COUNT(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    model AS model,
    excess AS excess,
    SUM(excess) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY model, item) AS excess_of_item
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        model AS model{% for query in q.queries %},
        {{ query.column }} AS {{ query.column }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %} ORDER BY score DESC) AS first_place,
        COUNT(*) OVER (
          PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
GROUP BY
  model
{%- else %}
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + 100 * SUM(excess) / COUNT(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    excess AS excess,
    SUM(excess) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY item) AS excess_of_item
  FROM (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score DESC) AS first_place,
        COUNT(*) OVER (
          PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY score DESC
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
{%- endif %}
HAVING
  SUM(excess) >= 0.2 * COUNT(excess)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_query)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_item)
{%- else -%}
{{ recall_duckdb.default__check_rows(q, name) }}
{%- endif -%}
{% endmacro %}

{% macro postgres__check_rows(q, name) -%}
{%- if name == 'no_common_query' %}
/* Runs that hold none of the judged queries. */
SELECT
{%- if q.models %}
  model{% for query in q.queries %},
  {{ query.column }}{% endfor %}
FROM (
  SELECT
    model AS model{% for query in q.queries %},
    {{ query.column }} AS {{ query.column }}{% endfor %},
    MAX(retrieved) OVER (PARTITION BY model) AS ranked_w
{%- else %}
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    MAX(retrieved) OVER () AS ranked_w
{%- endif %}
  FROM {{ recall_duckdb.read(q, 'per_query') }}
) AS ranked_t
WHERE
  ranked_w = 0
{%- elif name == 'reversed_scores' %}
/* Models whose relevant items rank so far below the other items of their lists that their scores may be distances. */
SELECT
{%- if q.models %}
  model AS model,
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + CAST(100 * SUM(excess) AS {{ recall_duckdb.type_double() }}) / COUNT(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    model AS model,
    excess AS excess,
    SUM(excess) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY model, item) AS excess_of_item
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        model AS model{% for query in q.queries %},
        {{ query.column }} AS {{ query.column }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %} ORDER BY score DESC NULLS LAST) AS first_place,
        COUNT(*) OVER (
          PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}
          ORDER BY score DESC NULLS LAST
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
GROUP BY
  model
{%- else %}
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + CAST(100 * SUM(excess) AS {{ recall_duckdb.type_double() }}) / COUNT(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    excess AS excess,
    SUM(excess) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY item) AS excess_of_item
  FROM (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score DESC NULLS LAST) AS first_place,
        COUNT(*) OVER (
          PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY score DESC NULLS LAST
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
{%- endif %}
HAVING
  SUM(excess) >= 0.2 * COUNT(excess)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_query)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_item)
{%- else -%}
{{ recall_duckdb.default__check_rows(q, name) }}
{%- endif -%}
{% endmacro %}

{% macro snowflake__check_rows(q, name) -%}
{%- if name == 'no_common_query' %}
/* Runs that hold none of the judged queries. */
SELECT
{%- if q.models %}
  model{% for query in q.queries %},
  {{ query.column }}{% endfor %}
FROM (
  SELECT
    model AS model{% for query in q.queries %},
    {{ query.column }} AS {{ query.column }}{% endfor %},
    MAX(retrieved) OVER (PARTITION BY model) AS ranked_w
{%- else %}
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
FROM (
  SELECT
    {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
    MAX(retrieved) OVER () AS ranked_w
{%- endif %}
  FROM {{ recall_duckdb.read(q, 'per_query') }}
) AS ranked_t
WHERE
  ranked_w = 0
{%- elif name == 'reversed_scores' %}
/* Models whose relevant items rank so far below the other items of their lists that their scores may be distances. */
SELECT
{%- if q.models %}
  model AS model,
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + 100 * SUM(excess) / COUNT(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    model AS model,
    excess AS excess,
    SUM(excess) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY model, item) AS excess_of_item
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        model AS model{% for query in q.queries %},
        {{ query.column }} AS {{ query.column }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %} ORDER BY score DESC NULLS LAST) AS first_place,
        COUNT(*) OVER (
          PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}
          ORDER BY score DESC NULLS LAST
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY model{% for query in q.queries %}, {{ query.column }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
GROUP BY
  model
{%- else %}
  COUNT(excess) AS relevant,
  CAST(ROUND(50 + 100 * SUM(excess) / COUNT(excess)) AS BIGINT) AS percent_above
FROM (
  SELECT
    excess AS excess,
    SUM(excess) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS excess_of_query,
    SUM(excess) OVER (PARTITION BY item) AS excess_of_item
  FROM (
    SELECT
      {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
      item AS item,
      (
        CAST(first_place + last_place - 2 AS {{ recall_duckdb.type_double() }}) / NULLIF(CAST(2 * (
          list_length - 1
        ) AS {{ recall_duckdb.type_double() }}), 0)
      ) - 0.5 AS excess
    FROM (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item,
        RANK() OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %} ORDER BY score DESC NULLS LAST) AS first_place,
        COUNT(*) OVER (
          PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
          ORDER BY score DESC NULLS LAST
          RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        COUNT(*) OVER (PARTITION BY {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}) AS list_length
      FROM {{ recall_duckdb.read(q, 'candidates') }}
      INNER JOIN (
        SELECT
          {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        FROM (
          SELECT
            {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
            ROW_NUMBER() OVER (ORDER BY {% for query in q.queries %}{{ query.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS query_no
          FROM {{ recall_duckdb.read(q, 'graded') }}
          WHERE
            is_relevant = 1
          GROUP BY
            {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}
        ) AS numbered_queries
      ) AS queries_of_run
        USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    ) AS placed
    INNER JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
        item AS item
      FROM {{ recall_duckdb.read(q, 'graded') }}
      WHERE
        is_relevant = 1
    ) AS relevant_items
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  ) AS placed_items
) AS summed
{%- endif %}
HAVING
  SUM(excess) >= 0.2 * COUNT(excess)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_query)
  AND POWER(SUM(excess), 2) >= 16 * SUM(excess * excess_of_item)
{%- else -%}
{{ recall_duckdb.default__check_rows(q, name) }}
{%- endif -%}
{% endmacro %}
