{# Written from sql/2_ranking/excluded.sql by `python -m recall_duckdb.dbt`: change that, not this. #}

{% macro relation_excluded(q) %}
  {{- return(adapter.dispatch('relation_excluded', 'recall_duckdb')(q)) -}}
{% endmacro %}

{% macro default__relation_excluded(q) -%}
/* The pairs of query and item to exclude, such as those seen in training. */
SELECT
  {% for query in q.queries %}{{ query.column }} AS {{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item AS item,
  1 AS is_excluded
FROM {{ recall_duckdb.read(q, 'exclude') }}
GROUP BY
  {% for query in q.queries %}{{ query.column }}{{ ', ' if not loop.last }}{% endfor %},
  item
{%- endmacro %}
