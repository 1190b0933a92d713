{# Written from sql/6_comparison/pairs/baseline.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_pairs(q) %}
  {{- return(adapter.dispatch('relation_pairs', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_pairs(q) -%}
/* The values of a model and of the baseline for the same query, and their difference in whole steps of 2^-40. */
SELECT
  model AS model{% for query in q.queries %},
  {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
  {{ slice.column }} AS {{ slice.column }}{% endfor %},
  metric_no AS metric_no,
  value AS value,
  base AS base,
  CAST(ROUND(
    (
      (
        value / scale
      ) - base / scale
    ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
  ) AS BIGINT) AS steps,
  scale AS scale
FROM (
  SELECT
    model AS model{% for query in q.queries %},
    {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for slice in q.slices %},
    base_{{ slice.column }} AS base_{{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }} {% endfor %}END AS value,
    CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }}_base {% endfor %}END AS base,
    scale AS scale
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for slice in q.slices %},
      base_{{ slice.column }} AS base_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
      {{ m.column }} AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
      {{ m.column }}_base AS {{ m.column }}_base{% endfor %}
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    LEFT JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
        {{ slice.column }} AS base_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
        {{ m.column }} AS {{ m.column }}_base{% endfor %}
      FROM {{ recall_duckdb.read(q, 'per_query') }}
      WHERE
        model = '{{ q.baseline }}'
    ) AS of_baseline
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    WHERE
      model <> '{{ q.baseline }}'
  ) AS joined_models
  CROSS JOIN {{ recall_duckdb.read(q, 'scales') }}
) AS values_of_both
{%- endmacro %}

{% macro trino__relation_pairs(q) -%}
/* The values of a model and of the baseline for the same query, and their difference in whole steps of 2^-40. */
SELECT
  model AS model{% for query in q.queries %},
  {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
  {{ slice.column }} AS {{ slice.column }}{% endfor %},
  metric_no AS metric_no,
  value AS value,
  base AS base,
  CAST(ROUND(
    (
      (
        CAST(value AS {{ recall_duckdb.type_double() }}) / scale
      ) - CAST(base AS {{ recall_duckdb.type_double() }}) / scale
    ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
  ) AS BIGINT) AS steps,
  scale AS scale
FROM (
  SELECT
    model AS model{% for query in q.queries %},
    {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for slice in q.slices %},
    base_{{ slice.column }} AS base_{{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }} {% endfor %}END AS value,
    CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }}_base {% endfor %}END AS base,
    scale AS scale
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for slice in q.slices %},
      base_{{ slice.column }} AS base_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
      {{ m.column }} AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
      {{ m.column }}_base AS {{ m.column }}_base{% endfor %}
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    LEFT JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
        {{ slice.column }} AS base_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
        {{ m.column }} AS {{ m.column }}_base{% endfor %}
      FROM {{ recall_duckdb.read(q, 'per_query') }}
      WHERE
        model = '{{ q.baseline }}'
    ) AS of_baseline
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    WHERE
      model <> '{{ q.baseline }}'
  ) AS joined_models
  CROSS JOIN {{ recall_duckdb.read(q, 'scales') }}
) AS values_of_both
{%- endmacro %}

{% macro athena__relation_pairs(q) -%}
  {{- return(recall_duckdb.trino__relation_pairs(q)) -}}
{%- endmacro %}

{% macro bigquery__relation_pairs(q) -%}
/* The values of a model and of the baseline for the same query, and their difference in whole steps of 2^-40. */
SELECT
  model AS model{% for query in q.queries %},
  {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
  {{ slice.column }} AS {{ slice.column }}{% endfor %},
  metric_no AS metric_no,
  value AS value,
  base AS base,
  CAST(ROUND(
    (
      (
        value / scale
      ) - base / scale
    ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
  ) AS INT64) AS steps,
  scale AS scale
FROM (
  SELECT
    model AS model{% for query in q.queries %},
    {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for slice in q.slices %},
    base_{{ slice.column }} AS base_{{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }} {% endfor %}END AS value,
    CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }}_base {% endfor %}END AS base,
    scale AS scale
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for slice in q.slices %},
      base_{{ slice.column }} AS base_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
      {{ m.column }} AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
      {{ m.column }}_base AS {{ m.column }}_base{% endfor %}
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    LEFT JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
        {{ slice.column }} AS base_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
        {{ m.column }} AS {{ m.column }}_base{% endfor %}
      FROM {{ recall_duckdb.read(q, 'per_query') }}
      WHERE
        model = '{{ q.baseline }}'
    ) AS of_baseline
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    WHERE
      model <> '{{ q.baseline }}'
  ) AS joined_models
  CROSS JOIN {{ recall_duckdb.read(q, 'scales') }}
) AS values_of_both
{%- endmacro %}

{% macro clickhouse__relation_pairs(q) -%}
/* The values of a model and of the baseline for the same query, and their difference in whole steps of 2^-40. */
SELECT
  model AS model{% for query in q.queries %},
  {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
  {{ slice.column }} AS {{ slice.column }}{% endfor %},
  metric_no AS metric_no,
  value AS value,
  base AS base,
  CAST(ROUND(
    (
      (
        value / scale
      ) - base / scale
    ) * POWER(CAST(2 AS {{ recall_duckdb.type_double() }}), CAST(40 AS {{ recall_duckdb.type_double() }}))
  ) AS Nullable(Int64)) AS steps,
  scale AS scale
FROM (
  SELECT
    model AS model{% for query in q.queries %},
    {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
    {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for slice in q.slices %},
    base_{{ slice.column }} AS base_{{ slice.column }}{% endfor %},
    metric_no AS metric_no,
    CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }} {% endfor %}END AS value,
    CASE metric_no {% for m in q.metrics %}WHEN {{ m.number }} THEN {{ m.column }}_base {% endfor %}END AS base,
    scale AS scale
  FROM (
    SELECT
      model AS model{% for query in q.queries %},
      {{ query.column }} AS {{ query.column }}{% endfor %}{% for slice in q.slices %},
      {{ slice.column }} AS {{ slice.column }}{% endfor %}{% for slice in q.slices %},
      base_{{ slice.column }} AS base_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
      {{ m.column }} AS {{ m.column }}{% endfor %}{% for m in q.metrics %},
      {{ m.column }}_base AS {{ m.column }}_base{% endfor %}
    FROM {{ recall_duckdb.read(q, 'per_query') }}
    LEFT JOIN (
      SELECT
        {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %}{% for slice in q.slices %},
        {{ slice.column }} AS base_{{ slice.column }}{% endfor %}{% for m in q.metrics %},
        {{ m.column }} AS {{ m.column }}_base{% endfor %}
      FROM {{ recall_duckdb.read(q, 'per_query') }}
      WHERE
        model = '{{ q.baseline }}'
    ) AS of_baseline
      USING ({% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %})
    WHERE
      model <> '{{ q.baseline }}'
  ) AS joined_models
  CROSS JOIN {{ recall_duckdb.read(q, 'scales') }}
) AS values_of_both
{%- endmacro %}

{% macro postgres__relation_pairs(q) -%}
  {{- return(recall_duckdb.trino__relation_pairs(q)) -}}
{%- endmacro %}
