{# Written from sql/2_ranking/numbered_items.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_numbered_items(q) %}
  {{- return(adapter.dispatch('relation_numbered_items', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_numbered_items(q) -%}
/* The slices of items by number, from 1. */
SELECT
  item AS item{% for slice in q.slices %},
  {{ slice.column }} AS {{ slice.column }}{% endfor %},
  CAST(DENSE_RANK() OVER (ORDER BY {% for slice in q.slices %}{{ slice.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS BIGINT) AS item_slice_no
FROM {{ recall_duckdb.read(q, 'item_slices') }}
WHERE
  {% for slice in q.slices %}NOT {{ slice.column }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro bigquery__relation_numbered_items(q) -%}
/* The slices of items by number, from 1. */
SELECT
  item AS item{% for slice in q.slices %},
  {{ slice.column }} AS {{ slice.column }}{% endfor %},
  CAST(DENSE_RANK() OVER (ORDER BY {% for slice in q.slices %}{{ slice.column }} ASC{{ ', ' if not loop.last }}{% endfor %}) AS INT64) AS item_slice_no
FROM {{ recall_duckdb.read(q, 'item_slices') }}
WHERE
  {% for slice in q.slices %}NOT {{ slice.column }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro clickhouse__relation_numbered_items(q) -%}
/* The slices of items by number, from 1. */
SELECT
  item AS item{% for slice in q.slices %},
  {{ slice.column }} AS {{ slice.column }}{% endfor %},
  CAST(DENSE_RANK() OVER (ORDER BY {% for slice in q.slices %}{{ slice.column }} ASC NULLS FIRST{{ ', ' if not loop.last }}{% endfor %}) AS Nullable(Int64)) AS item_slice_no
FROM {{ recall_duckdb.read(q, 'item_slices') }}
WHERE
  {% for slice in q.slices %}NOT (
    {{ slice.column }} IS NULL
  ){{ ' AND ' if not loop.last }}{% endfor %}
{%- endmacro %}

{% macro spark__relation_numbered_items(q) -%}
/* The slices of items by number, from 1. */
SELECT
  item AS item{% for slice in q.slices %},
  {{ slice.column }} AS {{ slice.column }}{% endfor %},
  CAST(DENSE_RANK() OVER (ORDER BY {% for slice in q.slices %}{{ slice.column }} ASC{{ ', ' if not loop.last }}{% endfor %}) AS BIGINT) AS item_slice_no
FROM {{ recall_duckdb.read(q, 'item_slices') }}
WHERE
  {% for slice in q.slices %}NOT {{ slice.column }} IS NULL{{ ' AND ' if not loop.last }}{% endfor %}
{%- endmacro %}
