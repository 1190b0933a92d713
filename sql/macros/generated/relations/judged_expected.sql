{# Written from sql/3_judging/judged/expected.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_judged_expected(q) %}
  {{- return(adapter.dispatch('relation_judged_expected', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_judged_expected(q) -%}
/* The expected columns of judged at every place of a list, over all orders of items with equal scores. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  is_relevant AS is_relevant,
  gain AS gain,
  top_gain AS top_gain,
  ideal_rank AS ideal_rank,
  relevant AS relevant,
  rank AS rank,
  retrieved AS retrieved,
  hits AS hits,
  relevant_hits AS relevant_hits,
  found AS found,
  is_first AS is_first
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS is_relevant,
    gain AS gain,
    top_gain AS top_gain,
    ideal_rank AS ideal_rank,
    relevant AS relevant,
    CAST(NULL AS BIGINT) AS rank,
    COALESCE(recommended, 0) AS retrieved,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS hits,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS relevant_hits,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS found,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS is_first
  FROM {{ recall_duckdb.read(q, 'models') }}
  CROSS JOIN {{ recall_duckdb.read(q, 'ideal') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'retrieved') }}
    USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
  UNION ALL
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) AS is_relevant,
    gain AS gain,
    top_gain AS top_gain,
    CAST(NULL AS BIGINT) AS ideal_rank,
    relevant AS relevant,
    rank AS rank,
    recommended AS retrieved,
    CAST(hits_before AS {{ recall_duckdb.type_double() }}) + CAST(c * j AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) AS hits,
    CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) * (
      CAST(hits_before + 1 AS {{ recall_duckdb.type_double() }}) + CASE
        WHEN t > 1
        THEN CAST((
          j - 1
        ) * (
          c - 1
        ) AS {{ recall_duckdb.type_double() }}) / CAST(t - 1 AS {{ recall_duckdb.type_double() }})
        ELSE 0
      END
    ) AS relevant_hits,
    CASE WHEN hits_before > 0 OR j > t - c THEN 1 ELSE 1 - EXP(log_none) END AS found,
    CASE
      WHEN hits_before > 0 OR c = 0
      THEN 0
      WHEN j <= t - c
      THEN EXP(log_none) * CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t - j + 1 - c AS {{ recall_duckdb.type_double() }})
      WHEN j = t - c + 1
      THEN EXP(log_none)
      ELSE 0
    END AS is_first
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
      item_slice_no AS item_slice_no{% endif %},
      rank AS rank,
      tied AS t,
      relevant_tied AS c,
      rank - before AS j,
      hits_before AS hits_before,
      gain AS gain,
      top_gain AS top_gain,
      relevant AS relevant,
      recommended AS recommended,
      CAST(SUM(
        CAST(CASE
          WHEN rank - before <= tied - relevant_tied
          THEN LN(
            CAST(tied - (
              rank - before
            ) + 1 - relevant_tied AS {{ recall_duckdb.type_double() }}) / CAST(tied - (
              rank - before
            ) + 1 AS {{ recall_duckdb.type_double() }})
          )
          ELSE 0
        END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) OVER (
        PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}, before
        ORDER BY rank ASC NULLS FIRST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS log_none
    FROM {{ recall_duckdb.read(q, 'ranked') }}
    INNER JOIN {{ recall_duckdb.read(q, 'tied_groups') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, before)
    INNER JOIN {{ recall_duckdb.read(q, 'retrieved') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    WHERE
      is_recommended = 1
  ) AS places
) AS expected
{%- endmacro %}

{% macro bigquery__relation_judged_expected(q) -%}
/* The expected columns of judged at every place of a list, over all orders of items with equal scores. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  is_relevant AS is_relevant,
  gain AS gain,
  top_gain AS top_gain,
  ideal_rank AS ideal_rank,
  relevant AS relevant,
  rank AS rank,
  retrieved AS retrieved,
  hits AS hits,
  relevant_hits AS relevant_hits,
  found AS found,
  is_first AS is_first
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS is_relevant,
    gain AS gain,
    top_gain AS top_gain,
    ideal_rank AS ideal_rank,
    relevant AS relevant,
    CAST(NULL AS INT64) AS rank,
    COALESCE(recommended, 0) AS retrieved,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS hits,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS relevant_hits,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS found,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS is_first
  FROM {{ recall_duckdb.read(q, 'models') }}
  CROSS JOIN {{ recall_duckdb.read(q, 'ideal') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'retrieved') }}
    USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
  UNION ALL
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) AS is_relevant,
    gain AS gain,
    top_gain AS top_gain,
    CAST(NULL AS INT64) AS ideal_rank,
    relevant AS relevant,
    rank AS rank,
    recommended AS retrieved,
    CAST(hits_before AS {{ recall_duckdb.type_double() }}) + CAST(c * j AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) AS hits,
    CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) * (
      CAST(hits_before + 1 AS {{ recall_duckdb.type_double() }}) + CASE
        WHEN t > 1
        THEN CAST((
          j - 1
        ) * (
          c - 1
        ) AS {{ recall_duckdb.type_double() }}) / CAST(t - 1 AS {{ recall_duckdb.type_double() }})
        ELSE 0
      END
    ) AS relevant_hits,
    CASE WHEN hits_before > 0 OR j > t - c THEN 1 ELSE 1 - EXP(log_none) END AS found,
    CASE
      WHEN hits_before > 0 OR c = 0
      THEN 0
      WHEN j <= t - c
      THEN EXP(log_none) * CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t - j + 1 - c AS {{ recall_duckdb.type_double() }})
      WHEN j = t - c + 1
      THEN EXP(log_none)
      ELSE 0
    END AS is_first
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
      item_slice_no AS item_slice_no{% endif %},
      rank AS rank,
      tied AS t,
      relevant_tied AS c,
      rank - before AS j,
      hits_before AS hits_before,
      gain AS gain,
      top_gain AS top_gain,
      relevant AS relevant,
      recommended AS recommended,
      CAST(SUM(
        CAST(CASE
          WHEN rank - before <= tied - relevant_tied
          THEN LN(
            CAST(tied - (
              rank - before
            ) + 1 - relevant_tied AS {{ recall_duckdb.type_double() }}) / CAST(tied - (
              rank - before
            ) + 1 AS {{ recall_duckdb.type_double() }})
          )
          ELSE 0
        END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
      ) OVER (
        PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}, before
        ORDER BY rank ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS log_none
    FROM {{ recall_duckdb.read(q, 'ranked') }}
    INNER JOIN {{ recall_duckdb.read(q, 'tied_groups') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, before)
    INNER JOIN {{ recall_duckdb.read(q, 'retrieved') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    WHERE
      is_recommended = 1
  ) AS places
) AS expected
{%- endmacro %}

{% macro clickhouse__relation_judged_expected(q) -%}
/* The expected columns of judged at every place of a list, over all orders of items with equal scores. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  is_relevant AS is_relevant,
  gain AS gain,
  top_gain AS top_gain,
  ideal_rank AS ideal_rank,
  relevant AS relevant,
  rank AS rank,
  retrieved AS retrieved,
  hits AS hits,
  relevant_hits AS relevant_hits,
  found AS found,
  is_first AS is_first
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS is_relevant,
    gain AS gain,
    top_gain AS top_gain,
    ideal_rank AS ideal_rank,
    relevant AS relevant,
    CAST(NULL AS Nullable(Int64)) AS rank,
    COALESCE(recommended, 0) AS retrieved,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS hits,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS relevant_hits,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS found,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS is_first
  FROM {{ recall_duckdb.read(q, 'models') }}
  CROSS JOIN {{ recall_duckdb.read(q, 'ideal') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'retrieved') }}
    USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
  UNION ALL
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) AS is_relevant,
    gain AS gain,
    top_gain AS top_gain,
    CAST(NULL AS Nullable(Int64)) AS ideal_rank,
    relevant AS relevant,
    rank AS rank,
    recommended AS retrieved,
    CAST(hits_before AS {{ recall_duckdb.type_double() }}) + CAST(c * j AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) AS hits,
    CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) * (
      CAST(hits_before + 1 AS {{ recall_duckdb.type_double() }}) + CASE
        WHEN t > 1
        THEN CAST((
          j - 1
        ) * (
          c - 1
        ) AS {{ recall_duckdb.type_double() }}) / CAST(t - 1 AS {{ recall_duckdb.type_double() }})
        ELSE 0
      END
    ) AS relevant_hits,
    CASE WHEN hits_before > 0 OR j > t - c THEN 1 ELSE 1 - EXP(log_none) END AS found,
    CASE
      WHEN hits_before > 0 OR c = 0
      THEN 0
      WHEN j <= t - c
      THEN EXP(log_none) * CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t - j + 1 - c AS {{ recall_duckdb.type_double() }})
      WHEN j = t - c + 1
      THEN EXP(log_none)
      ELSE 0
    END AS is_first
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
      item_slice_no AS item_slice_no{% endif %},
      rank AS rank,
      tied AS t,
      relevant_tied AS c,
      rank - before AS j,
      hits_before AS hits_before,
      gain AS gain,
      top_gain AS top_gain,
      relevant AS relevant,
      recommended AS recommended,
      CAST(SUM(
        CAST(COALESCE(
          CASE
            WHEN rank - before <= tied - relevant_tied
            THEN LN(
              CAST(tied - (
                rank - before
              ) + 1 - relevant_tied AS {{ recall_duckdb.type_double() }}) / CAST(tied - (
                rank - before
              ) + 1 AS {{ recall_duckdb.type_double() }})
            )
            ELSE 0
          END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
          CAST(0 AS {{ recall_duckdb.type_double() }})
        ) AS Nullable(Decimal(38, 0)))
      ) OVER (
        PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}, before
        ORDER BY rank ASC NULLS FIRST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS log_none
    FROM {{ recall_duckdb.read(q, 'ranked') }}
    INNER JOIN {{ recall_duckdb.read(q, 'tied_groups') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, before)
    INNER JOIN {{ recall_duckdb.read(q, 'retrieved') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    WHERE
      is_recommended = 1
  ) AS places
) AS expected
{%- endmacro %}

{% macro spark__relation_judged_expected(q) -%}
/* The expected columns of judged at every place of a list, over all orders of items with equal scores. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  is_relevant AS is_relevant,
  gain AS gain,
  top_gain AS top_gain,
  ideal_rank AS ideal_rank,
  relevant AS relevant,
  rank AS rank,
  retrieved AS retrieved,
  hits AS hits,
  relevant_hits AS relevant_hits,
  found AS found,
  is_first AS is_first
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS is_relevant,
    gain AS gain,
    top_gain AS top_gain,
    ideal_rank AS ideal_rank,
    relevant AS relevant,
    CAST(NULL AS BIGINT) AS rank,
    COALESCE(recommended, 0) AS retrieved,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS hits,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS relevant_hits,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS found,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS is_first
  FROM {{ recall_duckdb.read(q, 'models') }}
  CROSS JOIN {{ recall_duckdb.read(q, 'ideal') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'retrieved') }}
    USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
  UNION ALL
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) AS is_relevant,
    gain AS gain,
    top_gain AS top_gain,
    CAST(NULL AS BIGINT) AS ideal_rank,
    relevant AS relevant,
    rank AS rank,
    recommended AS retrieved,
    CAST(hits_before AS {{ recall_duckdb.type_double() }}) + CAST(c * j AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) AS hits,
    CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) * (
      CAST(hits_before + 1 AS {{ recall_duckdb.type_double() }}) + CASE
        WHEN t > 1
        THEN CAST((
          j - 1
        ) * (
          c - 1
        ) AS {{ recall_duckdb.type_double() }}) / CAST(t - 1 AS {{ recall_duckdb.type_double() }})
        ELSE 0
      END
    ) AS relevant_hits,
    CASE WHEN hits_before > 0 OR j > t - c THEN 1 ELSE 1 - EXP(log_none) END AS found,
    CASE
      WHEN hits_before > 0 OR c = 0
      THEN 0
      WHEN j <= t - c
      THEN EXP(log_none) * CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t - j + 1 - c AS {{ recall_duckdb.type_double() }})
      WHEN j = t - c + 1
      THEN EXP(log_none)
      ELSE 0
    END AS is_first
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
      item_slice_no AS item_slice_no{% endif %},
      rank AS rank,
      tied AS t,
      relevant_tied AS c,
      rank - before AS j,
      hits_before AS hits_before,
      gain AS gain,
      top_gain AS top_gain,
      relevant AS relevant,
      recommended AS recommended,
      CAST(SUM(
        CAST(CASE
          WHEN rank - before <= tied - relevant_tied
          THEN LN(
            CAST(tied - (
              rank - before
            ) + 1 - relevant_tied AS {{ recall_duckdb.type_double() }}) / CAST(tied - (
              rank - before
            ) + 1 AS {{ recall_duckdb.type_double() }})
          )
          ELSE 0
        END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
      ) OVER (
        PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}, before
        ORDER BY rank ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS log_none
    FROM {{ recall_duckdb.read(q, 'ranked') }}
    INNER JOIN {{ recall_duckdb.read(q, 'tied_groups') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, before)
    INNER JOIN {{ recall_duckdb.read(q, 'retrieved') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    WHERE
      is_recommended = 1
  ) AS places
) AS expected
{%- endmacro %}

{% macro postgres__relation_judged_expected(q) -%}
/* The expected columns of judged at every place of a list, over all orders of items with equal scores. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  is_relevant AS is_relevant,
  gain AS gain,
  top_gain AS top_gain,
  ideal_rank AS ideal_rank,
  relevant AS relevant,
  rank AS rank,
  retrieved AS retrieved,
  hits AS hits,
  relevant_hits AS relevant_hits,
  found AS found,
  is_first AS is_first
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS is_relevant,
    gain AS gain,
    top_gain AS top_gain,
    ideal_rank AS ideal_rank,
    relevant AS relevant,
    CAST(NULL AS BIGINT) AS rank,
    COALESCE(recommended, 0) AS retrieved,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS hits,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS relevant_hits,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS found,
    CAST(0 AS {{ recall_duckdb.type_double() }}) AS is_first
  FROM {{ recall_duckdb.read(q, 'models') }}
  CROSS JOIN {{ recall_duckdb.read(q, 'ideal') }}
  LEFT JOIN {{ recall_duckdb.read(q, 'retrieved') }}
    USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
  UNION ALL
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) AS is_relevant,
    gain AS gain,
    top_gain AS top_gain,
    CAST(NULL AS BIGINT) AS ideal_rank,
    relevant AS relevant,
    rank AS rank,
    recommended AS retrieved,
    CAST(hits_before AS {{ recall_duckdb.type_double() }}) + CAST(c * j AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) AS hits,
    CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t AS {{ recall_duckdb.type_double() }}) * (
      CAST(hits_before + 1 AS {{ recall_duckdb.type_double() }}) + CASE
        WHEN t > 1
        THEN CAST((
          j - 1
        ) * (
          c - 1
        ) AS {{ recall_duckdb.type_double() }}) / CAST(t - 1 AS {{ recall_duckdb.type_double() }})
        ELSE 0
      END
    ) AS relevant_hits,
    CASE WHEN hits_before > 0 OR j > t - c THEN 1 ELSE 1 - EXP(log_none) END AS found,
    CASE
      WHEN hits_before > 0 OR c = 0
      THEN 0
      WHEN j <= t - c
      THEN EXP(log_none) * CAST(c AS {{ recall_duckdb.type_double() }}) / CAST(t - j + 1 - c AS {{ recall_duckdb.type_double() }})
      WHEN j = t - c + 1
      THEN EXP(log_none)
      ELSE 0
    END AS is_first
  FROM (
    SELECT
      {% if q.models %}model AS model,
      {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
      item_slice_no AS item_slice_no{% endif %},
      rank AS rank,
      tied AS t,
      relevant_tied AS c,
      rank - before AS j,
      hits_before AS hits_before,
      gain AS gain,
      top_gain AS top_gain,
      relevant AS relevant,
      recommended AS recommended,
      CAST(SUM(
        CAST(CAST(CASE
          WHEN rank - before <= tied - relevant_tied
          THEN LN(
            CAST(tied - (
              rank - before
            ) + 1 - relevant_tied AS {{ recall_duckdb.type_double() }}) / CAST(tied - (
              rank - before
            ) + 1 AS {{ recall_duckdb.type_double() }})
          )
          ELSE 0
        END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
      ) OVER (
        PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}, before
        ORDER BY rank ASC NULLS FIRST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
      ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS log_none
    FROM {{ recall_duckdb.read(q, 'ranked') }}
    INNER JOIN {{ recall_duckdb.read(q, 'tied_groups') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, before)
    INNER JOIN {{ recall_duckdb.read(q, 'retrieved') }}
      USING ({% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    WHERE
      is_recommended = 1
  ) AS places
) AS expected
{%- endmacro %}

{% macro redshift__relation_judged_expected(q) -%}
  {{- return(recall_duckdb.default__relation_judged_expected(q)) -}}
{%- endmacro %}
