{# Written from sql/6_comparison/scales.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_scales(q) %}
  {{- return(adapter.dispatch('relation_scales', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_scales(q) -%}
/* The power of two that divides the values of a metric, so that sums and squares stay small: 1 if none is above 1. */
SELECT
  metric_no AS metric_no,
  CASE
    WHEN largest > POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    WHEN largest > 1
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CEIL(LN(largest) / LN(CAST(2 AS {{ recall_duckdb.type_double() }}))))
    ELSE CAST(1 AS {{ recall_duckdb.type_double() }})
  END AS scale
FROM (
  SELECT
    metric_no AS metric_no,
    CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }}_largest {% endfor %}END AS largest
  FROM (
    SELECT
      {% for m in q.metrics %}MAX(ABS({{ m.column }})) AS {{ m.column }}_largest{{ ', ' if not loop.last }}{% endfor %}
    FROM {{ recall_duckdb.read(q, 'per_query') }}
  ) AS largest_of_all
  CROSS JOIN {{ recall_duckdb.read(q, 'metrics') }}
) AS largest_values
{%- endmacro %}

{% macro trino__relation_scales(q) -%}
/* The power of two that divides the values of a metric, so that sums and squares stay small: 1 if none is above 1. */
SELECT
  metric_no AS metric_no,
  CASE
    WHEN largest > POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    WHEN largest > 1
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CEIL(CAST(LN(largest) AS {{ recall_duckdb.type_double() }}) / LN(CAST(2 AS {{ recall_duckdb.type_double() }}))))
    ELSE CAST(1 AS {{ recall_duckdb.type_double() }})
  END AS scale
FROM (
  SELECT
    metric_no AS metric_no,
    CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }}_largest {% endfor %}END AS largest
  FROM (
    SELECT
      {% for m in q.metrics %}MAX(ABS({{ m.column }})) AS {{ m.column }}_largest{{ ', ' if not loop.last }}{% endfor %}
    FROM {{ recall_duckdb.read(q, 'per_query') }}
  ) AS largest_of_all
  CROSS JOIN {{ recall_duckdb.read(q, 'metrics') }}
) AS largest_values
{%- endmacro %}

{% macro athena__relation_scales(q) -%}
  {{- return(recall_duckdb.trino__relation_scales(q)) -}}
{%- endmacro %}

{% macro postgres__relation_scales(q) -%}
/* The power of two that divides the values of a metric, so that sums and squares stay small: 1 if none is above 1. */
SELECT
  metric_no AS metric_no,
  CASE
    WHEN largest > POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    WHEN largest > 1
    THEN POWER(
      CAST(2 AS {{ recall_duckdb.type_double() }}),
      CEIL(CAST(LN(largest) AS {{ recall_duckdb.type_double() }}) / LN(CAST(2 AS {{ recall_duckdb.type_double() }})))
    )
    ELSE CAST(1 AS {{ recall_duckdb.type_double() }})
  END AS scale
FROM (
  SELECT
    metric_no AS metric_no,
    CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }}_largest {% endfor %}END AS largest
  FROM (
    SELECT
      {% for m in q.metrics %}MAX(ABS({{ m.column }})) AS {{ m.column }}_largest{{ ', ' if not loop.last }}{% endfor %}
    FROM {{ recall_duckdb.read(q, 'per_query') }}
  ) AS largest_of_all
  CROSS JOIN {{ recall_duckdb.read(q, 'metrics') }}
) AS largest_values
{%- endmacro %}
