{# Written from sql/2_ranking/obvious_items.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_obvious_items(q) %}
  {{- return(adapter.dispatch('relation_obvious_items', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_obvious_items(q) -%}
/* The pairs of query and item that are obvious. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  1 AS is_obvious
FROM {{ recall_duckdb.read(q, 'obvious') }}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item
{%- endmacro %}
