{# Written from sql/6_comparison/scales.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_scales(q) %}
  {{- return(adapter.dispatch('relation_scales', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_scales(q) -%}
/* The power of two that divides the values of a metric, so that sums and squares stay small: 1 if none is above 1. */
SELECT
  {% for m in q.metrics %}CASE
    WHEN MAX(ABS({{ m.column }})) > POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    WHEN MAX(ABS({{ m.column }})) > 1
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CEIL(LN(MAX(ABS({{ m.column }}))) / LN(CAST(2 AS {{ recall_duckdb.type_double() }}))))
    ELSE CAST(1 AS {{ recall_duckdb.type_double() }})
  END AS {{ m.column }}_scale{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'per_query') }}
{%- endmacro %}

{% macro trino__relation_scales(q) -%}
/* The power of two that divides the values of a metric, so that sums and squares stay small: 1 if none is above 1. */
SELECT
  {% for m in q.metrics %}CASE
    WHEN MAX(ABS({{ m.column }})) > POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    WHEN MAX(ABS({{ m.column }})) > 1
    THEN POWER(
      CAST(2 AS {{ recall_duckdb.type_double() }}),
      CEIL(CAST(LN(MAX(ABS({{ m.column }}))) AS {{ recall_duckdb.type_double() }}) / LN(CAST(2 AS {{ recall_duckdb.type_double() }})))
    )
    ELSE CAST(1 AS {{ recall_duckdb.type_double() }})
  END AS {{ m.column }}_scale{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'per_query') }}
{%- endmacro %}

{% macro athena__relation_scales(q) -%}
  {{- return(recall_duckdb.trino__relation_scales(q)) -}}
{%- endmacro %}

{% macro clickhouse__relation_scales(q) -%}
/* The power of two that divides the values of a metric, so that sums and squares stay small: 1 if none is above 1. */
SELECT
  {% for m in q.metrics %}CASE
    WHEN MAX(ABS({{ m.column }})) > POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    WHEN MAX(ABS({{ m.column }})) > 1
    THEN POWER(
      CAST(2 AS {{ recall_duckdb.type_double() }}),
      CEIL(LN(MAX(ABS({{ m.column }}))) / LN(CAST(2 AS {{ recall_duckdb.type_double() }})))
    )
    ELSE CAST(1 AS {{ recall_duckdb.type_double() }})
  END AS {{ m.column }}_scale{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'per_query') }}
{%- endmacro %}

{% macro postgres__relation_scales(q) -%}
/* The power of two that divides the values of a metric, so that sums and squares stay small: 1 if none is above 1. */
SELECT
  {% for m in q.metrics %}CASE
    WHEN MAX(ABS({{ m.column }})) > POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    THEN POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(1023 AS {{ recall_duckdb.type_double() }}))
    WHEN MAX(ABS({{ m.column }})) > 1
    THEN POWER(
      CAST(2 AS {{ recall_duckdb.type_double() }}),
      CEIL(
        CAST(LN(MAX(ABS({{ m.column }}))) AS {{ recall_duckdb.type_double() }}) / LN(CAST(2 AS {{ recall_duckdb.type_double() }}))
      )
    )
    ELSE CAST(1 AS {{ recall_duckdb.type_double() }})
  END AS {{ m.column }}_scale{{ ', ' if not loop.last }}{% endfor %}
FROM {{ recall_duckdb.read(q, 'per_query') }}
{%- endmacro %}
