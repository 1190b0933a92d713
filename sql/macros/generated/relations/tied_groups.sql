{# Written from sql/3_judging/tied_groups.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_tied_groups(q) %}
  {{- return(adapter.dispatch('relation_tied_groups', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_tied_groups(q) -%}
/* The groups of equal score that hold a relevant item or a gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  before AS before,
  relevant_tied AS relevant_tied,
  mean_gain AS gain,
  highest_gain AS top_gain,
  relevant_items AS relevant,
  SUM(relevant_tied) OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}
    ORDER BY before ASC NULLS FIRST
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) - relevant_tied AS hits_before
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    before AS before,
    CAST(SUM(is_relevant) AS BIGINT) AS relevant_tied,
    CAST(SUM(
      CAST(CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain) / CAST(MAX(tied) AS {{ recall_duckdb.type_double() }}) AS mean_gain,
    MAX(top_gain) AS highest_gain,
    MAX(relevant) AS relevant_items
  FROM {{ recall_duckdb.read(q, 'ranked') }}
  INNER JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no{% endif %},
    before
  HAVING
    SUM(is_relevant) > 0 OR MAX(gain) > 0
) AS found_groups
{%- endmacro %}

{% macro trino__relation_tied_groups(q) -%}
/* The groups of equal score that hold a relevant item or a gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  before AS before,
  relevant_tied AS relevant_tied,
  mean_gain AS gain,
  highest_gain AS top_gain,
  relevant_items AS relevant,
  SUM(relevant_tied) OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}
    ORDER BY before ASC NULLS FIRST
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) - relevant_tied AS hits_before
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    before AS before,
    CAST(SUM(is_relevant) AS BIGINT) AS relevant_tied,
    CAST(SUM(
      CAST(CASE WHEN gain > 0 THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain) / CAST(MAX(tied) AS {{ recall_duckdb.type_double() }}) AS mean_gain,
    MAX(top_gain) AS highest_gain,
    MAX(relevant) AS relevant_items
  FROM {{ recall_duckdb.read(q, 'ranked') }}
  INNER JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no{% endif %},
    before
  HAVING
    SUM(is_relevant) > 0 OR MAX(gain) > 0
) AS found_groups
{%- endmacro %}

{% macro athena__relation_tied_groups(q) -%}
  {{- return(recall_duckdb.trino__relation_tied_groups(q)) -}}
{%- endmacro %}

{% macro bigquery__relation_tied_groups(q) -%}
/* The groups of equal score that hold a relevant item or a gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  before AS before,
  relevant_tied AS relevant_tied,
  mean_gain AS gain,
  highest_gain AS top_gain,
  relevant_items AS relevant,
  SUM(relevant_tied) OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}
    ORDER BY before ASC
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) - relevant_tied AS hits_before
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    before AS before,
    CAST(SUM(is_relevant) AS INT64) AS relevant_tied,
    CAST(SUM(
      CAST(CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS BIGNUMERIC)
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain) / CAST(MAX(tied) AS {{ recall_duckdb.type_double() }}) AS mean_gain,
    MAX(top_gain) AS highest_gain,
    MAX(relevant) AS relevant_items
  FROM {{ recall_duckdb.read(q, 'ranked') }}
  INNER JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no{% endif %},
    before
  HAVING
    SUM(is_relevant) > 0 OR MAX(gain) > 0
) AS found_groups
{%- endmacro %}

{% macro clickhouse__relation_tied_groups(q) -%}
/* The groups of equal score that hold a relevant item or a gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  before AS before,
  relevant_tied AS relevant_tied,
  mean_gain AS gain,
  highest_gain AS top_gain,
  relevant_items AS relevant,
  SUM(relevant_tied) OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}
    ORDER BY before ASC NULLS FIRST
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) - relevant_tied AS hits_before
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    before AS before,
    CAST(SUM(is_relevant) AS Nullable(Int64)) AS relevant_tied,
    CAST(SUM(
      CAST(COALESCE(
        CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})),
        CAST(0 AS {{ recall_duckdb.type_double() }})
      ) AS Nullable(Decimal(38, 0)))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain) / CAST(MAX(tied) AS {{ recall_duckdb.type_double() }}) AS mean_gain,
    MAX(top_gain) AS highest_gain,
    MAX(relevant) AS relevant_items
  FROM {{ recall_duckdb.read(q, 'ranked') }}
  INNER JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no{% endif %},
    before
  HAVING
    SUM(is_relevant) > 0 OR MAX(gain) > 0
) AS found_groups
{%- endmacro %}

{% macro spark__relation_tied_groups(q) -%}
/* The groups of equal score that hold a relevant item or a gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  before AS before,
  relevant_tied AS relevant_tied,
  mean_gain AS gain,
  highest_gain AS top_gain,
  relevant_items AS relevant,
  SUM(relevant_tied) OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}
    ORDER BY before ASC
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) - relevant_tied AS hits_before
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    before AS before,
    CAST(SUM(is_relevant) AS BIGINT) AS relevant_tied,
    CAST(SUM(
      CAST(CASE WHEN gain > 0 THEN gain / top_gain ELSE CAST(0 AS {{ recall_duckdb.type_double() }}) END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain) / CAST(MAX(tied) AS {{ recall_duckdb.type_double() }}) AS mean_gain,
    MAX(top_gain) AS highest_gain,
    MAX(relevant) AS relevant_items
  FROM {{ recall_duckdb.read(q, 'ranked') }}
  INNER JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no{% endif %},
    before
  HAVING
    SUM(is_relevant) > 0 OR MAX(gain) > 0
) AS found_groups
{%- endmacro %}

{% macro postgres__relation_tied_groups(q) -%}
/* The groups of equal score that hold a relevant item or a gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  before AS before,
  relevant_tied AS relevant_tied,
  mean_gain AS gain,
  highest_gain AS top_gain,
  relevant_items AS relevant,
  SUM(relevant_tied) OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}
    ORDER BY before ASC NULLS FIRST
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) - relevant_tied AS hits_before
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    before AS before,
    CAST(SUM(is_relevant) AS BIGINT) AS relevant_tied,
    CAST(SUM(
      CAST(CAST(CASE
        WHEN gain > 0
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS TEXT) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain) / CAST(MAX(tied) AS {{ recall_duckdb.type_double() }}) AS mean_gain,
    MAX(top_gain) AS highest_gain,
    MAX(relevant) AS relevant_items
  FROM {{ recall_duckdb.read(q, 'ranked') }}
  INNER JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no{% endif %},
    before
  HAVING
    SUM(is_relevant) > 0 OR MAX(gain) > 0
) AS found_groups
{%- endmacro %}

{% macro redshift__relation_tied_groups(q) -%}
/* The groups of equal score that hold a relevant item or a gain. */
SELECT
  {% if q.models %}model AS model,
  {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
  item_slice_no AS item_slice_no{% endif %},
  before AS before,
  relevant_tied AS relevant_tied,
  mean_gain AS gain,
  highest_gain AS top_gain,
  relevant_items AS relevant,
  SUM(relevant_tied) OVER (
    PARTITION BY {% if q.models %}model, {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %}, item_slice_no{% endif %}
    ORDER BY before ASC NULLS FIRST
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) - relevant_tied AS hits_before
FROM (
  SELECT
    {% if q.models %}model AS model,
    {% endif %}{% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no AS item_slice_no{% endif %},
    before AS before,
    CAST(SUM(is_relevant) AS BIGINT) AS relevant_tied,
    CAST(SUM(
      CAST(CASE
        WHEN gain > 0
        THEN CAST(gain AS {{ recall_duckdb.type_double() }}) / top_gain
        ELSE CAST(0 AS {{ recall_duckdb.type_double() }})
      END * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) AS DECIMAL(38, 0))
    ) AS {{ recall_duckdb.type_double() }}) / POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(80 AS {{ recall_duckdb.type_double() }})) * MAX(top_gain) / CAST(MAX(tied) AS {{ recall_duckdb.type_double() }}) AS mean_gain,
    MAX(top_gain) AS highest_gain,
    MAX(relevant) AS relevant_items
  FROM {{ recall_duckdb.read(q, 'ranked') }}
  INNER JOIN {{ recall_duckdb.read(q, 'ideal') }}
    USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}, item)
  GROUP BY
    {% if q.models %}model,
    {% endif %}{% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% if q.item_sliced %},
    item_slice_no{% endif %},
    before
  HAVING
    SUM(is_relevant) > 0 OR MAX(gain) > 0
) AS found_groups
{%- endmacro %}
