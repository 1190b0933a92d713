{# Written from sql/3_judging/sliced.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_sliced(q) %}
  {{- return(adapter.dispatch('relation_sliced', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_sliced(q) -%}
/* The judged items of a query, and those of each of its item slices that may be relevant. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  relevance AS relevance,
  is_relevant AS is_relevant,
  gain AS gain,
  CASE WHEN is_slice = 1 THEN own_slice_no ELSE 0 END AS item_slice_no
FROM {{ recall_duckdb.read(q, 'graded') }}
CROSS JOIN (
  SELECT
    0 AS is_slice
  UNION ALL
  SELECT
    1 AS is_slice
) AS levels
LEFT JOIN (
  SELECT
    item AS item{% if q.item_sliced %},
    item_slice_no AS own_slice_no{% endif %}
  FROM {{ recall_duckdb.read(q, 'numbered_items') }}
) AS own_slices
  USING (item)
WHERE
{%- if q.item_sliced %}
  is_slice = 0 OR (
    own_slice_no >= 1 AND relevance > 0
  )
{%- else %}
  is_slice = 0
{%- endif %}
{%- endmacro %}
